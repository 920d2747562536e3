"""The page of an item of a classification, and two runs of it beside the gold."""

import pytest
from django.template.loader import render_to_string

import scoring
from evalsite.results.three_way import labels

FAMILY = scoring.FAMILIES["labels"]


def record(gold, run, unit, **options):
    configured = FAMILY.configure(options)
    return FAMILY.views.unit_record({"gold.csv": gold.encode()}, {"run.csv": run.encode()}, unit, configured)


SETS = record(
    "id,label,said\n1,A;B,<Ah>\n2,,Oh\n", "id,label\n1,B;C\n2,\n", "1", task="multi", labels="A,B,C", text="said"
)


def page(of_unit):
    class Task:
        data_language = "en"

    class Unit:
        record = of_unit

    return " ".join(render_to_string("results/unit/labels.html", {"unit": Unit, "task": Task}).split())


def test_a_set_is_shown_label_by_label_with_its_text_escaped():
    shown = page(SETS)
    assert "&lt;Ah&gt;" in shown
    assert shown.count("not found") == 1
    assert shown.count("○ right") == 1
    assert shown.count("× wrong") == 2  # the set as a whole, and the label that the gold does not have


def test_in_two_runs_each_label_of_a_set_is_told_apart():
    [layer] = labels.layers(SETS)
    assert layer.title == "1: <Ah>"
    assert [(each.kind, (each.gold or each.system).label) for each in layer.outcomes] == [
        ("missing", "A"),
        ("match", "B"),
        ("spurious", "C"),
    ]


@pytest.mark.parametrize(
    ("run", "title", "words"),
    [
        ("id,label\n1,A\n", "Right", "○ right"),
        ("id,label\n1,B\n", "Wrong", "× wrong"),
        ("id,label\n2,B\n", "Not in the run", "The row is not in the run."),
    ],
)
def test_one_label_is_right_wrong_or_not_there(run, title, words):
    of_unit = record("id,label\n1,A\n2,B\n", run, "1", missing="wrong")
    [[outcome]] = [layer.outcomes for layer in labels.layers(of_unit)]
    assert outcome.title == title
    assert words in page(of_unit)


def test_a_graded_choice_shows_what_each_label_is_worth():
    of_unit = record("id,label,credit\n1,A,1\n1,B,0.5\n", "id,label\n1,B\n", "1", task="graded")
    assert of_unit["items"][0]["credit"] == 0.5
    assert "0.500" in page(of_unit)
    [[outcome]] = [layer.outcomes for layer in labels.layers(of_unit)]
    assert outcome.title == "Wrong"
