"""Background jobs of the boards. A message may come twice, late or never: beat finds what is unfinished."""

import uuid

import structlog
from celery import Task, shared_task

from evalsite.background.models import Job
from evalsite.background.services import ReportProgress, handles
from evalsite.base.queues import LATE_AFTER, send_message
from evalsite.leaderboard.combined.making import KEEPING, lacking_now, make_if_stale
from evalsite.leaderboard.making.entries import finish_boards, make_entries, refresh
from evalsite.leaderboard.making.recovery import CannotMake, make_again
from evalsite.leaderboard.making.scheduling import (
    lease,
    mark_boards_with_recovered_files,
    seconds_until_due,
    unfinished_boards,
)
from evalsite.leaderboard.models import Board, BoardLease, Combined

log = structlog.get_logger()


@shared_task
def refresh_board(phase_id: str, scenario_id: str) -> None:
    """Make the entries of one board anew if it still is stale; if they are many, the comparison follows."""
    if board := _find_unfinished(phase_id, scenario_id):
        _make(board)


@shared_task
def compare_board(phase_id: str, scenario_id: str) -> None:
    """Compare the entries of one board if they still are not compared."""
    if board := _find_unfinished(phase_id, scenario_id):
        _compare(board)


@shared_task(expires=LATE_AFTER)
def refresh_boards() -> None:
    """Make the stale boards that are due, and mark what is final."""
    try:
        mark_boards_with_recovered_files()
    except Exception:
        log.exception("nobody has looked for lost files of boards")
    for board in unfinished_boards():
        try:
            _make(board)
            _compare(board)
        except Exception:
            # It stays as stale as it is, and the other boards wait for nobody.
            log.exception("a board cannot be made", board=str(board.pk))
    for combined in Combined.objects.select_related("phase__task"):
        try:
            make_if_stale(combined)
        except Exception:
            log.exception("a combined board cannot be made", phase=str(combined.pk))
    finish_boards()


@shared_task
def refresh_combined(phase_id: str) -> None:
    """Make the combined board of a phase anew if the boards of its scenarios have changed."""
    combined = Combined.objects.filter(phase=uuid.UUID(phase_id)).select_related("phase__task").first()
    if combined:
        make_if_stale(combined)


def enqueue_combined(phase_id: uuid.UUID) -> None:
    """Enqueue the making of the combined board, unless it is the newest."""
    send_message(refresh_combined, str(phase_id))


def enqueue_entries(board: Board, wait: float = 1.0) -> None:
    """Enqueue the making of the entries, `wait` seconds from now or as soon as it is due."""
    _enqueue(refresh_board, board, max(wait, seconds_until_due(board, BoardLease.Work.ENTRIES)))


def _find_unfinished(phase_id: str, scenario_id: str) -> Board | None:
    return unfinished_boards().filter(phase_id=uuid.UUID(phase_id), scenario_id=uuid.UUID(scenario_id)).first()


def _make(board: Board) -> None:
    if not board.is_stale:
        return
    with lease(board, BoardLease.Work.ENTRIES) as is_held:
        if is_held:
            make_entries(board)
    if is_held:
        board.refresh_from_db()
        if board.is_stale:
            enqueue_entries(board)
        if board.compared < board.made:
            _enqueue(compare_board, board, seconds_until_due(board, BoardLease.Work.COMPARISON))
        else:
            _follow(board)


def _compare(board: Board) -> None:
    if board.compared >= board.made:
        return
    with lease(board, BoardLease.Work.COMPARISON) as is_held:
        if is_held:
            refresh(board)
    if is_held:
        _follow(board)
        board.refresh_from_db()
        if board.compared < board.made:
            _enqueue(compare_board, board, seconds_until_due(board, BoardLease.Work.COMPARISON))


def _follow(board: Board) -> None:
    """Have the combined board follow one that has been compared."""
    if Combined.objects.filter(phase=board.phase_id).exists():
        enqueue_combined(board.phase_id)


def _enqueue(job: Task, board: Board, seconds: float) -> None:
    send_message(job, str(board.phase_id), str(board.scenario_id), wait=seconds)


@handles(KEEPING)
def keep_more(job: Job, report: ReportProgress) -> bool:
    """Remake evaluations that lack resamples; what does not come out with the same numbers stays, and the board says
    so."""
    combined = Combined.objects.filter(phase=job.subject).select_related("phase__task").first()
    if combined is None:
        return True
    results, n_made = lacking_now(combined), 0
    for number, result in enumerate(results, start=1):
        try:
            make_again(result)
            n_made += 1
        except CannotMake as error:
            log.error("a run cannot be scored again", result=str(result.pk), error=str(error))
        report(number, len(results))
    if n_made:
        Combined.objects.filter(pk=combined.pk).update(basis="")  # it was made of what is there no more
        enqueue_combined(combined.pk)
    return True
