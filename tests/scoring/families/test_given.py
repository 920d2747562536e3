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
