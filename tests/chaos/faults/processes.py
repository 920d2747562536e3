"""Processes that are killed, stopped, or told to end."""

import os
import random
import resource
import signal
import time
from contextlib import suppress

from tests.chaos.faults.hurting import kill, seen_job, servers_of_engine, stopped
from tests.chaos.injecting import Impossible, fault
from tests.chaos.processes import answers, children, command_of, descendants, wait_for
from tests.chaos.site import KILL_MAKER, KILLED_MAKER, Site

LEASE = 30  # seconds, as the site has it where nothing else is set


@fault("kill -9 of a worker's process", breaks="workers")
def kill_pool_child(site: Site, rng: random.Random) -> str:
    worker = rng.choice(site.named("worker", "maker"))
    pids = [pid for pid in children(worker.pid) if "celery" in command_of(pid)]
    return kill(worker, rng.choice(pids))


@fault("kill -9 of a whole worker", breaks="workers")
def kill_worker(site: Site, rng: random.Random) -> str:
    worker = rng.choice(site.named("worker", "maker"))
    return kill(worker, worker.pid)


@fault("kill -9 of a web process", breaks="web")
def kill_web_worker(site: Site, rng: random.Random) -> str:
    web = site.programs["web"]
    pids = [pid for pid in children(web.pid) if "gunicorn" in command_of(pid)]
    return kill(web, rng.choice(pids))


@fault("kill -9 of the web server", breaks="web", seconds=5)
def kill_web(site: Site, rng: random.Random) -> str:
    words = kill(site.programs["web"], site.programs["web"].pid)
    time.sleep(1)
    wait_for(lambda: answers(site.port), "the web server")
    return words


@fault("kill -9 of beat", breaks="beats")
def kill_beat(site: Site, rng: random.Random) -> str:
    beat = site.programs["beat"]
    return kill(beat, beat.pid)


@fault("kill -9 of an engine's server", breaks="engines")
def kill_engine_server(site: Site, rng: random.Random) -> str:
    program, pid = rng.choice(servers_of_engine(site))
    return kill(program, pid)


@fault("kill -9 of an engine's child", breaks="engines", seconds=10)
def kill_engine_child(site: Site, rng: random.Random) -> str:
    return kill(*seen_job(site, ""))


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
    return stopped(worker, [worker.pid, *descendants(worker.pid)], LEASE + rng.uniform(8, 20))


@fault("a worker's process stopped for longer than its lease", breaks="workers", seconds=LEASE + 20)
def stop_pool_child(site: Site, rng: random.Random) -> str:
    worker = rng.choice(site.named("worker"))
    pids = [pid for pid in children(worker.pid) if "celery" in command_of(pid)]
    return stopped(worker, [rng.choice(pids)], LEASE + rng.uniform(8, 20))


@fault("an engine's server stopped", breaks="engines", seconds=20)
def stop_engine_server(site: Site, rng: random.Random) -> str:
    program, pid = rng.choice(servers_of_engine(site))
    return stopped(program, [pid], rng.uniform(8, 25))


@fault("a web process stopped", breaks="web", seconds=20)
def stop_web_worker(site: Site, rng: random.Random) -> str:
    web = site.programs["web"]
    pids = [pid for pid in children(web.pid) if "gunicorn" in command_of(pid)]
    return stopped(web, [rng.choice(pids)], rng.uniform(8, 25))


@fault("a program told to end", breaks="ends", seconds=10)
def end_program(site: Site, rng: random.Random) -> str:
    """By any signal that means so; a worker takes SIGHUP for an order to begin anew."""
    program = rng.choice(site.named("web", "worker", "maker", "beat"))
    number = rng.choice((signal.SIGTERM, signal.SIGINT, signal.SIGQUIT, signal.SIGHUP))
    program.send(number)
    return f"{program.name} by {number.name}"


@fault("one process of a program told to end", breaks="ends", seconds=5)
def end_process(site: Site, rng: random.Random) -> str:
    program = rng.choice(site.named("web", "worker", "maker"))
    pid, number = rng.choice([*descendants(program.pid)]), rng.choice((signal.SIGTERM, signal.SIGINT, signal.SIGHUP))
    program.hurt()
    os.kill(pid, number)
    return f"{program.name}, process {pid} by {number.name}"


@fault("the web server loads anew", breaks="web", seconds=10)
def reload_web(site: Site, rng: random.Random) -> str:
    site.programs["web"].send(signal.SIGHUP)
    time.sleep(8)
    return "SIGHUP"


@fault("all programs begin anew, one after the other", breaks="ends", seconds=30)
def roll(site: Site, rng: random.Random) -> str:
    """As a new version of the site is brought."""
    programs = site.named("web", "worker", "maker", "beat")
    for program in programs:
        with suppress(ProcessLookupError):
            program.send(signal.SIGTERM)
        time.sleep(rng.uniform(1, 5))
    wait_for(lambda: answers(site.port), "the web server")
    return f"{len(programs)} of them"


@fault("no file can be opened", breaks="files", seconds=12)
def no_descriptors(site: Site, rng: random.Random) -> str:
    """In all processes of a program: each has as many open as it may."""
    program = rng.choice(site.named("web", "worker", "maker"))
    program.hurt()
    before = {pid: limited for pid in (program.pid, *descendants(program.pid)) if (limited := _limit_files(pid))}
    seconds = rng.uniform(5, 12)
    try:
        time.sleep(seconds)
    finally:
        # What has begun meanwhile has inherited the limit.
        inherited = dict.fromkeys(descendants(program.pid), before[program.pid])
        for pid, limits in (inherited | before).items():
            with suppress(ProcessLookupError):
                resource.prlimit(pid, resource.RLIMIT_NOFILE, limits)
        program.hurt()
    return f"{program.name} for {seconds:.0f} s"


def _limit_files(pid: int) -> tuple[int, int] | None:
    """The limits that the process had before; None where it has ended."""
    with suppress(OSError):
        highest = max(int(name) for name in os.listdir(f"/proc/{pid}/fd"))
        _, hard = resource.prlimit(pid, resource.RLIMIT_NOFILE)
        return resource.prlimit(pid, resource.RLIMIT_NOFILE, (highest + 1, hard))
    return None
