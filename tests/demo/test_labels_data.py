"""The demonstration data of the message task: complete, and graded as meant."""

import csv
import io

import pytest

import scoring
from demo import labels
from demo.labels.task import TASK


def scores(folder, phase, scenario):
    (folder / "gold.csv").write_text(labels.gold(phase), encoding="utf-8")
    found = {}
    for system in labels.systems(phase):
        (folder / "run.csv").write_text(system.content, encoding="utf-8")
        options = TASK.scenarios[scenario].options
        result = scoring.evaluate("labels", gold=folder / "gold.csv", system=folder / "run.csv", options=options)
        found[f"{system.team} {system.run}"] = result.scores["macro_f1"]
    return found


@pytest.mark.parametrize("scenario", [0, 1])
def test_systems_are_graded_from_weak_to_good(tmp_path, scenario):
    found = scores(tmp_path, "test", scenario)
    assert len(found) == 9
    assert found["Organisers clerk"] == max(found.values()) < 0.99
    assert found["Footnote run1"] < found["Faro NLP run1"] < found["Marginalia run1"]
    assert 0.3 < found["Organisers baseline"] < found["Marginalia run1"]


@pytest.mark.parametrize("phase", ["development", "test"])
def test_participants_get_every_message_and_no_label(phase):
    given = [*csv.DictReader(io.StringIO(labels.inputs(phase)["messages.csv"]))]
    gold = [*csv.DictReader(io.StringIO(labels.gold(phase)))]
    assert [row["id"] for row in given] == [row["id"] for row in gold]
    assert set(given[0]) == {"id", "channel", "text"}
    assert {row["intent"] for row in gold} == set(TASK.scenarios[0].options["labels"])
