"""Runs that equal an open gold stand outside the ranks, as the gold itself."""

import csv
import io
import json
from datetime import timedelta
from html import unescape

import pytest
from django.urls import reverse
from django.utils import timezone

from evalsite.base.contrib import Trait, names_with
from evalsite.challenges.models import Phase
from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board
from evalsite.leaderboard.tasks import refresh_boards
from tests.evalsite.families import GOLD_SENTENCES, QUESTIONS, SENTENCES, lines
from tests.factories import PHRASES, make_gold, make_phase, make_run, make_scenario, make_task, run_files

pytestmark = pytest.mark.django_db
# The gold's annotations in another order and with other texts: nothing of it is scored differently.
SAME_ANNOTATIONS = run_files("".join(reversed(PHRASES.splitlines(keepends=True))).replace("\tniño", "\tx"))


@pytest.fixture
def open_phase(phase) -> Phase:
    phase.gold_released = True
    phase.save()
    Phase.objects.update(gold_released_since=None)  # as in a phase that was made so
    phase.refresh_from_db()
    return phase


def board_of(phase) -> list[dict]:
    board = Board.objects.get(phase=phase)
    refresh(board)
    return board.editions.get(is_final=False).entries


def page(client, phase, name="board", query="") -> str:
    return unescape(client.get(reverse(name, args=[phase.task.slug, phase.slug, 1]) + query).content.decode())


def file_of(client, phase, suffix) -> str:
    return client.get(reverse("board_export", args=[phase.task.slug, phase.slug, 1, suffix])).content.decode()


@pytest.fixture
def with_copy(open_phase, team, strangers) -> Phase:
    """A board on which alice's team has a run of its own, and charlie's the gold."""
    make_run(open_phase, team)
    make_run(open_phase, strangers, run_files())
    board_of(open_phase)
    return open_phase


def test_the_gold_takes_no_place(with_copy, team):
    gold, first = board_of(with_copy)
    assert (gold["reference"], gold["rank"], gold["headline"]) == ("gold", None, 1.0)
    assert (first["team"], first["rank"]) == (str(team.pk), 1)


@pytest.mark.thorough
def test_the_page_says_that_the_gold_is_open_and_names_it_itself(client, with_copy):
    text = page(client, with_copy)
    assert "The gold of this phase is open: anybody can reach full marks here." in text
    assert "The gold itself" in text
    assert "Charlie" not in text
    assert "One team, with one run" in text


@pytest.mark.thorough
def test_a_board_of_hidden_gold_says_nothing_of_it(client, phase, team):
    make_run(phase, team)
    board_of(phase)
    assert "gold of this phase is open" not in page(client, phase)


def test_a_perfect_run_on_hidden_gold_is_ranked(phase, team):
    make_run(phase, team, run_files())
    [entry] = board_of(phase)
    assert (entry["rank"], entry["reference"]) == (1, "")


@pytest.mark.thorough
def test_a_run_with_the_golds_annotations_is_the_gold_whatever_its_files_look_like(open_phase, team):
    make_run(open_phase, team, SAME_ANNOTATIONS)
    [entry] = board_of(open_phase)
    assert entry["reference"] == "gold"


def test_the_team_keeps_the_place_of_its_best_run_of_its_own(with_copy, strangers, team):
    own = make_run(with_copy, strangers, run_files(relations=""))
    entries = board_of(with_copy)
    [entry] = [entry for entry in entries if entry["team"] == str(strangers.pk)]
    assert (entry["submission"], entry["n_runs"]) == (str(own.pk), 1)
    assert sorted(entry["rank"] for entry in entries if entry["rank"]) == [1, 2]


@pytest.mark.thorough
def test_one_row_stands_for_all_copies(with_copy, team):
    make_run(with_copy, team, SAME_ANNOTATIONS)
    entries = board_of(with_copy)
    assert [entry["reference"] for entry in entries] == ["gold", ""]
    assert len(entries[0]["copies"]) == 2


@pytest.mark.thorough
def test_the_runs_of_a_team_say_which_of_them_is_the_gold(client, with_copy, team):
    make_run(with_copy, team, SAME_ANNOTATIONS)
    make_run(with_copy, team, run_files(relations=""))
    board_of(with_copy)
    assert "equals the gold, not ranked" in page(client, with_copy, query=f"?team={team.pk}")


def test_files_set_the_gold_apart(client, with_copy):
    rows = list(csv.DictReader(io.StringIO(file_of(client, with_copy, "csv"))))
    assert [(row["rank"], row["team"], row["method"], row["reference"]) for row in rows] == [
        ("", "", "The gold itself", "gold"),
        ("1", "Alice and Bob", "Rules", ""),
    ]
    board = json.loads(file_of(client, with_copy, "json"))
    assert board["gold_is_open"] is True
    assert [(entry["rank"], entry["team"], entry["reference"]) for entry in board["entries"]] == [
        (None, None, "gold"),
        (1, "Alice and Bob", None),
    ]
    latex = file_of(client, with_copy, "tex")
    assert "% The gold of this phase is open" in latex
    assert latex.index("Alice and Bob") < latex.index("The gold itself"), "below the line, with the references"


@pytest.mark.thorough
def test_the_pages_beside_the_board_leave_it_out_of_the_ranks(client, with_copy, strangers):
    make_run(with_copy, strangers, run_files(relations=""))
    board_of(with_copy)
    assert "The gold itself" not in page(client, with_copy, "board_pairs")
    for name in ("board_pairs", "board_compare", *names_with(Trait.KEPT)):
        assert "The gold of this phase is open" in page(client, with_copy, name), name
    overview = client.get(reverse("board_overview", args=[with_copy.task.slug, with_copy.slug])).content.decode()
    assert "The gold of this phase is open" in overview
    assert overview.count("The gold itself</bdi>") == 1


@pytest.mark.thorough
def test_an_entry_is_compared_with_the_gold_under_a_key_that_tells_nobody(client, with_copy, team):
    text = page(client, with_copy, "board_compare", f"?a=gold&b={team.pk}")
    assert "The gold itself" in text
    assert "Charlie" not in text


def test_runs_from_before_the_gold_was_released_stay_in_the_ranks(phase, team, strangers):
    make_run(phase, team, run_files(), arrived=timezone.now() - timedelta(hours=1))
    phase.gold_released = True
    phase.save()
    make_run(phase, strangers, SAME_ANNOTATIONS)
    ranked, gold = sorted(board_of(phase), key=lambda entry: entry["reference"])
    assert (ranked["team"], ranked["rank"]) == (str(team.pk), 1)
    assert gold["reference"] == "gold"


@pytest.mark.thorough
def test_a_board_follows_when_the_gold_is_hidden_again(client, with_copy, strangers):
    with_copy.gold_released = False
    with_copy.save()
    refresh_boards()
    assert [entry["rank"] for entry in Board.objects.get().editions.get().entries] == [1, 2]


@pytest.mark.thorough
def test_a_baseline_that_equals_the_gold_stays_what_the_organisers_made_it(open_phase, team):
    make_run(open_phase, team, run_files(), reference="human")
    [entry] = board_of(open_phase)
    assert entry["reference"] == "human"


@pytest.mark.thorough
def test_a_run_that_is_perfect_in_the_score_that_ranks_alone_stays_a_run(olga, team):
    """All questions are answered right at the first place; one has a further answer, which the gold has not."""
    task = make_task("questions", olga)
    scenario = make_scenario(task, family="qac", options={"task": 1})
    phase = make_phase(task, gold_released=True)
    make_gold(phase, scenario, {"gold.txt": QUESTIONS})
    right = 'QAC1-1001-01: "Tsu", 990101001{}\nQAC1-1002-01: "the elder", 990807065\nQAC1-1003-01\n'
    make_run(phase, team, {"run.txt": right.format(', "Nagoya", 990101009')})
    [entry] = board_of(phase)
    assert (entry["headline"], entry["reference"], entry["rank"]) == (1.0, "", 1)


@pytest.mark.thorough
def test_another_family_tells_its_gold_as_well(olga, team):
    task = make_task("sentences", olga)
    scenario = make_scenario(task, family="spacy", options={"scores": [{"name": "ner"}, {"name": "tagger"}]})
    phase = make_phase(task, gold_released=True)
    make_gold(phase, scenario, {"gold.jsonl": lines(GOLD_SENTENCES)})
    make_run(phase, team, {"mine.jsonl": lines(GOLD_SENTENCES)})
    make_run(phase, team, {"mine.jsonl": lines(SENTENCES)})
    assert [entry["reference"] for entry in board_of(phase)] == ["gold", ""]
