"""A real worker over a real broker: runs are scored, also when a worker is killed or the broker loses everything."""

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

from evalsite import broker
from evalsite.celery import app
from evalsite.leaderboard.models import Board
from evalsite.submissions import tasks
from evalsite.submissions.models import Scoring
from tests.factories import PARTLY_RIGHT, make_submission

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def broker_url(tmp_path):
    """A broker of our own; the tests' process talks to it too."""
    port = broker.free_port()
    environ = {name: value for name, value in os.environ.items() if name != "REDIS_URL"}
    with subprocess.Popen(broker.command(port, environ), stdout=subprocess.DEVNULL, cwd=site.BASE_DIR) as server:
        url = broker.url(port)
        broker.wait_until_ready(url, lambda: None)
        use_broker(url)
        yield url
        use_broker("memory://")
        server.terminate()


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
                [sys.executable, "-m", "celery", "-A", "evalsite.celery", command, *words],
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
    """Signal the process; what is left of its group is killed."""
    if process.poll() is None:
        process.send_signal(number)
        process.wait(30)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def wait_for(condition: Callable[[], object], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, list(Scoring.objects.values_list("state", "error"))
        time.sleep(0.02)


def states() -> set[str]:
    return set(Scoring.objects.values_list("state", flat=True))


def test_uploads_are_scored_and_the_board_follows(celery, phase, team, alice):
    made = [make_submission(phase, team, alice, PARTLY_RIGHT | {"n.txt": str(n)}) for n in range(5)]
    with celery("worker", "--concurrency", "2"):
        tasks.enqueue([submission.scorings.get().pk for submission in made])
        wait_for(lambda: states() == {"scored"})
        wait_for(lambda: Board.objects.get().entries)
    [entry] = Board.objects.get().entries
    assert (entry["rank"], entry["n_runs"]) == (1, 5)


def test_a_run_whose_worker_is_killed_in_the_middle_is_scored_by_the_next_one(celery, submission):
    with celery("worker", "--concurrency", "1", N_RESAMPLES="1000000") as worker:
        tasks.enqueue_waiting()
        wait_for(lambda: states() == {"running"})
        os.killpg(worker.pid, signal.SIGKILL)
        worker.wait(10)
    assert states() == {"running"}
    with celery("worker", "--concurrency", "1"), celery("beat"):
        wait_for(lambda: states() == {"scored"})
    assert submission.scorings.get().attempts == 2


def test_a_run_is_scored_when_the_broker_has_lost_its_message(celery, broker_url, submission):
    tasks.enqueue_waiting()
    with redis.Redis.from_url(broker_url) as client:
        client.flushall()
    Scoring.objects.update(enqueued=None, created="2026-01-01T00:00Z")
    with celery("worker", "--concurrency", "1"), celery("beat"):
        wait_for(lambda: states() == {"scored"})


def test_an_upload_is_kept_when_the_broker_does_not_answer(submission):
    use_broker(broker.url(broker.free_port()))
    tasks.enqueue_waiting()
    use_broker("memory://")
    assert states() == {"queued"}
