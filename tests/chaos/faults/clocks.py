"""Clocks of machines that are wrong, and put right again."""

import random
import time

from tests.chaos.injecting import fault
from tests.chaos.site import Site

JUMPS = (-86400, -3600, -90, 90, 3600, 86400)  # seconds


@fault("clock of a worker jumps", breaks="worker's clock", seconds=25)
def worker_clock(site: Site, rng: random.Random) -> str:
    """Or of a maker of boards."""
    return _jumped(site, rng.choice(("worker-b", "maker-b")), rng)


@fault("clock of the web server jumps", breaks="web's clock", seconds=25)
def web_clock(site: Site, rng: random.Random) -> str:
    return _jumped(site, "web", rng)


@fault("clock of beat jumps", breaks="beat's clock", seconds=25)
def beat_clock(site: Site, rng: random.Random) -> str:
    """Set back, it ends, and is started again."""
    return _jumped(site, "beat", rng)


def _jumped(site: Site, program: str, rng: random.Random) -> str:
    """Ahead or behind, and back again."""
    by = rng.choice(JUMPS)
    for seconds, pause in ((by, rng.uniform(15, 25)), (0, 2)):  # 2: until the program has seen it
        site.programs[program].hurt()
        site.set_clock(program, seconds)
        time.sleep(pause)
    return f"{program} by {by:+d} s"
