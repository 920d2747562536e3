"""The reference cases, and what holds for every run of span annotations."""

import base64
import json
import random
import zipfile
from pathlib import Path

import numpy as np
import pytest

import scoring
from scoring.families.mat import MAT
from scoring.readers.archive import open_files

REFERENCE = Path(__file__).parents[2] / "reference" / "mat"
LINES = [line for path in sorted(REFERENCE.glob("*.jsonl")) for line in path.read_text("utf-8").splitlines()]
CASES = {case["id"]: case for case in map(json.loads, LINES)}
TABLES = ("by_tag", "by_token", "details", "by_document", "partial", "confusion")
LABELS = ("LOC", "PER")
TEXT = "Mirelle left Gorloin harbour."
WORDS = ((0, 7), (8, 12), (13, 20), (21, 28), (28, 29))


def content_of(value):
    if isinstance(value, dict) and set(value) == {"base64"}:
        return base64.b64decode(value["base64"])
    return (value if isinstance(value, str) else json.dumps(value)).encode()


def write_case(case, folder):
    """The paths of the gold and of the system."""
    layout = case.get("layout", "folder")
    for side in ("gold", "system"):
        (folder / side).mkdir()
        for name, value in case["inputs"][side].items():
            (folder / side / name).write_bytes(content_of(value))
    if "task.xml" in case["inputs"]:
        (folder / "task.xml").write_bytes(content_of(case["inputs"]["task.xml"]))
    if layout == "zip":
        with zipfile.ZipFile(folder / "system.zip", "w") as archive:
            for path in (folder / "system").iterdir():
                archive.write(path, f"run/{path.name}")
        return folder / "gold", folder / "system.zip"
    if layout == "file":
        return next((folder / "gold").iterdir()), next((folder / "system").iterdir())
    return folder / "gold", folder / "system"


def evaluate_run(run, gold, system):
    task = str(gold.parent / "task.xml")
    options = {key: task if value == "{task}" else value for key, value in run["options"].items()}
    arguments = {"n_resamples": run.get("n_resamples") or 0, "seed": run.get("seed")}
    return scoring.evaluate("mat", gold=gold, system=system, options=options, **arguments)


def approximate(value):
    return pytest.approx(value, abs=1e-9) if isinstance(value, float) else value


@pytest.mark.golden
@pytest.mark.parametrize("name", CASES)
def test_every_run_gives_what_its_case_expects(name, tmp_path):
    gold, system = write_case(CASES[name], tmp_path)
    for run in CASES[name]["runs"]:
        if "error" in run:
            assert_refused(run, gold, system)
            continue
        assert_as_expected(evaluate_run(run, gold, system), run["expected"])


def assert_refused(run, gold, system):
    with pytest.raises(getattr(scoring, run["error"])) as refused:
        evaluate_run(run, gold, system)
    for problem in run.get("problems", []):
        assert any(
            found.file == problem.get("file", found.file) and found.message.startswith(problem["message"])
            for found in refused.value.problems
        )


def assert_as_expected(result, expected):
    for part in {"scores", "counts"} & expected.keys():
        assert getattr(result, part) == {key: approximate(value) for key, value in expected[part].items()}
    for table in expected.keys() & {*TABLES}:
        records = result.tables[table]
        assert [[*record.values()] for record in records] == [
            [approximate(cell) for cell in row] for row in expected[table]["rows"]
        ]
        assert all([*record] == expected[table]["columns"] for record in records)
    for table, labels in expected.get("confidence", {}).items():
        by_tag = {record["tag"]: record for record in result.tables[table]}
        assert by_tag.keys() == labels.keys()
        for label, metrics in labels.items():
            for metric, moments in metrics.items():
                found = [by_tag[label][f"{metric}_{moment}"] for moment in ("mean", "variance")]
                assert found == [approximate(moment) for moment in moments]
    for score, interval in expected.get("interval", {}).items():
        assert result.intervals.get(score) == (interval and tuple(map(approximate, interval)))


def make_side(folder, documents):
    """Documents as lists of (label, start, end); the files' names are their keys."""
    folder.mkdir(parents=True)
    for name, spans in documents.items():
        sets = [{"type": label, "annots": [[start, end]]} for label, start, end in spans]
        tokens = {"type": "lex", "annots": WORDS}
        (folder / name).write_text(json.dumps({"signal": TEXT, "asets": [tokens, *sets]}))
    return folder


def evaluate_sides(folder, gold, system, n_resamples=0, seed=None, **options):
    return scoring.evaluate(
        "mat",
        gold=make_side(folder / "gold", gold),
        system=make_side(folder / "system", system),
        options={"content_annotations": LABELS, **options},
        n_resamples=n_resamples,
        seed=seed,
    )


def make_random_side(rng, n_documents=6):
    return {
        f"{number}.json": [
            (rng.choice(LABELS), WORDS[first][0], WORDS[min(first + rng.randrange(2), 4)][1])
            for first in rng.sample(range(5), rng.randint(1, 4))
        ]
        for number in range(n_documents)
    }


PAIRINGS = pytest.mark.parametrize("pairing", ["1.2", "2.x"])


@PAIRINGS
def test_the_gold_itself_scores_one(pairing, tmp_path):
    gold = make_random_side(random.Random(1))
    result = evaluate_sides(tmp_path, gold, gold, pairing=pairing, details=True)

    assert {score for name, score in result.scores.items() if "error" not in name} == {1.0}
    assert {record["type"] for record in result.tables["details"]} == {"match"}


@PAIRINGS
@pytest.mark.parametrize("seed", range(5))
def test_gold_and_system_exchanged_exchange_precision_and_recall(seed, pairing, tmp_path):
    rng = random.Random(seed)
    one, other = make_random_side(rng), make_random_side(rng)
    result = evaluate_sides(tmp_path / "one", one, other, pairing=pairing).scores
    exchanged = evaluate_sides(tmp_path / "other", other, one, pairing=pairing).scores

    assert result["precision"] == exchanged["recall"]
    assert result["f1"] == pytest.approx(exchanged["f1"])
    assert result["token_f1"] == pytest.approx(exchanged["token_f1"])
    assert result["partial_f1"] == pytest.approx(exchanged["partial_f1"])


@PAIRINGS
def test_neither_other_names_nor_an_order_of_spans_change_a_score(pairing, tmp_path):
    rng = random.Random(3)
    gold, system = make_random_side(rng), make_random_side(rng)
    result = evaluate_sides(tmp_path / "as is", gold, system, pairing=pairing)
    renamed = [
        {f"{9 - int(name[0])}.json": rng.sample(spans, len(spans)) for name, spans in side.items()}
        for side in (gold, system)
    ]
    other = evaluate_sides(tmp_path / "renamed", *renamed, pairing=pairing)

    assert other.scores == result.scores
    assert other.rows.tolist() == result.rows[::-1].tolist()


@PAIRINGS
def test_the_rows_of_two_halves_are_those_of_the_whole(pairing, tmp_path):
    rng = random.Random(4)
    gold, system = make_random_side(rng), make_random_side(rng)
    whole = evaluate_sides(tmp_path / "whole", gold, system, pairing=pairing)
    halves = [
        evaluate_sides(
            tmp_path / str(half),
            {name: gold[name] for name in names},
            {name: system[name] for name in names},
            pairing=pairing,
        )
        for half, names in enumerate(([*gold][:3], [*gold][3:]))
    ]
    assert whole.rows.tolist() == [row for half in halves for row in half.rows.tolist()]


def test_scores_of_single_documents_come_from_their_rows(tmp_path):
    rng = random.Random(5)
    result = evaluate_sides(tmp_path, make_random_side(rng), make_random_side(rng))
    scores = MAT.metrics(result.rows, result.options)

    assert {values.shape for values in scores.values()} == {(6,)}
    for column, score in (("precision", "precision"), ("recall", "recall"), ("fmeasure", "f1")):
        assert [record[column] for record in result.tables["by_document"]] == pytest.approx(scores[score].tolist())


def test_invented_labels_take_no_room_and_raise_no_average(tmp_path):
    gold = {"a.json": [("PER", 0, 7)], "b.json": [("PER", 0, 7)]}
    invented = [(f"L{number}", 13, 20) for number in range(400)]
    labels = ["PER", *(label for label, _, _ in invented)]
    system = {"a.json": [("PER", 0, 7), *invented], "b.json": [("PER", 0, 7)]}
    result = evaluate_sides(
        tmp_path, gold, system, content_annotations=labels, n_resamples=10, seed=1, confidence_data=True
    )

    assert result.rows.shape == (2, 2, len(MAT.kinds))
    assert result.scores["macro_f1"] == 1.0
    assert result.counts["spurious"] == 400
    assert len(result.tables["by_tag"]) == 402


def test_confidence_columns_follow_from_the_gold_where_nothing_is_drawn(tmp_path):
    rng = random.Random(6)
    gold, system = make_random_side(rng), make_random_side(rng)
    plain = evaluate_sides(tmp_path / "0", gold, system, confidence_data=True)
    drawn = evaluate_sides(tmp_path / "1", gold, system, confidence_data=True, n_resamples=30)
    other = evaluate_sides(tmp_path / "2", gold, system, confidence_data=True, seed=1)

    assert plain.seed is None
    assert plain.tables["by_token"] == drawn.tables["by_token"]
    assert plain.tables["by_tag"] != other.tables["by_tag"]
    columns = [*plain.tables["by_tag"][0]]
    place = columns.index("recall")
    assert columns[place + 1 : place + 4] == ["recall_mean", "recall_variance", "recall_stddev"]
    for record in plain.tables["by_tag"]:
        assert record["recall_stddev"] ** 2 == pytest.approx(record["recall_variance"])


def test_intervals_of_the_tables_belong_to_their_rows(tmp_path):
    rng = random.Random(7)
    result = evaluate_sides(tmp_path, make_random_side(rng, 60), make_random_side(rng, 60), n_resamples=200)

    for table in ("by_tag", "by_token"):
        intervals = result.table_intervals[table]
        assert [record["tag"] for record in result.tables[table]] == [*LABELS, "<all>"]
        for record, found in zip(result.tables[table], intervals, strict=True):
            low, high = found["recall"]
            assert low < record["recall"] < high
    assert result.table_intervals["by_tag"][-1]["fmeasure"] == pytest.approx(result.intervals["f1"])
    assert np.all(np.isfinite(result.draws))


def test_a_span_between_tokens_leaves_no_scores_by_token(tmp_path):
    gold = {"a.json": [("PER", 0, 7)], "b.json": [("PER", 0, 7)]}
    system = {"a.json": [("PER", 0, 7)], "b.json": [("PER", 0, 6)]}
    result = evaluate_sides(tmp_path, gold, system, n_resamples=10)

    assert result.tables["by_token"] == []
    assert result.scores["token_f1"] is None
    assert "token_match" not in result.counts
    assert any("b.json" in warning for warning in result.warnings)


@pytest.mark.parametrize(("pairing", "hypclash", "spurious"), [("1.2", 2, 0), ("2.x", 1, 1)])
def test_one_span_over_two_clashes_with_both_or_with_the_more_similar_one(pairing, hypclash, spurious, tmp_path):
    gold = {"a.json": [("PER", 0, 7), ("LOC", 13, 28)]}
    system = {"a.json": [("PER", 0, 7), ("LOC", 13, 20), ("ORG", 21, 28)]}
    labels = [*LABELS, "ORG"]
    result = evaluate_sides(tmp_path, gold, system, pairing=pairing, content_annotations=labels)

    names = ("match", "refclash", "missing", "hypclash", "spurious")
    assert [result.counts[name] for name in names] == [1, 1, 0, hypclash, spurious]
    assert (result.scores["precision"], result.scores["recall"]) == (pytest.approx(1 / 3), 0.5)


@pytest.mark.parametrize(("pairing", "matches"), [("1.2", 1), ("2.x", 0)])
def test_the_greatest_sum_may_break_up_equal_spans(pairing, matches, tmp_path):
    # "Mirelle left Gorloin" and one half on each side: 0.1 + 0.9 * 7/20 and 0.1 + 0.9 * 12/20 exceed 1 together.
    gold = {"a.json": [("PER", 0, 20), ("PER", 8, 20)]}
    system = {"a.json": [("PER", 0, 20), ("PER", 0, 7)]}
    result = evaluate_sides(tmp_path, gold, system, pairing=pairing)

    assert result.counts["match"] == matches
    assert result.scores["f1"] == matches / 2


@PAIRINGS
def test_repeated_spans_are_told(pairing, tmp_path):
    gold = {"a.json": [("PER", 0, 7), ("PER", 0, 7)]}
    result = evaluate_sides(tmp_path, gold, {"a.json": [("PER", 0, 7)]}, pairing=pairing)

    assert (result.counts["duplicates_gold"], result.counts["duplicates_system"]) == (1, 0)
    assert result.scores["recall"] == (1.0 if pairing == "1.2" else 0.5)
    assert any(warning.startswith("gold: 1 annotations repeat") for warning in result.warnings)


@pytest.mark.parametrize(
    "options",
    [
        {"pairing": "2"},
        {"content_annotations": 3},
        {"content_annotations": ["PER", 3]},
        {"task": "Named Entity"},
        {"task_file": "there is no such file"},
        {"system_pattern": "["},
        {"suffix_off": None},
        {"details": "yes"},
        {"confidence": True},
    ],
)
def test_other_options_are_the_callers_fault(options):
    with pytest.raises(scoring.ConfigurationError):
        MAT.configure(options)


BRAT_GOLD = "T1\tPER 0 7;13 20\tMirelle Gorloin\nT2\tLOC 8 12\tleft\nT3\tPER 21 28\tharbour\n"
BRAT_SYSTEM = "T1\tLOC 8 12\tleft\nT2\tPER 13 20;0 7\tMirelle Gorloin\nT3\tPER 21 24;26 28\thar ur\n"


@pytest.mark.parametrize("pairing", ["1.2", "2.x"])
@pytest.mark.parametrize(("discontinuous", "matches", "clashes"), [("outer", 3, 0), ("parts", 2, 1)])
def test_annotations_in_several_parts_agree_where_all_their_parts_do(
    pairing, discontinuous, matches, clashes, tmp_path
):
    """The third annotation agrees in its first start and last end, and no more."""
    for name, content in (("gold", BRAT_GOLD), ("system", BRAT_SYSTEM)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.ann").write_text(content)
        (tmp_path / name / "a.txt").write_text("Mirelle left Gorloin harbour.")
    options = {"gold_format": "brat", "system_format": "brat", "content_annotations": "PER,LOC", "details": True}
    options |= {"pairing": pairing, "discontinuous": discontinuous}
    result = scoring.evaluate("mat", gold=tmp_path / "gold", system=tmp_path / "system", options=options)
    counts = result.counts
    assert (counts["match"], counts["refclash"], counts["hypclash"], counts["missing"]) == (
        matches,
        clashes,
        clashes,
        0,
    )
    assert (counts["strict_correct"], counts["exact_correct"], counts["type_correct"]) == (matches, matches, 3)
    assert [row["type"] for row in result.tables["details"]].count("spanclash") == clashes
    assert result.warnings == ["no scores by token: there are no tokens, the first document without any is a.ann"]
    same = scoring.evaluate("mat", gold=tmp_path / "gold", system=tmp_path / "gold", options=options)
    assert same.scores["f1"] == same.scores["strict_f1"] == 1


def test_labels_may_stand_in_a_list_or_between_commas():
    given = ["PER,LOC", "PER, LOC", ["PER", "LOC"], ("PER", "LOC"), "PER,LOC,PER"]
    assert {MAT.configure({"content_annotations": labels})["content_annotations"] for labels in given} == {
        ("PER", "LOC")
    }
    assert MAT.configure({"content_annotations": ""})["content_annotations"] is None


@pytest.mark.parametrize("format_", ["mat-json", "xml-inline", "raw", "brat"])
@pytest.mark.parametrize("labels", ["PER,LOC", "my label,é"])
def test_the_example_reads_as_gold_with_itself(format_, labels, tmp_path):
    options = {"content_annotations": labels, "gold_format": format_, "system_format": format_}
    for name, content in MAT.example(MAT.configure(options)).items():
        (tmp_path / name).write_bytes(content)
    result = scoring.evaluate("mat", gold=tmp_path, system=tmp_path, options=options)

    assert result.scores["f1"] == 1.0
    if "PER" in labels and format_ != "raw":
        assert result.counts["match"] == 2


def test_the_view_of_a_document_shows_what_became_of_each_span(tmp_path):
    gold = {"a.json": [("PER", 0, 7)], "b.json": [("PER", 0, 7), ("LOC", 13, 20), ("LOC", 13, 28)]}
    system = {"a.json": [], "b.json": [("LOC", 0, 7), ("LOC", 13, 20), ("PER", 8, 12)]}
    result = evaluate_sides(tmp_path, gold, system)
    files = [open_files(tmp_path / side) for side in ("gold", "system")]
    shown = MAT.views.unit_record(*files, "b.json", result.options)

    assert shown["text"] == TEXT
    assert shown["gold"] == [
        {"start": 0, "end": 7, "label": "PER", "match": "tagclash"},
        {"start": 13, "end": 20, "label": "LOC", "match": "match"},
        {"start": 13, "end": 28, "label": "LOC", "match": "spanclash"},
    ]
    assert [(span["label"], span["match"]) for span in shown["system"]] == [
        ("LOC", "tagclash"),
        ("PER", "spurious"),
        ("LOC", "match"),
    ]
    assert shown["pairs"] == [record for record in result.tables["details"] if record["file"] == "b.json"]
    with pytest.raises(KeyError):
        MAT.views.unit_record(*files, "c.json", result.options)


def f_beta_of(precision, recall, beta):
    return 0.0 if precision + recall == 0 else (1 + beta**2) * precision * recall / (beta**2 * precision + recall)


@pytest.mark.parametrize("beta", [0.5, 2])
def test_f_beta_follows_from_precision_and_recall_everywhere(tmp_path, beta):
    rng = random.Random(3)
    for side in ("gold", "system"):
        (tmp_path / side).mkdir()
        for number in range(12):
            spans = {label: [list(rng.choice(WORDS)) for _ in range(rng.randrange(3))] for label in LABELS}
            asets = [{"type": label, "annots": annots} for label, annots in spans.items()]
            asets.append({"type": "lex", "annots": [list(word) for word in WORDS]})
            content = json.dumps({"signal": TEXT, "asets": asets})
            (tmp_path / side / f"{number}.json").write_text(content, encoding="utf-8")
    paths = {"gold": tmp_path / "gold", "system": tmp_path / "system"}
    options = {"content_annotations": LABELS, "beta": beta}
    result = scoring.evaluate("mat", **paths, options=options, n_resamples=200)
    plain = scoring.evaluate("mat", **paths, options=options | {"beta": 1}, n_resamples=200)
    assert (result.headline, plain.headline) == ("fbeta", "f1")
    assert {key: value for key, value in result.scores.items() if "fbeta" not in key} == plain.scores
    for prefix in ("", "token_", "strict_", "exact_", "partial_", "type_"):
        precision, recall = (result.scores[f"{prefix}{part}"] for part in ("precision", "recall"))
        assert result.scores[f"{prefix}fbeta"] == pytest.approx(f_beta_of(precision, recall, beta))
        assert f"{prefix}fbeta" in result.intervals
    for table in ("by_tag", "by_token", "by_document", "partial"):
        for row in result.tables[table]:
            assert row["fbeta"] == pytest.approx(f_beta_of(row["precision"], row["recall"], beta))
        columns = list(result.tables[table][0])
        assert columns.index("fbeta") == 1 + columns.index("f1" if table == "partial" else "fmeasure")
    by_tag = [row["fbeta"] for row in result.tables["by_tag"] if row["tag"] in LABELS]
    assert result.scores["macro_fbeta"] == pytest.approx(np.mean(by_tag))
    assert "fbeta" in result.table_intervals["by_tag"][-1]
    titles = MAT.titles(result.options)
    assert (titles["fbeta"], titles["token_fbeta"]) == (f"F{beta}", f"F{beta}, tokens")
    assert "fbeta" not in MAT.titles(plain.options)
