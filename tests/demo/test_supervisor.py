"""Whatever ends the supervising process, nothing that it started outlives it: shown with real processes."""

import os
import select
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from demo import guard
from demo.supervisor import MOST_QUICK_ENDS, ChildEnded, Supervisor

# A service that starts a process of its own, as a worker starts a pool. Both report to a pipe that they hold.
SERVICE = """
import os, signal, subprocess, sys
if "stubborn" in sys.argv:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
pipe = open(sys.argv[1], "w")
print(os.getpid(), file=pipe, flush=True)
if "helper" not in sys.argv:
    subprocess.Popen([sys.executable, *sys.argv, "helper"])
while True:
    signal.pause()
"""
SUPERVISING = """
import os, pathlib, signal, sys, time
from demo.supervisor import Supervisor
signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(7))
folder = pathlib.Path(sys.argv[1])
with Supervisor(folder / "logs") as supervisor:
    for name in ("first", "second"):
        supervisor.start(name, [sys.executable, "service.py", "pipe"], os.environ, folder)
    while True:
        supervisor.check()
        time.sleep(0.05)
"""


class Services:
    """Hears of each process of a service when it starts, and of the end of all: they hold a pipe open."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "service.py").write_text(SERVICE)
        os.mkfifo(folder / "pipe")
        self.pipe = os.open(folder / "pipe", os.O_RDONLY | os.O_NONBLOCK)

    def command(self, *options: str) -> list[str]:
        return [sys.executable, str(self.folder / "service.py"), str(self.folder / "pipe"), *options]

    def pids(self, count: int) -> list[int]:
        reported = b""
        while reported.count(b"\n") < count:
            reported += self.read()
        return [int(line) for line in reported.split()]

    def all_ended(self) -> bool:
        return self.read() == b""

    def read(self) -> bytes:
        """Return what has come, or nothing if no process holds the pipe open any more.

        A process that opens the pipe again between `select` and `read` turns its end into a wait for more.
        """
        while True:
            readable, _, _ = select.select([self.pipe], [], [], 30)
            assert readable, "the processes neither report nor end"
            with suppress(BlockingIOError):
                return os.read(self.pipe, 1000)


@pytest.fixture
def services(tmp_path):
    services = Services(tmp_path)
    yield services
    os.close(services.pipe)


@pytest.fixture
def supervising(services):
    process = subprocess.Popen([sys.executable, "-c", SUPERVISING, str(services.folder)], stderr=subprocess.PIPE)
    with process:
        yield process
        process.kill()


def start(supervisor, name, command, **options):
    supervisor.start(name, command, os.environ, Path.cwd(), **options)
    return supervisor.children[-1].process


def test_leaving_the_context_ends_services_and_what_they_started(tmp_path, services):
    with Supervisor(tmp_path / "logs") as supervisor:
        start(supervisor, "first", services.command())
        start(supervisor, "second", services.command())
        services.pids(4)
        supervisor.check()
    assert services.all_ended()


def test_a_service_that_does_not_listen_is_killed_after_a_while(tmp_path, services, monkeypatch):
    monkeypatch.setattr(guard, "GRACE_SECONDS", 0.2)
    with Supervisor(tmp_path / "logs") as supervisor:
        start(supervisor, "stubborn", services.command("stubborn"))
        services.pids(2)
    assert services.all_ended()


def test_a_service_that_ends_is_named_with_its_status_and_the_end_of_its_log(tmp_path):
    code = "import sys; print(*range(40), sep='\\n'); sys.exit('no such table')"
    with Supervisor(tmp_path / "logs") as supervisor:
        start(supervisor, "worker", [sys.executable, "-c", code]).wait()
        with pytest.raises(ChildEnded) as caught:
            supervisor.check()
    message = str(caught.value)
    assert message.startswith("The worker process ended with status 1.")
    assert "no such table" in message
    assert "\n39\n" in message
    assert "\n9\n" not in message


def test_a_service_that_is_killed_is_named_with_the_signal_and_its_pool_goes_too(tmp_path, services):
    with Supervisor(tmp_path / "logs") as supervisor:
        process = start(supervisor, "worker", services.command())
        os.kill(services.pids(2)[0], signal.SIGKILL)
        process.wait()
        with pytest.raises(ChildEnded, match=r"The worker process ended with signal 9 \(SIGKILL\)"):
            supervisor.check()
    assert services.all_ended()


def test_a_service_that_is_killed_is_started_again(tmp_path, services, capsys):
    with Supervisor(tmp_path / "logs") as supervisor:
        process = start(supervisor, "worker", services.command())
        os.kill(services.pids(2)[0], signal.SIGKILL)
        process.wait()
        supervisor.keep_up()
        assert len(services.pids(2)) == 2, "the new one and what it has started"
        supervisor.check()
    assert "The worker process ended with signal 9 (SIGKILL), and is started again." in capsys.readouterr().out
    assert services.all_ended()


def test_a_service_that_ends_after_each_start_is_not_started_without_end(tmp_path):
    log = tmp_path / "logs" / "worker.log"
    with Supervisor(tmp_path / "logs") as supervisor:
        start(supervisor, "worker", [sys.executable, "-c", "print('began'); raise SystemExit('no such table')"])
        for _ in range(MOST_QUICK_ENDS):
            supervisor.children[0].process.wait()
            supervisor.keep_up()
        supervisor.children[0].process.wait()
        with pytest.raises(ChildEnded, match="no such table"):
            supervisor.keep_up()
    assert log.read_text().count("began") == MOST_QUICK_ENDS + 1


def test_the_end_of_a_guard_ends_its_service(tmp_path, services):
    with Supervisor(tmp_path / "logs") as supervisor:
        process = start(supervisor, "worker", services.command())
        services.pids(2)
        process.kill()
        process.wait()
        with pytest.raises(ChildEnded):
            supervisor.check()
    assert services.all_ended()


def test_a_killed_supervisor_leaves_nothing_behind(supervising, services):
    services.pids(4)
    supervising.kill()
    assert services.all_ended()


def test_a_supervisor_that_is_asked_to_end_leaves_nothing_behind(supervising, services):
    services.pids(4)
    supervising.terminate()
    assert services.all_ended()
    assert supervising.wait() == 7


def test_a_killed_service_ends_the_others(supervising, services):
    os.kill(services.pids(4)[0], signal.SIGKILL)
    assert services.all_ended()
    assert b"ChildEnded" in supervising.stderr.read()


def test_output_that_is_echoed_appears_on_the_terminal_and_in_the_log(tmp_path, capfd):
    with Supervisor(tmp_path / "logs") as supervisor:
        start(supervisor, "web", [sys.executable, "-c", "print('Confirm your address')"], echo=True).wait()
        with pytest.raises(ChildEnded):
            supervisor.check()
    assert "Confirm your address" in capfd.readouterr().out
    assert "Confirm your address" in (tmp_path / "logs" / "web.log").read_text()
