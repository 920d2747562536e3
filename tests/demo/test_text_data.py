"""The demonstration data of the task of plain words: complete, and graded as meant."""

import json

import pytest

import scoring
from demo import text
from demo.text.task import TASK

PHASES = ("development", "test")


def records(content):
    return [json.loads(line) for line in content.splitlines()]


def test_systems_are_graded_from_weak_to_good(tmp_path):
    gold, run = tmp_path / "gold.jsonl", tmp_path / "run.jsonl"
    gold.write_text(text.gold("test"), encoding="utf-8")
    found = {}
    for system in text.systems("test"):
        run.write_text(system.content, encoding="utf-8")
        result = scoring.evaluate("text", gold=gold, system=run, options=TASK.scenarios[0].options)
        assert result.warnings == []
        found[f"{system.team} {system.run}"] = result.scores[result.headline]
    assert len(found) >= 9
    assert found["Organisers copy"] == min(found.values()) < 50
    assert max(found.values()) < 85
    assert found["Faro NLP run1"] < found["Faro NLP run2"] < found["Marginalia run1"] < found["Clear Speech run2"]


@pytest.mark.parametrize("phase", PHASES)
def test_participants_get_every_notice_and_no_reference(phase):
    given = text.inputs(phase)["notices.jsonl"]
    gold = records(text.gold(phase))
    assert [each["id"] for each in records(given)] == [each["id"] for each in gold]
    assert not [reference for each in gold for reference in each["refs"] if reference in given]


@pytest.mark.parametrize("phase", PHASES)
def test_every_notice_has_two_references_and_all_its_places_filled(phase):
    for each in records(text.gold(phase)):
        assert len(set(each["refs"])) == 2
        assert "{" not in "".join(each["refs"])
