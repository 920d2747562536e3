"""The children of the engine that this process has, by what the kernel tells of them."""

import os
import resource
from itertools import count
from pathlib import Path

from evalsite.jobs import limited


def engine_children() -> list[int]:
    server = limited._server._process.pid
    return [int(pid) for pid in Path(f"/proc/{server}/task/{server}/children").read_text().split()]


def let_open_no_more(pid: int) -> None:
    """It has as many files open as it may."""
    are_open = {int(name) for name in os.listdir(f"/proc/{pid}/fd")}
    most = next(number for number in count() if number not in are_open)
    _, hard = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (most, hard))
