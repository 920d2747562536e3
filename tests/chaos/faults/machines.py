"""The machine: its power fails, its disk is full, its folders are away."""

import os
import random
import signal
import subprocess
import time
from contextlib import suppress

from tests.chaos.injecting import Impossible, fault
from tests.chaos.processes import answers, wait_for
from tests.chaos.site import Site


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


@fault("data folder full", breaks="data", seconds=20)
def data_full(site: Site, rng: random.Random) -> str:
    """Not a byte of room, again and again, since what is removed meanwhile makes room."""
    if not site.data.can_be_full:
        raise Impossible("no file system of a size of its own could be mounted")
    filler, seconds = site.data.path / "filler", rng.choice((15, 15, 80))
    end = time.monotonic() + seconds
    try:
        with filler.open("wb") as stream:
            while time.monotonic() < end:
                with suppress(OSError):
                    while True:
                        room = os.statvfs(site.data.path)
                        os.posix_fallocate(stream.fileno(), stream.seek(0, os.SEEK_END), room.f_bavail * room.f_frsize)
                time.sleep(0.05)
    finally:
        filler.unlink()
    return f"for {seconds} s"


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
