"""How fresh boards are: what results want of them, and whose turn it is to make them.

A turn is a row that one process holds for seconds and prolongs while it works, as a worker does a scoring: no
transaction and no connection is kept open for as long as the work takes, and a process that was killed is followed by
another one as soon as the row has run out. The turn only saves work. That nothing is lost or overwritten by something
older is the business of the counters (evalsite.leaderboard.models.Board). What time it is says the database, as the
clocks of makers may differ.
"""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial
from time import monotonic, thread_time

import structlog
from django.db.models import DurationField, ExpressionWrapper, F, Q, QuerySet
from django.db.models.functions import Coalesce, Now

from evalsite.heartbeat import beating
from evalsite.leaderboard.models import Board, Turn

log = structlog.get_logger()
HELD = timedelta(seconds=15)
PROLONGED = 4.0  # seconds between two signs of life
LEAST_PAUSE = 2.0  # seconds from the beginning of one making to that of the next
TIMES_WORK = 10  # or so many times as long as the last one worked, so that boards take a tenth of a process at most
# What takes longer than this and twice its processor time has stood still, as with a storage that hangs.
MOST_WAITED = 1.0  # seconds


def locked(phase_id: uuid.UUID, scenario_id: uuid.UUID) -> Board:
    """The board, whose row stays locked until the transaction ends."""
    board = Board.objects.filter(phase=phase_id, scenario=scenario_id).select_for_update(no_key=True)
    if found := board.first():
        return found
    Board.objects.get_or_create(phase_id=phase_id, scenario_id=scenario_id)
    return board.get()


def want(board: Board) -> bool:
    """Note, in the transaction that changes a result and has `locked` the board, that it misses it.

    Returns whether the board was fresh before.
    """
    Board.objects.filter(pk=board.pk).update(wanted=F("wanted") + 1, stale_since=Coalesce("stale_since", Now()))
    return board.made == board.wanted


def stale_boards(before: datetime) -> QuerySet[Board]:
    """Those that have missed a change since before this time."""
    return Board.objects.filter(made__lt=F("wanted"), stale_since__lt=before).select_related("phase", "scenario")


def unfinished_boards() -> QuerySet[Board]:
    """Those that lack results, or whose entries have not been compared."""
    lacking = Q(made__lt=F("wanted")) | Q(compared__lt=F("wanted"))
    return Board.objects.filter(lacking).select_related("phase", "scenario")


def pause(board: Board, work: str) -> float:
    """Seconds until it may be anybody's turn."""
    left = ExpressionWrapper(F("next") - Now(), output_field=DurationField())
    found = Turn.objects.filter(board=board, work=work, next__gt=Now()).annotate(left=left)
    seconds = found.values_list("left", flat=True).first()
    return max(0.0, seconds.total_seconds()) if seconds else 0.0


@contextmanager
def turn(board: Board, work: str) -> Iterator[bool]:
    """Whether this process may do the work on the board now; nobody else may until the block ends."""
    key = _take(board, work)
    if key is None:
        yield False
        return
    began, used = monotonic(), thread_time()
    with beating(f"turn {key}", partial(_prolong, key), every=PROLONGED):
        try:
            yield True
        finally:
            took = monotonic() - began
            worked = min(took, MOST_WAITED + 2 * (thread_time() - used))
            rest = max(LEAST_PAUSE, TIMES_WORK * worked) - took
            free = {"holder": None, "ends": None, "next": Now() + timedelta(seconds=rest)}
            Turn.objects.filter(holder=key).update(**free)


def _take(board: Board, work: str) -> uuid.UUID | None:
    free = Q(holder=None) & (Q(next=None) | Q(next__lte=Now()))
    left = Q(holder__isnull=False, ends__lt=Now())
    Turn.objects.get_or_create(board=board, work=work)
    key = uuid.uuid4()
    found = Turn.objects.filter(free | left, board=board, work=work)
    return key if found.update(holder=key, ends=Now() + HELD) else None


def forget_the_future() -> None:
    """After the database's clock was set back: no turn lasts longer than one does, and it may be anybody's now."""
    Turn.objects.filter(ends__gt=Now() + HELD).update(ends=Now() + HELD)
    Turn.objects.filter(next__gt=Now()).update(next=Now())
    Board.objects.filter(stale_since__gt=Now()).update(stale_since=Now())


def _prolong(key: uuid.UUID) -> None:
    Turn.objects.filter(holder=key).update(ends=Now() + HELD)
