"""PostgreSQL, Redis and a worker for a benchmark: those of the environment, or started for it; and what they cost.

A server that is started here keeps its data in the folder of the benchmark, and is gone when that ends.
"""

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = Path("/usr/lib/postgresql")  # where Debian keeps them, by version
USER = "postgres"  # PostgreSQL refuses to run as root
_TICKS = os.sysconf("SC_CLK_TCK")


@contextmanager
def postgresql(folder: Path, port: int) -> Iterator[str]:
    """The address of a cluster of our own, with its default settings."""
    programs = max(PROGRAMS.glob("*/bin"), key=lambda path: float(path.parent.name), default=None)
    if programs is None:
        raise SystemExit("There is no PostgreSQL here: install it, or name one by DATABASE_URL.")
    cluster = folder / "postgresql"
    cluster.mkdir()
    if os.geteuid() == 0:
        folder.chmod(0o711)
        subprocess.run(["chown", USER, cluster], check=True)
    data = str(cluster / "data")
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={cluster}"
    _as_user([programs / "initdb", "--pgdata", data, "--auth", "trust", "--username", USER], cluster)
    log = str(cluster / "log")
    _as_user([programs / "pg_ctl", "--pgdata", data, "--log", log, "--wait", "start", "--options", options], cluster)
    try:
        yield f"postgres://{USER}@127.0.0.1:{port}/postgres"
    finally:
        _as_user([programs / "pg_ctl", "--pgdata", data, "--mode", "fast", "stop"], cluster)


def _as_user(command: Iterable[object], folder: Path) -> None:
    as_other = ["setpriv", "--reuid", USER, "--regid", USER, "--init-groups", "--"] if os.geteuid() == 0 else []
    subprocess.run([*as_other, *map(str, command)], check=True, cwd=folder, stdout=subprocess.DEVNULL)


@contextmanager
def redis(folder: Path, port: int) -> Iterator[str]:
    """The address of a broker of our own: Redis if it is on PATH."""
    from evalsite import broker

    command = broker.command(port, {name: value for name, value in os.environ.items() if name != "REDIS_URL"})
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=folder) as server:
        try:
            broker.wait_until_ready(broker.url(port), lambda: None)
            yield broker.url(port)
        finally:
            server.terminate()


@contextmanager
def worker(n_processes: int, environ: Mapping[str, str]) -> Iterator[int]:
    """A Celery worker that has reported ready, in its usual environment; gives its process."""
    from evalsite.celery import app

    command = [sys.executable, "-m", "celery", "-A", "evalsite.celery", "worker"]
    command += ["--concurrency", str(n_processes), "-l", "WARNING"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environ) as process:
        try:
            while not app.control.ping(timeout=0.5):
                if process.poll() is not None:
                    raise SystemExit(f"the worker ended with status {process.returncode}; it has said why above")
            yield process.pid
        finally:
            process.terminate()


def cpu_seconds(processes: Iterable[int], *, ended_too: bool = False) -> float:
    """User and system time of living processes; with `ended_too` that of their children that have ended as well."""
    return sum(_of_process(process, 4 if ended_too else 2) for process in processes)


def _of_process(process: int, n_fields: int) -> float:
    """The fields stand from the 14th on: user, system, and both of ended children; a name with blanks stands before."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return sum(map(int, fields[11 : 11 + n_fields])) / _TICKS


def family(process: int) -> list[int]:
    """The process and all below it."""
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:
        return []
    return [process, *(one for child in children for one in family(int(child)))]


def is_engine(process: int) -> bool:
    """Whether it is the server of the engine's children."""
    try:
        return b"evalsite.jobs.server" in Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return False
