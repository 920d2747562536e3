"""Of the requests that take long, a process computes one at a time; what is kept waits for none of them."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import monotonic, sleep

import pytest

from evalsite.lanes import Lane, turns
from evalsite.lanes.turns import aside, in_turn

KEPT, MADE, TAKEN, SENT = (
    {"REQUEST_METHOD": method, "PATH_INFO": path, "QUERY_STRING": query}
    for method, path, query in (
        ("GET", "/submissions/7/", "seen=queued"),
        ("GET", "/submissions/7/", ""),
        ("GET", "/submissions/7/", "sent"),
        ("POST", "/tasks/health/test/submit/", ""),
    )
)


class Slow:
    """An application that answers when it is let, and counts who is in it."""

    def __init__(self, wait: Callable[[threading.Event], object] = threading.Event.wait) -> None:
        self.may_go = threading.Event()
        self.inside: list[dict[str, str]] = []
        self.has_entered = threading.Semaphore(0)
        self._wait = wait

    def __call__(self, environ, start_response):
        self.inside.append(environ)
        self.has_entered.release()
        if environ is not KEPT:
            self._wait(self.may_go)
        return [b"ok"]


@pytest.fixture
def pool():
    with ThreadPoolExecutor(8) as pool:
        yield pool


def test_one_of_those_that_take_long_is_computed_at_a_time(pool):
    slow = Slow()
    ask = in_turn(slow)
    asked = [pool.submit(ask, environ, None) for environ in (MADE, SENT, MADE)]
    assert slow.has_entered.acquire(timeout=5)
    assert not slow.has_entered.acquire(timeout=0.3)
    assert ask(KEPT, None) == [b"ok"]
    slow.may_go.set()
    assert [each.result() for each in asked] == 3 * [[b"ok"]]


def test_who_waits_for_another_process_lets_the_next_one_go_on(pool):
    def wait(may_go: threading.Event) -> None:
        with aside():
            may_go.wait()

    slow = Slow(wait)
    asked = [pool.submit(in_turn(slow), environ, None) for environ in (MADE, SENT, MADE)]
    assert all(slow.has_entered.acquire(timeout=5) for _ in asked)
    slow.may_go.set()
    assert [each.result() for each in asked] == 3 * [[b"ok"]]


def test_nobody_waits_for_ever_for_who_waits_for_a_client(pool, monkeypatch):
    monkeypatch.setattr(turns, "PATIENCE", 0.2)
    slow = Slow()
    began = monotonic()
    asked = [pool.submit(in_turn(slow), SENT, None) for _ in range(2)]
    assert all(slow.has_entered.acquire(timeout=5) for _ in asked)
    assert monotonic() - began < 3
    slow.may_go.set()
    assert [each.result() for each in asked] == 2 * [[b"ok"]]
    # Who went on without a turn gives none that was another's.
    assert in_turn(lambda *_: [b"ok"])(MADE, None) == [b"ok"]
    assert not turns._turns._is_taken


def test_who_waits_for_one_after_the_other_goes_on_waiting(pool, monkeypatch):
    monkeypatch.setattr(turns, "PATIENCE", 0.4)
    inside, most = 0, 0

    def application(environ, start_response):
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        sleep(0.1)
        inside -= 1
        return [b"ok"]

    asked = [pool.submit(in_turn(application), MADE, None) for _ in range(8)]
    assert [each.result() for each in asked] == 8 * [[b"ok"]]
    assert most == 1


def test_what_was_sent_comes_first_then_what_many_wait_for(pool):
    order: list[str] = []

    def application(environ, start_response):
        if environ is KEPT:
            turns.wait()
        order.append(environ["REQUEST_METHOD"] + environ["QUERY_STRING"])
        slow(MADE, None)
        return [b"ok"]

    slow = Slow()
    asked = [pool.submit(in_turn(application), MADE, None)]
    assert slow.has_entered.acquire(timeout=5)
    for number, environ in enumerate((MADE, KEPT, TAKEN, SENT, MADE, SENT), 1):
        asked.append(pool.submit(in_turn(application), environ, None))
        while len(turns._turns._waiting) < number:
            sleep(0.01)
    slow.may_go.set()
    assert [each.result() for each in asked] == 7 * [[b"ok"]]
    assert order == ["GET", "POST", "POST", "GETsent", "GETseen=queued", "GET", "GET"]


def test_a_request_that_fails_gives_its_turn(pool):
    def failing(environ, start_response):
        raise OSError("the storage is away")

    for _ in range(3):
        with pytest.raises(OSError, match="away"):
            in_turn(failing)(MADE, None)
    assert in_turn(lambda *_: [b"ok"])(MADE, None) == [b"ok"]
    assert not turns._turns._is_taken


def test_a_turn_that_did_not_come_is_not_waited_for_again(monkeypatch):
    monkeypatch.setattr(turns, "PATIENCE", 0.5)
    turns._turns.take(Lane.SENT)
    began = monotonic()
    with turns.answering(Lane.SENT):
        turns.wait()
        turns.wait()
    assert 0.4 < monotonic() - began < 0.9
    turns._turns.give()
