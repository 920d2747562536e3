"""How faults find processes and hurt them."""

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

from tests.chaos.injecting import Impossible
from tests.chaos.processes import Program, answers, children, command_of, descendants, wait_for
from tests.chaos.site import Site


def kill(program: Program, pid: int) -> str:
    program.hurt()
    os.kill(pid, signal.SIGKILL)
    return f"{program.name}, process {pid}"


def seen_job(site: Site, name: str) -> tuple[Program, int]:
    """A job that an engine works at, and its program, whose name begins so: it lives for hundredths of a second."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        servers = [each for each in servers_of_engine(site) if each[0].name.startswith(name)]
        look_again = time.monotonic() + 2
        while time.monotonic() < look_again:
            for program, server in servers:
                for child in children(server):
                    return program, child
            time.sleep(0.004)
    raise Impossible("no job was seen in 20 s")


def servers_of_engine(site: Site) -> list[tuple[Program, int]]:
    """The processes that fork the engine's children, with the program to which each belongs."""
    found = [
        (program, pid)
        for program in site.named("web", "worker")
        for pid in descendants(program.pid)
        if "evalsite.jobs.server" in command_of(pid) and "evalsite.jobs.server" not in command_of(_parent(pid))
    ]
    if not found:
        raise Impossible("no engine's server runs")
    return found


def _parent(pid: int) -> int:
    with suppress(OSError):
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    return 0


def stopped(program: Program, pids: list[int], seconds: float) -> str:
    """SIGSTOP for so long; what has ended meanwhile need not go on."""
    program.hurt()
    for number, pause in ((signal.SIGSTOP, seconds), (signal.SIGCONT, 0)):
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, number)
        time.sleep(pause)
    program.hurt()
    return f"{program.name} for {seconds:.0f} s"


def away(site: Site, name: str, number: signal.Signals, seconds: float) -> str:
    program = site.programs[name]
    for each in site.programs.values():
        each.hurt()
    program.hold()
    try:
        program.send(number)
        time.sleep(seconds)
    finally:
        program.release()
    time.sleep(1)
    wait_for(site.has_postgresql if name == "postgresql" else lambda: answers(site.redis_port), name)
    return f"for {seconds:.0f} s and its start"


def lost(site: Site, port: int, seconds: float) -> str:
    """Packets to a port of this machine, and from it, are dropped for so long: nobody is told."""
    if not site.lose_packets(port, is_lost=True):
        raise Impossible("this machine's packets cannot be dropped")
    try:
        time.sleep(seconds)
    finally:
        site.lose_packets(port, is_lost=False)
    return f"for {seconds:.0f} s"
