"""How many jobs the requests of one web process may wait for, so that threads are left for pages."""

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.core.cache import cache


class Busy(Exception):
    """As many requests as may be wait for jobs already."""


class BusyWithYou(Busy):
    """A job of the same person is being done."""


_changed = threading.Condition()
_n_running = 0
_n_waiting = 0
_n_guests = 0


@contextmanager
def slot(person: object = None, *, is_guest: bool = False) -> Iterator[None]:
    """A job's place in this process; waits a moment for one to become free.

    Of a `person` one job is done at a time, in all processes that share the cache. Guests leave a place for those who
    have an account, where there are two. Raises Busy.
    """
    with _alone(person), _guests(is_guest), _place():
        yield


@contextmanager
def _alone(person: object) -> Iterator[None]:
    if person is None:
        yield
        return
    key = f"job-of-{person}"
    if _is_left_behind(cache.get(key)):
        cache.delete(key)
    # It goes by itself where the process was killed on another machine.
    if not cache.add(key, (socket.gethostname(), os.getpid()), timeout=settings.CHECK_SECONDS * 4):
        raise BusyWithYou
    try:
        yield
    finally:
        cache.delete(key)


def _is_left_behind(holder: tuple[str, int] | None) -> bool:
    """Whether a process of this machine took the place and was killed, so that its person need not wait."""
    if holder is None:
        return False
    host, process = holder
    if host != socket.gethostname():
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        pass  # it runs, as somebody else
    return False


@contextmanager
def _guests(is_guest: bool) -> Iterator[None]:
    global _n_guests
    if not is_guest:
        yield
        return
    with _changed:
        if _n_guests >= max(1, settings.JOBS_AT_ONCE - 1):
            raise Busy
        _n_guests += 1
    try:
        yield
    finally:
        with _changed:
            _n_guests -= 1


@contextmanager
def _place() -> Iterator[None]:
    global _n_running
    if not _is_free():
        _wait()
    try:
        yield
    finally:
        with _changed:
            _n_running -= 1
            _changed.notify()


def _is_free() -> bool:
    """Whether there was a place, which is taken then."""
    global _n_running
    with _changed:
        is_free = _n_running < settings.JOBS_AT_ONCE
        _n_running += is_free
        return is_free


def _wait() -> None:
    """For a place, which is taken then. Raises Busy."""
    global _n_running, _n_waiting
    with _changed:
        if _n_waiting >= settings.JOBS_WAITING:
            raise Busy
        _n_waiting += 1
        try:
            if not _changed.wait_for(lambda: _n_running < settings.JOBS_AT_ONCE, settings.CHECK_SECONDS):
                raise Busy
        finally:
            _n_waiting -= 1
        _n_running += 1
