"""Clocks of machines that are wrong, and put right again."""

import random
import time

from tests.chaos.injecting import fault
from tests.chaos.site import Site

JUMPS = (-86400, -3600, -90, 90, 3600, 86400)  # seconds


@fault("a clock jumps", breaks="clocks", seconds=25)
def clock_jumps(site: Site, rng: random.Random) -> str:
    """Of a worker, a maker of boards, the web server, or beat, which ends where its own is set back."""
    name, by = rng.choice(("worker-b", "maker-b", "web", "beat")), rng.choice(JUMPS)
    site.set_clock(name, by)
    site.programs[name].hurt()
    time.sleep(rng.uniform(15, 25))
    site.set_clock(name, 0)
    site.programs[name].hurt()
    time.sleep(2)  # until the program has seen it
    return f"{name} by {by:+d} s"
