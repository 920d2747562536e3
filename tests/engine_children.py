"""The children of the engine that this process has, by what the kernel tells of them."""

import resource
from pathlib import Path

from evalsite.jobs import sandbox
from tests.workers import wait_for


def engine_children() -> list[int]:
    server = sandbox._server._process.pid
    return [int(pid) for pid in Path(f"/proc/{server}/task/{server}/children").read_text().split()]


def only_child() -> int:
    """The only one: those of earlier tests, which may be on their way out still, are waited for."""
    wait_for(lambda: len(engine_children()) == 1)
    return engine_children()[0]


def let_open_no_more(pid: int) -> None:
    """Only as many as it has in any case: its input, its output and its errors."""
    _, hard = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (3, hard))
