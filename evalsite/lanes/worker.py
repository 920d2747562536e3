"""Gunicorn's worker of threads, with threads for each lane."""

import socket
import sys
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from django.conf import settings
from gunicorn.workers import gthread

from evalsite.lanes import Lane, lane_of

# Each has a connection to the database. Where all uploads that may wait for a check do, two threads are left for what
# else is sent.
_THREADS: dict[Lane, Callable[[], int]] = {
    Lane.KEPT: lambda: 3,
    Lane.MADE: lambda: 4,
    Lane.TAKEN: lambda: 2,
    Lane.SENT: lambda: settings.JOBS_AT_ONCE + settings.JOBS_WAITING + 2,
}
SECONDS_OF_A_THREAD = 0.001  # while others wait for theirs; Python's own are five times as long
_PEEKED = 512  # bytes of a request: its first line, but for the longest queries


class Worker(gthread.ThreadWorker):
    """A connection whose next request has come is handed to a thread of its lane."""

    def init_process(self) -> None:
        sys.setswitchinterval(SECONDS_OF_A_THREAD)
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
