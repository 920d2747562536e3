"""The reference cases of formulas, comparisons by a formula, and mean ranks."""

import json
from pathlib import Path

import numpy as np
import pytest

import scoring

REFERENCE = Path(__file__).parents[1] / "reference" / "combined"


def cases(name):
    lines = (REFERENCE / name).read_text(encoding="utf-8").splitlines()
    return pytest.mark.parametrize("case", [json.loads(line) for line in lines], ids=lambda case: case["id"])


def close(value, expected):
    return np.allclose(value, expected, rtol=1e-9, atol=1e-9)


@pytest.fixture
def evaluated(tmp_path):
    """{team: {scenario: evaluation, or None}} of a case."""

    def evaluate(case):
        teams = {}
        for scenario in case["scenarios"]:
            folder = tmp_path / scenario["name"]
            folder.mkdir()
            gold = written(folder / "gold", scenario["gold"])
            for team, file in scenario["systems"].items():
                teams.setdefault(team, {})[scenario["name"]] = file and scoring.evaluate(
                    scenario["family"],
                    gold=gold,
                    system=written(folder / team, file),
                    options=scenario.get("options") or {},
                    n_resamples=case["n_resamples"],
                    keep=case.get("keep", {}).get(scenario["name"], ()),
                )
        return teams

    return evaluate


def written(folder, file):
    folder.mkdir()
    path = folder / file["file"]
    path.write_text(file["text"], encoding="utf-8", newline="")
    return path


@cases("formula.jsonl")
def test_a_formula_has_the_value_the_interval_and_the_draws_of_the_case(case, evaluated):
    parts = evaluated(case)[case["team"]]
    arguments = {"n_resamples": case["n_resamples"], "seed": case.get("seed")}
    if "error" in case:
        with pytest.raises(getattr(scoring, case["error"])) as raised:
            scoring.combine(case["formula"], parts, **arguments)
        assert case["message"] in str(raised.value)
        return
    found, expected = scoring.combine(case["formula"], parts, **arguments), case["expected"]
    assert found.score == (expected["score"] and pytest.approx(expected["score"], rel=1e-9))
    assert found.n_units == expected.get("n_units", found.n_units)
    if "interval" in expected:
        assert found.interval == (expected["interval"] and pytest.approx(expected["interval"], rel=1e-9))
    if "draws" in expected:
        assert close(found.draws[: len(expected["draws"])], expected["draws"])


@cases("compare.jsonl")
def test_teams_compare_by_a_formula_as_in_the_case(case, evaluated):
    arguments = {name: case[name] for name in ("missing", "lower_is_better") if name in case}
    systems = evaluated(case)
    if "error" in case:
        with pytest.raises(getattr(scoring, case["error"]), match=case["message"]):
            scoring.compare_combined(case["formula"], systems, n_resamples=case["n_resamples"], **arguments)
        return
    found = scoring.compare_combined(case["formula"], systems, n_resamples=case["n_resamples"], **arguments)
    expected = case["compare"]
    assert (found.names, found.ranks, found.n_units) == (expected["names"], expected["ranks"], expected["n_units"])
    assert found.scores == [each if each is None else pytest.approx(each, rel=1e-9) for each in expected["scores"]]
    assert close(found.difference, expected["difference"])
    assert np.allclose(found.p, expected["p"], atol=1.5 / (case["n_resamples"] + 1))


@cases("ranks.jsonl")
def test_ranks_are_those_of_the_case(case, evaluated):
    found = scoring.mean_rank(evaluated(case), missing=case["missing"], n_resamples=case["n_resamples"])
    rows = {row["name"]: row for row in found.table}
    for expected in case["ranks"]["table"]:
        for column, value in expected.items():
            assert rows[expected["name"]][column] == (pytest.approx(value, rel=1e-9) if column != "name" else value)
    unranked = case["ranks"].get("unranked", [])
    assert [row["name"] for row in found.table if row["rank"] is None] == unranked
