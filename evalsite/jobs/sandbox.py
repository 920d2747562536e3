"""Runs a function of the engine in a child process with limits; strangers' files are read nowhere else.

Each process of the site has a server beside it (`evalsite.jobs.server`), started when it is first needed, and the
server forks a child for each upload: some milliseconds instead of the half second that loading the engine takes. What
few uploads need, such as a family, it loads with the first job that names it.
Requests and answers are JSON: nothing that a child has written is unpickled.
"""

import atexit
import json
import math
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Literal

import structlog
from django.conf import settings

from evalsite.base.faults import Fault, KnownFault
from evalsite.jobs import isolation
from evalsite.jobs.server import JOB, SHARED

log = structlog.get_logger()

LimitKind = Literal["time", "memory", "size"]
OnStep = Callable[[str], None]
Job = Callable[[dict[str, Any], OnStep], Any]  # arguments, on_step -> answer, both ready for JSON

_WALL = 2  # times the processor time: a busy machine is not the participant's fault
_START_SECONDS = 60.0  # for the server to load the engine
_MOST_ANSWERED = 64 * 1024**2  # bytes


@dataclass(frozen=True)
class Limits:
    seconds: float  # of processor time; it may take twice that by the clock
    memory: int  # bytes beyond what the loaded engine has
    file_bytes: int  # of the largest file that may be written


class LimitBroken(Exception):
    """The job broke a limit: time, memory, or size of what it writes."""

    def __init__(self, kind: LimitKind) -> None:
        super().__init__(f"The job broke its limit of {kind}.")
        self.kind = kind


class Crashed(Exception):
    """The job ended without an answer, for a reason that is none of its limits.

    `errno` is the number of the system's error that ended it, if that was one, such as that of a full disk.
    """

    def __init__(self, words: str, errno: int | None = None) -> None:
        super().__init__(words)
        self.errno = errno


class Killed(Crashed):
    """The job was killed, most often for want of memory on the machine, or the server that forked it died.

    The job may be to blame, too, but a second one may well get through.
    """


class NotStarted(KnownFault):
    """The engine did not even begin with the job: the machine has too much to do, and the job is not to blame."""


def run(
    function: Job,
    arguments: dict[str, Any],
    limits: Limits,
    on_step: OnStep | None = None,
    *,
    loads: Iterable[str] = (),
    reads: Iterable[str] = (),
    writes: Iterable[str] = (),
) -> Any:
    """Return the function's answer to the arguments, both plain values; the child knows it by its module and name.

    `loads` is what `settings.JOBS_LOADER` has to load first, such as a family. `reads` and `writes` are the paths,
    beside the engine's, that the child may open. Raise LimitBroken, Crashed or NotStarted. The child is gone when this
    returns or raises.
    """
    with child(function, limits, loads=loads, reads=reads, writes=writes) as ask:
        return ask(arguments, on_step)


@contextmanager
def child(
    function: Job,
    limits: Limits,
    *,
    parts: int = 1,
    loads: Iterable[str] = (),
    reads: Iterable[str] = (),
    writes: Iterable[str] = (),
) -> Iterator["Child"]:
    """Yield a child for the parts of one job, such as the scenarios of an upload; called with arguments, it does one
    part.

    Each part has its own seconds; memory that a part leaves allocated is missing to the next. After an error the child
    is of no use.
    """
    ours, theirs = socket.socketpair()
    with ours:
        with theirs:
            _server.take(theirs, JOB, loads)
        bounds = {
            "seconds": max(1, math.ceil(limits.seconds)),
            "parts": parts,
            "memory": limits.memory,
            "file_bytes": limits.file_bytes,
            "reads": list(reads),
            "writes": list(writes),
        }
        yield Child(ours, {"function": _title(function), "limits": bounds}, _WALL * limits.seconds)


class Child:
    """A child process, called for one part after the other."""

    def __init__(self, ours: socket.socket, begin: dict[str, Any], seconds: float) -> None:
        self._ours = ours
        self._seconds = seconds
        ours.settimeout(_START_SECONDS)
        self._send(begin)  # so that it restricts itself while the first part is prepared

    def __call__(self, arguments: dict[str, Any], on_step: OnStep | None = None) -> Any:
        self._send(arguments)
        return _answer(self._ours, self._seconds, on_step or (lambda step: None))

    def _send(self, value: dict[str, Any]) -> None:
        with suppress(BrokenPipeError, ConnectionResetError):  # the child is gone: `_answer` finds out why
            self._ours.sendall(_line(value))


def run_in_server(function: Callable[[dict[str, Any]], None], arguments: dict[str, Any]) -> None:
    """Run the function in the server itself, so that children that it forks later find the result in memory.

    Nothing limits it, so it may compute from numbers alone and open no file of strangers.
    """
    with _request(_title(function), arguments) as request:
        _server.take(request, SHARED)


@contextmanager
def _request(title: str, arguments: dict[str, Any]) -> Iterator[socket.socket]:
    """Yield the far end of a socket that holds what the server itself is to run."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.sendall(_line({"function": title, "arguments": arguments}))
        yield theirs


def _title(function: Callable[..., Any]) -> str:
    return f"{function.__module__}:{function.__qualname__}"


def _line(value: dict[str, Any]) -> bytes:
    return json.dumps(value).encode() + b"\n"


def missing_limits(limits: Limits) -> tuple[str, ...]:
    """Return which of "memory", "network" and "files" this system does not enforce, as a child found."""
    return tuple(run(isolation.missing, {}, limits))


def start() -> None:
    """Begin to load the engine without waiting for it, so that the first job need not wait."""
    _server.start()


def _answer(ours: socket.socket, seconds: float, on_step: OnStep) -> Any:
    clock = _Clock(_START_SECONDS)
    for line in _lines(ours, clock):
        match line:
            case {"begun": missing}:
                clock.begin(seconds)
                _tell_missing(tuple(missing))
            case {"step": str(step)}:
                on_step(step)
            case {"answer": answer}:
                return answer
            case {"broken": "time" | "memory" | "size" as kind}:
                raise LimitBroken(kind)
            case {"crashed": error, "errno": int() | None as number, "trace": trace}:
                log.error("job crashed", error=error, trace=trace)
                raise Crashed(error, number)
            case {"ended": int(status)} if clock.has_begun:
                if status == -signal.SIGXCPU:
                    raise LimitBroken("time")
                kind = Killed if status == -signal.SIGKILL else Crashed
                raise kind(f"The engine ended with {_described(status)}.")
    if not clock.has_begun:
        raise NotStarted(Fault.MACHINE, "The engine ended before it began.")
    raise Killed("The engine ended without an answer.")


class _Clock:
    """The deadline of a job: first for its start, then for the job itself."""

    def __init__(self, seconds: float) -> None:
        self.has_begun = False
        self._end = time.monotonic() + seconds

    def begin(self, seconds: float) -> None:
        self.has_begun = True
        self._end = time.monotonic() + seconds

    @property
    def left(self) -> float:
        return self._end - time.monotonic()


def _lines(ours: socket.socket, clock: _Clock) -> Iterator[Any]:
    """Yield the values that come over the socket."""
    buffer, n_read = b"", 0
    while chunk := _received(ours, clock):
        n_read += len(chunk)
        if n_read > _MOST_ANSWERED:
            raise LimitBroken("size")
        *whole, buffer = (buffer + chunk).split(b"\n") if b"\n" in chunk else (buffer + chunk,)
        for line in filter(None, whole):
            with suppress(ValueError):  # cut off by the end of the child
                yield json.loads(line)


def _received(ours: socket.socket, clock: _Clock) -> bytes:
    """Return the next bytes; none when both the child and the server have closed the socket."""
    poll = select.poll()
    poll.register(ours, select.POLLIN)
    if not poll.poll(max(0, clock.left) * 1000):
        if clock.has_begun:
            raise LimitBroken("time")
        raise NotStarted(Fault.MACHINE, "The engine did not start.")
    try:
        return ours.recv(2**18)
    except ConnectionResetError:
        return b""


def _described(status: int) -> str:
    if -status in signal.valid_signals():
        return f"signal {-status} ({signal.Signals(-status).name})"
    return f"status {status}"


_missing_told: set[tuple[str, ...]] = set()


def _tell_missing(missing: tuple[str, ...]) -> None:
    """Log missing limits once in each process: the site works without them."""
    if missing and missing not in _missing_told:
        _missing_told.add(missing)
        log.warning("this system does not hold all limits of the engine's processes", missing=missing)


class _Server:
    """The server of this process."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Forget the parent's server in a forked process: it ends when the parent lets go of it."""
        with suppress(AttributeError, OSError):
            self._control.close()
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._loaded: set[str] = set()

    def start(self) -> None:
        with self._lock:
            self._ensure()

    def take(self, job: socket.socket, word: bytes, loads: Iterable[str] = ()) -> None:
        """Hand the far end of a job's socket to the server, with the word that says what kind of job it is."""
        names = [*loads]
        with self._lock:
            self._ensure()
            try:
                self._send(job, word, names)
            except OSError:
                # It has been killed, as by a kernel that is out of memory: the next one starts.
                self._stop()
                self._ensure()
                self._send(job, word, names)

    def _send(self, job: socket.socket, word: bytes, loads: Iterable[str]) -> None:
        for name in loads:
            if name not in self._loaded:
                with _request(settings.JOBS_LOADER, {"name": name}) as request:
                    socket.send_fds(self._control, [SHARED], [request.fileno()])
                self._loaded.add(name)
        socket.send_fds(self._control, [word], [job.fileno()])

    def end(self) -> None:
        with self._lock:
            self._stop()

    def _ensure(self) -> None:
        if self._process is not None and self._process.poll() is None:
            return
        self._stop()
        self._loaded = set()
        self._control, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "evalsite.jobs.server", str(theirs.fileno()), *settings.JOBS_PRELOADED],
                cwd=settings.BASE_DIR,
                env=_environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
            )

    def _stop(self) -> None:
        if self._process is None:
            return
        self._control.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:  # it has not even begun to listen
            self._process.kill()
            self._process.wait()
        self._process = None


def _environment() -> dict[str, str]:
    """Return the environment of the server: where code and temporary files are, and how to use processor and memory."""
    # It alone loads some of the engine's libraries, and would compile them at each start if it did not store them.
    passed_on = ("PYTHONPATH", "TMPDIR", "PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX")
    return {name: os.environ[name] for name in passed_on if name in os.environ} | {
        "LANG": "C.UTF-8",
        # A job has one core; and a process with threads cannot be forked.
        **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1"),
        # Each child allocates its memory: large pages make that three times as fast.
        "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
        # Arrays of some megabytes come from memory that the child keeps, not from the kernel at each resampling.
        **dict.fromkeys(("MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_"), str(2**28)),
        # So much at a time that allocation begins with large pages.
        "MALLOC_TOP_PAD_": str(2**24),
    }


_server = _Server()
os.register_at_fork(after_in_child=_server.forget)
atexit.register(_server.end)
