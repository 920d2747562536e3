"""Boards say what can be known of their gold: nothing, all of it before the runs came, or after, or from elsewhere."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from evalsite.challenges.gold.openness import Openness, openness
from evalsite.challenges.models import Gold, Phase, Task
from evalsite.challenges.services import release_gold
from evalsite.desk.waiting.kinds import known_gold
from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board
from tests.factories import (
    PARTLY_RIGHT,
    make_gold,
    make_phase,
    make_run,
    make_scenario,
    make_task,
    make_user,
    run_files,
)

pytestmark = pytest.mark.django_db
OPEN = "anybody can reach full marks here"


@pytest.fixture
def gold(phase, scenario) -> Gold:
    return make_gold(phase, scenario)


@pytest.fixture
def page(client):
    def page(phase: Phase) -> str:
        board = Board.objects.get(phase=phase)
        refresh(board)
        return " ".join(client.get(reverse("board", args=[phase.task.slug, phase.slug, 1])).text.split())

    return page


def test_runs_that_came_before_the_release_are_not_said_to_have_seen_the_gold(phase, scenario, gold, team, page):
    make_run(phase, team, run_files())
    assert OPEN not in page(phase)
    release_gold(phase, by=None)
    phase.refresh_from_db()
    assert openness(phase) == Openness.AFTERWARDS
    assert "all runs came before it was released" in page(phase)
    make_run(phase, team, PARTLY_RIGHT)
    assert openness(phase) == Openness.OPEN
    assert OPEN in page(phase)


def test_gold_that_another_phase_of_the_same_organisers_has_released_is_known_by_its_digest(
    task, phase, scenario, gold, team, page, olga
):
    make_run(phase, team, run_files())
    assert OPEN not in page(phase)
    other = make_phase(task, "last-year", opens=timezone.now() - timedelta(days=400))
    make_gold(other, scenario, {f"folder/{name}": text for name, text in run_files().items()})
    release_gold(other, by=olga)
    assert openness(phase) == Openness.ELSEWHERE
    assert "that of another one, which has released it" in page(phase)
    [waiting] = known_gold(Task.objects.all())
    assert "everybody can download this gold" in waiting.text


def test_gold_that_others_have_released_says_nothing_of_ones_own(phase, gold):
    theirs = make_task("theirs", make_user("Guesser"))
    guessed = make_phase(theirs)
    make_gold(guessed, make_scenario(theirs))
    release_gold(guessed, by=None)
    assert openness(phase) == Openness.HIDDEN
