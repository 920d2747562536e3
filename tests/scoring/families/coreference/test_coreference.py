"""The reference cases, and what holds for every coreference run."""

import json
import random
from math import comb

import numpy as np
import pytest

import scoring
from scoring.families.coreference.scores import KINDS
from tests.scoring.coreference_cases import REFERENCE, approximate, cases_of, check_run, write_side

CASES = {
    case["id"]: case
    for name in ("json", "particular", "conll", "corefud")
    for case in cases_of(REFERENCE / f"{name}.jsonl")
}
PROTOCOLS = ("reference", "scorch", "scorch-functions")
FAMILY = scoring.FAMILIES["coreference"]
METRICS = ("muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc")
# Gold, system, then recall, precision and F1 of the five metrics of scorch's command, and the CoNLL average.
EDGES = [
    ("", "", "0 0 0  0 0 0  0 0 0  0 0 0  1 1 1  0"),
    ("", "ab", "0 0 0  1 .5 .6667  .5 .5 .5  .3333 .6667 .4444  0 0 0  .3704"),
    ("ab", "", "0 0 0  0 0 0  0 0 0  0 0 0  0 0 0  0"),
    ("a", "a", "0 0 0  1 1 1  1 1 1  1 1 1  1 1 1  .6667"),
    ("a", "b", "0 0 0  .5 1 .6667  .5 1 .6667  .5 1 .6667  0 0 0  .4444"),
    ("ab", "cd", "0 0 0  .5 .5 .5  .25 .5 .3333  .2222 .6667 .3333  0 0 0  .2778"),
    ("a b", "ab", "0 0 0  1 .5 .6667  .5 .5 .5  .3333 .6667 .4444  0 0 0  .3704"),
]


@pytest.mark.golden
@pytest.mark.parametrize("name", CASES)
def test_the_result_is_the_expected_one(name, tmp_path):
    gold, system = (write_side(tmp_path / side, CASES[name][side]) for side in ("gold", "system"))
    for run in CASES[name]["runs"]:
        check_run(run, gold, system)


@pytest.mark.parametrize(("gold", "system", "expected"), EDGES)
def test_a_file_without_much_in_it_scores_as_with_scorch(gold, system, expected, tmp_path):
    result = evaluate(tmp_path, clusters_of(gold), clusters_of(system), protocol="scorch")
    names = [f"{metric}_{part}" for metric in METRICS for part in ("recall", "precision", "f1")]
    expected = dict(zip([*names, "conll_f1"], map(float, expected.split()), strict=True))
    assert {name: result.scores[name] for name in expected} == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_gold_itself_scores_one(protocol, tmp_path):
    gold = clusters_of("abc de f")
    assert set(evaluate(tmp_path, gold, gold, protocol=protocol).scores.values()) == {1.0}


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_labels_and_orders_of_entities_and_mentions_are_irrelevant(protocol, tmp_path):
    rng = random.Random(3)
    gold, system = some_documents(rng, 6), some_documents(rng, 6)
    once = evaluate_folders(tmp_path / "once", gold, system, protocol=protocol)
    again = evaluate_folders(tmp_path / "again", shuffled(rng, gold), shuffled(rng, system), protocol=protocol)
    assert again.scores == once.scores
    assert again.counts == once.counts


def test_the_reference_protocol_sums_documents_and_scorch_averages_them(tmp_path):
    gold = {"large": clusters_of("abcdefgh"), "small": clusters_of("ab")}
    system = {"large": clusters_of("abcd efgh"), "small": clusters_of("ab")}
    recall = {
        protocol: evaluate_folders(tmp_path / protocol, gold, system, protocol=protocol).scores["muc_recall"]
        for protocol in PROTOCOLS
    }
    assert recall["reference"] == pytest.approx((6 + 1) / (7 + 1))
    assert recall["scorch"] == recall["scorch-functions"] == pytest.approx((8 * 6 / 7 + 2) / 10)


def test_counts_are_those_of_all_pairs_of_mentions(tmp_path):
    rng = random.Random(5)
    for number in range(20):
        gold, system = some_clusters(rng), some_clusters(rng)
        counts = evaluate(tmp_path / str(number), gold, system).counts
        in_gold, in_system = entity_of(gold), entity_of(system)
        common = in_gold.keys() & in_system.keys()
        pairs = [(one, other) for one in common for other in common if one < other]
        together = [(in_gold[one] == in_gold[other], in_system[one] == in_system[other]) for one, other in pairs]
        assert counts["blanc_coreference_correct"] == together.count((True, True))
        assert counts["blanc_non_coreference_correct"] == together.count((False, False))
        assert counts["common_mentions"] == len(common)
        assert counts["blanc_non_coreference_gold"] + counts["blanc_coreference_gold"] == comb(len(in_gold), 2)


def test_scorch_counts_added_singletons_as_if_they_stood_in_the_gold(tmp_path):
    rng = random.Random(8)
    for number in range(20):
        gold, system = some_clusters(rng), some_clusters(rng)
        missing = entity_of(system).keys() - entity_of(gold).keys()
        extended = gold | {f"added {mention}": [mention] for mention in missing}
        added = evaluate(tmp_path / f"{number}a", gold, system, protocol="scorch")
        written = evaluate(tmp_path / f"{number}b", extended, system, protocol="scorch-functions")
        for name in added.scores:
            if not name.startswith(("lea", "mention")):
                assert added.scores[name] == pytest.approx(written.scores[name], abs=1e-12)
        assert added.counts["added_singletons"] == len(missing)


def test_invented_singletons_pay_with_scorch_alone_which_warns(tmp_path):
    gold = clusters_of("abcd ef")
    flood = {str(number): [f"invented {number}"] for number in range(100)}
    fair = evaluate(tmp_path / "fair", gold, flood)
    scorch = evaluate(tmp_path / "scorch", gold, flood, protocol="scorch")
    assert fair.scores["conll_f1"] == 0
    assert scorch.scores["conll_f1"] > 0.6
    assert any("100 singletons" in warning for warning in scorch.warnings)
    assert not fair.warnings


def test_only_columns_can_refuse_repeated_mentions(tmp_path):
    gold = {"0": ["a", "a", "b"]}
    result = evaluate(tmp_path, gold, gold, repeated="refuse")
    assert (result.scores["conll_f1"], len(result.warnings)) == (1, 2)


def test_a_singleton_counts_for_lea_only_if_both_sides_have_it_alone(tmp_path):
    scores = evaluate(tmp_path, clusters_of("a b cd"), clusters_of("a b cdx")).scores
    assert scores["lea_recall"] == 1
    scores = evaluate(tmp_path / "other", clusters_of("a b cd"), clusters_of("ab cd")).scores
    assert scores["lea_recall"] == pytest.approx(2 / 4)


def test_errors_tell_absent_and_divided_entities(tmp_path):
    tables = evaluate(tmp_path, clusters_of("abcde fg hi"), clusters_of("ab cd fgx yz")).tables
    found = {record["error"]: (record["count"], record["mentions"]) for record in tables["errors"]}
    assert found == {
        "missing_entity": (1, 2),
        "extra_entity": (1, 2),
        "missing_mention": (1, 1),
        "extra_mention": (1, 1),
        "divided_entity": (1, 2),
        "conflated_entities": (0, 0),
    }


def test_a_document_in_a_table_has_its_own_scores(tmp_path):
    gold = {"a": clusters_of("abc"), "b": {}}
    system = {"a": clusters_of("ab"), "b": {}}
    for protocol in PROTOCOLS:
        records = evaluate_folders(tmp_path / protocol, gold, system, protocol=protocol).tables["documents"]
        alone = evaluate(tmp_path / f"{protocol} alone", gold["a"], system["a"], protocol=protocol).scores
        first = {f"{metric}_f1": alone[f"{metric}_f1"] for metric in (*METRICS, "lea", "mention", "conll")}
        assert {name: records[0][name] for name in first} == approximate(first)
        assert records[1]["document"] == "b"
        # Two empty documents agree for BLANC in scorch, and this one weighs nothing in the average.
        assert records[1]["blanc_f1"] == (0.0 if protocol == "reference" else 1.0)


def test_missing_documents_may_count_as_empty_or_be_left_out(tmp_path):
    gold = {"a": clusters_of("ab"), "b": clusters_of("cd")}
    system = {"a": clusters_of("ab")}
    empty = evaluate_folders(tmp_path / "empty", gold, system, missing="empty")
    assert (empty.scores["muc_recall"], empty.counts["documents"]) == (0.5, 2)
    left_out = evaluate_folders(tmp_path / "out", gold, system, protocol="scorch", missing="ignore")
    assert (left_out.scores["muc_recall"], left_out.counts["documents"]) == (1.0, 1)
    assert left_out.units == ["a"]
    assert all("b" in warning for result in (empty, left_out) for warning in result.warnings)


def test_leaving_out_documents_is_no_choice_for_a_board():
    assert all("ignore" not in option.choices for option in FAMILY.options)
    assert FAMILY.configure({"protocol": "scorch", "missing": "ignore"})["missing"] == "ignore"


def test_without_mentions_on_a_side_scorch_has_no_averages(tmp_path):
    some, none = {"a": clusters_of("ab")}, {"a": {}}
    for protocol in ("scorch", "scorch-functions"):
        with pytest.raises(scoring.SubmissionError, match="weighted averages"):
            evaluate_folders(tmp_path / f"{protocol} 1", some, none, protocol=protocol)
        with pytest.raises(scoring.GoldError, match="weighted averages"):
            evaluate_folders(tmp_path / f"{protocol} 2", none, none, protocol=protocol)
    with pytest.raises(scoring.GoldError, match="weighted averages"):
        evaluate_folders(tmp_path / "3", none, some, protocol="scorch-functions")
    assert evaluate_folders(tmp_path / "4", none, some, protocol="scorch").scores["b_cubed_recall"] == 1


def test_check_refuses_what_evaluate_refuses(tmp_path):
    gold, system = write_documents(tmp_path / "g", {"a": clusters_of("ab")}), write_documents(tmp_path / "s", {"a": {}})
    assert scoring.check("coreference", gold=gold, system=system, options={"protocol": "scorch"})
    assert not scoring.check("coreference", gold=gold, system=system)


def test_all_problems_of_a_side_are_told(tmp_path):
    gold = write_documents(tmp_path / "gold", {name: clusters_of("ab") for name in "abc"})
    system = write_documents(tmp_path / "system", {"a": {"0": []}, "x": clusters_of("ab"), "b": {"1": [None]}})
    (system / "d.json").write_bytes(b"\xff")
    with pytest.raises(scoring.SubmissionError) as refused:
        scoring.evaluate("coreference", gold=gold, system=system)
    assert sorted(problem.file for problem in refused.value.problems) == ["a.json", "b.json", "d.json", "x.json"]


def test_resampled_averages_are_made_of_weights_and_weighted_values(tmp_path):
    rng = random.Random(11)
    gold, system = some_documents(rng, 30), some_documents(rng, 30)
    result = evaluate_folders(tmp_path, gold, system, n_resamples=500, protocol="scorch")
    low, high = result.intervals["conll_f1"]
    assert low < result.scores["conll_f1"] < high
    rows = result.rows
    records = result.tables["documents"]
    weights = rows[:, KINDS.index("f1_weight")]
    f1 = np.average([record["muc_f1"] for record in records], weights=weights)
    assert result.scores["muc_f1"] == pytest.approx(f1)
    assert FAMILY.metrics(np.zeros(len(KINDS)), result.options)["conll_f1"] == 0


def test_no_score_is_ever_undefined():
    counts = np.zeros((2, 3, len(KINDS)))
    for protocol in PROTOCOLS:
        scores = FAMILY.metrics(counts, {"protocol": protocol})
        assert scores.keys() == FAMILY.score_titles.keys()
        assert all(values.shape == (2, 3) and not values.any() for values in scores.values())


def test_the_signature_names_what_changes_numbers(tmp_path):
    gold = clusters_of("ab c")
    signature = evaluate(tmp_path, gold, gold, singletons="remove", format="json").signature
    assert "|missing:refuse|protocol:reference|singletons:remove|score:conll_f1|units:1 documents|" in signature
    assert evaluate(tmp_path / "exact", gold, gold, singletons="remove", match="exact").signature == signature
    assert "format" not in signature


@pytest.mark.parametrize("format_", ["auto", "json", "conll", "corefud"])
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_example_can_be_uploaded(format_, protocol, tmp_path):
    options = FAMILY.configure({"format": format_, "protocol": protocol, "singletons": "remove"})
    for name, content in FAMILY.example(options).items():
        (tmp_path / name).write_bytes(content)
    result = scoring.evaluate("coreference", gold=tmp_path, system=tmp_path, options=options)
    assert (result.warnings, result.scores["conll_f1"]) == ([], 1.0)


PLAIN = "# newdoc id = d\n1\tAnn" + "\t_" * 7 + "\t{}\n"


@pytest.mark.parametrize(
    ("misc", "hint"),
    [
        ("_", "no Entity= in the tenth column"),
        ("ClusterId=e1|MentionSpan=1", "ClusterId= is how CorefUD before 1.0 wrote entities"),
    ],
)
def test_sides_without_any_mention_are_told(misc, hint, tmp_path):
    gold, system = tmp_path / "gold.conllu", tmp_path / "system.conllu"
    gold.write_text(PLAIN.format(misc))
    system.write_text(PLAIN.format("Entity=(e1)"))
    (warning,) = scoring.evaluate("coreference", gold=gold, system=system).warnings
    assert warning.startswith("gold: no mention in any document")
    assert hint in warning
    (warning,) = scoring.evaluate("coreference", gold=system, system=gold).warnings
    assert warning.startswith("no mention in any document")
    assert hint in warning


def test_files_of_universal_anaphora_are_called_so(tmp_path):
    path = tmp_path / "ua.conllu"
    path.write_text("# global.columns = ID FORM MISC IDENTITY\n# newdoc id = d\n1 Ann _ (EntityID=1)\n")
    with pytest.raises(scoring.GoldError, match="this file is of Universal Anaphora") as refused:
        scoring.evaluate("coreference", gold=path, system=path)
    assert len(refused.value.problems) == 1


def test_a_repeated_mention_stays_with_the_entity_of_the_cells_one_token_mention(tmp_path):
    """The system has 0-0 in 3 and 1, 2-3 in 1 and 3. B³ of the CoNLL scorer 8.01 is 1; by first openings it is 2/3."""

    def column(*cells):
        rows = "".join(f"d\t0\t{k}\tw\t{cell}\n" for k, cell in enumerate(cells))
        path = tmp_path / f"{len(list(tmp_path.iterdir()))}.conll"
        path.write_text(f"#begin document (d); part 000\n{rows}#end document\n")
        return path

    gold, system = column("(1)|(2", "2)", "(1", "1)"), column("(3|(1)", "3)", "(1|(3", "1)|3)")
    b_cubed = {
        protocol: scoring.evaluate("coreference", gold=gold, system=system, options={"protocol": protocol}).scores[
            "b_cubed_recall"
        ]
        for protocol in ("reference", "scorch-functions")
    }
    assert b_cubed == {"reference": pytest.approx(1), "scorch-functions": pytest.approx(2 / 3)}


def clusters_of(text):
    """Entities of one-letter mentions: "ab c" is {a, b} and {c}."""
    return {str(number): list(mentions) for number, mentions in enumerate(text.split())}


def some_clusters(rng):
    entities = {}
    for number in range(rng.randint(1, 25)):
        if rng.random() < 0.8:
            entities.setdefault(str(rng.randint(0, 6)), []).append(f"m{number:02}")
    return entities


def some_documents(rng, number):
    return {f"d{k}": some_clusters(rng) for k in range(number)}


def shuffled(rng, documents):
    found = {}
    for name, clusters in rng.sample(list(documents.items()), len(documents)):
        entities = [rng.sample(mentions, len(mentions)) for mentions in clusters.values()]
        rng.shuffle(entities)
        found[name] = {f"other {k}": mentions for k, mentions in enumerate(entities)}
    return found


def entity_of(clusters):
    return {mention: label for label, mentions in clusters.items() for mention in mentions}


def write_documents(folder, documents):
    folder.mkdir(parents=True)
    for name, clusters in documents.items():
        (folder / f"{name}.json").write_text(json.dumps({"type": "clusters", "clusters": clusters}))
    return folder


def evaluate_folders(folder, gold, system, n_resamples=0, **options):
    return scoring.evaluate(
        "coreference",
        gold=write_documents(folder / "gold", gold),
        system=write_documents(folder / "system", system),
        options=options,
        n_resamples=n_resamples,
    )


def evaluate(folder, gold, system, **options):
    """Two single files, of different names."""
    return scoring.evaluate(
        "coreference",
        gold=write_documents(folder / "gold", {"one": gold}) / "one.json",
        system=write_documents(folder / "system", {"other": system}) / "other.json",
        options=options,
    )
