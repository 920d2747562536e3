"""Processes of each kind that are killed."""

import os
import random
import signal
import time
from contextlib import suppress
from pathlib import Path

from tests.chaos.injecting import Impossible, fault
from tests.chaos.processes import Program, answers, children, command_of, descendants, wait_for
from tests.chaos.site import Site


@fault("kill -9 of a worker's process", breaks="workers")
def kill_pool_child(site: Site, rng: random.Random) -> str:
    worker = rng.choice(site.named("worker", "maker"))
    return _kill(worker, rng.choice([pid for pid in children(worker.pid) if "celery" in command_of(pid)]))


@fault("kill -9 of a whole worker", breaks="workers")
def kill_worker(site: Site, rng: random.Random) -> str:
    worker = rng.choice(site.named("worker", "maker"))
    return _kill(worker, worker.pid)


@fault("kill -9 of a web process", breaks="web")
def kill_web_worker(site: Site, rng: random.Random) -> str:
    web = site.programs["web"]
    return _kill(web, rng.choice([pid for pid in children(web.pid) if "gunicorn" in command_of(pid)]))


@fault("kill -9 of the web server", breaks="web", seconds=5)
def kill_web(site: Site, rng: random.Random) -> str:
    words = _kill(site.programs["web"], site.programs["web"].pid)
    time.sleep(1)
    wait_for(lambda: answers(site.port), "the web server")
    return words


@fault("kill -9 of beat", breaks="beat")
def kill_beat(site: Site, rng: random.Random) -> str:
    return _kill(site.programs["beat"], site.programs["beat"].pid)


@fault("kill -9 of an engine's server", breaks="engines")
def kill_engine_server(site: Site, rng: random.Random) -> str:
    return _kill(*rng.choice(_servers_of_engine(site)))


@fault("kill -9 of an engine's child", breaks="engines", seconds=10)
def kill_engine_child(site: Site, rng: random.Random) -> str:
    """It lives for hundredths of a second."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        for program, server in _servers_of_engine(site):
            for child in children(server):
                return _kill(program, child)
        time.sleep(0.004)
    raise Impossible("no job was seen in 20 s")


def _kill(program: Program, pid: int) -> str:
    program.hurt()
    os.kill(pid, signal.SIGKILL)
    return f"{program.name}, process {pid}"


def _servers_of_engine(site: Site) -> list[tuple[Program, int]]:
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
