"""Which threads of a web process answer a request: pages that are ready do not wait behind those that are to be made.

A page that many want is kept and takes some milliseconds; the results of a run take ten times as long, and an upload
waits for its check. With one queue for all of them, whoever looks at a board on the evening of a deadline waits behind
uploads and results. So there are lanes, each a queue with threads of its own.
"""

import re
import socket
import sys
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from enum import Enum
from typing import Any

from django.conf import settings
from gunicorn.workers import gthread


class Lane(Enum):
    KEPT = "kept"  # pages kept for many, and what is asked for again and again: whether a run is scored
    MADE = "made"  # pages made for one visitor
    SENT = "sent"  # what is sent: uploads, and other forms


# Python computes in one thread of a process at a time, and gives each its turn: the fewer make pages, the sooner a kept
# one has its own. Of those that wait for a check two may be kept from nothing else that is sent.
_THREADS: dict[Lane, Callable[[], int]] = {
    Lane.KEPT: lambda: 4,
    Lane.MADE: lambda: 4,
    Lane.SENT: lambda: settings.JOBS_AT_ONCE + settings.JOBS_WAITING + 2,
}
SECONDS_OF_A_TURN = 0.001  # while others wait for theirs; Python's own are five times as long
_PEEKED = 512  # bytes of a request: its first line, but for the longest queries
_LOOKS = re.compile(rb"(GET|HEAD) ")
_KEPT = re.compile(
    rb"[A-Z]+ /("
    rb"(tasks/([^/ ]+/([^/ ]+/(submit/|board/([0-9]+/(history/|pairs/|board\.[a-z]+)?)?))?)?)? "
    rb"|submissions/[^/ ]+/(place/[^ ]*|\?[^ ]*seen=[^ ]*) "
    rb"|static/|healthz |readyz )"
)


def lane_of(beginning: bytes) -> Lane:
    """Of a request that begins so. What is not recognised is answered too, only later."""
    if not _LOOKS.match(beginning):
        return Lane.SENT
    return Lane.KEPT if _KEPT.match(beginning) else Lane.MADE


class Worker(gthread.ThreadWorker):
    """Gunicorn's worker of threads, with lanes."""

    def init_process(self) -> None:
        sys.setswitchinterval(SECONDS_OF_A_TURN)
        super().init_process()

    def get_thread_pool(self) -> "Lanes":
        return Lanes()


class Lanes:
    """The threads, as gunicorn asks for them."""

    def __init__(self) -> None:
        self._pools: dict[Lane, ThreadPoolExecutor] = {}

    def submit(self, handle: Callable[[Any], Any], connection: Any) -> Future[Any]:
        """Have the next request of a connection handled. One that says nothing yet takes no thread until it does."""
        beginning = _beginning(connection)
        if beginning is None:
            return _later()
        return self._pool(lane_of(beginning)).submit(handle, connection)

    def shutdown(self, wait: bool = True) -> None:
        for pool in self._pools.values():
            pool.shutdown(wait)

    def _pool(self, lane: Lane) -> ThreadPoolExecutor:
        if lane not in self._pools:  # gunicorn asks in one thread alone, so nobody makes another meanwhile
            self._pools[lane] = ThreadPoolExecutor(_THREADS[lane](), lane.value)
        return self._pools[lane]


def _beginning(connection: Any) -> bytes | None:
    """Of the next request; what is looked at here stays there to be read. None if a new connection is silent."""
    try:
        return connection.sock.recv(_PEEKED, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except BlockingIOError:
        # The beginning may have come with the end of the request before, and gunicorn has read it then.
        return b"" if connection.initialized else None
    except OSError:
        return b""  # the client is gone, which gunicorn finds out itself


def _later() -> Future[Any]:
    """What a thread answers that has waited in vain: gunicorn asks again once there is something to read."""
    future: Future[Any] = Future()
    future.set_result(gthread._DEFER)
    return future
