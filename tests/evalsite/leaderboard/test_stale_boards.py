"""No result is missed: a board that lacks one is stale, until an edition that has it is stored, whoever dies when."""

from datetime import timedelta

import pytest
import time_machine
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from evalsite.challenges.models import Phase, Scenario
from evalsite.leaderboard.making import entries, scheduling
from evalsite.leaderboard.making.entries import finish_boards, make_entries, refresh
from evalsite.leaderboard.making.scheduling import lease, locked, mark_stale
from evalsite.leaderboard.models import Board, BoardLease, Edition
from evalsite.leaderboard.tasks import compare_board, refresh_board, refresh_boards
from evalsite.submissions.boards import update_board
from evalsite.submissions.runs import changing
from tests.evalsite.board_pages.pages import page, text
from tests.factories import make_run, run_files

ENTRIES = BoardLease.Work.ENTRIES


def wanted(phase: Phase, scenario: Scenario) -> Board:
    """The board, which misses a result."""
    with transaction.atomic():
        board = locked(phase.pk, scenario.pk)
        mark_stale(board)
    return board


def is_stale(phase):
    return Board.objects.get(phase=phase).is_stale


def test_a_new_result_makes_the_board_stale_and_refreshing_adds_it(phase, scenario, scored_submission):
    assert is_stale(phase)

    refresh_board(str(phase.pk), str(scenario.pk))

    board = Board.objects.get()
    assert not board.is_stale
    assert board.refreshed is not None
    assert [entry["submission"] for entry in Edition.objects.get().entries] == [str(scored_submission.pk)]


def test_withdrawing_and_restoring_make_the_board_stale(phase, scenario, scored_submission, alice):
    for change in (changing.withdraw, changing.restore):
        refresh(Board.objects.get())
        change([scored_submission], by=alice)
        assert is_stale(phase)


@pytest.mark.thorough
def test_a_burst_of_results_tells_the_worker_once(phase, scenario, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks() as told:
        for _ in range(5):
            update_board(phase.pk, scenario.pk)

    assert [each.__name__ for each in told].count("enqueue_entries") == 1


@pytest.mark.thorough
def test_a_change_that_is_taken_back_wants_nothing_of_the_board(phase, scenario, scored_submission):
    before = Board.objects.get().wanted
    with transaction.atomic():
        wanted(phase, scenario)
        transaction.set_rollback(True)
    assert Board.objects.get().wanted == before


@pytest.mark.thorough
def test_a_result_that_comes_while_the_board_is_made_is_not_missed(phase, scenario, scored_submission, monkeypatch):
    def with_a_late_result(*arguments):
        gold = gold_in_force(*arguments)
        wanted(phase, scenario)
        return gold

    gold_in_force = entries.gold_in_force
    monkeypatch.setattr(entries, "gold_in_force", with_a_late_result)

    refresh(Board.objects.get())

    assert is_stale(phase)


@pytest.mark.parametrize("dies_in", ["gold_in_force", "entries_of", "compare_entries", "_store_edition"])
def test_a_maker_that_dies_anywhere_leaves_the_board_stale_and_the_next_one_makes_it(
    phase, scenario, scored_submission, monkeypatch, dies_in
):
    with monkeypatch.context() as patched:
        patched.setattr(entries, dies_in, lambda *arguments, **options: exit())
        with pytest.raises(SystemExit):
            refresh(Board.objects.get())
    assert is_stale(phase)
    assert not Edition.objects.exists()

    refresh_boards()

    assert not is_stale(phase)
    assert len(Edition.objects.get().entries) == 1


@pytest.mark.thorough
def test_a_board_that_its_maker_left_is_never_final(phase, scenario, scored_submission, monkeypatch):
    refresh(Board.objects.get())
    wanted(phase, scenario)
    Phase.objects.update(opens=timezone.now() - timedelta(days=2), closes=timezone.now() - timedelta(minutes=1))
    monkeypatch.setattr(entries, "compare_entries", lambda *arguments: exit())
    with pytest.raises(SystemExit):
        refresh(Board.objects.get())

    finish_boards()

    assert not Edition.objects.filter(is_final=True).exists()


@pytest.mark.thorough
def test_what_was_read_earlier_is_not_stored_over_what_was_read_later(phase, scenario, team, strangers, monkeypatch):
    make_run(phase, team)

    def overtaken(board, draft):
        monkeypatch.undo()
        make_run(phase, strangers)
        refresh(board)
        place(board, draft)

    place = entries._compare
    monkeypatch.setattr(entries, "_compare", overtaken)
    refresh(Board.objects.get())

    assert len(Edition.objects.get().entries) == 2
    assert not is_stale(phase)


@pytest.mark.thorough
def test_numbers_that_json_does_not_have_are_refused_and_the_board_stays_stale(
    phase, scenario, scored_submission, monkeypatch
):
    monkeypatch.setattr(entries, "compare_entries", lambda *arguments: {"critical_value": float("inf")})

    with pytest.raises(ValueError, match="a board's numbers have to be finite"):
        refresh(Board.objects.get())

    assert is_stale(phase)
    refresh_boards()
    assert is_stale(phase)
    monkeypatch.undo()
    BoardLease.objects.update(not_before=None)
    refresh_boards()
    assert not is_stale(phase)


def test_a_message_that_comes_twice_makes_the_board_once(phase, scenario, scored_submission):
    refresh_board(str(phase.pk), str(scenario.pk))
    first = Board.objects.get().refreshed

    refresh_board(str(phase.pk), str(scenario.pk))

    assert Board.objects.get().refreshed == first


@pytest.mark.thorough
def test_refused_runs_do_not_touch_the_board(phase, scenario, team):
    submission = make_run(phase, team, run_files("no annotations\n"))

    assert submission.scorings.get().state == "refused"
    assert not Board.objects.exists()


# Turns


def test_one_process_at_a_time_makes_a_board(phase, scenario, scored_submission):
    board = Board.objects.get()
    with lease(board, ENTRIES) as first, lease(board, ENTRIES) as second:
        assert (first, second) == (True, False)
        refresh_board(str(phase.pk), str(scenario.pk))
        assert is_stale(phase)


# What has stood still, as with a storage that hangs, counts as the two seconds that it may have worked.
@pytest.mark.thorough
@pytest.mark.parametrize(("took", "worked", "pause"), [(0.1, 0.1, 1.9), (30.0, 20.0, 270.0), (30.0, 0.5, -10.0)])
@pytest.mark.parametrize("work", BoardLease.Work)
def test_the_next_turn_is_after_a_pause_that_grows_with_the_work(
    phase, scenario, scored_submission, monkeypatch, work, took, worked, pause
):
    before = timezone.now()
    with monkeypatch.context() as clocks:
        clocks.setattr(scheduling, "monotonic", iter([100.0, 100.0 + took]).__next__)
        clocks.setattr(scheduling, "thread_time", iter([5.0, 5.0 + worked]).__next__)
        with lease(Board.objects.get(), work) as is_held:
            assert is_held
    waits = (BoardLease.objects.get(work=work).not_before - before).total_seconds()
    assert pause <= waits < pause + 5
    with lease(Board.objects.get(), work) as is_held:
        assert is_held == (pause < 0)


@pytest.mark.thorough
def test_who_dies_during_a_turn_is_followed_by_another_when_it_has_run_out(phase, scenario, scored_submission):
    board = Board.objects.get()
    with lease(board, ENTRIES):
        BoardLease.objects.update(lease_ends=timezone.now() - timedelta(seconds=1))
        with lease(board, ENTRIES) as is_held:
            assert is_held


@pytest.mark.thorough
@pytest.mark.parametrize("hours", [1, -1])
def test_a_turn_goes_by_the_clock_of_the_database_whatever_that_of_the_maker_says(
    phase, scenario, scored_submission, hours
):
    board = Board.objects.get()
    with time_machine.travel(timezone.now() + timedelta(hours=hours)):
        with lease(board, ENTRIES) as first, lease(board, ENTRIES) as second:
            assert (first, second) == (True, False)
        assert 0 < scheduling.seconds_until_due(board, ENTRIES) < 60
        with lease(board, ENTRIES) as too_early:
            assert not too_early

    assert abs(BoardLease.objects.get().not_before - timezone.now()) < timedelta(minutes=1)


# Large boards


@pytest.fixture
def one_is_many(monkeypatch):
    """Make it as if one entry took long to compare."""
    monkeypatch.setattr(entries, "MAX_COMPARED_AT_ONCE", 0)
    monkeypatch.setattr(entries, "ALWAYS_COMPARED", 0)


def test_a_large_board_shows_ranks_at_once_and_places_when_they_are_compared(
    client, phase, scenario, team, strangers, one_is_many
):
    make_run(phase, team)
    make_run(phase, strangers, run_files())
    refresh_board(str(phase.pk), str(scenario.pk))

    [edition] = Edition.objects.all()
    assert [entry["rank"] for entry in edition.entries] == [1, 2]
    assert [entry["group"] for entry in edition.entries] == [None, None]
    assert (edition.is_compared, edition.comparison) == (False, {})
    words = text(page(client))
    assert "The entries are being compared: which of them differ appears here soon." in words
    assert "was last compared" not in words

    compare_board(str(phase.pk), str(scenario.pk))

    [edition] = Edition.objects.all()
    assert edition.is_compared
    assert edition.comparison
    assert [entry["group"] for entry in edition.entries] == ["a", "a"]
    assert "being compared" not in text(page(client))


@pytest.mark.thorough
def test_while_a_large_board_is_compared_the_last_places_stay_readable_and_no_group_is_wrong(
    client, phase, scenario, team, strangers, one_is_many
):
    make_run(phase, team)
    refresh(Board.objects.get())
    make_run(phase, strangers, run_files())
    make_entries(Board.objects.get())

    html = page(client)

    assert "The board was last compared" in text(html)
    newest = Edition.objects.get(is_compared=False)
    assert {entry["group"] for entry in newest.entries} == {None}
    day = newest.day.isoformat()
    assert f'href="?on={day}&amp;gold=1"' in html
    assert "being compared" not in text(page(client, f"?on={day}&gold=1"))
    assert not Board.objects.filter(compared=F("wanted")).exists()


@pytest.mark.thorough
def test_a_run_that_is_not_the_best_of_its_team_leaves_the_places_of_a_large_board(
    phase, scenario, team, strangers, one_is_many
):
    make_run(phase, team, run_files())
    make_run(phase, strangers)
    refresh(Board.objects.get())
    before = Edition.objects.get()
    make_run(phase, team)

    make_entries(Board.objects.get())

    after = Edition.objects.get()
    assert after.is_compared
    assert after.comparison == before.comparison
    assert [entry["n_runs"] for entry in after.entries] == [2, 1]
    board = Board.objects.get()
    assert board.compared == board.made == board.wanted


@pytest.mark.thorough
def test_a_large_board_is_final_only_with_its_places(phase, scenario, team, one_is_many):
    make_run(phase, team)
    make_entries(Board.objects.get())
    Phase.objects.update(opens=timezone.now() - timedelta(days=2), closes=timezone.now() - timedelta(minutes=1))
    finish_boards()
    assert not Edition.objects.filter(is_final=True).exists()

    refresh_boards()

    assert Edition.objects.get(is_final=True).comparison
