"""The family `given`: the conformance cases, and what a table of scores is held to."""

import json
from pathlib import Path

import pytest

import scoring

REFERENCE = Path(__file__).parents[1] / "reference" / "given" / "cases.jsonl"
CASES = [json.loads(line) for line in REFERENCE.read_text(encoding="utf-8").splitlines()]


def written(folder, side, file):
    (folder / side).mkdir()
    path = folder / side / file["file"]
    path.write_text(file["text"], encoding="utf-8", newline="")
    return path


@pytest.mark.golden
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_case_comes_out_as_expected(case, tmp_path):
    sides = {side: written(tmp_path, side, case[side]) for side in ("gold", "system")}
    arguments = sides | {"options": case.get("options", {})}
    if "error" in case:
        with pytest.raises(getattr(scoring, case["error"])) as raised:
            scoring.evaluate("given", **arguments)
        assert case.get("message", "") in str(raised.value)
        found = getattr(raised.value, "problems", [])
        for wanted in case.get("problems", []):
            assert any(
                wanted["message"] in each.message and wanted.get("line", each.line) == each.line for each in found
            )
        return
    result = scoring.evaluate("given", **arguments, n_resamples=case.get("n_resamples", 0), seed=case.get("seed"))
    expected = case["expected"]
    assert {name: result.scores[name] for name in expected["scores"]} == pytest.approx(expected["scores"], rel=1e-9)
    for name, interval in expected.get("intervals", {}).items():
        assert result.intervals[name] == pytest.approx(interval, rel=1e-9)
    for name in ("units", "headline", "lower_is_better"):
        assert getattr(result, name) == expected.get(name, getattr(result, name))
    assert result.counts | expected.get("counts", {}) == result.counts
    assert scoring.check("given", **arguments) == []


TOTALS = {"all": 0.62} | {f"without {number}": 0.6 + number / 1000 for number in range(1, 21)}


@pytest.mark.parametrize(
    ("totals", "options", "words"),
    [
        (TOTALS, {"group": "document"}, "option blocks: it does not go with group"),
        (
            {key: total for key, total in TOTALS.items() if key != "all"},
            {},
            "one row of the unit all is needed, found 0",
        ),
        ({key: total for key, total in TOTALS.items() if key != "without 3"}, {}, "unit 'without 3' is missing"),
        (TOTALS | {"all": 2}, {"range": "0..1"}, "score 2 lies outside 0..1"),
    ],
)
def test_totals_that_cannot_be_are_refused(tmp_path, totals, options, words):
    with pytest.raises(scoring.ScoringError, match=words):
        evaluated_totals(tmp_path, totals, options)


def test_blocks_need_units(tmp_path):
    with pytest.raises(scoring.GoldError, match="19 units are too few for 20 blocks"):
        evaluated_totals(tmp_path, TOTALS, {}, n_units=19)


def test_totals_are_scored_as_the_judge_said_them(tmp_path):
    result = evaluated_totals(tmp_path, TOTALS, {})
    assert result.scores["score"] == pytest.approx(0.62, abs=1e-12)
    assert result.interval_methods == {"score": "jackknife"}
    # s of the pseudo-values is 19 times that of 1 … 20 thousandths.
    half = 2.093024054 * 19 * 5.916079783e-3 / 20**0.5
    assert result.intervals["score"] == pytest.approx((0.62 - half, 0.62 + half), rel=1e-8)


def evaluated_totals(folder, totals, options, n_units=40):
    gold, system = folder / "units.csv", folder / "totals.csv"
    gold.write_text("unit\n" + "".join(f"u{number}\n" for number in range(n_units)))
    system.write_text("unit,score\n" + "".join(f"{unit},{total}\n" for unit, total in totals.items()))
    return scoring.evaluate("given", gold=gold, system=system, options={"blocks": "20"} | options, n_resamples=100)
