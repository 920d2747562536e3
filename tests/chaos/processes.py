"""Programs that are killed and stopped on purpose, and started again as systemd's `Restart=always` would."""

import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

LOOPBACK = "127.0.0.1"
LOOK_EVERY = 0.2  # seconds between two looks at all programs


class Program:
    """One program with what it has started, in a session of its own; its output goes to the end of a log."""

    def __init__(
        self,
        name: str,
        command: Sequence[str | Path],
        *,
        log: Path,
        environ: Mapping[str, str],
        folder: Path,
        restart_after: float = 2.0,
        stop_with: signal.Signals = signal.SIGTERM,
    ) -> None:
        """`restart_after`: seconds between its end and its next start; `stop_with` asks it politely to end."""
        self.name = name
        self.n_starts = 0
        self.unasked: list[float] = []  # when it ended although nobody had done anything to it, in seconds of the clock
        self._command = [str(word) for word in command]
        self._log, self._environ, self._folder = log, dict(environ), folder
        self._restart_after, self._stop_with = restart_after, stop_with
        self._process: subprocess.Popen[bytes] | None = None
        self._ended: float | None = None
        self._is_held = False
        self._hurt = 0.0  # when somebody last did something to it
        self._lock = threading.RLock()

    @property
    def pid(self) -> int:
        """ProcessLookupError while it does not run."""
        process = self._process
        if process is None or process.poll() is not None:
            raise ProcessLookupError(self.name)
        return process.pid

    def start(self) -> None:
        with self._lock, self._log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command, cwd=self._folder, env=self._environ, stdout=log, stderr=log, start_new_session=True
            )
            self._ended = None
            self.n_starts += 1

    def send(self, number: signal.Signals) -> None:
        """To the program itself; what it has started is cleared away when it has ended."""
        self._hurt = time.time()
        os.kill(self.pid, number)

    def hurt(self) -> None:
        """Note that something is done to it from outside, which it may answer with its end."""
        self._hurt = time.time()

    def hold(self) -> None:
        """Let it stay away, once it has ended, until it is released."""
        with self._lock:
            self._is_held = True

    def release(self) -> None:
        with self._lock:
            self._is_held = False

    def look(self) -> None:
        """Start it again where it has ended and its pause is over."""
        with self._lock:
            if self._process is None or self._process.poll() is None:
                return
            if self._ended is None:
                self._ended = time.monotonic()
                if time.time() - self._hurt > 30:
                    self.unasked.append(time.time())
                self._clear(self._process.pid)
            if not self._is_held and time.monotonic() - self._ended >= self._restart_after:
                self.start()

    def end(self, patience: float = 10) -> None:
        """For good: politely first, after `patience` seconds by force."""
        with self._lock:
            self._is_held = True
            process = self._process
            if process is None:
                return
            if process.poll() is None:
                process.send_signal(signal.SIGCONT)
                process.send_signal(self._stop_with)
                with suppress(subprocess.TimeoutExpired):
                    process.wait(patience)
            self._clear(process.pid)
            process.wait(10)

    @staticmethod
    def _clear(group: int) -> None:
        """What is left of it ends too, as everything of a unit does."""
        with suppress(ProcessLookupError):
            os.killpg(group, signal.SIGKILL)


class Keeper:
    """Looks after the programs until it is told to stop; they end in the reverse order of their start."""

    def __init__(self) -> None:
        self.programs: dict[str, Program] = {}
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._keep, name="keeper", daemon=True)

    def __enter__(self) -> "Keeper":
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._is_over.set()
        self._thread.join()
        for program in reversed(self.programs.values()):
            program.end()

    def add(self, program: Program) -> Program:
        program.start()
        self.programs[program.name] = program
        return program

    def stop(self, names: Sequence[str]) -> None:
        """End these, and start them no more."""
        for name in names:
            self.programs[name].end()

    def _keep(self) -> None:
        while not self._is_over.wait(LOOK_EVERY):
            for program in list(self.programs.values()):
                program.look()


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
    """Whether somebody listens at this port of this machine."""
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
