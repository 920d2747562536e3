"""The whole machine: its power fails, or others have its processors."""

import random
import signal
import subprocess
import sys
import time
from contextlib import ExitStack, suppress

from tests.chaos.injecting import fault
from tests.chaos.processes import answers, wait_for
from tests.chaos.site import Site

N_BUSY = 24  # programs that compute


@fault("the machine loses its power", breaks="machine", seconds=15)
def power_cut(site: Site, rng: random.Random) -> str:
    """All programs are killed at once and start again, whichever comes first; the object store's machine keeps its."""
    programs = [program for name, program in site.programs.items() if name != "storage"]
    for program in programs:
        program.hurt()
        with suppress(ProcessLookupError):
            program.send(signal.SIGKILL)
    time.sleep(rng.uniform(1, 5))
    wait_for(site.has_postgresql, "PostgreSQL")
    wait_for(lambda: answers(site.port), "the web server")
    return f"{len(programs)} programs"


@fault("others have the processors", breaks="processors", seconds=25)
def processors_busy(site: Site, rng: random.Random) -> str:
    seconds = rng.uniform(15, 25)
    with ExitStack() as stack:
        for _ in range(N_BUSY):
            busy = stack.enter_context(subprocess.Popen([sys.executable, "-c", "while True: pass"]))
            stack.callback(busy.kill)
        time.sleep(seconds)
    return f"{N_BUSY} programs for {seconds:.0f} s"
