"""What one annotator scores against the others: computed from the gold, seen by organisers, and put below the board."""

import json
from pathlib import Path

import pytest
from django.urls import reverse

from evalsite.background.models import Job
from evalsite.challenges.gold.services import add_gold
from evalsite.leaderboard.imported import imported_tables
from tests.evalsite.board_pages.pages import page, text
from tests.factories import make_scenario, work_off

pytestmark = pytest.mark.django_db
RATED = [["A", "AB"[number % 3 == 0], "AB"[number % 2]] for number in range(12)]


def add(phase, scenario, cells, column="label"):
    path = Path(phase.slug + ".jsonl")
    path.write_text("".join(json.dumps({"id": number, column: cell}) + "\n" for number, cell in enumerate(cells)))
    return add_gold(phase, scenario, path, "gold.jsonl", by=None)


@pytest.fixture
def soft(task, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    return make_scenario(task, 2, family="labels", options={"task": "soft"})


@pytest.fixture
def gold(phase, soft):
    found = add(phase, soft, RATED)
    work_off()
    return found


def address(gold, name="desk_gold_version"):
    return reverse(name, args=[gold.phase.task.slug, gold.pk])


def shown(client, gold):
    return text(client.get(address(gold)).content.decode())


def put(client, gold, name="show"):
    return client.post(address(gold, "desk_gold_annotators"), {name: "yes"}, follow=True)


def test_organisers_see_the_mean_with_its_interval_once_a_worker_has_computed_it(as_olga, phase, soft):
    gold = add(phase, soft, RATED)
    assert "It is being computed" in shown(as_olga, gold)
    work_off()
    found = Job.objects.get(subject=gold.pk).result["found"]
    assert (found["n_annotators"], found["n_units"]) == (3, 12)
    words = shown(as_olga, gold)
    assert f"{found['value']:.3f} [" in words
    assert "The mean of 3 annotators" in words


def test_the_row_stands_below_the_board_when_an_organiser_puts_it_there(as_olga, client, gold, phase, soft):
    board = reverse("board", args=[phase.task.slug, phase.slug, 2])
    assert "One annotator" not in page(client, path=board)
    put(as_olga, gold)
    put(as_olga, gold)  # it takes its own place
    (table,) = imported_tables(phase, soft)
    (row,) = table.rows
    value, low, high = map(float, row["scores"])
    assert low < value < high
    words = text(page(client, path=board))
    assert "One annotator against the others" in words
    assert "computed from the gold, version 1" in words
    assert "Nobody has scored them here" not in words


def test_other_options_ask_for_another_computation(as_olga, gold, soft):
    soft.options = {"task": "soft", "headline": "macro_f1"}
    soft.save()
    assert "Compute it" in shown(as_olga, gold)
    put(as_olga, gold, "compute")
    work_off()
    assert Job.objects.filter(subject=gold.pk).latest("created").result["found"]["score"] == "macro_f1"


def test_a_gold_without_lists_of_ratings_has_nothing_to_say(as_olga, phase, task, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    numbers = make_scenario(task, 2, family="numbers", options={})
    labels = make_scenario(task, 3, family="labels", options={})
    of_numbers, of_labels = add(phase, numbers, [1, 2, 4], "value"), add(phase, labels, ["A", "B"])
    work_off()
    assert not Job.objects.filter(subject=of_labels.pk).exists()
    for gold in (of_numbers, of_labels):
        assert "One annotator" not in shown(as_olga, gold)
        put(as_olga, gold)
        assert not imported_tables(phase, gold.scenario)
