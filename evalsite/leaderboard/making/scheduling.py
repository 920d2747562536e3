"""Decides when a board is made, and by which process: staleness, leases, recovered files.

A process makes a board while it holds a lease (evalsite.base.leases): no transaction and no connection is kept open for
as long as the work takes. The lease only saves work. The counters (evalsite.leaderboard.models.Board) ensure that
nothing is lost or overwritten by something older.
"""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from time import monotonic, thread_time
from uuid import UUID

from django.db import transaction
from django.db.models import DurationField, ExpressionWrapper, F, Q, QuerySet
from django.db.models.functions import Coalesce, Now

from evalsite.base.leases import renewing
from evalsite.leaderboard.making.draws import Lost, load_draws
from evalsite.leaderboard.making.entries import lost_on
from evalsite.leaderboard.models import Board, BoardLease
from evalsite.submissions.models import Result

LEAST_PAUSE = 2.0  # seconds from the beginning of one making to that of the next
TIMES_WORK = 10  # or so many times as long as the last one worked, so that boards take a tenth of a process at most
# What takes longer than this and twice its processor time has stood still, as with a storage that hangs.
MOST_WAITED = 1.0  # seconds


def locked(phase_id: uuid.UUID, scenario_id: uuid.UUID) -> Board:
    """Return the board, whose row stays locked until the transaction ends."""
    board = Board.objects.filter(phase=phase_id, scenario=scenario_id).select_for_update(no_key=True)
    if row := board.first():
        return row
    Board.objects.get_or_create(phase_id=phase_id, scenario_id=scenario_id)
    return board.get()


def mark_stale(board: Board) -> bool:
    """Count a change of results, in its transaction, which has `locked` the board; return whether it was fresh
    before."""
    Board.objects.filter(pk=board.pk).update(wanted=F("wanted") + 1, stale_since=Coalesce("stale_since", Now()))
    return board.made == board.wanted


def stale_boards(since: timedelta) -> QuerySet[Board]:
    """Return the boards that have missed a change for so long."""
    stale = Board.objects.filter(made__lt=F("wanted"), stale_since__lt=Now() - since)
    return stale.select_related("phase", "scenario")


def unfinished_boards() -> QuerySet[Board]:
    """Return the boards that lack results, or whose entries have not been compared."""
    lacking = Q(made__lt=F("wanted")) | Q(compared__lt=F("wanted"))
    return Board.objects.filter(lacking)


def seconds_until_due(board: Board, work: str) -> float:
    """Return the seconds until the board may be made again."""
    left = ExpressionWrapper(F("not_before") - Now(), output_field=DurationField())
    leases = BoardLease.objects.filter(board=board, work=work, not_before__gt=Now()).annotate(left=left)
    seconds = leases.values_list("left", flat=True).first()
    return max(0.0, seconds.total_seconds()) if seconds else 0.0


@contextmanager
def lease(board: Board, work: str) -> Iterator[bool]:
    """Yield whether this process holds the lease for the work on the board; nobody else gets it until the block
    ends."""
    held = _claim(board, work)
    if held is None:
        yield False
        return
    began, used = monotonic(), thread_time()
    with renewing(held):
        try:
            yield True
        finally:
            took = monotonic() - began
            worked = min(took, MOST_WAITED + 2 * (thread_time() - used))
            rest = max(LEAST_PAUSE, TIMES_WORK * worked) - took
            held.leased.release(timedelta(seconds=rest))


def _claim(board: Board, work: str) -> BoardLease | None:
    BoardLease.objects.get_or_create(board=board, work=work)
    leases = BoardLease.objects.filter(board=board, work=work)
    leases.expired().release()
    lease = leases.claim()
    return leases.get(lease=lease) if lease else None


_MOST_LOOKED_FOR = 20  # files of a board, as each costs a look at the storage


def mark_boards_with_recovered_files() -> None:
    """Mark boards as stale that lacked a file which can be read now, such as of a folder that is mounted again.

    Otherwise their entries would stay uncompared until the next result.
    """
    for board in Board.objects.filter(has_lost=True, made=F("wanted"), compared=F("wanted")):
        if any(map(_can_be_read, _lacking(board))):
            with transaction.atomic():
                mark_stale(locked(board.phase_id, board.scenario_id))


def _lacking(board: Board) -> list[Result]:
    """Return the results whose files could not be read when the board was last compared."""
    latest = board.editions.filter(is_compared=True).first()
    if latest is None:
        return []
    results = Result.objects.filter(
        scoring__submission__in=map(UUID, lost_on(latest)),
        scoring__scenario=board.scenario_id,
        scoring__gold=latest.gold_id,
    )
    return list(results.only("evaluation").order_by("pk")[:_MOST_LOOKED_FOR])


def _can_be_read(result: Result) -> bool:
    try:
        load_draws(result)
    except (Lost, OSError):  # OSError: the storage is away
        return False
    return True
