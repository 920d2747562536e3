"""Starts named processes, notices when one ends, starts it again, and leaves none of them behind."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from demo import guard

LINES_SHOWN = 30
STEADY_SECONDS = 10  # a process that ends sooner failed to start
MOST_QUICK_ENDS = 3  # in a row, after which restarting is no help


class ChildEnded(Exception):
    """A process ended that should have stayed; the message gives its status and the end of its log."""


@dataclass(frozen=True)
class Child:
    name: str
    log: Path
    run: Callable[[], subprocess.Popen[bytes]]
    process: subprocess.Popen[bytes]
    echo: BinaryIO | None  # its log, open at what the terminal has not shown yet
    started: float = field(default_factory=time.monotonic)
    n_quick_ends: int = 0  # before this start, in a row


class Supervisor:
    """A context: on leaving it, by whatever way, all processes that it started are gone."""

    def __init__(self, logs: Path) -> None:
        self.logs = logs
        self.children: list[Child] = []

    def __enter__(self) -> Self:
        self.logs.mkdir(parents=True, exist_ok=True)
        self.lifeline, self.kept_open = os.pipe()
        return self

    def start(
        self, name: str, command: Sequence[str], environ: Mapping[str, str], cwd: Path, echo: bool = False
    ) -> None:
        """Start a process that writes to its log, which `check` shows on the terminal if `echo` is set."""
        log = self.logs / f"{name}.log"
        log.write_bytes(b"")

        def run() -> subprocess.Popen[bytes]:
            with log.open("ab") as output:
                return subprocess.Popen(
                    [sys.executable, "-I", "-S", guard.__file__, str(self.lifeline), *command],
                    env=environ,
                    cwd=cwd,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    pass_fds=(self.lifeline,),
                    start_new_session=True,  # Ctrl-C on the terminal reaches us alone; we end the others in order
                )

        self.children.append(Child(name, log, run, run(), log.open("rb") if echo else None))

    def check(self) -> None:
        """Raise ChildEnded if a process has ended by itself."""
        for child, status in self._ended():
            raise ChildEnded(
                f"The {child.name} process ended with {describe(status)}. "
                f"The end of its log, {child.log}:\n\n{last_lines(child.log)}"
            )

    def keep_up(self) -> None:
        """Restart processes that have ended by themselves; raise ChildEnded for one that ends soon after each start."""
        for child, status in self._ended():
            is_quick = time.monotonic() - child.started < STEADY_SECONDS
            n_quick_ends = child.n_quick_ends + 1 if is_quick else 0
            if n_quick_ends > MOST_QUICK_ENDS:
                self.check()
            sys.stdout.write(f"The {child.name} process ended with {describe(status)}, and is started again.\n")
            sys.stdout.flush()
            kill_group(child)
            started = time.monotonic()
            self.children[self.children.index(child)] = replace(
                child, process=child.run(), started=started, n_quick_ends=n_quick_ends
            )

    def _ended(self) -> Iterator[tuple[Child, int]]:
        for child in list(self.children):
            if child.echo:
                sys.stdout.buffer.write(child.echo.read())
                sys.stdout.flush()
            status = child.process.poll()
            if status is not None:
                yield child, status

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # A second Ctrl-C must not interrupt the stopping, which takes seconds at most.
        with ignored(signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            stop(self.children[1:])
            stop(self.children[:1])  # last, as the others talk to it while they end
        os.close(self.lifeline)
        os.close(self.kept_open)


def describe(status: int) -> str:
    number = -status if status < 0 else status - 128
    if number in signal.valid_signals():
        return f"signal {number} ({signal.Signals(number).name})"
    return f"status {status}"


def last_lines(log: Path) -> str:
    return "\n".join(log.read_text(errors="replace").splitlines()[-LINES_SHOWN:])


@contextlib.contextmanager
def ignored(*signals: signal.Signals) -> Iterator[None]:
    previous = [signal.signal(number, signal.SIG_IGN) for number in signals]
    try:
        yield
    finally:
        for number, handler in zip(signals, previous, strict=True):
            signal.signal(number, handler)


def stop(children: Sequence[Child]) -> None:
    """Terminate them, wait for all together, then kill what is left of each one's process group."""
    for child in children:
        child.process.terminate()
    end = time.monotonic() + guard.GRACE_SECONDS
    for child in children:
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.process.wait(max(0, end - time.monotonic()))
        kill_group(child)
        child.process.wait()
        if child.echo:
            child.echo.close()


def kill_group(child: Child) -> None:
    """Kill the rest of its process group: a worker's pool outlives a worker that was killed."""
    with contextlib.suppress(ProcessLookupError, PermissionError):  # no process is left, on Linux or macOS
        os.killpg(child.process.pid, signal.SIGKILL)
