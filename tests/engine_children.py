"""The children of the engine that this process has, by what the kernel tells of them."""

import os
import resource
from pathlib import Path

from evalsite.jobs import limited


def engine_children() -> list[int]:
    server = limited._server._process.pid
    return [int(pid) for pid in Path(f"/proc/{server}/task/{server}/children").read_text().split()]


def let_open_no_more(pid: int) -> None:
    """It has as many files open as it may."""
    most = max(int(name) for name in os.listdir(f"/proc/{pid}/fd")) + 1
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (most, most))
