"""Requests have lanes: pages that are ready are answered while uploads and pages that are made fill their own."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from http.client import HTTPConnection
from uuid import UUID

import pytest
from django.conf import settings
from django.urls import get_resolver, reverse

from evalsite import broker
from evalsite.lanes import Lane, lane_of
from evalsite.leaderboard.public_pages import WITH_OWN_PIECE

RUN = UUID(int=7)
ARGUMENTS = {"task": "health", "phase": "test", "scenario": 1, "suffix": "csv"}
# Answers slowly where a page is made or something is sent, and at once else.
APPLICATION = """
import time

def application(environ, start):
    kept = environ["PATH_INFO"] == "/"
    time.sleep(0 if kept else 3)
    start("200 OK", [("Content-Length", "2"), ("Content-Type", "text/plain")])
    return [b"ok"]
"""


def address_of(name: str) -> str:
    (pattern,) = [known for known, _, _, _ in get_resolver().reverse_dict.getlist(name)]
    ((_, names),) = pattern
    return reverse(name, kwargs={each: ARGUMENTS[each] for each in names})


@pytest.mark.parametrize("name", sorted(WITH_OWN_PIECE - {"how_to_read"} | {"board_export"}))
def test_pages_that_are_kept_have_a_lane_of_their_own(name):
    assert lane_of(f"GET {address_of(name)} HTTP/1.1".encode()) is Lane.KEPT


@pytest.mark.parametrize(
    ("request_line", "lane"),
    [
        (f"GET /submissions/{RUN}/?seen=queued-queued&scenario=1 HTTP/1.1", Lane.KEPT),
        (f"GET /submissions/{RUN}/place/1/ HTTP/1.1", Lane.KEPT),
        ("GET /static/css/board.css HTTP/1.1", Lane.KEPT),
        ("HEAD / HTTP/1.0", Lane.KEPT),
        ("GET /healthz HTTP/1.1", Lane.KEPT),
        (f"GET /submissions/{RUN}/ HTTP/1.1", Lane.MADE),
        (f"GET /submissions/{RUN}/?sent HTTP/1.1", Lane.TAKEN),
        (f"GET /submissions/{RUN}/?sent&scenario=2 HTTP/1.1", Lane.MADE),
        ("GET /tasks/health/submissions/ HTTP/1.1", Lane.MADE),
        ("GET /tasks/health/test/board/1/?sort=f1 HTTP/1.1", Lane.MADE),
        ("GET /admin/ HTTP/1.1", Lane.MADE),
        ("GET /" + "a" * 600, Lane.MADE),
        ("POST /tasks/health/test/submit/ HTTP/1.1", Lane.SENT),
        ("POST / HTTP/1.1", Lane.SENT),
        ("\x16\x03\x01", Lane.SENT),
        ("", Lane.SENT),
    ],
)
def test_each_request_has_its_lane(request_line, lane):
    assert lane_of(request_line.encode("latin-1")) is lane


@pytest.fixture
def port(tmp_path) -> Iterator[int]:
    """Of gunicorn with one process, as the samples of `deploy/` have it, before an application that is slow."""
    (tmp_path / "slow.py").write_text(APPLICATION)
    port = broker.free_port()
    command = [sys.executable, "-m", "gunicorn", "--config", "deploy/gunicorn.conf.py", "--workers", "1"]
    command += ["--bind", f"127.0.0.1:{port}", "--pythonpath", str(tmp_path), "slow"]
    environ = os.environ | {"DJANGO_SETTINGS_MODULE": "evalsite.settings"}
    with subprocess.Popen(command, cwd=settings.BASE_DIR, env=environ) as server:
        try:
            _wait_for(port)
            yield port
        finally:
            server.terminate()


def _wait_for(port: int) -> None:
    end = time.monotonic() + 30
    while time.monotonic() < end:
        try:
            return _ask(port, "GET", "/")
        except OSError:
            time.sleep(0.1)
    raise AssertionError("gunicorn does not answer")


def _ask(port: int, method: str, path: str) -> None:
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request(method, path)
        assert connection.getresponse().read() == b"ok"
    finally:
        connection.close()


def _seconds(port: int, method: str, path: str) -> float:
    began = time.monotonic()
    _ask(port, method, path)
    return time.monotonic() - began


def test_pages_that_are_ready_pass_those_that_are_made(port):
    with ThreadPoolExecutor(30) as pool:
        slow = [pool.submit(_seconds, port, method, "/slow/") for method in ("GET", "POST") * 10]
        time.sleep(0.5)
        assert max(_seconds(port, "GET", "/") for _ in range(5)) < 1
        assert not any(each.done() for each in slow)
    assert all(each.result() for each in slow)


def test_connections_that_say_nothing_take_no_thread(port):
    with ExitStack() as stack:
        silent = [stack.enter_context(socket.create_connection(("127.0.0.1", port))) for _ in range(40)]
        time.sleep(0.5)
        assert _seconds(port, "GET", "/") < 1
        # Whoever speaks at last is heard.
        silent[0].sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert silent[0].recv(100).startswith(b"HTTP/1.1 200")
