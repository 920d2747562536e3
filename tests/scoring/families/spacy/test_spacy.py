"""The reference cases of the family spacy, and what holds for every run."""

import json
import math
import random
import zipfile
from pathlib import Path

import numpy as np
import pytest

import scoring

REFERENCE = Path(__file__).parents[2] / "reference" / "spacy"
CALLS = [
    pytest.param(case, call, id=f"{case['id']}-{number}")
    for path in sorted(REFERENCE.glob("*.jsonl"))
    for case in map(json.loads, path.read_text(encoding="utf-8").splitlines())
    for number, call in enumerate(case["calls"])
]


def write_side(folder, name, side):
    """A list of documents, a file, or several files in a folder or archive."""
    folder.mkdir(parents=True, exist_ok=True)
    if isinstance(side, list):
        side = {"file": f"{name}.jsonl", "text": "".join(json.dumps(d, ensure_ascii=False) + "\n" for d in side)}
    if "file" in side:
        path = folder / side["file"]
        path.write_text(side["text"], encoding="utf-8", newline="")
        return path
    path = folder / side.get("zip", side.get("folder"))
    if "zip" in side:
        with zipfile.ZipFile(path, "w") as archive:
            for member in side["members"]:
                archive.writestr(member["file"], member["text"])
        return path
    for member in side["members"]:
        (path / member["file"]).parent.mkdir(parents=True, exist_ok=True)
        (path / member["file"]).write_text(member["text"], encoding="utf-8", newline="")
    return path


def evaluate(folder, gold, system, options=None, **further):
    return scoring.evaluate(
        "spacy",
        gold=write_side(folder / "gold", "gold", gold),
        system=write_side(folder / "system", "system", system),
        options=options or {},
        **further,
    )


def close(expected):
    if expected is None or expected == "NaN":
        return None
    return pytest.approx(expected, abs=1e-9)


def assert_table(found, expected):
    """The types agree, and so do the scores of each."""
    if expected is None:
        assert not found
        return
    by_type = {record["type"]: record for record in found or []}
    assert by_type.keys() == expected.keys()
    for name, scores in expected.items():
        if isinstance(scores, dict):
            assert {key: by_type[name][key] for key in scores} == {key: close(value) for key, value in scores.items()}
        else:
            assert by_type[name]["auc"] == close(scores)


def assert_rows(found, expected):
    left = list(found)
    for row in expected:
        wanted = {key: close(value) if isinstance(value, float) else value for key, value in row.items()}
        match = next((other for other in left if {key: other[key] for key in wanted} == wanted), None)
        assert match is not None, row
        left.remove(match)
    assert not left


@pytest.mark.golden
@pytest.mark.parametrize(("case", "call"), CALLS)
def test_reference_cases_have_the_expected_outcome(case, call, tmp_path):
    resamples = {"n_resamples": call["n_resamples"]} if "n_resamples" in call else {}
    if "raises" in call:
        with pytest.raises(getattr(scoring, call["raises"])) as refused:
            evaluate(tmp_path, case["gold"], case["system"], call["options"])
        if "line" in call:
            assert call["line"] in [problem.line for problem in refused.value.problems]
        return
    result = evaluate(tmp_path, case["gold"], case["system"], call["options"], **resamples)
    expected = call["expect"]

    scores = expected.get("scores", {})
    assert {key: result.scores[key] for key in scores} == {key: close(value) for key, value in scores.items()}
    assert expected.get("counts", {}).items() <= result.counts.items()
    for name, types in expected.get("tables", {}).items():
        assert_table(result.tables.get(name), types)
    for name, rows in expected.get("rows", {}).items():
        assert_rows(result.tables[name], rows)
    descriptions = {
        record["score"] + "_desc": record["description"] for record in result.tables.get("descriptions", [])
    }
    assert expected.get("descriptions", {}).items() <= descriptions.items()
    assert result.units == expected.get("units", result.units)
    assert result.headline == expected.get("headline", result.headline)
    for key, ends in expected.get("intervals", {}).items():
        # Where all resamples agree there is no interval: one of no width would promise too much.
        assert result.intervals.get(key, (result.scores[key],) * 2) == pytest.approx(tuple(ends), abs=1e-9)
    assert not any(isinstance(value, float) and math.isnan(value) for value in result.scores.values())


def make(identifier="a", **changes):
    return {
        "id": identifier,
        "words": ["Ann", "Lee", "runs", "home"],
        "spaces": [True, True, True, False],
        "tags": ["N", "N", "V", "A"],
        "heads": [2, 0, 2, 2],
        "deps": ["nsubj", "flat", "ROOT", "advmod"],
        "ents": [[0, 2, "PER"], [3, 4, "LOC"]],
        "cats": {"A": 1.0, "B": 0.0},
    } | changes


def test_the_gold_itself_scores_one(tmp_path):
    corpus = [make("a"), make("b", cats={"A": 0.0, "B": 1.0})]
    result = evaluate(tmp_path, corpus, corpus)
    assert set(result.scores.values()) == {1.0}
    assert result.units == ["a", "b"]
    assert not result.warnings


def test_the_order_of_the_documents_is_irrelevant(tmp_path):
    corpus = [make(f"d{k}", tags=["N", "V", "V", "A"][k % 3 :] + ["X"] * (k % 3)) for k in range(5)]
    system = [make(f"d{k}", ents=[[k % 2, 2, "PER"]], cats={"A": k / 5, "B": 0.3}) for k in range(5)]
    forward = evaluate(tmp_path / "forward", corpus, system)
    backward = evaluate(tmp_path / "backward", corpus, system[::-1])
    assert forward.as_dict() | {"tables": None} == backward.as_dict() | {"tables": None}


def test_by_default_everything_that_is_annotated_is_scored(tmp_path):
    result = evaluate(tmp_path, [make()], [make()])
    assert [item["name"] for item in result.options["scores"]] == [
        *("tokenization", "spans", "token_attr", "deps", "ner", "cats")
    ]
    assert result.headline == result.options["headline"] == "ents_f"
    assert result.options["scores"][-1]["labels"] == ["A", "B"]
    assert not result.options["scores"][-1]["multi_label"]


def test_a_gold_without_annotation_is_the_organisers_fault(tmp_path):
    bare = [{"id": "a", "words": ["x"]}]
    with pytest.raises(scoring.GoldError, match="nothing that could be scored"):
        evaluate(tmp_path, bare, bare)
    with pytest.raises(scoring.GoldError, match="no documents"):
        evaluate(tmp_path / "empty", [], [])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"scores": [{"name": "nerr"}]}, "unknown item 'nerr'"),
        ({"scores": "[{"}, "not JSON"),
        ({"scores": []}, "no item"),
        ({"scores": {"name": "ner"}}, "a list of items"),
        ({"scores": [{"name": "ner", "labels": []}]}, "unknown argument 'labels'"),
        ({"scores": [{"name": "token_attr"}]}, "attr is missing"),
        ({"scores": [{"name": "token_attr", "attr": "shape"}]}, "attr must be one of"),
        ({"scores": [{"name": "cats", "threshold": "0.5"}]}, "threshold must be a number"),
        ({"scores": [{"name": "cats", "threshold": True}]}, "threshold must be a number"),
        ({"scores": [{"name": "textcat", "labels": ["A", "B"], "positive_label": "C"}]}, "not among the labels"),
        ({"scores": [{"name": "textcat", "positive_label": "C"}]}, "not among the labels"),
        ({"scores": [{"name": "ner"}, {"name": "spans", "attr": "ents"}]}, "both give ents_p"),
        ({"scores": [{"name": "cats"}, {"name": "textcat"}]}, "both give cats_score"),
        ({"headline": "token_accuracy"}, "there is no score 'token_accuracy'"),
        ({"tokens": "all"}, "not one of any, gold"),
        ({"colour": "red"}, "unknown option"),
    ],
)
def test_wrong_options_are_the_callers_fault(options, words, tmp_path):
    with pytest.raises(scoring.ConfigurationError, match=words):
        evaluate(tmp_path, [make()], [make()], options)


def test_an_item_that_comes_twice_counts_once(tmp_path):
    options = {"scores": [{"name": "parser"}, {"name": "senter"}, {"name": "deps"} | PARSER_ARGUMENTS]}
    result = evaluate(tmp_path, [make()], [make()], options)
    assert [item["name"] for item in result.options["scores"]] == ["spans", "deps"]


PARSER_ARGUMENTS = {"lowercase": True, "ignore_labels": ["p", "punct"]}


def warnings_of(folder, gold, system, **options):
    return " ".join(evaluate(folder, gold, system, options).warnings)


def test_what_inflates_or_hides_is_warned_of(tmp_path):
    split = {"id": "a", "words": list("AnnLeeruns") + ["home"], "cats": {"A": 1.0}, "tags": ["N"] * 10 + ["A"]}
    split["tags"][0] = "V"
    said = warnings_of(tmp_path / "split", [make()], [split])
    assert "splitting tokens never lowers token_acc" in said
    assert "1 gold tokens hold several tokens of the system with different answers" in said
    dropped = make(spans={"sc": [[0, 2, "X"], [1, 3, "Y"]]})
    said = warnings_of(tmp_path / "dropped", [dropped], [dropped], scores=[{"name": "spans", "attr": "sc"}])
    assert "spans_sc: 1 spans of the system have no gold tokens of their own" in said
    off = {"id": "a", "ents": [[0, 5, "PER"]], "cats": {"A": 1.0}}
    assert "ents: 1 spans do not begin and end" in warnings_of(tmp_path / "off", [make()], [off])
    unset = make(deps=["", "flat", "ROOT", "advmod"])
    leaking = [unset, make("b")]
    assert "1 labelled tokens are left out" in warnings_of(tmp_path / "leak", leaking, leaking)
    blank = make(words=["Ann", "\n", "runs", "home"])
    assert "1 tokens of white space have a value of tag" in warnings_of(tmp_path / "blank", [blank], [blank])
    linked = make(ents=[[0, 2, "PER", "Q1"], [3, 4, "LOC", "Q2"]])
    half = make(ents=[[0, 2, "PER", "Q1"]])
    assert "50.0 % of the gold's" in warnings_of(tmp_path / "links", [linked], [half])
    wide = make(cats={"A": 1.0, "B": 0.0, "C": 2})
    said = warnings_of(tmp_path / "cats", [make(), make("b")], [wide, make("b", cats={"A": 1.5})])
    assert "system: 1 values of categories lie outside 0..1" in said
    assert "gold: A: no area under the curve without two different gold values" in said


def test_offsets_off_the_tokens_are_false_positives(tmp_path):
    system = [{"id": "a", "ents": [[0, 7, "PER"], [8, 10, "NEW"]]}]
    result = evaluate(tmp_path, [make()], system, {"scores": [{"name": "ner"}]})
    counts = {key: result.counts[key] for key in ("ents_tp", "ents_fp", "ents_fn", "ents_off_boundary")}
    assert counts == {"ents_tp": 1, "ents_fp": 1, "ents_fn": 1, "ents_off_boundary": 1}
    assert [row["type"] for row in result.tables["ents_per_type"]] == ["LOC", "NEW", "PER"]
    assert {
        "id": "a",
        "score": "ents",
        "kind": "off_boundary",
        "start": 8,
        "end": 10,
        "label": "NEW",
        "text": "ru",
    } in (result.tables["errors"])


def test_errors_name_what_is_wrong_and_what_is_missed(tmp_path):
    result = evaluate(tmp_path, [make()], [make(ents=[[0, 1, "PER"]])], {"scores": [{"name": "ner"}]})
    assert [(row["kind"], row["start"], row["end"], row["text"]) for row in result.tables["errors"]] == [
        ("fp", 0, 1, "Ann"),
        ("fn", 0, 2, "Ann Lee"),
        ("fn", 3, 4, "home"),
    ]


def area(pairs):
    """Share of the pairs of a positive and a negative item in the right order; half for ties."""
    positive = [score for score, is_positive in pairs if is_positive]
    negative = [score for score, is_positive in pairs if not is_positive]
    if not positive or not negative:
        return math.nan
    won = sum((p > n) + (p == n) / 2 for p in positive for n in negative)
    return won / len(positive) / len(negative)


def test_weights_of_documents_are_repetitions_for_the_area(tmp_path):
    rng = random.Random(3)
    gold = [make(f"d{k}", cats={"A": float(rng.random() < 0.5)}) for k in range(8)]
    system = [make(f"d{k}", cats={"A": rng.choice([0.1, 0.4, 0.8])}) for k in range(8)]
    family = scoring.FAMILIES["spacy"]
    options = family.configure({"scores": [{"name": "cats"}]})
    sides = [{"x.jsonl": "".join(json.dumps(d) + "\n" for d in side).encode()} for side in (gold, system)]
    gold_side = family.read_gold(sides[0], options)
    options = family.resolve_options(gold_side, options)
    counted = family.count(gold_side, family.read_system(sides[1], gold_side, options), options)
    weights = np.random.default_rng(5).integers(0, 3, size=(50, 8))
    items = [(other["cats"]["A"], own["cats"]["A"] == 1) for own, other in zip(gold, system, strict=True)]
    expected = [area([item for item, n in zip(items, row, strict=True) for _ in range(n)]) for row in weights]
    np.testing.assert_allclose(counted.weighted(weights)["cats_macro_auc"], expected, atol=1e-12)


def test_all_scores_that_move_have_intervals(tmp_path):
    gold = [make(f"d{k}", cats={"A": float(k % 2), "B": float(k % 3 == 0)}) for k in range(30)]
    system = [
        make(f"d{k}", ents=[[0, 1 + k % 3, "PER", "Q1"]], cats={"A": (k * 7 % 10) / 10, "B": (k * 3 % 7) / 7})
        for k in range(30)
    ]
    scores = [{"name": name} for name in ("ner", "deps", "cats", "links", "nervaluate", "seqeval", "tokenization")]
    result = evaluate(tmp_path, gold, system, {"scores": scores}, n_resamples=200)
    assert {
        "ents_f",
        "cats_macro_auc",
        "cats_score",
        "seqeval_macro_f",
        "nervaluate_strict_f",
    } <= result.intervals.keys()
    for name, (low, high) in result.intervals.items():
        assert low <= result.scores[name] <= high
    assert len(result.draws) == 200


def test_each_row_is_what_its_document_would_count_alone(tmp_path):
    gold = [make(f"d{k}") for k in range(4)]
    system = [make(f"d{k}", ents=[[0, k, "PER"]] if k else [], heads=[2, 0, 2, k % 3]) for k in range(4)]
    whole = evaluate(tmp_path, gold, system)
    for k in range(4):
        alone = evaluate(tmp_path / str(k), gold[k : k + 1], system[k : k + 1])
        assert alone.rows.tolist() == whole.rows[k : k + 1].tolist()


@pytest.mark.parametrize("format_", ["auto", "conllu", "columns"])
def test_the_example_scores_one_against_itself(format_, tmp_path):
    family = scoring.FAMILIES["spacy"]
    for path, content in family.example(family.configure({"format": format_})).items():
        (tmp_path / path).write_bytes(content)
    result = scoring.evaluate("spacy", gold=tmp_path, system=tmp_path, options={"format": format_})
    assert set(result.scores.values()) == {1.0}


def test_a_view_shows_both_sides_of_a_document():
    family = scoring.FAMILIES["spacy"]
    gold = {"g.jsonl": "".join(json.dumps(make(name)) + "\n" for name in "ab").encode()}
    other = make("b", words=["Ann", "Lee", "ru", "ns", "home"], heads=[2, 2, 2, 2, 2], deps=["nsubj"] * 5)
    other |= {"spaces": [True, True, False, True, False], "tags": ["N"] * 5, "ents": [[0, 1, "PER"]]}
    system = {"s.jsonl": "".join(json.dumps(document) + "\n" for document in (make("a"), other)).encode()}
    shown = family.views.unit_record(gold, system, "b", family.configure({}))

    assert json.dumps(shown)
    assert shown["gold"]["text"] == shown["system"]["text"] == "Ann Lee runs home"
    assert [token["text"] for token in shown["system"]["tokens"]] == other["words"]
    assert shown["system"]["gold_token"] == [0, 1, 2, 2, 3]
    assert shown["gold"]["ents"][0] == {
        **{"start": 0, "end": 2, "label": "PER", "kb_id": "", "start_char": 0, "end_char": 7}
    }
    assert [(arc["head"], arc["dependent"], arc["level"]) for arc in shown["gold"]["arcs"]] == [
        *((2, 0, 2), (0, 1, 1), (2, 2, 0), (2, 3, 1))
    ]
    assert [arc["has_gold_head"] for arc in shown["system"]["arcs"]] == [True, False, True, True, True]
    assert [row["kind"] for row in shown["errors"]] == ["fp", "fn", "fn"]
    with pytest.raises(KeyError):
        family.views.unit_record(gold, system, "c", family.configure({}))


def test_the_area_of_each_label_has_an_interval(tmp_path):
    gold = [make(f"d{k}", cats={"A": float(k % 2), "B": 1.0}) for k in range(40)]
    system = [make(f"d{k}", cats={"A": (k * 7 % 10) / 10}) for k in range(40)]
    result = evaluate(tmp_path, gold, system, {"scores": [{"name": "cats"}]}, n_resamples=300)
    first, second = result.tables["cats_auc_per_type"]
    low, high = result.table_intervals["cats_auc_per_type"][0]["auc"]
    assert low < first["auc"] < high
    assert second["auc"] is None
    assert result.table_intervals["cats_auc_per_type"][1] == {}


def test_a_signature_holds_all_items_as_json(tmp_path):
    signature = evaluate(tmp_path, [make()], [make()], {"scores": [{"name": "tagger"}]}).signature
    assert '|scores:{"name"%3A"token_attr","attr"%3A"tag"}|' in signature


def test_a_view_of_other_formats_is_made_from_the_whole_files():
    family = scoring.FAMILIES["spacy"]
    gold = {"g.conll": b"Ann B-PER\n\nLee B-PER\nruns O\n"}
    system = {"s.jsonl": b'{"id": "1", "words": ["Ann"]}\n{"id": 2, "words": ["Lee", "runs"], "ents": []}\n'}
    shown = family.views.unit_record(gold, system, "2", family.configure({}))
    assert shown["gold"]["text"] == "Lee runs"
    assert [row["kind"] for row in shown["errors"]] == ["fn"]


def test_thousands_of_invented_types_leave_the_scores_alone(tmp_path):
    n = 3000
    words = [f"w{k}" for k in range(n)]
    gold = [{"id": f"d{k}", "words": words, "ents": [[i, i + 1, "X"] for i in range(n)]} for k in range(2)]
    system = [own | {"ents": [[i, i + 1, f"T{i}"] for i in range(n)]} for own in gold]
    scores = [{"name": name} for name in ("ner", "seqeval", "nervaluate", "confusion")]
    result = evaluate(tmp_path, gold, system, {"scores": scores}, n_resamples=20)
    assert result.scores["nervaluate_exact_f"] == 1.0
    assert result.scores["seqeval_macro_f"] == 0.0
    assert len(result.tables["ents_confusion"]) == n


def test_categories_without_labels_score_nothing_and_have_no_interval(tmp_path):
    corpus = [make("a"), make("b")]
    options = {"scores": [{"name": "cats", "labels": []}, {"name": "confusion"}]}
    result = evaluate(tmp_path, corpus, corpus, options, n_resamples=10)
    assert set(result.scores.values()) == {0.0}
    assert not result.intervals


def test_a_document_without_annotation_has_a_view_too():
    family = scoring.FAMILIES["spacy"]
    bare = b'{"id": "b", "words": ["x"], "cats": {"A": 0.5}}\n'
    gold = {"g.jsonl": json.dumps(make("a")).encode() + b"\n" + bare}
    system = {"s.jsonl": gold["g.jsonl"].replace(b', "cats": {"A": 0.5}', b"")}
    shown = family.views.unit_record(gold, system, "b", family.configure({}))
    assert shown["gold"]["cats"] == {"A": 0.5}
    assert shown["errors"] == []


def test_a_view_says_which_arcs_are_scored_and_compares_labels_as_the_score_does():
    family = scoring.FAMILIES["spacy"]
    words = {"id": "d", "words": ["Ann", "runs", "."], "spaces": [True, False, False]}
    gold = words | {"heads": [1, 1, 1], "deps": ["nsubj", "ROOT", "punct"]}
    system = words | {"heads": [1, 1, 0], "deps": ["NSUBJ", "root", "punct"]}
    options = family.configure({"scores": [{"name": "deps", "lowercase": True, "ignore_labels": ["punct"]}]})
    files = [{"d.jsonl": json.dumps(side).encode() + b"\n"} for side in (gold, system)]
    arcs = family.views.unit_record(*files, "d", options)["system"]["arcs"]
    assert [(arc["has_gold_label"], arc["is_scored"]) for arc in arcs] == [(True, True), (True, True), (True, False)]
    without_subjects = family.configure({"scores": [{"name": "deps", "lowercase": True, "missing_values": ["nsubj"]}]})
    arcs = family.views.unit_record(*files, "d", without_subjects)["system"]["arcs"]
    assert [arc["is_scored"] for arc in arcs] == [False, True, True]


LABELS = ("PER", "LOC", "ORG")
ITEMS = [
    *({"name": name} for name in ("tokenization", "ner", "cats", "links", "nervaluate", "seqeval", "morph_per_feat")),
    {"name": "spans", "attr": "sc"},
    {"name": "tagger"},
]


def f_beta_of(precision, recall, beta):
    return 0.0 if precision + recall == 0 else (1 + beta**2) * precision * recall / (beta**2 * precision + recall)


def annotated(rng, number):
    ents = [[start, start + 1, rng.choice(LABELS), rng.choice("QR")] for start in range(8) if rng.random() < 0.6]
    return {
        "id": str(number),
        "words": list("abcdefgh"),
        "spaces": [True] * 8,
        "tags": [rng.choice("XY") for _ in range(8)],
        "morphs": [f"Case={rng.choice('XY')}" for _ in range(8)],
        "ents": ents,
        "spans": {"sc": [entity[:3] for entity in ents]},
        "cats": {label: float(rng.random() < 0.5) for label in LABELS},
    }


@pytest.mark.parametrize("beta", [0.5, 2])
def test_f_beta_stands_beside_each_f_that_has_precision_and_recall(tmp_path, beta):
    rng = random.Random(5)
    gold, system = ([annotated(rng, number) for number in range(12)] for _ in range(2))
    options = {"scores": ITEMS, "headline": "tag_acc"}
    result = evaluate(tmp_path / "beta", gold, system, options | {"beta": beta}, n_resamples=200)
    plain = evaluate(tmp_path / "plain", gold, system, options | {"beta": 1}, n_resamples=200)
    assert {key: value for key, value in result.scores.items() if "fbeta" not in key} == plain.scores
    assert "beta" not in plain.signature.replace("fbeta", "")
    of_f_beta = {key.removesuffix("_fbeta") for key in result.scores if key.endswith("_fbeta")}
    assert of_f_beta == {key.removesuffix("_f") for key in plain.scores if key.endswith("_f")}
    with_interval = {key.removesuffix("_f") for key in result.intervals if key.endswith("_f")}
    assert with_interval == {key.removesuffix("_fbeta") for key in result.intervals if key.endswith("_fbeta")}
    for prefix in of_f_beta - {"cats_macro", "nel_macro", "seqeval_macro", "seqeval_weighted"}:
        precision, recall = result.scores[f"{prefix}_p"], result.scores[f"{prefix}_r"]
        assert result.scores[f"{prefix}_fbeta"] == pytest.approx(f_beta_of(precision, recall, beta)), prefix
    titles = scoring.FAMILIES["spacy"].titles(result.options)
    assert titles["cats_macro_fbeta"] == f"Categories, macro, F{beta}"
    assert not any("fbeta" in key for key in scoring.FAMILIES["spacy"].titles(plain.options))


@pytest.mark.parametrize("beta", [0.5, 2])
def test_means_of_f_beta_are_those_of_the_types_f_beta(tmp_path, beta):
    rng = random.Random(6)
    gold, system = ([annotated(rng, number) for number in range(12)] for _ in range(2))
    result = evaluate(tmp_path, gold, system, {"scores": ITEMS, "beta": beta}, n_resamples=200)
    for table in ("cats_f_per_type", "nel_f_per_type", "seqeval_per_type", "nervaluate_per_type", "ents_per_type"):
        for row in result.tables[table]:
            assert row["fbeta"] == pytest.approx(f_beta_of(row["p"], row["r"], beta))
    by_type = {
        name: [row["fbeta"] for row in result.tables[f"{name}_per_type"]] for name in ("cats_f", "nel_f", "seqeval")
    }
    support = [row["support"] for row in result.tables["seqeval_per_type"]]
    assert result.scores["cats_macro_fbeta"] == pytest.approx(np.mean(by_type["cats_f"]))
    assert result.scores["nel_macro_fbeta"] == pytest.approx(np.mean(by_type["nel_f"]))
    assert result.scores["seqeval_macro_fbeta"] == pytest.approx(np.mean(by_type["seqeval"]))
    assert result.scores["seqeval_weighted_fbeta"] == pytest.approx(np.average(by_type["seqeval"], weights=support))
    assert "fbeta" in result.table_intervals["ents_per_type"][0]


@pytest.mark.parametrize(
    ("items", "headline"),
    [
        (None, "ents_fbeta"),
        (["links", "ner"], "nel_micro_fbeta"),
        (["seqeval"], "seqeval_micro_fbeta"),
        (["cats"], "cats_score"),
        (["tagger", "ner"], "tag_acc"),
    ],
)
def test_f_beta_ranks_where_f_would(tmp_path, items, headline):
    rng = random.Random(7)
    gold, system = ([annotated(rng, number) for number in range(3)] for _ in range(2))
    options = {"beta": 2} | ({"scores": [{"name": name} for name in items]} if items else {})
    assert evaluate(tmp_path, gold, system, options, n_resamples=200).headline == headline


def test_a_beta_without_precision_and_recall_is_refused(tmp_path):
    with pytest.raises(scoring.ConfigurationError, match="beta needs precision and recall"):
        scoring.FAMILIES["spacy"].configure({"beta": 2, "scores": [{"name": "tagger"}]})
    gold = [{"id": "1", "words": ["a"], "tags": ["X"]}]
    with pytest.raises(scoring.ConfigurationError, match="beta needs precision and recall"):
        evaluate(tmp_path, gold, gold, {"beta": 2})


def test_missing_values_stand_in_the_options_where_they_say_something_alone():
    family = scoring.FAMILIES["spacy"]
    told, untold = (
        family.configure({"scores": [{"name": "token_attr", "attr": "tag", "missing_values": values}]})
        for values in (["X"], [])
    )
    assert told["scores"] == [{"name": "token_attr", "attr": "tag", "missing_values": ["X"]}]
    assert untold["scores"] == [{"name": "token_attr", "attr": "tag"}]
