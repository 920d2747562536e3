"""A real worker over a real broker, on the test's own database and files."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
import redis
from django.conf import settings as site
from django.db import connection
from kombu import pools

from evalsite.base import broker
from evalsite.celery import app
from evalsite.submissions.models import Scoring


@pytest.fixture(scope="session")
def broker_process():
    """The address of a broker of our own."""
    port = broker.free_port()
    environ = {name: value for name, value in os.environ.items() if name != "REDIS_URL"}
    with subprocess.Popen(broker.command(port, environ), stdout=subprocess.DEVNULL, cwd=site.BASE_DIR) as server:
        url = broker.url(port)
        broker.wait_until_ready(url, lambda: None)
        yield url
        server.terminate()


@pytest.fixture
def broker_url(broker_process):
    """A broker without messages; the tests' process talks to it too."""
    with redis.Redis.from_url(broker_process) as client:
        client.flushall()
    use_broker(broker_process)
    yield broker_process
    use_broker("memory://")


def use_broker(url: str) -> None:
    app.conf.broker_url = url
    pools.reset()
    app._after_fork()  # forgets the connections, as a new process would


@pytest.fixture
def celery(broker_url, tmp_path):
    """Starts `celery worker` or `celery beat` on the test's database and files."""

    @contextmanager
    def start(command: str, *words: str, **environ: str):
        variables = os.environ | {
            "DATABASE_URL": database_url(),
            "EVALSITE_DATA_DIR": str(tmp_path),
            "REDIS_URL": broker_url,
            "N_RESAMPLES": "200",
            "LEASE_SECONDS": "3",
            "OPENBLAS_NUM_THREADS": "1",
        }
        with Path(tmp_path, f"{command}.log").open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "celery", "-A", "tests.impatient", command, *words],
                cwd=site.BASE_DIR,
                env=variables | environ,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        try:
            yield process
        finally:
            end(process, signal.SIGTERM)

    return start


def database_url() -> str:
    """The test database's own address, for another process."""
    database = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{database['NAME']}"
    return f"postgres://{database['USER']}@{database['HOST']}:{database['PORT']}/{database['NAME']}"


def end(process: subprocess.Popen, number: signal.Signals) -> None:
    """Signal the process; what is left of its group is killed, as is a worker that waits for a job that never ends."""
    if process.poll() is None:
        process.send_signal(number)
        with suppress(subprocess.TimeoutExpired):
            process.wait(30)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(10)


def wait_for(condition: Callable[[], object], seconds: float = 300) -> None:
    """Fails when that takes longer than a busy machine can be the reason of."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, list(Scoring.objects.values_list("state", "error"))
        time.sleep(0.02)


def states() -> set[str]:
    return set(Scoring.objects.values_list("state", flat=True))
