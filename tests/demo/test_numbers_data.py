"""The demo task of notices and their likeness: gold, download and runs fit together, and tell good from weak."""

import csv
import io

import pytest

import scoring
from demo import numbers
from demo.numbers.pairs import PENALTIES, pairs_of
from demo.numbers.task import TASK
from scoring.readers.archive import Made

PHASES = ("development", "test")


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.parametrize("phase", PHASES)
def test_the_download_has_the_notices_and_no_judgement(phase):
    given = rows(numbers.inputs(phase)["pairs.csv"])
    gold = rows(numbers.gold(phase))
    assert [row["id"] for row in given] == [row["id"] for row in gold]
    assert all(row.keys() == {"id", "kind", "first", "second"} for row in given)
    assert all(0 <= float(row["value"]) <= 5 for row in gold)


def test_every_change_occurs_and_makes_notices_less_alike():
    pairs = pairs_of("test")
    same = [pair.value for pair in pairs if not pair.changes]
    assert {change for pair in pairs for change in pair.changes} == set(PENALTIES)
    assert min(same) > max(pair.value for pair in pairs if "other" in pair.changes)


def test_phases_share_no_pair():
    assert not {pair.id for pair in pairs_of("test")} & {pair.id for pair in pairs_of("development")}


@pytest.mark.parametrize(("number", "best", "worst"), [(1, 0.94, 0.8), (2, 0.5, 1.1)])
def test_runs_are_graded_in_both_scenarios(number, best, worst):
    scenario = TASK.scenarios[number - 1]
    gold = Made({"gold.csv": numbers.gold("test").encode()})
    scores = {}
    for system in numbers.systems("test"):
        result = scoring.evaluate(
            "numbers", gold=gold, system=Made({"run.csv": system.content.encode()}), options=scenario.options
        )
        scores[f"{system.team} {system.run}"] = result.scores[result.headline]
    assert len(scores) > 9
    ordered = sorted(scores.values(), reverse=number == 1)
    assert (ordered[0] > best and ordered[-1] < worst) if number == 1 else (ordered[0] < best and ordered[-1] > worst)
