"""Folders that are full, away, read-only, or emptied."""

import os
import random
import shutil
import subprocess
import time
from contextlib import suppress
from pathlib import Path

from tests.chaos.injecting import Impossible, fault
from tests.chaos.site import Folder, Site


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


@fault("data folder read-only", breaks="data", seconds=15)
def data_read_only(site: Site, rng: random.Random) -> str:
    """As a file system becomes whose disk fails."""
    if not site.data.can_be_full:
        raise Impossible("no file system of its own could be mounted")
    seconds = rng.uniform(8, 15)
    for _ in range(200):  # until a moment in which nobody writes
        if _remounted(site.data.path, "ro"):
            break
        time.sleep(0.02)
    else:
        raise Impossible("somebody writes all the time")
    try:
        time.sleep(seconds)
    finally:
        _remounted(site.data.path, "rw")
    return f"for {seconds:.0f} s"


@fault("temporary files deleted", breaks="tmp", seconds=10)
def tmp_emptied(site: Site, rng: random.Random) -> str:
    """While they are in use, as by somebody who makes room."""
    n_deleted, end = 0, time.monotonic() + 8
    while time.monotonic() < end:
        for path in site.tmp.path.iterdir():
            shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)
            n_deleted += 1
        time.sleep(rng.uniform(0.2, 2))
    return f"{n_deleted} of them"


@fault("kept copies spoiled", breaks="copies", seconds=10)
def copies_spoiled(site: Site, rng: random.Random) -> str:
    """Gold and draws on a machine's own disk are deleted, cut off, or full of other bytes, as after a power cut."""
    n_spoiled, end = 0, time.monotonic() + 8
    while time.monotonic() < end:
        for path in site.data.path.glob("*/cache/**/*"):
            with suppress(OSError):
                if path.is_file() and path.stat().st_size:
                    _spoil(path, rng)
                    n_spoiled += 1
        time.sleep(rng.uniform(0.5, 2))
    return f"{n_spoiled} times"


def _spoil(path: Path, rng: random.Random) -> None:
    how = rng.choice(("deleted", "cut off", "other bytes"))
    if how == "deleted":
        path.unlink()
    elif how == "cut off":
        os.truncate(path, rng.randrange(path.stat().st_size))
    else:
        with path.open("r+b") as stream:
            stream.seek(rng.randrange(path.stat().st_size))
            stream.write(rng.randbytes(16))


def _remounted(path: Path, how: str) -> bool:
    return not subprocess.run(["mount", "-o", f"remount,{how}", str(path)], capture_output=True).returncode
