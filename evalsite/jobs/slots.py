"""Limits how many jobs the requests of one web process may wait for, so that threads are left for pages."""

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.core.cache import cache


class Busy(Exception):
    """As many requests as allowed wait for jobs already."""


class BusyWithYou(Busy):
    """Another job of the same person is running."""


_changed = threading.Condition()
_n_running = 0
_n_waiting = 0
_n_guests = 0


@contextmanager
def slot(person: object = None, *, is_guest: bool = False) -> Iterator[None]:
    """Hold a job's slot in this process while the block runs; wait a moment for one to become free.

    One job of a `person` runs at a time, in all processes that share the cache. Guests leave a slot for those who have
    an account, where there are two. Raise Busy.
    """
    with _alone(person), _guests(is_guest), _running():
        yield


@contextmanager
def _alone(person: object) -> Iterator[None]:
    if person is None:
        yield
        return
    key = f"job-of-{person}"
    if _is_left_behind(cache.get(key)):
        cache.delete(key)
    # It expires where the process was killed on another machine.
    if not cache.add(key, (socket.gethostname(), os.getpid()), timeout=settings.CHECK_SECONDS * 4):
        raise BusyWithYou
    try:
        yield
    finally:
        cache.delete(key)


def _is_left_behind(holder: tuple[str, int] | None) -> bool:
    """Return True if the holder was a process of this machine that is gone, so that its person need not wait."""
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
        pass  # it runs as another user
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
def _running() -> Iterator[None]:
    global _n_running, _n_waiting
    with _changed:
        if _n_running >= settings.JOBS_AT_ONCE:
            if _n_waiting >= settings.JOBS_WAITING:
                raise Busy
            _n_waiting += 1
            try:
                if not _changed.wait_for(lambda: _n_running < settings.JOBS_AT_ONCE, settings.CHECK_SECONDS):
                    raise Busy
            finally:
                _n_waiting -= 1
        _n_running += 1
    try:
        yield
    finally:
        with _changed:
            _n_running -= 1
            _changed.notify()
