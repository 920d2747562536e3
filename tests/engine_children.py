"""The children of the engine that this process has, by what the kernel tells of them."""

import os
import resource
import signal
from pathlib import Path

from evalsite.jobs import limited
from evalsite.submissions import given
from tests.workers import wait_for


def engine_children() -> list[int]:
    server = limited._server._process.pid
    return [int(pid) for pid in Path(f"/proc/{server}/task/{server}/children").read_text().split()]


def only_child() -> int:
    """The only one: those of earlier tests, which may be on their way out still, are waited for."""
    wait_for(lambda: len(engine_children()) == 1)
    return engine_children()[0]


def kill_when_given(monkeypatch) -> None:
    """The next child that is given an upload is killed before it is asked."""
    give = given.put

    def kill_and_give(path, folder):
        wait_for(engine_children)  # the server forks beside this process
        for pid in engine_children():
            os.kill(pid, signal.SIGKILL)
        wait_for(lambda: not engine_children())
        monkeypatch.setattr(given, "put", give)
        return give(path, folder)

    monkeypatch.setattr(given, "put", kill_and_give)


def let_open_no_more(pid: int) -> None:
    """Only as many as it has in any case: its input, its output and its errors."""
    _, hard = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (3, hard))
