"""The faults that real sites meet.

A fault takes the site and its own chances, and returns, when the machine is well again, what it did in some words. It
raises Impossible where this machine cannot have it.
"""

import os
import random
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from tests.chaos.planning import Impossible, fault
from tests.chaos.processes import answers, children, command_of, descendants, wait_for
from tests.chaos.site import Site


def _processes(site: Site, *programs: str) -> list[int]:
    return [program.pid for program in site.named(*programs)]


def _children(site: Site, *programs: str) -> list[int]:
    """Those that do the program's own work, not servers of the engine."""
    found = [pid for program in _processes(site, *programs) for pid in children(program)]
    return [pid for pid in found if "evalsite.jobs.server" not in command_of(pid)]


def _engines(site: Site) -> list[int]:
    """The engine's servers and the children that they fork, each of which lives for hundredths of a second."""
    found = [pid for program in _processes(site, "web", "worker") for pid in descendants(program)]
    return [pid for pid in found if "evalsite.jobs.server" in command_of(pid)]


def _engine_servers(site: Site) -> list[int]:
    found = _engines(site)
    return [pid for pid in found if pid not in _engine_children(site)]


def _engine_children(site: Site) -> list[int]:
    return [child for pid in _engines(site) for child in children(pid)]


KINDS: dict[str, tuple[str, Callable[[Site], list[int]]]] = {  # name -> what it breaks, and the processes
    "a worker": ("workers", lambda site: _processes(site, "worker", "maker")),
    "a worker's process": ("workers", lambda site: _children(site, "worker", "maker")),
    "the web server": ("web", lambda site: _processes(site, "web")),
    "a web process": ("web", lambda site: _children(site, "web")),
    "beat": ("beat", lambda site: _processes(site, "beat")),
    "an engine's server": ("engines", _engine_servers),
    "an engine's child": ("engines", _engine_children),
}


def _kill(find: Callable[[Site], list[int]], site: Site, rng: random.Random) -> str:
    deadline = time.monotonic() + 20
    while not (found := find(site)):
        if time.monotonic() > deadline:
            raise Impossible("no such process was seen in 20 s")
        time.sleep(0.004)
    pid = rng.choice(found)
    words = f"process {pid}, {command_of(pid)[-60:]}"
    os.kill(pid, signal.SIGKILL)
    time.sleep(1)
    wait_for(lambda: answers(site.port), "the web server")
    return words


for _name, (_breaks, _find) in KINDS.items():
    fault(f"kill -9 of {_name}", breaks=_breaks, seconds=5)(partial(_kill, _find))


@fault("Redis empty", breaks="redis")
def empty_redis(site: Site, rng: random.Random) -> str:
    site.redis().flushall()
    return "FLUSHALL"


@fault("Redis away", breaks="redis", seconds=15)
def redis_away(site: Site, rng: random.Random) -> str:
    return _away(site, "redis", signal.SIGKILL, rng.choice((1, 25)), lambda: answers(site.redis_port))


@fault("database restarted", breaks="postgresql", seconds=12)
def restart_postgresql(site: Site, rng: random.Random) -> str:
    return _away(site, "postgresql", signal.SIGQUIT, rng.choice((0, 12)), site.has_postgresql)


@fault("disk full", breaks="data", seconds=20)
def data_full(site: Site, rng: random.Random) -> str:
    return fill(site.data, rng.choice((15, 15, 80)))


def fill(folder: Path, seconds: float) -> str:
    """Leave not a byte of room, again and again, since what is removed meanwhile makes room."""
    if not folder.is_mount():
        raise Impossible("no file system of a size of its own could be mounted")
    filler = folder / "filler"
    end = time.monotonic() + seconds
    try:
        with filler.open("wb") as stream:
            while time.monotonic() < end:
                with suppress(OSError):
                    while True:
                        room = os.statvfs(folder)
                        os.posix_fallocate(stream.fileno(), stream.seek(0, os.SEEK_END), room.f_bavail * room.f_frsize)
                time.sleep(0.05)
    finally:
        filler.unlink()
    return f"for {seconds} s"


@fault("storage away", breaks="storage", seconds=15)
def storage_away(site: Site, rng: random.Random) -> str:
    """The object store refuses connections, or the folder is not mounted: no file is there, and none can be written."""
    seconds = rng.uniform(6, 20)
    if site.storage == "s3":
        return _away(site, "door of storage", signal.SIGKILL, seconds, site.has_storage)
    files = str(site.data / "one" / "files")
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "ro,size=1m", "tmpfs", files], capture_output=True).returncode:
        raise Impossible("nothing can be mounted over the folder")
    try:
        time.sleep(seconds)
    finally:
        subprocess.run(["umount", "--lazy", files], check=True)
    return f"for {seconds:.0f} s"


@fault("storage slow", breaks="storage", seconds=12, storage="s3")
def storage_slow(site: Site, rng: random.Random) -> str:
    door, end = site.programs["door of storage"], time.monotonic() + rng.uniform(8, 15)
    while time.monotonic() < end:
        door.send(signal.SIGSTOP)
        time.sleep(rng.uniform(0.5, 3))
        door.send(signal.SIGCONT)
        time.sleep(0.05)
    return "in steps of up to 3 s"


@fault("power cut", breaks="machine", seconds=15)
def power_cut(site: Site, rng: random.Random) -> str:
    """All programs are killed at once and start again, whichever comes first; the object store's machine keeps its."""
    programs = [program for name, program in site.programs.items() if "storage" not in name]
    for program in programs:
        with suppress(ProcessLookupError):
            program.send(signal.SIGKILL)
    time.sleep(rng.uniform(1, 5))
    wait_for(site.has_postgresql, "PostgreSQL")
    wait_for(lambda: answers(site.port), "the web server")
    return f"{len(programs)} programs"


def _away(site: Site, name: str, number: signal.Signals, seconds: float, is_back: Callable[[], bool]) -> str:
    program = site.programs[name]
    program.is_held = True
    try:
        program.send(number)
        time.sleep(seconds)
    finally:
        program.is_held = False
    time.sleep(1)
    wait_for(is_back, name)
    return f"for {seconds:.0f} s and its start"
