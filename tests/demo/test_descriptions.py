"""Ordinary runs, good and weak, and the gold itself: nothing of them is odd."""

import pytest

import scoring
from demo.plan import read_task
from scoring.readers.archive import Made, open_files

NAMES = ("ehealthkd", "mat", "qac", "coreference", "spacy", "numbers", "ranking", "text", "transcripts", "languages")


def written(folder, file):
    path = folder / file.name
    path.write_bytes(file.content)
    return path


@pytest.mark.thorough
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("phase", ["development", "test"])
def test_no_run_of_a_demo_task_looks_odd(name, phase, tmp_path):
    (tmp_path / "gold").mkdir()
    plan, odd, n = read_task(name), [], 0
    for number, scenario in enumerate(plan.scenarios, start=1):
        gold = written(tmp_path / "gold", plan.gold(phase, number))
        for run in plan.runs(phase):
            if number in run.scenarios:
                system = written(tmp_path, plan.file_of(run, phase))
                description = scoring.describe(scenario.family, gold=gold, system=system, options=scenario.options)
                odd += [(run.team, run.method, oddity) for oddity in description.oddities]
                n += 1
    assert n > len(plan.scenarios)
    assert odd == []


@pytest.mark.parametrize("name", NAMES)
def test_the_gold_as_a_run_does_not_look_odd(name, tmp_path):
    (tmp_path / "gold").mkdir()
    plan = read_task(name)
    for number, scenario in enumerate(plan.scenarios, start=1):
        gold = written(tmp_path / "gold", plan.gold("test", number))
        family = scoring.family_of(scenario.family, scenario.options)
        system = gold
        make, options = family.files.gold_as_submission, family.configure(scenario.options)
        if made := make and make(open_files(gold), options):
            system = Made(made)
        description = scoring.describe(scenario.family, gold=gold, system=system, options=scenario.options)
        assert description.oddities == []
