"""Programs that are killed and stopped on purpose, and started again as systemd's `Restart=always` would."""

import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

LOOPBACK = "127.0.0.1"


@dataclass
class Program:
    """One program with what it has started, in a session of its own; its output goes to the end of a log."""

    name: str
    command: Sequence[str]
    log: Path
    environ: Mapping[str, str]
    folder: Path  # where it runs
    restart_after: float = 2.0  # seconds between its end and its next start
    stop_with: signal.Signals = signal.SIGTERM  # asks it politely to end
    is_held: bool = False  # whether it stays away once it has ended

    def __post_init__(self) -> None:
        self._ended: float | None = None
        self._start()

    def _start(self) -> None:
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                self.command, cwd=self.folder, env=dict(self.environ), stdout=log, stderr=log, start_new_session=True
            )
        self._ended = None

    @property
    def pid(self) -> int:
        """ProcessLookupError while it does not run."""
        if self._process.poll() is not None:
            raise ProcessLookupError(self.name)
        return self._process.pid

    def send(self, number: signal.Signals) -> None:
        """Send a signal to the program itself; what it has started is cleared away when it has ended."""
        os.kill(self.pid, number)

    def restart_if_ended(self) -> None:
        """Start it again where it has ended and its pause is over."""
        if self._process.poll() is None:
            return
        if self._ended is None:
            self._ended = time.monotonic()
            self._clear()
        if not self.is_held and time.monotonic() - self._ended >= self.restart_after:
            self._start()

    def end(self, patience: float = 10) -> None:
        """End it for good: politely first, after `patience` seconds by force."""
        with suppress(ProcessLookupError, subprocess.TimeoutExpired):
            self.send(signal.SIGCONT)
            self.send(self.stop_with)
            self._process.wait(patience)
        self._clear()
        self._process.wait(10)

    def _clear(self) -> None:
        """What is left of it ends too, as everything of a unit does."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)


class Keeper:
    """Looks after the programs until it is told to stop; they end in the reverse order of their start."""

    def __init__(self) -> None:
        self.programs: dict[str, Program] = {}
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._keep, daemon=True)
        self._thread.start()

    def _keep(self) -> None:
        while not self._is_over.wait(0.2):
            for program in list(self.programs.values()):
                program.restart_if_ended()

    def end(self) -> None:
        self._is_over.set()
        self._thread.join()
        for program in reversed(self.programs.values()):
            program.end()


def free_port() -> int:
    with socket.create_server((LOOPBACK, 0)) as listener:
        return int(listener.getsockname()[1])


def wait_for(condition: Callable[[], object], what: str, seconds: float = 60) -> None:
    """TimeoutError, which names `what`, where the condition does not become true in time."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"{what}: not within {seconds:.0f} s")
        time.sleep(0.1)


def answers(port: int) -> bool:
    """Tell whether somebody listens at this port of this machine."""
    with suppress(OSError), socket.create_connection((LOOPBACK, port), timeout=1):
        return True
    return False


def children(pid: int) -> list[int]:
    """Processes that this one has started and that live; none where it has ended itself."""
    found: list[int] = []
    with suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            found += map(int, (thread / "children").read_text().split())
    return found


def descendants(pid: int) -> Iterator[int]:
    for child in children(pid):
        yield child
        yield from descendants(child)


def command_of(pid: int) -> str:
    """The words of its command line; "" where it has ended."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    return ""
