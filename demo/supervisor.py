"""Starts named processes, notices when one ends, and leaves none of them behind."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from demo import guard

LINES_SHOWN = 30


class ChildEnded(Exception):
    """A process ended that should have stayed; the message gives its status and the end of its log."""


@dataclass(frozen=True)
class Child:
    name: str
    log: Path
    process: subprocess.Popen[bytes]
    echo: BinaryIO | None  # its log, open where the terminal has not shown it yet


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
        """Starts a process that writes to its log, which `check` shows on the terminal if `echo` is set."""
        log = self.logs / f"{name}.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, "-I", "-S", guard.__file__, str(self.lifeline), *command],
                env=environ,
                cwd=cwd,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                pass_fds=(self.lifeline,),
                start_new_session=True,  # Ctrl-C on the terminal reaches us alone; we end the others in order
            )
        self.children.append(Child(name, log, process, log.open("rb") if echo else None))

    def check(self) -> None:
        """Raises ChildEnded if a process has ended by itself."""
        for child in self.children:
            if child.echo:
                sys.stdout.buffer.write(child.echo.read())
                sys.stdout.flush()
            status = child.process.poll()
            if status is not None:
                raise ChildEnded(
                    f"The {child.name} process ended with {describe(status)}. "
                    f"The end of its log, {child.log}:\n\n{last_lines(child.log)}"
                )

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
    """Asks politely, waits for all of them together, then kills what is left of each one's process group."""
    for child in children:
        child.process.terminate()
    end = time.monotonic() + guard.GRACE_SECONDS
    for child in children:
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.process.wait(max(0, end - time.monotonic()))
        with contextlib.suppress(ProcessLookupError, PermissionError):  # nobody is left, says Linux, or macOS
            os.killpg(child.process.pid, signal.SIGKILL)
        child.process.wait()
        if child.echo:
            child.echo.close()
