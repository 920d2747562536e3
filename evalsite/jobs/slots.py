"""Limits how many jobs the requests of one web process may wait for, so that threads are left for pages."""

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic, sleep

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
_n_guests_waiting = 0
_LOOKS_AGAIN = 0.1  # seconds


@contextmanager
def slot(person: object = None, *, is_guest: bool = False) -> Iterator[None]:
    """Hold a job's slot in this process while the block runs; wait a moment for one to become free.

    One job of a `person` runs at a time, in all processes that share the cache. Guests leave a slot for those who have
    an account, where there are two, and wait for each other, also for those of the same address. Raise Busy.
    """
    with _guests(is_guest), _alone(person, settings.GUEST_SECONDS if is_guest else 0.0), _running():
        yield


@contextmanager
def _alone(person: object, patience: float) -> Iterator[None]:
    if person is None:
        yield
        return
    key = f"job-of-{person}"
    if _is_left_behind(cache.get(key)):
        cache.delete(key)
    until = monotonic() + patience
    # It expires where the process was killed on another machine.
    while not cache.add(key, (socket.gethostname(), os.getpid()), timeout=settings.CHECK_SECONDS * 4):
        if monotonic() >= until:
            raise BusyWithYou
        sleep(_LOOKS_AGAIN)
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
    global _n_guests, _n_guests_waiting
    if not is_guest:
        yield
        return
    most = max(1, settings.JOBS_AT_ONCE - 1)
    with _changed:
        if _n_guests >= most:
            if _n_waiting + _n_guests_waiting >= settings.JOBS_WAITING // 2:
                raise Busy  # who has an account waits here, too
            _n_guests_waiting += 1
            try:
                if not _changed.wait_for(lambda: _n_guests < most, settings.GUEST_SECONDS):
                    raise Busy
            finally:
                _n_guests_waiting -= 1
        _n_guests += 1
    try:
        yield
    finally:
        with _changed:
            _n_guests -= 1
            _changed.notify_all()


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
            _changed.notify_all()  # guests wait for another thing
