"""Uploads after a phase has closed: taken for a while, marked as late, and ranked only where the phase says so."""

from datetime import timedelta

import pytest
from django.utils import timezone

from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board
from evalsite.submissions.receiving import admission
from evalsite.submissions.runs import changing
from tests.factories import PARTLY_RIGHT, make_run, make_submission, run_files

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


@pytest.fixture
def ended(phase, team):
    """A phase that has a run in time, and takes late ones for an hour more."""
    in_time = timezone.now() - 3 * HOUR
    make_run(phase, team, PARTLY_RIGHT, arrived=in_time)
    phase.opens, phase.closes, phase.late_until = in_time - HOUR, in_time + HOUR, timezone.now() + HOUR
    phase.save()
    return phase


def entries():
    board = Board.objects.get()
    refresh(board)
    found = board.editions.order_by("-made")[0].entries
    return [(each["team"], each["reference"], each["rank"], each.get("is_late", False)) for each in found]


def test_a_late_run_stands_marked_and_outside_the_ranks_beside_its_teams_own(as_alice, ended, scenario, team):
    late = make_run(ended, team, run_files())
    assert late.is_late
    assert entries() == [(str(team.pk), "late", None, True), (str(team.pk), "", 1, False)]
    board = as_alice.get(f"/tasks/{ended.task.slug}/{ended.slug}/board/1/").content.decode()
    assert "marked as late, and shown outside the ranks" in board
    assert board.count("Alice and Bob") >= 2
    assert "is outside the ranks" in as_alice.get(late.get_absolute_url()).content.decode()
    rows = as_alice.get(f"/tasks/{ended.task.slug}/{ended.slug}/board/1/board.csv").content.decode().splitlines()
    assert [row.split(",")[6:8] for row in rows[1:]] == [["late", "true"], ["", ""]]


def test_where_the_phase_ranks_late_runs_they_count_and_stay_marked(ended, team):
    ended.ranks_late = True
    ended.save()
    make_run(ended, team, run_files())
    assert entries() == [(str(team.pk), "", 1, True)]


def test_organisers_may_take_the_mark_away(ended, team, olga):
    late = make_run(ended, team, run_files())
    assert changing.set_late([late], False, by=olga) == 1
    assert entries() == [(str(team.pk), "", 1, False)]


def test_the_upload_page_says_that_a_run_will_be_late_and_takes_none_after_the_end(as_alice, ended, team, alice):
    address = f"/tasks/{ended.task.slug}/{ended.slug}/submit/"
    assert "Your run will be late." in as_alice.get(address).content.decode()
    ended.late_until = timezone.now() - HOUR / 2
    ended.save()
    assert "This phase is closed" in as_alice.get(address).content.decode()
    with pytest.raises(admission.Rejection):
        make_submission(ended, team, alice, run_files())
