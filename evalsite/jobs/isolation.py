"""Restricts a child that reads strangers' files: memory, time, files, other programs and the network.

It needs no privileges. Linux has all of it; elsewhere the memory may stay unlimited, and the network and other files
open, and `restrict` says so (`manage.py check --deploy` tells the operator).
"""

import ctypes
import math
import os
import resource
import signal
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path

from evalsite.jobs import syscalls

_OPEN_FILES = 64

_PR_SET_PDEATHSIG = 1
_PR_SET_SECCOMP = 22
_PR_SET_NO_NEW_PRIVS = 38
_MODE_FILTER = 2
_CAPABILITIES = 0x20080522  # their third version
_OPEN_ANY = 1 << 1 | 1 << 2  # to open files and folders of others

# Landlock's calls, which have these numbers on every processor, and its rights, in the order in which they were added.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_ASK_VERSION, _PATH_BENEATH = 1, 1
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = (1 << bit for bit in range(4))
_N_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}  # by the version; later ones have 16 that are about files
_RIGHTS_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | 1 << 14  # the others are about what is in a folder
# From this version on it also keeps signals, and sockets without a file, among the processes that it binds.
_FIRST_SCOPED, _SIGNALS_AND_SOCKETS = 6, 1 << 0 | 1 << 1
# What the interpreter and its libraries may still load, beside what lies on the path of modules.
_OF_THE_SYSTEM = ("/usr", "/lib", "/lib64", "/dev/null", "/dev/urandom")


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("rights", ctypes.c_uint64), ("folder", ctypes.c_int32)]


class _Ruleset(ctypes.Structure):
    _fields_ = [("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scoped", ctypes.c_uint64)]


_missing: list[str] = []


def missing(arguments: object, on_step: object) -> list[str]:
    """Return the limits that the child which runs this lacks."""
    return _missing


def prepare() -> None:
    """Look up in the server, once, what `restrict` needs in each child."""
    _code()
    _library()


def restrict(
    *, memory: int, seconds: int, parts: int, file_bytes: int, reads: Iterable[str], writes: Iterable[str]
) -> list[str]:
    """Restrict this process for good; return what the system does not enforce, out of "memory", "network" and "files".

    `memory` are bytes beyond what is mapped now, `seconds` are of processor time for the first of `parts`, `file_bytes`
    of each file written; `reads` and `writes` are the files and folders that it may open for that, beside the code.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, parts * (seconds + 1)))
    resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes))
    resource.setrlimit(resource.RLIMIT_NOFILE, (_OPEN_FILES, _OPEN_FILES))
    held = {
        "memory": _limit_memory(memory),
        "files": _close_files([*_code(), *reads], writes),
    }
    _drop_privileges()
    held["network"] = _filter_calls()
    _missing[:] = [name for name, is_held in held.items() if not is_held]
    return _missing


def grant(seconds: int) -> None:
    """Grant so much processor time for the next part, however little the parts before it have used."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    end = math.ceil(used.ru_utime + used.ru_stime) + seconds
    resource.setrlimit(resource.RLIMIT_CPU, (min(end, most), most))


def die_with_parent() -> None:
    """Let the kernel kill this process when its parent dies, where the system can do it."""
    if sys.platform == "linux":
        _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _limit_memory(memory: int) -> bool:
    if sys.platform != "linux":
        return False
    most = _mapped() + memory
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    return True


def _mapped() -> int:
    """Return the bytes of address space that this process has."""
    return int(Path("/proc/self/statm").read_bytes().split()[0]) * resource.getpagesize()


def _filter_calls() -> bool:
    """Refuse the calls of `syscalls.py` from now on; return False where the kernel has no such filter."""
    program = syscalls.program()
    if program is None:
        return False
    with suppress(AttributeError):
        return _prctl(_PR_SET_NO_NEW_PRIVS, 1) and _prctl(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.byref(program))
    return False


def _drop_privileges() -> None:
    """Drop root's capabilities, with which it could raise its limits again, except that of reading others' files.

    Landlock says which files these are.
    """
    if sys.platform == "linux":
        header = (ctypes.c_uint32 * 2)(_CAPABILITIES, 0)  # of this process
        # Effective, permitted and inherited ones; and those from 32 on.
        _library().capset(header, (ctypes.c_uint32 * 6)(_OPEN_ANY, _OPEN_ANY, 0, 0, 0, 0))


@cache
def _code() -> list[str]:
    """Return where modules and libraries are; of the current folder its packages alone, since data may lie there."""
    here = Path.cwd()
    folders = {sys.prefix, sys.base_prefix, *map(os.path.abspath, sys.path)} - {str(here)}
    return [*_OF_THE_SYSTEM, *folders, *(str(package.parent) for package in here.glob("*/__init__.py"))]


def _close_files(reads: Iterable[str], writes: Iterable[str]) -> bool:
    """Refuse to open anything that is not beneath these paths from now on; return False where the kernel has no
    Landlock.
    """
    if sys.platform != "linux":
        return False
    call = _library().syscall
    version = call(_CREATE_RULESET, None, 0, _ASK_VERSION)
    if version < 1:
        return False
    every = (1 << _N_RIGHTS.get(version, 16)) - 1
    ruleset = _Ruleset(every, 0, _SIGNALS_AND_SOCKETS)
    rules = call(_CREATE_RULESET, ctypes.byref(ruleset), ctypes.sizeof(ruleset) if version >= _FIRST_SCOPED else 8, 0)
    for path in reads:
        _allow(call, rules, path, _EXECUTE | _READ_FILE | _READ_DIR)
    for path in writes:
        _allow(call, rules, path, every)
    return _prctl(_PR_SET_NO_NEW_PRIVS, 1) and call(_RESTRICT_SELF, rules, 0) == 0


def _allow(call: Callable[..., int], rules: int, path: str, rights: int) -> None:
    """Add a rule for the path; one that does not exist needs none."""
    with suppress(OSError):
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        rule = _Beneath(rights if os.path.isdir(path) else rights & _RIGHTS_OF_FILES, place)
        call(_ADD_RULE, rules, _PATH_BENEATH, ctypes.byref(rule), 0)
        os.close(place)


def _prctl(option: int, *values: object) -> bool:
    padded = [*values, *[0] * (4 - len(values))]
    words = [ctypes.c_ulong(value) if isinstance(value, int) else value for value in padded]
    return bool(_library().prctl(option, *words) == 0)


@cache
def _library() -> ctypes.CDLL:
    return ctypes.CDLL(None)
