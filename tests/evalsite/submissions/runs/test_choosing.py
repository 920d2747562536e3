"""Tests what counts: the best, the last, or the run that the team has chosen."""

from datetime import timedelta

import pytest
from django.utils import timezone

from evalsite.challenges.models import Event
from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board
from evalsite.submissions.runs.changing import withdraw
from evalsite.submissions.runs.choosing import NoChoice, choose
from tests.factories import PARTLY_RIGHT, make_run, run_files

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


@pytest.fixture
def runs(phase, scenario, team):
    """The best, the one in the middle, and the worst, in the order of their uploads."""
    files = (run_files(), run_files(relations=""), PARTLY_RIGHT)
    return [make_run(phase, team, each, method=f"Run {n}") for n, each in enumerate(files)]


def rule(phase, counts) -> None:
    phase.counts = counts
    phase.save()


def on_board() -> str:
    board = Board.objects.get()
    refresh(board)
    [entry] = board.editions.order_by("-made")[0].entries
    assert entry["n_runs"] + entry["n_withdrawn"] >= 3
    return entry["method"]


def choose_on_page(client, phase, team, run, **further):
    address = f"/tasks/{phase.task.slug}/{phase.slug}/choose/"
    sent = {"team": team.pk, "scenario": "1", "run": run.pk if run else ""} | further
    return client.post(address, sent, follow=True)


def test_the_board_shows_the_run_that_counts_and_says_how(client, phase, runs):
    words = {"best": "the best of its", "last": "the last of its", "chosen": "If it does not choose"}
    for counts, method in {"best": "Run 0", "last": "Run 2", "chosen": "Run 2"}.items():
        rule(phase, counts)
        assert on_board() == method
        if counts != "chosen":
            board = client.get(f"/tasks/{phase.task.slug}/{phase.slug}/board/1/").content.decode()
            assert words[counts] in " ".join(board.split())


def test_a_team_chooses_on_the_page_of_its_runs_and_may_leave_it_to_the_last_again(as_bob, phase, team, runs):
    rule(phase, "chosen")
    page = as_bob.get(f"/tasks/{phase.task.slug}/submissions/").content.decode()
    assert (page.count("Which run counts"), page.count("Let it count")) == (1, 1)
    page = choose_on_page(as_bob, phase, team, runs[1]).content.decode()
    assert f'<option value="{runs[1].pk}" selected>' in page
    assert on_board() == "Run 1"
    choose_on_page(as_bob, phase, team, None)
    assert on_board() == "Run 2"
    kinds = Event.objects.filter(kind="run chosen").order_by("pk")
    assert [each.detail["changed"]["counts"] for each in kinds] == [["", "Run 1"], ["Run 1", ""]]


@pytest.mark.thorough
def test_where_the_chosen_run_is_withdrawn_the_last_valid_one_counts(phase, scenario, team, runs, alice):
    rule(phase, "chosen")
    choose(phase, scenario, team, runs[0], by=alice)
    assert on_board() == "Run 0"
    withdraw([runs[0], runs[2]], by=alice)
    assert on_board() == "Run 1"


@pytest.mark.thorough
def test_of_two_that_a_team_has_chosen_the_better_counts(as_bob, phase, team, runs, bob):
    rule(phase, "two")
    page = choose_on_page(as_bob, phase, team, runs[2], second=runs[1].pk).content.decode()
    assert page.count(f'value="{runs[1].pk}" selected') == page.count(f'value="{runs[2].pk}" selected') == 1
    assert on_board() == "Run 1"
    board = as_bob.get(f"/tasks/{phase.task.slug}/{phase.slug}/board/1/").content.decode()
    assert "the better of up to two runs that it chose among 3, or else the last, by" in " ".join(board.split())
    withdraw([runs[1]], by=bob)
    assert on_board() == "Run 2"
    choose_on_page(as_bob, phase, team, None, second=runs[0].pk)
    assert on_board() == "Run 0"
    kinds = Event.objects.filter(kind="run chosen").order_by("pk")
    assert [each.detail["changed"]["counts"] for each in kinds] == [["", "Run 2, Run 1"], ["Run 2, Run 1", "Run 0"]]


@pytest.mark.thorough
def test_nobody_chooses_more_runs_than_the_phase_allows(phase, scenario, team, runs, alice):
    for counts, most in (("best", 0), ("chosen", 1), ("two", 2)):
        rule(phase, counts)
        with pytest.raises(NoChoice):
            choose(phase, scenario, team, *runs[: most + 1], by=alice)
    choose(phase, scenario, team, runs[2], runs[1], by=alice)
    rule(phase, "chosen")
    assert on_board() == "Run 2", "of two that were chosen before, the first"


@pytest.mark.thorough
def test_a_choice_changes_as_often_as_uploads_allow_and_no_oftener(phase, scenario, team, runs, alice, olga):
    rule(phase, "chosen")
    for number in range(2 * len(runs)):
        assert choose(phase, scenario, team, runs[number % 2], by=alice)
    assert not choose(phase, scenario, team, runs[1], by=alice)  # which is no change
    with pytest.raises(NoChoice, match="too often"):
        choose(phase, scenario, team, runs[0], by=alice)
    assert choose(phase, scenario, team, runs[0], by=olga, side="organisers")


def test_choosing_closes_with_the_phase_but_for_organisers(as_alice, phase, scenario, team, runs, olga):
    rule(phase, "chosen")
    now = timezone.now()
    phase.opens, phase.closes = now - 2 * HOUR, now - HOUR
    phase.save()
    assert (
        "The phase has closed: the run that counts can only be changed"
        in choose_on_page(as_alice, phase, team, runs[0]).content.decode()
    )
    assert on_board() == "Run 2"
    choose(phase, scenario, team, runs[0], by=olga, side="organisers")
    assert on_board() == "Run 0"


def test_nobody_chooses_for_others_nor_what_is_not_theirs(as_charlie, phase, scenario, team, strangers, runs, charlie):
    rule(phase, "chosen")
    foreign = make_run(phase, strangers, run_files())
    choose_on_page(as_charlie, phase, team, runs[0])
    choose_on_page(as_charlie, phase, strangers, runs[0])
    assert not Event.objects.filter(kind="run chosen").exists()
    with pytest.raises(NoChoice):
        choose(phase, scenario, team, foreign, by=charlie)
