"""No result is missed: a board that lacks one is stale, until it has been made anew after it."""

from datetime import timedelta

from django.utils import timezone

from evalsite.leaderboard import entries
from evalsite.leaderboard.entries import mark_stale, refresh
from evalsite.leaderboard.models import Board, Edition
from evalsite.leaderboard.tasks import refresh_board, refresh_boards
from evalsite.submissions import intake
from evalsite.submissions.signals import results_changed
from tests.factories import make_submission, scored


def stale_since(phase):
    return Board.objects.get(phase=phase).stale_since


def test_a_new_result_makes_the_board_stale_and_refreshing_adds_it(phase, scenario, scored_submission):
    assert stale_since(phase) is not None

    refresh_board(str(phase.pk), str(scenario.pk))

    board = Board.objects.get()
    assert board.stale_since is None
    assert board.refreshed is not None
    assert [entry["submission"] for entry in Edition.objects.get().entries] == [str(scored_submission.pk)]


def test_withdrawing_and_restoring_make_the_board_stale(phase, scenario, scored_submission, alice):
    for change in (intake.withdraw, intake.restore):
        refresh(Board.objects.get())
        change([scored_submission], by=alice)
        assert stale_since(phase) is not None


def test_a_burst_of_results_tells_the_worker_once(phase, scenario, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks() as told:
        for _ in range(5):
            results_changed.send(None, phase_id=phase.pk, scenario_id=scenario.pk)

    assert len(told) == 1


def test_a_burst_keeps_the_time_of_its_first_result(phase, scenario):
    assert mark_stale(phase.pk, scenario.pk)
    since = stale_since(phase)

    assert not mark_stale(phase.pk, scenario.pk)
    assert stale_since(phase) == since


def test_a_result_that_comes_while_the_board_is_made_is_not_missed(phase, scenario, scored_submission, monkeypatch):
    def with_a_late_result(*arguments):
        golds = golds_of_board(*arguments)
        mark_stale(phase.pk, scenario.pk)
        return golds

    golds_of_board = entries.golds_of_board
    monkeypatch.setattr(entries, "golds_of_board", with_a_late_result)

    refresh(Board.objects.get())

    assert stale_since(phase) is not None


def test_of_two_processes_that_make_a_board_at_once_the_second_asks_for_another_try(phase, scenario, scored_submission):
    first, second = Board.objects.get(), Board.objects.get()

    refresh(first)
    assert stale_since(phase) is None
    refresh(second)

    assert stale_since(phase) is not None
    assert len(Edition.objects.get().entries) == 1


def test_beat_makes_anew_what_is_stale_for_long_and_leaves_the_rest(phase, scenario, scored_submission):
    Board.objects.update(stale_since=timezone.now() - timedelta(seconds=1))
    refresh_boards()
    assert Board.objects.get().refreshed is None

    Board.objects.update(stale_since=timezone.now() - timedelta(seconds=6))
    refresh_boards()
    assert Board.objects.get().refreshed is not None
    assert stale_since(phase) is None


def test_a_message_that_comes_twice_makes_the_board_once(phase, scenario, scored_submission):
    refresh_board(str(phase.pk), str(scenario.pk))
    first = Board.objects.get().refreshed

    refresh_board(str(phase.pk), str(scenario.pk))

    assert Board.objects.get().refreshed == first


def test_refused_runs_do_not_touch_the_board(phase, scenario, team, alice):
    submission = make_submission(phase, team, alice)
    submission.file.open("wb").close()
    scored(submission)

    assert submission.scorings.get().state == "refused"
    assert not Board.objects.exists()
