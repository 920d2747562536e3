"""Tests what the score would be if a kind of mistake or a label were mended: by hand, and against mended files."""

from pathlib import Path

import pytest

import scoring
from scoring.families import FAMILIES
from scoring.repairs import KINDS_OF_MISTAKE, Repair, Totals


def of(family: str, options: dict, **facts) -> dict[tuple[str, str], Repair]:
    record = FAMILIES[family]
    configured = record.configure(options)
    totals = Totals(**({"headline": record.headline(configured), "tables": {}, "counts": {}} | facts))
    return {(repair.group, repair.name): repair for repair in record.views.repairs(totals, configured)}


def evaluated(folder: Path, family: str, gold: dict[str, bytes], system: dict[str, bytes], options: dict):
    for side, files in (("gold", gold), ("system", system)):
        (folder / side).mkdir(parents=True)
        for name, content in files.items():
            (folder / side / name).write_bytes(content)
    return scoring.evaluate(family, gold=folder / "gold", system=folder / "system", options=options)


def repairs_of(result: scoring.Evaluation) -> list[Repair]:
    totals = Totals(result.headline, result.scores, result.counts, result.tables)
    return FAMILIES[result.family].views.repairs(totals, result.options)


PHRASES = {
    "correct_A": 2,
    "incorrect_A": 1,
    "partial_A": 1,
    "missing_A": 1,
    "spurious_A": 1,
    "correct_B": 1,
    "missing_B": 1,
    "spurious_B": 1,
}
LABELS = [
    {"label": "Concept", "incorrect_gold": 1, "partial_gold": 1, "missing": 0, "spurious": 1},
    {"label": "Action", "incorrect_gold": 0, "partial_gold": 0, "missing": 1, "spurious": 0},
    {"label": "Reference", "incorrect_gold": 0, "partial_gold": 0, "missing": 0, "spurious": 0},
]


def test_each_kind_of_mistake_of_ehealthkd_is_mended_by_itself():
    # Now: credit 2 + 1 + 1/2 = 3.5 of 7 in the gold and 7 in the run, so F1 = 2 · 3.5 / 14 = 0.5.
    found = of("ehealthkd", {"scenario": 1}, scores={"f1": 0.5}, counts=PHRASES)
    scores = {name: repair.score for (group, name), repair in found.items() if group == KINDS_OF_MISTAKE}
    assert scores == {
        "Phrases with another label given the right one": pytest.approx(2 * 4.5 / 14),
        "Missing phrases found": pytest.approx(2 * 4.5 / 15),  # the run has one phrase more
        "Missing relations found": pytest.approx(2 * 4.5 / 15),
        "Phrases with another extent made exact": pytest.approx(2 * 4 / 14),
        "Spurious phrases left out": pytest.approx(2 * 3.5 / 13),
        "Spurious relations left out": pytest.approx(2 * 3.5 / 13),
    }


def test_a_label_of_ehealthkd_is_mended_with_all_its_phrases():
    tables = {"entity_labels": LABELS, "relation_labels": [{"label": "target", "missing": 1, "spurious": 1}]}
    found = of("ehealthkd", {"scenario": 1}, scores={"f1": 0.5}, counts=PHRASES, tables=tables)
    concept = found["Key phrases by label", "Concept"]
    # Its incorrect and its partial phrase earn 1.5 points more, and the run has a phrase less.
    assert (concept.score, concept.n_items) == (pytest.approx(2 * 5 / 13), 3)
    assert concept.gain == pytest.approx(2 * 5 / 13 - 0.5)
    assert found["Relations by label", "target"].score == pytest.approx(2 * 4.5 / 14)
    assert ("Key phrases by label", "Reference") not in found


def test_the_largest_gain_of_a_group_comes_first():
    tables = {"entity_labels": LABELS[::-1]}
    found = of("ehealthkd", {"scenario": 1}, scores={"f1": 0.5}, counts=PHRASES, tables=tables)
    assert [name for group, name in found if group == "Key phrases by label"] == ["Concept", "Action"]


def test_what_a_scenario_does_not_score_gains_nothing():
    found = of("ehealthkd", {"scenario": 3}, scores={"f1": 0.5}, counts=PHRASES)
    assert {name for _, name in found} == {"Missing relations found", "Spurious relations left out"}


def test_nothing_is_mended_where_there_is_no_score():
    assert not of("ehealthkd", {"scenario": 1}, scores={"f1": None}, counts=PHRASES)


def test_a_clash_of_mat_costs_both_sides():
    # Precision 4/8, recall 4/10: F1 = 8/18.
    counts = {"match": 4, "refclash": 4, "missing": 2, "hypclash": 3, "spurious": 1}
    tables = {
        "by_tag": [
            {"tag": "PER", "match": 3, "refclash": 1, "missing": 2, "hypclash": 1, "spurious": 0},
            {"tag": "LOC", "match": 1, "refclash": 3, "missing": 0, "hypclash": 2, "spurious": 1},
            {"tag": "<all>", **counts},
        ]
    }
    found = of("mat", {}, scores={"f1": 8 / 18}, counts=counts, tables=tables)
    scores = {name: repair.score for (_, name), repair in found.items()}
    assert scores == {
        "Clashing spans made right": pytest.approx(2 * 8 / (9 + 10)),
        "Missing spans found": pytest.approx(2 * 6 / (10 + 10)),
        "Spurious spans left out": pytest.approx(2 * 4 / (7 + 10)),
        "PER": pytest.approx(2 * 7 / (10 + 10)),
        "LOC": pytest.approx(2 * 7 / (8 + 10)),
    }


SCORES = {
    "conll_f1": (0.5 + 2 / 3 + 0.4) / 3,
    "muc_precision": 0.5,
    "muc_recall": 0.5,
    "muc_f1": 0.5,
    "b_cubed_precision": 1.0,
    "b_cubed_recall": 0.5,
    "b_cubed_f1": 2 / 3,
    "ceaf_e_precision": 0.4,
    "ceaf_e_recall": 0.4,
    "ceaf_e_f1": 0.4,
}


def test_coreference_says_on_which_side_the_points_are():
    errors = [
        {"error": "missing_entity", "count": 1, "mentions": 3},
        {"error": "divided_entity", "count": 2, "mentions": 2},
        {"error": "extra_mention", "count": 4, "mentions": 4},
    ]
    found = of("coreference", {}, scores=SCORES, tables={"errors": errors})
    lost = found[KINDS_OF_MISTAKE, "Nothing missing or divided: recall complete"]
    assert (lost.score, lost.n_items) == (pytest.approx((2 / 3 + 1 + 0.8 / 1.4) / 3), 5)
    invented = found[KINDS_OF_MISTAKE, "Nothing extra or run together: precision complete"]
    assert (invented.score, invented.n_items) == (pytest.approx((2 / 3 + 2 / 3 + 0.8 / 1.4) / 3), 4)
    assert found["One measure perfect", "CEAF, entities"].gain == pytest.approx(0.2)


def test_averages_over_documents_tell_their_measures_alone():
    found = of("coreference", {"protocol": "scorch"}, scores=SCORES)
    assert [name for _, name in found] == ["CEAF, entities", "MUC", "B³"]


def test_ranks_and_silence_of_qac():
    # Ten questions, two of them without answer, one of these met with silence: 6 have a right answer at all.
    counts = {"questions": 10, "unanswerable_questions": 2, "unanswerable_correct": 1}
    scores = {"mrr": 0.4, "hit_at_1": 0.3, "hit_at_5": 0.6}
    found = of("qac", {"task": 1}, scores=scores, counts=counts)
    assert {name: (repair.n_items, round(repair.score, 6)) for (_, name), repair in found.items()} == {
        "Answering the missed questions correctly": (3, 0.7),
        "Right answers moved to the first rank": (3, 0.6),
        "No outputs to questions without answer": (1, 0.5),
    }


def test_lists_of_answers_of_qac():
    counts = {"questions": 2, "unanswerable_questions": 1, "unanswerable_correct": 0}
    questions = [
        {"answers": 3, "outputs": 4, "correct": 2, "f1": 4 / 7},
        {"answers": 0, "outputs": 1, "correct": 0, "f1": 0.0},
    ]
    scores = {"average_f1": 2 / 7}
    found = of("qac", {"task": 2}, scores=scores, counts=counts, tables={"questions": questions})
    assert {name: (repair.n_items, round(repair.score, 6)) for (_, name), repair in found.items()} == {
        "No outputs to questions without answer": (1, round(2 / 7 + 0.5, 6)),
        "Outputs that earn nothing left out": (2, 0.4),
        "Missing answers found": (1, 0.375),
    }


ENTS = {"ents_tp": 4, "ents_fp": 2, "ents_fn": 4}
TYPES = [{"type": "PER", "tp": 3, "fp": 0, "fn": 3, "f": 2 / 3}, {"type": "LOC", "tp": 1, "fp": 2, "fn": 1, "f": 0.4}]


def test_entities_of_spacy_by_kind_and_label():
    # F = 8 / (8 + 6).
    tables = {"ents_per_type": TYPES}
    found = of("spacy", {}, headline="ents_f", scores={"ents_f": 8 / 14}, counts=ENTS, tables=tables)
    assert {name: repair.score for (_, name), repair in found.items()} == {
        "Missed ones found": pytest.approx(16 / 18),
        "Wrong ones left out": pytest.approx(8 / 12),
        "PER": pytest.approx(14 / 17),
        "LOC": pytest.approx(10 / 13),
    }


def test_f_beta_of_entities_is_mended_by_its_own_weights():
    # F2 = 5 tp / (5 tp + 4 fn + fp).
    score = {"headline": "ents_fbeta", "scores": {"ents_fbeta": 20 / 38}}
    found = of("spacy", {"beta": 2}, **score, counts=ENTS, tables={"ents_per_type": TYPES})
    assert {name: repair.score for (_, name), repair in found.items()} == {
        "Missed ones found": pytest.approx(40 / 42),
        "Wrong ones left out": pytest.approx(20 / 36),
        "PER": pytest.approx(35 / 41),
        "LOC": pytest.approx(25 / 37),
    }


def test_a_mean_over_categories_is_mended_label_by_label():
    mean = (2 / 3 + 0.4) / 2
    scores = {"cats_score": mean, "cats_macro_f": mean}
    found = of("spacy", {}, headline="cats_score", scores=scores, tables={"cats_f_per_type": TYPES})
    assert {name: repair.score for (_, name), repair in found.items()} == {
        "LOC": pytest.approx((2 / 3 + 1) / 2),
        "PER": pytest.approx((1 + 0.4) / 2),
    }


def test_a_table_of_other_labels_than_the_mean_mends_nothing():
    scores = {"cats_score": 0.7, "cats_macro_f": 0.7}
    assert not of("spacy", {}, headline="cats_score", scores=scores, tables={"cats_f_per_type": TYPES})


def test_right_labels_at_right_heads_make_the_score_of_heads():
    counts = {
        f"dep_{kind}_{k}": n
        for kind, own in (("uas", (8, 2, 2)), ("las", (6, 4, 4)))
        for k, n in zip(("tp", "fp", "fn"), own, strict=True)
    }
    found = of("spacy", {}, headline="dep_las", scores={"dep_las": 0.6, "dep_uas": 0.8}, counts=counts)
    assert {name: repair.score for (_, name), repair in found.items()} == {
        "Labels of right heads made right": pytest.approx(0.8)
    }


def test_a_partial_entity_made_exact_earns_the_other_half():
    counts = {
        f"nervaluate_partial_{kind}": n
        for kind, n in zip(("correct", "incorrect", "partial", "missed", "spurious"), (2, 0, 2, 1, 0), strict=True)
    }
    found = of("spacy", {}, headline="nervaluate_partial_f", scores={"nervaluate_partial_f": 6 / 9}, counts=counts)
    assert {name: repair.score for (_, name), repair in found.items()} == {
        "Partial ones made exact": pytest.approx(8 / 9),
        "Missed ones found": pytest.approx(8 / 10),
    }


def test_an_area_under_a_curve_cannot_be_mended():
    assert not of("spacy", {}, headline="cats_macro_auc", scores={"cats_macro_auc": 0.9})


GOLD = "Las vías respiratorias del niño\nOtra frase con cáncer de piel\n"


def ehealthkd(phrases: str, relations: str = "") -> dict[str, bytes]:
    texts = {"input": GOLD, "output_a": phrases, "output_b": relations}
    return {f"{stem}_scenario1.txt": text.encode() for stem, text in texts.items()}


def test_a_repair_is_the_score_of_the_mended_run(tmp_path):
    lines = ["1\t4 8;9 22\tConcept\tvías respiratorias\n", "2\t27 31\tConcept\tniño\n", "3\t32 36\tReference\tOtra\n"]
    gold = ehealthkd("".join(lines), "part-of\t1\t2\n")
    other_label = lines[1].replace("Concept", "Action")
    run = evaluated(tmp_path / "run", "ehealthkd", gold, ehealthkd(lines[0] + other_label), {"scenario": 1})
    found = {repair.name: repair.score for repair in repairs_of(run)}
    for place, (name, phrases) in enumerate(
        {
            "Missing phrases found": lines[0] + other_label + lines[2],
            "Reference": lines[0] + other_label + lines[2],
            "Phrases with another label given the right one": lines[0] + lines[1],
        }.items()
    ):
        mended = evaluated(tmp_path / str(place), "ehealthkd", gold, ehealthkd(phrases), {"scenario": 1})
        assert found[name] == pytest.approx(mended.scores["f1"]), name


@pytest.mark.parametrize("family", ["ehealthkd", "mat", "coreference", "spacy"])
def test_a_perfect_run_has_nothing_to_mend(family, tmp_path):
    options = {"scenario": 1} if family == "ehealthkd" else {}
    files = FAMILIES[family].example(FAMILIES[family].configure(options))
    assert repairs_of(evaluated(tmp_path, family, files, files, options)) == []


def test_a_perfect_list_of_answers_has_nothing_to_mend(tmp_path):
    gold = {"gold.tsv": b"QAC1-1001-02\t1\tMie\t990101001\n"}
    run = {"run.txt": b'QAC1-1001-02: "Mie", 990101001\n'}
    assert repairs_of(evaluated(tmp_path, "qac", gold, run, {"task": 2})) == []
