"""Of one person one upload is checked at a time, and nobody waits for a process that was killed."""

import os
import socket
import subprocess
import sys
import threading
from contextlib import ExitStack

import pytest
from django.core.cache import cache

from evalsite.jobs.slots import Busy, BusyWithYou, slot

PERSON = 7


@pytest.fixture(autouse=True)
def nobody_is_checked():
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def killed() -> int:
    """The number of a process that is gone."""
    process = subprocess.Popen([sys.executable, "-c", "pass"])
    process.wait()
    return process.pid


def begun_by(monkeypatch, process: int, host: str) -> ExitStack:
    """A check that another process began and never ends."""
    stack = ExitStack()
    with monkeypatch.context() as patch:
        patch.setattr(os, "getpid", lambda: process)
        patch.setattr(socket, "gethostname", lambda: host)
        stack.enter_context(slot(PERSON))
    return stack


def test_a_person_waits_for_the_upload_that_is_being_checked():
    with slot(PERSON):
        with pytest.raises(BusyWithYou), slot(PERSON):
            pass
        with slot(PERSON + 1):
            pass
    with slot(PERSON):
        pass


def test_nobody_waits_for_a_process_that_was_killed(monkeypatch, killed):
    check = begun_by(monkeypatch, killed, socket.gethostname())
    with slot(PERSON), pytest.raises(BusyWithYou), slot(PERSON):
        pass
    check.close()


def test_of_another_machine_it_is_not_known_whether_a_process_lives(monkeypatch, killed):
    with begun_by(monkeypatch, killed, "web-2"), pytest.raises(BusyWithYou), slot(PERSON):
        pass


@pytest.mark.parametrize("other", ["address-1", "address-2"])
def test_a_guest_waits_some_seconds_for_the_guest_before(settings, other):
    settings.JOBS_AT_ONCE = 2
    begun, may_end = threading.Event(), threading.Event()

    def check():
        with slot("address-1", is_guest=True):
            begun.set()
            may_end.wait(5)

    first = threading.Thread(target=check)
    first.start()
    begun.wait(5)
    threading.Timer(0.3, may_end.set).start()
    with slot(other, is_guest=True):
        assert may_end.is_set()
    first.join()


def test_guests_wait_no_longer_than_that_and_not_many_of_them(settings):
    settings.JOBS_AT_ONCE, settings.GUEST_SECONDS = 2, 0.1
    with slot("address-1", is_guest=True):
        with pytest.raises(Busy), slot("address-2", is_guest=True):
            pass
        settings.JOBS_WAITING, settings.GUEST_SECONDS = 0, 60
        with pytest.raises(Busy), slot("address-2", is_guest=True):
            pass
