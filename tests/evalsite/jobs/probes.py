"""What children do in the tests: each function is run by `limited.run`, in a process with limits."""

import ctypes
import importlib
import os
import socket
import subprocess
import sys
import time
from pathlib import Path


def answer(arguments, on_step):
    on_step("reading")
    on_step("matching")
    return {"got": arguments}


def never_end(arguments, on_step):
    on_step(str(os.getpid()))
    while True:
        pass


def sleep(arguments, on_step):
    on_step(str(os.getpid()))
    time.sleep(arguments.get("seconds", 600))
    return os.getpid()


def take_all_memory(arguments, on_step):
    held = []
    while True:
        held.append(bytearray(2**24))


_kept = []


def keep_memory(arguments, on_step):
    _kept.append(bytearray(arguments["bytes"]))
    return True


def write_without_end(arguments, on_step):
    with Path(arguments["path"]).open("wb") as file:
        while True:
            file.write(bytes(2**20))


def answer_without_end(arguments, on_step):
    while True:
        on_step("x" * 2**20)


def fall_over(arguments, on_step):
    ctypes.string_at(0)


def raise_an_error(arguments, on_step):
    raise ValueError("a defect")


def say_nothing(arguments, on_step):
    os._exit(0)


def look_around(arguments, on_step):
    """What a defect of the engine could reach."""
    return {
        "environment": dict(os.environ) | {"at the start": Path("/proc/self/environ").read_text()},
        "modules": loaded(),
        "open files": sorted(os.readlink(f"/proc/self/fd/{number}") for number in map(int, open_numbers())),
        "a socket": refusal(lambda: socket.socket()),
        "a socket of the machine": refusal(lambda: socket.socket(socket.AF_UNIX)),
        "another program": refusal(lambda: subprocess.run(["/bin/true"])),
    }


def origin(arguments, on_step):
    """Who has forked this, and what it was born with."""
    return {"parent": os.getppid(), "modules": loaded()}


def loaded():
    return sorted({name.partition(".")[0] for name in sys.modules})


def open_files(arguments, on_step):
    """What comes of reading and of writing each of these."""
    import_late = refusal(lambda: importlib.import_module("this"))
    return {
        "a module": import_late,
        "read": {path: refusal(lambda path=path: Path(path).read_bytes()) for path in arguments["paths"]},
        "written": {path: refusal(lambda path=path: Path(path).write_bytes(b"x")) for path in arguments["paths"]},
    }


def open_numbers():
    return [number for number in os.listdir("/proc/self/fd") if Path(f"/proc/self/fd/{number}").exists()]


def refusal(attempt):
    try:
        attempt()
    except OSError as error:
        return type(error).__name__
    return "done"


def use_seconds(arguments, on_step):
    """Ends when this process has used so many, its birth included."""
    while time.process_time() < arguments["in all"]:
        pass
    return os.getpid()


_remembered = []


def remember(arguments):
    _remembered.append(arguments["word"])


def fail_to_remember(arguments):
    raise ValueError(arguments["word"])


def remembered(arguments, on_step):
    return _remembered
