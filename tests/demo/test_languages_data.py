"""The demonstration data in three languages, and what people think of texts: complete, and graded as meant."""

from statistics import mean

import pytest

import scoring
from demo import judgements, languages
from demo.judgements.task import TASK as JUDGEMENTS
from demo.languages.task import TASK
from scoring.readers.archive import Made


def made(files):
    return Made({path: content.encode() for path, content in files.items()})


def test_systems_are_graded_in_every_language_and_over_all():
    gold, found = made(languages.gold("test")), {}
    for system in languages.systems("test"):
        found[f"{system.team} {system.run}"] = [
            scoring.evaluate(
                "labels", gold=gold, system=made(system.content), options=TASK.scenarios[number - 1].options
            ).scores["macro_f1"]
            for number in system.scenarios
        ]
    over_all = {name: mean(scores) for name, scores in found.items() if len(scores) == 3}
    assert len(over_all) == 9
    assert over_all["Organisers guides"] == max(over_all.values()) < 0.99
    assert over_all["Organisers baseline"] == min(over_all.values())
    assert over_all["Footnote run1"] < over_all["Faro NLP run1"] < over_all["Marginalia run1"]
    assert len(found["Kurz & Knapp run1"]) == 2  # and so has no place over all


@pytest.mark.parametrize("phase", ["development", "test"])
def test_participants_get_every_opinion_and_no_label(phase):
    given = languages.inputs(phase)
    for path, content in languages.gold(phase).items():
        rows = [line.split(",", 2) for line in content.splitlines()]
        opinions = given[path.replace("gold", "opinions")]
        assert opinions == "\n".join([f"{name},{text}" for name, _label, text in rows] + [""])


def test_people_like_a_copy_of_what_the_office_wrote_least():
    options, marks = JUDGEMENTS.scenarios[0].options, {}
    gold = made({"units.csv": judgements.gold("test")})
    for system in judgements.systems("test"):
        run = made({"run.csv": system.content})
        result = scoring.evaluate("given", gold=gold, system=run, options=options)
        marks[f"{system.team} {system.run}"] = result.scores["score"]
        assert not result.warnings
    assert len(marks) >= 9
    assert marks["Organisers copy"] == min(marks.values())
    assert marks["Faro NLP run1"] < marks["Faro NLP run2"] < marks["Clear Speech run2"] == max(marks.values())
