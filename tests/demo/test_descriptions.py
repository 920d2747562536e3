"""Ordinary runs, good and weak, and the gold itself: nothing of them is odd."""

import pytest

import scoring
from demo.coreference.task import TASK as COREFERENCE
from demo.ehealthkd.task import TASK as EHEALTHKD
from demo.languages.task import TASK as LANGUAGES
from demo.mat.task import TASK as MAT
from demo.numbers.task import TASK as NUMBERS
from demo.qac.task import TASK as QAC
from demo.ranking.task import TASK as RANKING
from demo.spacy.task import TASK as SPACY
from demo.text.task import TASK as TEXT
from demo.transcripts.task import TASK as TRANSCRIPTS
from scoring.readers.archive import Made, open_files

TASKS = (EHEALTHKD, MAT, QAC, COREFERENCE, SPACY, NUMBERS, RANKING, TEXT, TRANSCRIPTS, LANGUAGES)


def written(folder, file, content=None):
    path = folder / file.name
    path.write_bytes(file.content if content is None else content)
    return path


@pytest.mark.parametrize("plan", TASKS, ids=lambda plan: plan.slug)
@pytest.mark.parametrize("phase", ["development", "test"])
def test_no_run_of_a_demo_task_looks_odd(plan, phase, tmp_path):
    (tmp_path / "gold").mkdir()
    odd, n = [], 0
    for number, scenario in enumerate(plan.scenarios, start=1):
        gold = written(tmp_path / "gold", plan.gold(phase, number))
        for run in plan.runs(phase):
            if number in run.scenarios:
                system = written(tmp_path, run.file)
                description = scoring.describe(scenario.family, gold=gold, system=system, options=scenario.options)
                odd += [(run.team, run.method, oddity) for oddity in description.oddities]
                n += 1
    assert n > len(plan.scenarios)
    assert odd == []


@pytest.mark.parametrize("plan", TASKS, ids=lambda plan: plan.slug)
def test_the_gold_as_a_run_does_not_look_odd(plan, tmp_path):
    (tmp_path / "gold").mkdir()
    for number, scenario in enumerate(plan.scenarios, start=1):
        gold = written(tmp_path / "gold", plan.gold("test", number))
        family = scoring.family_of(scenario.family, scenario.options)
        system = gold
        make, options = family.gold_as_submission, family.configure(scenario.options)
        if made := make and make(open_files(gold), options):
            system = Made(made)
        description = scoring.describe(scenario.family, gold=gold, system=system, options=scenario.options)
        assert description.oddities == []
