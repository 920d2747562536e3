"""The reference cases, and what holds for all numbers."""

import json
import math
import re
from pathlib import Path
from statistics import stdev

import numpy as np
import pytest

import scoring
from scoring.cli.output import as_text
from scoring.errors import SubmissionError
from scoring.families.numbers.measures.inversions import Concordant
from scoring.families.numbers.options import configure
from scoring.families.numbers.scores import metrics
from scoring.readers.archive import Made
from scoring.readers.numbers import read_gold
from scoring.significance import totals

REFERENCE = Path(__file__).parents[2] / "reference" / "numbers"
CASES = [
    pytest.param(case, id=case["id"])
    for name in ("rule", "score", "interval", "error")
    for case in map(json.loads, (REFERENCE / f"{name}.jsonl").read_text(encoding="utf-8").splitlines())
]
GOLD = "id,value,domain\na,1,chat\nb,2,law\nc,2,chat\nd,3,law\ne,4,chat\nf,5,law\n"
RUN = "id,value\na,1.5\nb,1\nc,2.5\nd,2.5\ne,3.5\nf,5.5\n"


def written(folder, given):
    """Files of their own: of an archive in memory the seed would be another one."""
    folder.mkdir()
    (folder / given["file"]).write_bytes(given["text"].encode())
    return folder / given["file"]


def evaluate(gold=GOLD, system=RUN, n_resamples=0, seed=None, name="run.csv", **options):
    return scoring.evaluate(
        "numbers",
        gold=Made({"gold.csv": gold.encode()}),
        system=Made({name: system.encode()}),
        options=options,
        n_resamples=n_resamples,
        seed=seed,
    )


def table(values, header="id,value"):
    return header + "\n" + "".join(f"i{k},{value!r}\n" for k, value in enumerate(values))


def near(value):
    if isinstance(value, dict):
        return {key: near(own) for key, own in value.items()}
    if isinstance(value, list):
        return [near(own) for own in value]
    return pytest.approx(value, abs=1e-9, rel=1e-9) if isinstance(value, float) else value


@pytest.mark.golden
@pytest.mark.parametrize("case", CASES)
def test_a_case_gives_what_is_expected(case, tmp_path):
    arguments = {key: case[key] for key in ("options", "n_resamples", "seed") if key in case}
    arguments |= {side: written(tmp_path / side, case[side]) for side in ("gold", "system")}
    if "error" in case:
        with pytest.raises(getattr(scoring, case["error"])) as raised:
            scoring.evaluate("numbers", **arguments)
        assert case.get("message", "") in str(raised.value)
        assert not any(word in str(raised.value) for word in case.get("absent", ()))
        for problem in case.get("problems", ()):
            assert any(
                problem["message"].lower() in each.message.lower() and each.line == problem.get("line", each.line)
                for each in raised.value.problems
            )
        return
    expected, result = case["expected"], scoring.evaluate("numbers", **arguments)
    assert {name: result.scores[name] for name in expected.get("scores", {})} == near(expected.get("scores", {}))
    assert {name: result.counts[name] for name in expected.get("counts", {})} == expected.get("counts", {})
    assert not set(expected.get("no_scores", ())) & result.scores.keys()
    assert result.headline == expected.get("headline", result.headline)
    assert result.units == expected.get("units", result.units)
    assert set(result.lower_is_better) == set(expected.get("lower_is_better", result.lower_is_better))
    for name, ends in expected.get("intervals", {}).items():
        found = result.intervals.get(name)
        assert (found and list(found)) == near(ends)
    for name, rows in expected.get("tables", {}).items():
        found = [{key: own[key] for key in row} for own, row in zip(result.tables[name], rows, strict=True)]
        assert found == near(rows)
    for words in expected.get("warnings", ()):
        assert any(words in warning for warning in result.warnings)


def test_the_worked_example_comes_out():
    result = evaluate(tolerance=0.5)
    assert {name: round(value, 6) for name, value in result.scores.items()} == {
        "pearson": 0.910236, "spearman": 0.867647, "kendall": 0.785714, "ccc": 0.905263, "r2": 0.792308,
        "mae": 0.583333, "mse": 0.375, "rmse": 0.612372, "within": 0.833333,
    }  # fmt: skip


def test_the_edge_of_the_tolerance_is_in_or_out_as_the_task_says():
    gold, run = table([3.2, 3, 2]), table([4.2, 3.5, 4])
    shares = {edge: evaluate(gold, run, tolerance=1, tolerance_edge=edge) for edge in ("in", "out")}
    assert shares["in"].scores["within"] == evaluate(gold, run, tolerance=1).scores["within"] == pytest.approx(2 / 3)
    assert shares["out"].scores["within"] == pytest.approx(1 / 3)
    assert "|tolerance_edge:out|" in shares["out"].signature
    assert "tolerance_edge" not in evaluate(gold, run, tolerance=1).signature
    assert evaluate(gold, gold, tolerance=0, tolerance_edge="out").scores["within"] == 0


@pytest.mark.parametrize("shift", [0.0, 1e8])
def test_numbers_far_from_zero_lose_no_digit(shift):
    rng = np.random.default_rng(3)
    gold = rng.normal(size=40)
    system = gold + rng.normal(size=40)
    far = evaluate(table((gold + shift).tolist()), table((system + 3 * shift).tolist()))
    both = np.corrcoef(gold + shift, system + 3 * shift)[0, 1]
    assert far.scores["pearson"] == pytest.approx(both, abs=1e-9)


def test_squares_that_overflow_give_no_value_and_a_warning():
    result = evaluate(table([1e200, -1e200, 3.0]), table([2e200, 1.0, 2.0]), n_resamples=100)
    assert result.scores["mse"] is result.scores["rmse"] is result.scores["pearson"] is None
    assert result.scores["spearman"] == pytest.approx(1.0)
    runs = {"huge": evaluate(table([1.0, 2.0, 4.0] * 9), table([1e300] + [1.0, 2.0, 5.0] * 8 + [1e-300, 0.0]))}
    assert runs["huge"].scores["mae"] is None
    assert any("overflow" in warning for warning in result.warnings)


def test_a_constant_run_has_no_correlation_unless_the_organiser_says_zero():
    constant = table([2.5] * 6)
    gold = table([1, 2, 2, 3, 4, 5])
    assert evaluate(gold, constant).scores["pearson"] is None
    assert "equal" in evaluate(gold, constant).warnings[0]
    zero = evaluate(gold, constant, constant="zero").scores
    assert (zero["pearson"], zero["spearman"], zero["kendall"]) == (0.0, 0.0, 0.0)


def test_a_perfect_run_is_perfect_in_every_score():
    result = evaluate(GOLD, GOLD, tolerance=0)
    lower = dict.fromkeys(result.lower_is_better, 0.0)
    assert result.scores == pytest.approx(dict.fromkeys(result.scores, 1.0) | lower)
    binary = table([1, 0, 1, 0])
    found = evaluate(binary, binary, kind="binary")
    assert found.scores == pytest.approx(dict.fromkeys(found.scores, 1.0) | dict.fromkeys(found.lower_is_better, 0.0))


def test_slices_have_their_own_scores_mean_and_worst():
    result = evaluate(slices="domain", slice_score="rmse", headline="slice_min")
    of = {row["slice"]: row for row in result.tables["slices"]}
    assert list(of) == ["chat", "law"]
    alone = evaluate("".join(line + "\n" for line in GOLD.splitlines() if "law" not in line), RUN, unknown_ids="ignore")
    assert {name: of["chat"][name] for name in alone.scores} == pytest.approx(alone.scores)
    assert result.scores["slice_min"] == max(row["rmse"] for row in of.values())
    assert result.scores["slice_mean"] == pytest.approx(sum(row["rmse"] for row in of.values()) / 2)
    assert {"slice_mean", "slice_min"} <= set(result.lower_is_better)


def test_several_columns_are_scored_one_by_one_and_as_a_mean():
    gold = "id,u,v\na,1,3\nb,2,1\nc,4,2\nd,5,5\n"
    run = "id,x,y\na,1,2\nb,3,1\nc,4,4\nd,4,5\n"
    result = evaluate(gold, run, columns="x,y", gold_columns="u,v")
    assert result.scores["pearson"] == pytest.approx((result.scores["x_pearson"] + result.scores["y_pearson"]) / 2)
    joint = math.sqrt(result.scores["x_mse"] + result.scores["y_mse"])
    assert result.scores["joint_rmse"] == pytest.approx(joint)
    assert [row["column"] for row in result.tables["columns"]] == ["x", "y"]
    assert result.tables["columns"][1]["mae"] == result.scores["y_mae"]


def test_rows_of_a_group_are_drawn_together():
    rng = np.random.default_rng(5)
    gold = rng.normal(size=60)
    system = gold + rng.normal(size=60)
    group = np.repeat(np.arange(20), 3)
    text = "id,value,text\n" + "".join(f"i{k},{value!r},t{group[k]}\n" for k, value in enumerate(gold.tolist()))
    result = evaluate(text, table(system.tolist()), n_resamples=50, group="text", headline="spearman")
    assert result.units == [f"t{k}" for k in range(20)]
    assert result.rows[:, 0].tolist() == [3] * 20
    alone = evaluate(table(gold.tolist()), table(system.tolist()))
    assert alone.scores == pytest.approx(result.scores)
    assert "units:20 groups" in result.signature


def test_batches_of_any_size_give_the_same_bytes():
    rng = np.random.default_rng(6)
    gold, system = rng.integers(0, 9, 50).tolist(), rng.normal(size=50).tolist()
    few = evaluate(table(gold), table(system), n_resamples=130, headline="kendall")
    many = evaluate(table(gold), table(system), n_resamples=260, headline="kendall")
    assert np.array_equal(few.draws, many.draws[:130])


def test_sums_of_rows_give_what_the_result_says_whichever_centre_is_taken():
    result = evaluate(n_resamples=0)
    found = metrics(totals(result.rows), configure({}))
    assert {name: float(value) for name, value in found.items()} == pytest.approx(
        {name: result.scores[name] for name in found}
    )


def test_runs_are_compared_by_exchanging_units_where_the_score_is_made_of_sums():
    rng = np.random.default_rng(7)
    gold = rng.normal(size=60)
    runs = {
        name: evaluate(table(gold.tolist()), table((gold + rng.normal(0, spread, 60)).tolist()), headline="rmse")
        for name, spread in (("fine", 0.1), ("rough", 2.0))
    }
    found = scoring.compare(runs, n_resamples=500, method="randomisation")
    assert found.names == ["fine", "rough"]
    assert found.separated[0, 1]
    ranked = {name: evaluate(table(gold.tolist()), table(gold.tolist()), headline="spearman") for name in ("a", "b")}
    with pytest.raises(scoring.ConfigurationError, match="randomisation"):
        scoring.compare(ranked, n_resamples=500, method="randomisation")


def test_kendall_has_no_interval_of_very_many_items_unless_it_ranks(monkeypatch):
    monkeypatch.setattr("scoring.families.numbers.counting.MOST_FOR_KENDALL", 5)
    result = evaluate(n_resamples=60)
    assert result.scores["kendall"] == pytest.approx(0.785714, abs=1e-6)
    assert "kendall" not in result.intervals
    assert "spearman" in result.intervals
    assert "kendall: no interval: more than 5 items" in result.warnings
    assert "kendall" in evaluate(n_resamples=60, headline="kendall").intervals


def test_a_file_of_one_number_a_line_needs_no_ids():
    gold = Made({"gold.txt": b"1\n2\n4\n"})
    result = scoring.evaluate("numbers", gold=gold, system=Made({"run.txt": b"1\r\n3\r\n2\r\n"}))
    assert result.scores["spearman"] == pytest.approx(0.5)


def test_columns_inside_of_lists_are_called_by_the_end_of_their_names():
    def aspects(*pairs):
        rows = [{"Aspect": f"a{k}", "VA": pair} for k, pair in enumerate(pairs)]
        return Made({"run.jsonl": json.dumps({"ID": "r1", "Aspect_VA": rows}).encode()})

    result = scoring.evaluate(
        "numbers",
        gold=aspects("1#2", "2#4", "3#1"),
        system=aspects("1#3", "2#5", "3.5#2"),
        options={"id": "ID,Aspect_VA[].Aspect", "columns": "Aspect_VA[].VA#1,Aspect_VA[].VA#2"},
    )
    assert result.units == ["r1|a0", "r1|a1", "r1|a2"]
    assert (result.scores["VA_1_mae"], result.scores["VA_2_mae"]) == (pytest.approx(0.5 / 3), 1)
    assert [row["column"] for row in result.tables["columns"]] == ["VA_1", "VA_2"]


RATINGS = {"columns": "prediction", "gold_columns": "label", "tolerance_column": "label", "tolerance": 1}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("gold.jsonl", '{"id": 0, "label": [4, 5, 3, 1, 5]}\n{"id": 1, "label": [2, 2]}\n{"id": 2, "label": 2.5}\n'),
        ("gold.csv", 'id,label\n0,"[4, 5, 3, 1, 5]"\n1,"[2,2]"\n2,2.5\n'),
    ],
)
def test_a_list_of_ratings_stands_for_its_mean_and_its_deviation(name, content):
    gold = read_gold({name: content.encode()}, configure(RATINGS))
    assert gold.values.tolist() == [[3.6, 2, 2.5]]
    assert gold.tolerance.tolist() == pytest.approx([stdev([4, 5, 3, 1, 5]), 1, 2.5])


@pytest.mark.parametrize("label", ["[]", '["x"]', "[[1]]", '"4"', "true"])
def test_what_is_no_list_of_numbers_is_refused(label):
    with pytest.raises(SubmissionError, match="gold.jsonl:1: label must be a number or a list of numbers"):
        read_gold({"gold.jsonl": f'{{"id": 0, "label": {label}}}'.encode()}, configure(RATINGS))
    with pytest.raises(SubmissionError, match="gold.csv:2: 'x' is not a number"):
        read_gold({"gold.csv": b'id,label\n0,"[1, x]"\n'}, configure(RATINGS))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"columns": "a,a"}, "stands twice"),
        ({"columns": "a,joint"}, "joint"),
        ({"kind": "binary", "tolerance": 1}, "tolerance"),
        ({"kind": "binary", "missing": 2}, "between 0 and 1"),
        ({"tolerance": "inf"}, "finite"),
        ({"tolerance_edge": "out"}, "tolerance_edge needs a tolerance"),
        ({"tolerance": 1, "tolerance_edge": "on"}, "'on' is not one of in, out"),
        ({"slice_score": "slice_mean", "slices": "domain"}, "slice_score"),
        ({"headline": "slice_mean"}, "slice_mean"),
    ],
)
def test_options_that_do_not_go_together_are_refused(options, words):
    with pytest.raises(scoring.ConfigurationError, match=words):
        evaluate(**options)


def test_what_is_described_says_how_many_rows_have_numbers():
    said = scoring.describe("numbers", gold=Made({"gold.csv": GOLD.encode()}), system=Made({"run.csv": RUN.encode()}))
    assert said.summary == "6 numbers to 6 of 6 items."


def test_the_page_of_an_item_has_both_numbers_and_what_else_the_gold_tells():
    family = scoring.FAMILIES["numbers"]
    gold = 'id,value,sd,text\na,1,0.5,"so, it\nwent"\nb,2,0.1,well\n'
    options = family.configure({"tolerance_column": "sd", "text": "text"})
    record = family.views.unit_record({"gold.csv": gold.encode()}, {"run.csv": b"id,value\na,1.5\nb,1\n"}, "b", options)
    [row] = record["rows"]
    assert row["text"] == [{"name": "text", "text": "well"}]
    [number] = row["numbers"]
    assert (number["gold"], number["system"], number["difference"], number["near"]) == (2.0, 1.0, -1.0, False)
    first = family.views.unit_record({"gold.csv": gold.encode()}, {"run.csv": b"id,value\na,1.5\nb,1\n"}, "a", options)
    assert first["rows"][0]["text"][0]["text"] == "so, it\nwent"
    strict = family.configure({"tolerance_column": "sd", "text": "text", "tolerance_edge": "out"})
    second = family.views.unit_record({"gold.csv": gold.encode()}, {"run.csv": b"id,value\na,1.5\nb,1\n"}, "a", strict)
    nearness = [record["rows"][0]["numbers"][0]["near"] for record in (first, second)]
    assert nearness == [True, False]
    with pytest.raises(KeyError):
        family.views.unit_record({"gold.csv": gold.encode()}, {"run.csv": b"id,value\na,1.5\nb,1\n"}, "z", options)


def test_errors_are_told_with_as_many_digits_as_their_intervals_show():
    gold = [0.001 * k for k in range(30)]
    small = evaluate(table(gold), table([value + 0.0001 * (k % 3) for k, value in enumerate(gold)]), n_resamples=200)
    assert re.search(r"0\.00010+ \[0\.0000[0-9]+, 0\.0001[0-9]+\]", as_text(small))


def test_kendall_takes_no_more_than_n_log_n_steps_whatever_the_order():
    rng = np.random.default_rng(8)
    for n in (1, 2, 31, 32, 33, 1000, 4097):
        for order in (rng.permutation(n), np.arange(n), np.arange(n)[::-1].copy()):
            steps = sum(len(split.left) - 1 + len(split.n_below) for split in Concordant.once(order).splits)
            assert steps <= n * math.ceil(math.log2(max(n, 2)))
            kept = sum(len(split.left) - 1 + len(split.n_below) for split in Concordant.of(order).splits)
            assert kept <= steps


def test_what_participants_are_given_has_ids_and_texts_and_no_number():
    family = scoring.FAMILIES["numbers"]
    options = family.configure({"gold_id": "a,b", "id": "a,b", "text": "said", "missing": 0})
    lines = ('{"a": "x", "b": 1, "value": 0.75, "said": "well"}', '{"a": "y", "b": 2, "value": 7.5, "said": "so, so"}')
    gold = {"gold.jsonl": "\n".join(lines).encode()}
    assert family.files.inputs(gold, options) == {"items.csv": b'a,b,said\nx,1,well\ny,2,"so, so"\n'}
    assert family.files.sample(gold, options) == {"run.csv": b"a,b,value\nx,1,0\ny,2,0\n"}
    assert family.files.input_keys(gold, options, "gold") == {"x|1", "y|2"}
    made = family.files.gold_as_submission(gold, options | {"gold_columns": ("value",), "columns": ("guess",)})
    assert made == {"gold.csv": b"a,b,guess\nx,1,0.75\ny,2,7.5\n"}
