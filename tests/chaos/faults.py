"""What goes wrong: a function for each fault, and the plan that says when.

A fault takes the site and its own chances, and returns, when the machine is well again, what it did in some words. It
raises Impossible where this machine cannot have it.
"""

import os
import random
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import redis

from tests.chaos.client import Journal
from tests.chaos.processes import Program, answers, children, command_of, descendants, wait_for
from tests.chaos.site import KILL_MAKER, KILLED_MAKER, Folder, Site

LEASE = 30  # seconds, as the site has it where nothing else is set
FIRST_AFTER = 8.0  # seconds, in which the first uploads come
DONE, MISSED, IMPOSSIBLE, WENT_WRONG = "done", "missed", "not possible", "went wrong"  # what became of a fault
Act = Callable[[Site, random.Random], str]


class Impossible(Exception):
    """This machine, or this site, cannot have the fault; the message says why."""


@dataclass(frozen=True)
class Fault:
    name: str
    act: Act
    breaks: str  # faults that break the same thing come one after the other
    seconds: float  # about so long it lasts
    storage: str = ""  # of the site that can have it; "" for both


FAULTS: list[Fault] = []


def fault(name: str, *, breaks: str, seconds: float = 1, storage: str = "") -> Callable[[Act], Act]:
    def enter(act: Act) -> Act:
        FAULTS.append(Fault(name, act, breaks, seconds, storage))
        return act

    return enter


@fault("kill -9 of a worker's process", breaks="workers")
def kill_pool_child(site: Site, rng: random.Random) -> str:
    worker = rng.choice(site.named("worker", "maker"))
    pids = [pid for pid in children(worker.pid) if "celery" in command_of(pid)]
    return _kill(worker, rng.choice(pids))


@fault("kill -9 of a whole worker", breaks="workers")
def kill_worker(site: Site, rng: random.Random) -> str:
    worker = rng.choice(site.named("worker", "maker"))
    return _kill(worker, worker.pid)


@fault("kill -9 of a web process", breaks="web")
def kill_web_worker(site: Site, rng: random.Random) -> str:
    web = site.programs["web"]
    pids = [pid for pid in children(web.pid) if "gunicorn" in command_of(pid)]
    return _kill(web, rng.choice(pids))


@fault("kill -9 of the web server", breaks="web", seconds=5)
def kill_web(site: Site, rng: random.Random) -> str:
    words = _kill(site.programs["web"], site.programs["web"].pid)
    time.sleep(1)
    wait_for(lambda: answers(site.port), "the web server")
    return words


@fault("kill -9 of a beat", breaks="beats")
def kill_beat(site: Site, rng: random.Random) -> str:
    beat = rng.choice(site.named("beat"))
    return _kill(beat, beat.pid)


@fault("kill -9 of an engine's server", breaks="engines")
def kill_engine_server(site: Site, rng: random.Random) -> str:
    program, pid = rng.choice(_engine_servers(site))
    return _kill(program, pid)


@fault("kill -9 of an engine's child", breaks="engines", seconds=10)
def kill_engine_child(site: Site, rng: random.Random) -> str:
    return _kill(*_seen_job(site, ""))


@fault("kill -9 of a maker of a board, in the middle", breaks="makers", seconds=10)
def kill_maker(site: Site, rng: random.Random) -> str:
    share = rng.random()
    (site.orders / KILLED_MAKER).unlink(missing_ok=True)
    (site.orders / KILL_MAKER).write_text(str(share))
    for program in site.named("worker", "maker"):
        program.hurt()
    try:
        wait_for((site.orders / KILLED_MAKER).exists, "a board to be made", 40)
    except TimeoutError as error:
        raise Impossible(str(error)) from error
    finally:
        (site.orders / KILL_MAKER).unlink(missing_ok=True)
    return f"{(site.orders / KILLED_MAKER).read_text()}, after {share:.0%} of its usual time"


@fault("a worker stopped for longer than its lease", breaks="workers", seconds=LEASE + 20)
def stop_worker(site: Site, rng: random.Random) -> str:
    worker = rng.choice(site.named("worker", "maker"))
    return _stopped(worker, [worker.pid, *descendants(worker.pid)], LEASE + rng.uniform(8, 20))


@fault("a worker's process stopped for longer than its lease", breaks="workers", seconds=LEASE + 20)
def stop_pool_child(site: Site, rng: random.Random) -> str:
    worker = rng.choice(site.named("worker"))
    pids = [pid for pid in children(worker.pid) if "celery" in command_of(pid)]
    return _stopped(worker, [rng.choice(pids)], LEASE + rng.uniform(8, 20))


@fault("Redis forgets everything", breaks="redis")
def flush_redis(site: Site, rng: random.Random) -> str:
    site.redis().flushall()
    return "FLUSHALL"


@fault("Redis killed", breaks="redis", seconds=6)
def restart_redis(site: Site, rng: random.Random) -> str:
    return _away(site, "redis", signal.SIGKILL, rng.uniform(1, 6))


@fault("Redis away", breaks="redis", seconds=25)
def redis_away(site: Site, rng: random.Random) -> str:
    return _away(site, "redis", signal.SIGKILL, 25)


@fault("PostgreSQL ends at once and starts again", breaks="postgresql", seconds=4)
def restart_postgresql(site: Site, rng: random.Random) -> str:
    return _away(site, "postgresql", signal.SIGQUIT, 0)


@fault("PostgreSQL away", breaks="postgresql", seconds=15)
def postgresql_away(site: Site, rng: random.Random) -> str:
    return _away(site, "postgresql", signal.SIGQUIT, 12)


@fault("kill -9 of a database connection's process", breaks="postgresql", seconds=4)
def kill_backend(site: Site, rng: random.Random) -> str:
    """PostgreSQL then ends all connections and recovers."""
    server = site.programs["postgresql"]
    pids = [pid for pid in children(server.pid) if LOCAL in command_of(pid)]
    words = _kill(server, rng.choice(pids))
    wait_for(site.has_postgresql, "PostgreSQL")
    return words


LOCAL = "127.0.0.1("  # in the title of a connection's process


@fault("data folder full", breaks="data", seconds=20)
def data_full(site: Site, rng: random.Random) -> str:
    return _filled(site.data, rng.uniform(10, 25))


@fault("data folder full for long", breaks="data", seconds=80)
def data_full_for_long(site: Site, rng: random.Random) -> str:
    return _filled(site.data, 80)


@fault("stored files away", breaks="data", seconds=15, storage="folder")
def files_away(site: Site, rng: random.Random) -> str:
    """As when a share is not mounted: no file is there, and none can be written."""
    files = str(site.data.path / "one" / "files")
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "ro,size=1m", "tmpfs", files], capture_output=True).returncode:
        raise Impossible("nothing can be mounted over the folder")
    seconds = rng.uniform(6, 15)
    try:
        time.sleep(seconds)
    finally:
        subprocess.run(["umount", "--lazy", files], check=True)
    return f"for {seconds:.0f} s"


@fault("folder for temporary files full", breaks="tmp", seconds=15)
def tmp_full(site: Site, rng: random.Random) -> str:
    return _filled(site.tmp, rng.uniform(8, 15))


@fault("object store away", breaks="storage", seconds=15, storage="s3")
def storage_away(site: Site, rng: random.Random) -> str:
    door, seconds = site.storage_door, rng.uniform(8, 20)
    assert door is not None
    door.shut()
    try:
        time.sleep(seconds)
    finally:
        door.open()
    return f"for {seconds:.0f} s"


@fault("object store hangs", breaks="storage", seconds=25, storage="s3")
def storage_hangs(site: Site, rng: random.Random) -> str:
    store = site.programs["storage"]
    return _stopped(store, [store.pid], rng.uniform(15, 30))


@fault("clock of a worker jumps", breaks="worker's clock", seconds=25)
def worker_clock(site: Site, rng: random.Random) -> str:
    return _jumped(site, rng.choice(("worker-b", "maker-b")), rng)


@fault("kill -9 of a worker at work whose clock is ahead", breaks="worker's clock", seconds=12)
def kill_worker_ahead(site: Site, rng: random.Random) -> str:
    """What it has written down as the end of its lease lies in an hour's time."""
    site.set_clock("worker-b", 3600)
    try:
        time.sleep(2)  # until the worker has seen it
        worker, _ = _seen_job(site, "worker-b")
        worker.hurt()
        os.killpg(worker.pid, signal.SIGKILL)
    finally:
        site.set_clock("worker-b", 0)
    return worker.name


@fault("clock of a beat jumps", breaks="beat's clock", seconds=25)
def beat_clock(site: Site, rng: random.Random) -> str:
    return _jumped(site, "beat-b", rng)


@fault("mail server away", breaks="mail", seconds=30)
def mail_away(site: Site, rng: random.Random) -> str:
    site.mail_door.shut()
    try:
        time.sleep(30)
    finally:
        site.mail_door.open()
    return "for 30 s"


def _kill(program: Program, pid: int) -> str:
    program.hurt()
    os.kill(pid, signal.SIGKILL)
    return f"{program.name}, process {pid}"


def _seen_job(site: Site, name: str) -> tuple[Program, int]:
    """A job that an engine works at, and its program, whose name begins so: it lives for hundredths of a second."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        servers = [each for each in _engine_servers(site) if each[0].name.startswith(name)]
        look_again = time.monotonic() + 2
        while time.monotonic() < look_again:
            for program, server in servers:
                for child in children(server):
                    return program, child
            time.sleep(0.004)
    raise Impossible("no job was seen in 20 s")


def _engine_servers(site: Site) -> list[tuple[Program, int]]:
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


def _stopped(program: Program, pids: list[int], seconds: float) -> str:
    """SIGSTOP for so long; what has ended meanwhile need not go on."""
    program.hurt()
    for number, pause in ((signal.SIGSTOP, seconds), (signal.SIGCONT, 0)):
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, number)
        time.sleep(pause)
    program.hurt()
    return f"{program.name} for {seconds:.0f} s"


def _away(site: Site, name: str, number: signal.Signals, seconds: float) -> str:
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


def _filled(folder: Folder, seconds: float) -> str:
    """Not a byte of room, again and again, since what is removed meanwhile makes room."""
    if not folder.can_be_full:
        raise Impossible("no file system of a size of its own could be mounted")
    filler, end = folder.path / "filler", time.monotonic() + seconds
    try:
        with filler.open("wb") as stream:
            while time.monotonic() < end:
                with suppress(OSError):
                    while True:
                        room = os.statvfs(folder.path)
                        os.posix_fallocate(stream.fileno(), stream.seek(0, os.SEEK_END), room.f_bavail * room.f_frsize)
                time.sleep(0.05)
    finally:
        filler.unlink()
    return f"for {seconds:.0f} s"


def _jumped(site: Site, program: str, rng: random.Random) -> str:
    """Ahead or behind by up to an hour, and back again."""
    by = rng.choice((-3600, -600, -90, 90, 600, 3600))
    site.set_clock(program, by)
    time.sleep(rng.uniform(15, 25))
    site.set_clock(program, 0)
    time.sleep(2)  # until the program has seen it
    return f"{program} by {by:+d} s"


@dataclass(frozen=True)
class Planned:
    fault: Fault
    at: float  # seconds after the beginning
    seed: str


def plan(storage: str, seconds: float, gap: float, seed: int, only: str = "") -> list[Planned]:
    """One fault about every `gap` seconds, in whose order each comes once before any comes again.

    None begins so late that it would last beyond the end. `only`: words that the names of the faults must have.
    """
    rng = random.Random(seed)
    found: list[Planned] = []
    deck: list[Fault] = []
    at = FIRST_AFTER
    while at < seconds:
        if not deck:
            deck = [each for each in FAULTS if each.storage in ("", storage) and only in each.name]
            rng.shuffle(deck)
        fitting = [each for each in deck if at + each.seconds <= seconds]
        if fitting:
            deck.remove(fitting[0])
            found.append(Planned(fitting[0], at, f"{seed} {len(found)}"))
        at += rng.uniform(0.5, 1.5) * gap
    return found


class Injector:
    """Lets the planned faults happen, each in a thread of its own, and notes when each began and ended."""

    def __init__(self, site: Site, journal: Journal) -> None:
        self._site, self._journal = site, journal
        self._locks = {each.breaks: threading.Lock() for each in FAULTS}

    def run(self, planned: list[Planned], say: Callable[[str], None]) -> None:
        """Returns when the last one is over."""
        began = time.monotonic()
        threads = []
        for each in planned:
            time.sleep(max(0.0, began + each.at - time.monotonic()))
            thread = threading.Thread(target=self._happen, args=(each, say), daemon=True)
            thread.start()
            threads.append(thread)
        for thread in threads:
            thread.join()

    def _happen(self, planned: Planned, say: Callable[[str], None]) -> None:
        fault = planned.fault
        with self._locks[fault.breaks]:
            began = time.time()
            try:
                words, outcome = fault.act(self._site, random.Random(planned.seed)), DONE
            except Impossible as error:
                words, outcome = str(error), IMPOSSIBLE
            except (ProcessLookupError, IndexError, redis.RedisError) as error:
                # What it was to break was away already, by another fault.
                words, outcome = f"{type(error).__name__}: {error}", MISSED
            except Exception as error:
                words, outcome = f"{type(error).__name__}: {error}", WENT_WRONG
            facts = {"fault": fault.name, "breaks": fault.breaks, "outcome": outcome, "words": words}
            self._journal.write(**facts, began=round(began, 2), ended=round(time.time(), 2))
            say(f"{fault.name}: {words}" if outcome == DONE else f"{fault.name}: {outcome} ({words})")
