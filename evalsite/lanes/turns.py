"""Of the requests that take long to answer, a process computes one at a time; the others wait for their turn.

Python computes in one thread at a time anyway, and would share it out: ten results, begun at once, are all late, and so
is each board meanwhile.
"""

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from evalsite.lanes import Lane, lane_of

Application = Callable[..., Iterable[bytes]]
# Seconds that a request waits at most: who has the turn may wait for a client or a server that is silent.
PATIENCE = 2.0
_turn = threading.Semaphore(1)
_mine = threading.local()


def in_turn(application: Application) -> Application:
    """The same WSGI application. What it answers piece by piece, as files, is sent without a turn."""

    def answer(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if lane_of(_beginning(environ)) is Lane.KEPT:
            return application(environ, start_response)
        _take()
        try:
            return application(environ, start_response)
        finally:
            _give()

    return answer


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
    _mine.has_turn = _turn.acquire(timeout=PATIENCE)


def _give() -> bool:
    """Whether there was a turn to give."""
    had_turn = getattr(_mine, "has_turn", False)
    if had_turn:
        _mine.has_turn = False
        _turn.release()
    return had_turn


def _beginning(environ: dict[str, Any]) -> bytes:
    query = environ.get("QUERY_STRING", "")
    address = environ.get("PATH_INFO", "") + (f"?{query}" if query else "")
    return f"{environ.get('REQUEST_METHOD', '')} {address} ".encode("latin-1", "replace")
