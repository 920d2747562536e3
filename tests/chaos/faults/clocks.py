"""Clocks that jump."""

import os
import random
import signal
import time

from tests.chaos.faults.hurting import seen_job
from tests.chaos.injecting import fault
from tests.chaos.site import Site

JUMPS = (-86400, -3600, -90, 90, 3600, 86400)  # seconds


@fault("clock of a worker jumps", breaks="worker's clock", seconds=25)
def worker_clock(site: Site, rng: random.Random) -> str:
    return _jumped(site, rng.choice(("worker-b", "maker-b")), rng)


@fault("kill -9 of a worker at work whose clock is ahead", breaks="worker's clock", seconds=12)
def kill_worker_ahead(site: Site, rng: random.Random) -> str:
    """What it has written down as the end of its lease lies in an hour's time."""
    site.set_clock("worker-b", 3600)
    try:
        time.sleep(2)  # until the worker has seen it
        worker, _ = seen_job(site, "worker-b")
        worker.hurt()
        os.killpg(worker.pid, signal.SIGKILL)
    finally:
        site.set_clock("worker-b", 0)
    return worker.name


@fault("clock of the web server jumps", breaks="web", seconds=25)
def web_clock(site: Site, rng: random.Random) -> str:
    """By it uploads have come in time, and sessions last."""
    return _jumped(site, "web", rng)


@fault("clock of beat jumps", breaks="beat's clock", seconds=25)
def beat_clock(site: Site, rng: random.Random) -> str:
    """Set back, it ends, and is started again."""
    site.programs["beat"].hurt()
    words = _jumped(site, "beat", rng)
    site.programs["beat"].hurt()
    return words


def _jumped(site: Site, program: str, rng: random.Random) -> str:
    """Ahead or behind by up to a day, and back again."""
    by = rng.choice(JUMPS)
    site.set_clock(program, by)
    time.sleep(rng.uniform(15, 25))
    site.set_clock(program, 0)
    time.sleep(2)  # until the program has seen it
    return f"{program} by {by:+d} s"
