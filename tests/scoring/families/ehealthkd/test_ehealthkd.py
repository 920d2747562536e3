"""The reference cases, and what holds for every eHealth-KD run."""

import base64
import itertools
import json
import random
import zipfile
from pathlib import Path

import numpy as np
import pytest

import scoring

REFERENCE = Path(__file__).parents[2] / "reference" / "ehealthkd" / "cases.jsonl"
FOLDERS = {1: "scenario1-main", 2: "scenario2-taskA", 3: "scenario3-taskB"}
PREFIXES = {"flat": "", "zip_flat": "", "zip_nested": "run/{}/", "folder": "{}/", "zip": "{}/"}
CASES = {case["id"]: case for case in map(json.loads, REFERENCE.read_text(encoding="utf-8").splitlines())}
SENTENCES = "Las vías respiratorias del niño\nOtra frase con cáncer de piel\nNada\n"
GOLD_A = (
    "1\t4 8;9 22\tConcept\tvías respiratorias\n2\t27 31\tConcept\tniño\n"
    "3\t32 36\tReference\tOtra\n4\t47 53\tConcept\tcáncer\n5\t57 61\tAction\tpiel\n"
)
GOLD_B = "is-a\t1\t2\ncauses\t2\t1\nsame-as\t3\t4\n"


def content_of(value):
    return base64.b64decode(value["b64"]) if isinstance(value, dict) else value.encode()


def write_side(path, side, scenario, layout, stem):
    stems = {"sentences": stem, "output_a": "output_a", "output_b": "output_b"}
    prefix = PREFIXES[layout].format(FOLDERS[scenario])
    files = {
        f"{prefix}{stems[key]}_scenario{scenario}.txt": content_of(value)
        for key, value in side.items()
        if value is not None and stems[key]
    }
    if layout.startswith("zip"):
        with zipfile.ZipFile(path.with_suffix(".zip"), "w") as archive:
            for name, content in files.items():
                archive.writestr(name, content)
        return path.with_suffix(".zip")
    for name, content in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(content)
    return path


def evaluate_case(case, folder, **options):
    scenario = case["scenario"]
    gold = write_side(folder / "gold", case["gold"], scenario, case["gold_layout"], "input")
    system = write_side(
        folder / "system", case["system"], scenario, case["system_layout"], case["system_sentence_file"]
    )
    return scoring.evaluate("ehealthkd", gold=gold, system=system, options={"scenario": scenario, **options})


def approximate(expected):
    return {key: value if value is None else pytest.approx(value, abs=1e-9) for key, value in expected.items()}


def accepted(key):
    return [name for name, case in CASES.items() if "scores" in case["expected"].get(key, {})]


@pytest.mark.golden
@pytest.mark.parametrize("name", accepted("evaluate"))
def test_scores_and_counts_are_the_expected_ones(name, tmp_path):
    expected = CASES[name]["expected"]["evaluate"]
    result = evaluate_case(CASES[name], tmp_path)

    assert result.scores == approximate(expected["scores"])
    assert result.counts == expected["counts"]
    assert len(result.units) == expected["units"]
    assert result.warnings or not expected.get("warns")


@pytest.mark.golden
@pytest.mark.parametrize("name", accepted("documented"))
def test_the_documented_rules_ask_for_the_same_label(name, tmp_path):
    expected = CASES[name]["expected"]["documented"]
    result = evaluate_case(CASES[name], tmp_path, rules="documented")

    assert result.scores == approximate(expected["scores"])
    assert result.counts == expected["counts"]


@pytest.mark.golden
@pytest.mark.parametrize("name", [name for name, case in CASES.items() if "tables" in case["expected"]])
def test_tables_are_the_expected_ones(name, tmp_path):
    expected = CASES[name]["expected"]
    result = evaluate_case(CASES[name], tmp_path, details=True)

    for table, records in expected["tables"].items():
        assert result.tables[table] == [
            {key: pytest.approx(value) if isinstance(value, float) else value for key, value in record.items()}
            for record in records
        ]
    phrases = ("sentence", "match", "gold_id", "system_id")
    relations = (
        *("sentence", "match", "label", "gold_source_id", "gold_target_id"),
        *("system_source_id", "system_target_id"),
    )
    assert items(result.tables["phrases"], phrases) == unordered(expected["phrases"])
    assert items(result.tables["relations"], relations) == unordered(expected["relations"])


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if "error" in case["expected"]["evaluate"]])
def test_bad_files_are_refused_with_file_and_line(name, tmp_path):
    expected = CASES[name]["expected"]["evaluate"]
    with pytest.raises(getattr(scoring, expected["error"])) as refused:
        evaluate_case(CASES[name], tmp_path)

    if place := expected.get("problem"):
        found = [(Path(problem.file or "").name, problem.line) for problem in refused.value.problems]
        assert (place["file"], place["line"]) in found
    assert all("\n" not in str(problem) for problem in refused.value.problems)


def items(records, columns):
    return unordered([record[column] for column in columns] for record in records)


def unordered(rows):
    return sorted(map(str, map(list, rows)))


def make_run(folder, a=GOLD_A, b=GOLD_B, sentences=SENTENCES, stem="input"):
    return write_side(
        folder, {"sentences": sentences, "output_a": a, "output_b": b}, 1, "flat", stem if sentences else None
    )


def test_the_gold_itself_scores_one(tmp_path):
    gold = make_run(tmp_path / "gold")
    result = scoring.evaluate("ehealthkd", gold=gold, system=gold)
    assert set(result.scores.values()) == {1.0}
    assert result.units == ["sentence 1", "sentence 2"]


def test_the_order_of_the_lines_is_irrelevant_where_nothing_overlaps(tmp_path):
    gold = make_run(tmp_path / "gold")
    lines = (GOLD_A + "9\t41 46\tAction\tfrase\n").splitlines(keepends=True)
    counts = []
    for seed in range(5):
        random.Random(seed).shuffle(lines)
        system = make_run(tmp_path / str(seed), a="".join(lines))
        counts.append(scoring.evaluate("ehealthkd", gold=gold, system=system).counts)
    assert all(found == counts[0] for found in counts)


def test_each_row_is_what_its_sentence_would_count_alone(tmp_path):
    gold = make_run(tmp_path / "gold")
    system = make_run(tmp_path / "system", a="7\t4 22\tAction\tx\n8\t33 39\tConcept\tx\n", b="")
    result = scoring.evaluate("ehealthkd", gold=gold, system=system)

    assert result.rows.tolist() == [[0, 1, 0, 1, 0, 0, 2, 0], [0, 0, 1, 2, 0, 0, 1, 0]]
    assert result.rows.sum(axis=0).tolist() == list(result.counts.values())[:8]


def make_random_sides(seed, n_sentences=8):
    """Sentences, and for both sides the phrases (first word, last word, label, ID) of each."""
    rng = random.Random(seed)
    sides = []
    sentences = [[f"w{k}x{rng.randrange(9)}" for k in range(rng.randint(3, 9))] for _ in range(n_sentences)]
    for _ in ("gold", "system"):
        starts = [sorted(rng.sample(range(len(words)), rng.randint(1, 3))) for words in sentences]
        sides.append(
            [
                [(a, min(a + rng.randrange(2), len(words) - 1), rng.choice("ab")) for a in found]
                for words, found in zip(sentences, starts, strict=True)
            ]
        )
    return sentences, *sides


def count_sentences(folder, order, sentences, *sides):
    """The counts of a task made of these of the sentences, in this order."""
    for name, phrases in zip(("gold", "system"), sides, strict=True):
        a, b, offset = [], [], 0
        for i in order:
            words = sentences[i]
            ends = list(itertools.accumulate(len(word) + 1 for word in words))
            for first, last, label in phrases[i]:
                start, end = offset + ends[first] - len(words[first]) - 1, offset + ends[last] - 1
                a.append(f"{len(a) + 1}\t{start} {end}\t{label}\tx\n")
            b.append(f"is-a\t{len(a)}\t{len(a) + 1 - len(phrases[i])}\n")
            offset += ends[-1]
        texts = "".join(f"{' '.join(sentences[i])}\n" for i in order)
        make_run(folder / name, "".join(a), "".join(b), texts)
    result = scoring.evaluate("ehealthkd", gold=folder / "gold", system=folder / "system")
    return np.array([result.counts[kind] for kind in scoring.FAMILIES["ehealthkd"].kinds])


@pytest.mark.parametrize("seed", range(5))
def test_neither_the_order_of_the_sentences_nor_splitting_the_task_changes_a_count(seed, tmp_path):
    task = make_random_sides(seed)
    whole = count_sentences(tmp_path / "whole", range(8), *task)
    reversed_ = count_sentences(tmp_path / "reversed", range(7, -1, -1), *task)
    parts = [count_sentences(tmp_path / f"part {k}", range(k, k + 2), *task) for k in range(0, 8, 2)]

    assert whole.tolist() == reversed_.tolist() == sum(parts).tolist()


@pytest.mark.parametrize("scenario", ["4", 0, True, None, "x"])
def test_an_unknown_scenario_is_the_callers_fault(scenario, tmp_path):
    gold = make_run(tmp_path / "gold")
    with pytest.raises(scoring.ConfigurationError, match="scenario"):
        scoring.evaluate("ehealthkd", gold=gold, system=gold, options={"scenario": scenario})


@pytest.mark.parametrize(
    "options", [{"sentences": "none"}, {"rules": "2024"}, {"rules": 2021, "scenario": 4}, {"details": "yes"}]
)
def test_other_options_are_the_callers_fault(options, tmp_path):
    gold = make_run(tmp_path / "gold")
    with pytest.raises(scoring.ConfigurationError):
        scoring.evaluate("ehealthkd", gold=gold, system=gold, options=options)


def test_an_upload_holds_the_scenarios_with_phrases_or_relations(tmp_path):
    for scenario, side in (
        (1, {"sentences": "x", "output_a": "", "output_b": None}),
        (2, {"sentences": "x", "output_a": None, "output_b": None}),
        (3, {"sentences": None, "output_a": None, "output_b": ""}),
    ):
        write_side(tmp_path / "run", side, scenario, "folder", "output")
    family = scoring.FAMILIES["ehealthkd"]
    assert [n for n in (1, 2, 3) if family.files.has_files(tmp_path, family.configure({"scenario": n}))] == [1, 3]


def test_thousands_of_invented_labels_leave_the_scores_alone(tmp_path):
    gold = make_run(tmp_path / "gold")
    invented = "".join(f"{k}\t4 8\tL{k}\tx\n" for k in range(10, 5000))
    system = make_run(tmp_path / "system", a=GOLD_A + invented)
    result = scoring.evaluate("ehealthkd", gold=gold, system=system, n_resamples=10)

    assert result.counts["correct_A"] == 5
    assert result.counts["spurious_A"] == 4990
    assert len(result.warnings) < 100


def test_intervals_of_tables_belong_to_their_rows(tmp_path):
    sentences = "".join(f"dolor {k:02} causa fiebre\n" for k in range(60))
    offsets = range(0, 60 * 22, 22)
    a = "".join(
        f"{2 * k}\t{o} {o + 5}\tConcept\tx\n{2 * k + 1}\t{o + 9} {o + 14}\tAction\tx\n" for k, o in enumerate(offsets)
    )
    b = "".join(f"causes\t{2 * k}\t{2 * k + 1}\n" for k in range(60))
    gold = make_run(tmp_path / "gold", a, b, sentences)
    a = "".join(line for k, line in enumerate(a.splitlines(keepends=True)) if k % 5)
    b = "".join(f"causes\t{2 * k}\t{2 * k + 1}\n" for k in range(60) if (2 * k) % 5 and (2 * k + 1) % 5)
    system = make_run(tmp_path / "system", a, b, sentences)
    result = scoring.evaluate("ehealthkd", gold=gold, system=system, n_resamples=200)

    intervals = result.table_intervals["entity_labels"]
    assert [record["label"] for record in result.tables["entity_labels"]] == ["Action", "Concept"]
    for record, found in zip(result.tables["entity_labels"], intervals, strict=True):
        low, high = found["recall"]
        assert low < record["recall"] < high
    low, high = result.intervals["f1"]
    assert low < result.scores["f1"] < high
    assert np.all(np.isfinite(result.draws))
