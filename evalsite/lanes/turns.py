"""Of the requests that take long to answer, a process computes one at a time; the others wait for their turn.

Python computes in one thread at a time anyway, and would share it out: ten results, begun at once, are all late, and so
is each board meanwhile.
"""

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from itertools import count
from time import monotonic
from typing import Any

from evalsite.lanes import Lane, lane_of

Application = Callable[..., Iterable[bytes]]
# Seconds after which others go on beside whoever has the turn, who may wait for a client or a server that is silent.
PATIENCE = 2.0
# Seconds for which those of a lane let others pass that came later: first comes who has sent something, then what many
# wait for; but nobody is passed for ever.
_LETS_PASS = {Lane.SENT: 0.0, Lane.TAKEN: 0.5, Lane.KEPT: 1.0, Lane.MADE: 4.0}


@dataclass(order=True)
class _Waiting:
    due: float  # by the monotonic clock; the first one's turn comes next
    number: int
    is_called: threading.Event = field(default_factory=threading.Event, compare=False)


class Turns:
    """One of the threads has the turn, or none."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_taken = False
        self._since = 0.0  # when it was taken, by the monotonic clock
        self._waiting: list[_Waiting] = []  # a heap
        self._numbers = count()

    def take(self, lane: Lane) -> bool:
        """Wait for the turn. False if somebody has kept it for too long."""
        with self._lock:
            if not self._is_taken:
                self._is_taken, self._since = True, monotonic()
                return True
            own = _Waiting(monotonic() + _LETS_PASS[lane], next(self._numbers))
            heappush(self._waiting, own)
        while not own.is_called.wait(self._left()):
            with self._lock:
                if not own.is_called.is_set() and self._left() == 0:
                    self._waiting.remove(own)
                    heapify(self._waiting)
                    return False
        return True

    def give(self) -> None:
        """To the next one that waits."""
        with self._lock:
            if self._waiting:
                self._since = monotonic()
                heappop(self._waiting).is_called.set()
            else:
                self._is_taken = False

    def _left(self) -> float:
        """Seconds for which whoever has the turn may keep it while others wait."""
        return max(0.0, self._since + PATIENCE - monotonic())


_turns = Turns()


class _Mine(threading.local):
    """What this thread does."""

    lane: Lane | None = None  # of the request that it answers; None outside of one
    has_waited = False  # a request waits once, and goes on without a turn that did not come
    has_turn = False


_mine = _Mine()


def in_turn(application: Application) -> Application:
    """The same WSGI application. What it answers piece by piece, as files, is sent without a turn."""

    def answer(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        lane = lane_of(_beginning(environ))
        with answering(lane):
            if lane is not Lane.KEPT:
                wait()
            return application(environ, start_response)

    return answer


@contextmanager
def answering(lane: Lane) -> Iterator[None]:
    """While this thread answers a request of this lane. Its turn, once it has one, ends with that."""
    _mine.lane, _mine.has_waited = lane, False
    try:
        yield
    finally:
        _give()
        _mine.lane = None


def is_answering() -> bool:
    """Whether this thread answers a request in some lane, as on a server and not in a test."""
    return _mine.lane is not None


def wait() -> None:
    """For the turn, before a request takes long: also one that might not have, where a kept page has to be made."""
    if not _mine.has_waited:
        _mine.has_waited = True
        _take()


@contextmanager
def aside() -> Iterator[None]:
    """While this thread waits for another process: whose turn it is lets others go on."""
    had_turn = _give()
    try:
        yield
    finally:
        if had_turn:
            _take()


def _take() -> None:
    if _mine.lane is not None:
        _mine.has_turn = _turns.take(_mine.lane)


def _give() -> bool:
    """Whether there was a turn to give."""
    had_turn, _mine.has_turn = _mine.has_turn, False
    if had_turn:
        _turns.give()
    return had_turn


def _beginning(environ: dict[str, Any]) -> bytes:
    query = environ.get("QUERY_STRING", "")
    address = environ.get("PATH_INFO", "") + (f"?{query}" if query else "")
    return f"{environ.get('REQUEST_METHOD', '')} {address} ".encode("latin-1", "replace")
