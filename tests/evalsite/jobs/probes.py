"""Does what children do in the tests: each function is run by `sandbox.run`, in a process with limits."""

import ctypes
import errno
import fcntl
import importlib
import os
import platform
import resource
import signal
import socket
import subprocess
import sys
import termios
import threading
import time
from pathlib import Path

import numpy as np

from evalsite.jobs import syscalls


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


def write_without_end(arguments, on_step):
    with Path(arguments["path"]).open("wb") as file:
        while True:
            file.write(bytes(2**20))


def answer_without_end(arguments, on_step):
    while True:
        on_step("x" * 2**20)


def fall_over(arguments, on_step):
    ctypes.string_at(0)


def abort(arguments, on_step):
    os.abort()


def raise_an_error(arguments, on_step):
    raise ValueError("a defect")


def say_nothing(arguments, on_step):
    os._exit(0)


def look_around(arguments, on_step):
    """Return what a defect of the engine could reach."""
    return {
        "environment": dict(os.environ) | {"at the start": Path("/proc/self/environ").read_text()},
        "modules": loaded(),
        "open files": sorted(os.readlink(f"/proc/self/fd/{number}") for number in map(int, open_numbers())),
        "a socket": refusal(lambda: socket.socket()),
        "a socket of the machine": refusal(lambda: socket.socket(socket.AF_UNIX)),
        "another program": refusal(lambda: subprocess.run(["/bin/true"])),
    }


def origin(arguments, on_step):
    """Return who has forked this, and what it was born with."""
    return {"parent": os.getppid(), "modules": loaded()}


def storing_of_bytecode(arguments, on_step):
    """Return what the server was told of compiled modules when it began, and whether this child stores any."""
    names = Path("/proc/self/environ").read_text()
    return {"server": "PYTHONDONTWRITEBYTECODE=" not in names, "child": not sys.dont_write_bytecode}


def loaded():
    return sorted({name.partition(".")[0] for name in sys.modules})


def open_files(arguments, on_step):
    """Return what comes of reading and of writing each of these."""
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


def load(arguments):
    _remembered.append(arguments["name"])


def remember_here(arguments, on_step):
    remember(arguments)
    return _remembered


def fail_to_remember(arguments):
    raise ValueError(arguments["word"])


def remembered(arguments, on_step):
    return _remembered


def meddle(arguments, on_step):
    """Return what comes of signals to another process, and of changing how it runs."""
    other, own_socket = arguments["process"], next(number for number in map(int, open_numbers()) if is_socket(number))
    no_limit = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    asked = {
        "a signal": lambda: os.kill(other, 0),
        "a signal to the parent": lambda: os.kill(os.getppid(), 0),
        "a signal to its group": lambda: os.kill(0, 0),
        "a signal to all": lambda: os.kill(-1, 0),
        "a signal to a thread": lambda: system_call((234, 131), other, other, 0),
        "a signal by another call": lambda: system_call((200, 130), other, 0),
        "a signal with a word": lambda: system_call((129, 138), other, 0, ctypes.create_string_buffer(128)),
        "a handle": lambda: os.pidfd_open(other),
        "a signal when something comes in": lambda: fcntl.fcntl(own_socket, fcntl.F_SETOWN, other),
        "the signal of that": lambda: fcntl.fcntl(own_socket, fcntl.F_SETSIG, signal.SIGKILL),
        "words typed": lambda: fcntl.ioctl(own_socket, termios.TIOCSTI, b"x"),
        "its limits": lambda: resource.prlimit(other, resource.RLIMIT_NOFILE, (9, 9)),
        "its priority": lambda: os.setpriority(os.PRIO_PROCESS, other, 5),
        "its processors": lambda: os.sched_setaffinity(other, {0}),
        "its scheduler": lambda: os.sched_setscheduler(other, os.SCHED_BATCH, os.sched_param(0)),
        "its memory": lambda: system_call((310, 270), other, 0, 0, 0, 0, 0),
        "no limit of memory": lambda: resource.prlimit(os.getpid(), resource.RLIMIT_AS, no_limit),
        "no limit of files": lambda: resource.prlimit(os.getpid(), resource.RLIMIT_NOFILE, no_limit),
    }
    return {what: refusal(attempt) for what, attempt in asked.items()} | {
        "a signal to itself": refusal(lambda: os.kill(os.getpid(), 0)),
        "a lower limit of its own": refusal(lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0))),
    }


def is_socket(number):
    return os.readlink(f"/proc/self/fd/{number}").startswith("socket:")


def change_files(arguments, on_step):
    """Return what comes of changing a file that may be read, and what is beside it."""
    path = Path(arguments["path"])
    beside = path.with_name("new")
    asked = {
        "its rights": lambda: path.chmod(0o777),
        "its owner": lambda: os.chown(path, 1, 1),
        "its times": lambda: os.utime(path),
        "what is said of it": lambda: os.setxattr(path, "user.x", b"x"),
        "its length": lambda: os.truncate(path, 0),
        "its content": lambda: path.write_bytes(b"x"),
        "a lock": lambda: fcntl.flock(path.open(), fcntl.LOCK_EX),
        "another lock": lambda: fcntl.lockf(path.open(), fcntl.LOCK_SH),
        "its end": lambda: path.open("ab"),
        "its middle": lambda: path.open("r+b"),
        "its name": lambda: path.rename(beside),
        "another name of it": lambda: os.link(path, beside),
        "itself": lambda: path.unlink(),
        "a file": lambda: beside.touch(),
        "a folder": lambda: beside.mkdir(),
        "a link": lambda: beside.symlink_to(path),
        "a pipe": lambda: os.mkfifo(beside),
    }
    return {what: refusal(attempt) for what, attempt in asked.items()}


def start_others(arguments, on_step):
    """Return what comes of another process, and of threads."""
    done = []
    threads = [threading.Thread(target=lambda: done.append(float(np.ones((50, 50)).sum()))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return {"a process": refusal(fork), "threads": done}


def fork():
    if os.fork() == 0:
        os._exit(0)


def make_refused_calls(arguments, on_step):
    """The calls that are not refused, of those that should be; what they are asked makes no sense."""
    named = {name: numbers for names in syscalls.REFUSED.values() for name, numbers in names.items()}
    return [name for name, numbers in named.items() if refusal(lambda own=numbers: system_call(own)) == "done"]


def system_call(numbers, *arguments):
    """PermissionError where it is refused; any other error is that of a call that was let through."""
    number = numbers[platform.machine() == "aarch64"]
    if number is None:
        raise PermissionError
    values = [*arguments, *[-1] * (6 - len(arguments))]
    library = ctypes.CDLL(None, use_errno=True)
    if library.syscall(number, *values) < 0 and ctypes.get_errno() == errno.EPERM:
        raise PermissionError
