"""Everything is lost while uploads run, and comes back: database, files, broker and worker, from one backup."""

import shutil
import signal
import threading
from io import StringIO
from pathlib import Path

import pytest
import redis
from django.conf import settings as site
from django.core.management import call_command
from django.db import connection

from evalsite.leaderboard.making.scheduling import unfinished_boards
from evalsite.leaderboard.models import Board
from evalsite.submissions.lifecycle.enqueueing import enqueue
from evalsite.submissions.models import Result, Scoring, Submission
from evalsite.upkeep.checks import contents
from evalsite.upkeep.stored import compare
from tests.factories import make_submission, make_team, make_user, run_files
from tests.workers import end, states, wait_for

pytestmark = [pytest.mark.thorough, pytest.mark.django_db(transaction=True)]
MOST_QUEUED = 10


@pytest.fixture
def _has_programs():
    """PostgreSQL is dumped and loaded by its own programs."""
    missing = [name for name in ("pg_dump", "pg_restore", "psql") if not shutil.which(name)]
    if connection.vendor == "postgresql" and missing:
        pytest.skip(f"this machine has no {', '.join(missing)}")


@pytest.fixture
def _with_tables():
    """Whatever becomes of this test, the next one finds a database."""
    yield
    call_command("migrate", verbosity=0)


def destroy_database() -> None:
    if connection.vendor == "sqlite":
        connection.close()
        database = Path(connection.settings_dict["NAME"])
        for path in database.parent.glob(f"{database.name}*"):  # with its journals
            path.unlink()
    else:
        with connection.cursor() as cursor:
            cursor.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
        connection.close()


class Uploading(threading.Thread):
    """Somebody who uploads one run after the other, until told to stop, and waits for a worker that is far behind.

    The broker hears of each when the next one is there: so at any moment one is still to be scored.
    """

    def __init__(self, phase) -> None:
        super().__init__(daemon=True)
        self.phase, self.is_over = phase, threading.Event()
        self.done: list = []

    def run(self) -> None:
        try:
            number = 0
            while not self.is_over.wait(0.3):
                if Scoring.objects.filter(state="queued").count() >= MOST_QUEUED:
                    continue
                person = make_user(f"Person {number}")
                files = run_files(relations="" if number % 2 else "part-of\t1\t2\n")
                self.done.append(make_submission(self.phase, make_team(f"Team {number}", person), person, files).pk)
                untold = Scoring.objects.filter(submission__in=self.done[:-1], enqueued=None)
                enqueue(untold.values_list("pk", flat=True))
                number += 1
        finally:
            connection.close()


@pytest.mark.usefixtures("_has_programs", "_with_tables")
def test_all_that_was_uploaded_before_a_backup_is_scored_and_ranked_after_everything_was_lost(
    phase, scenario, celery, broker_url, tmp_path
):
    backup = tmp_path / "backups" / "first"
    uploading = Uploading(phase)
    with celery("worker", "--concurrency", "1") as worker:
        uploading.start()
        wait_for(lambda: Result.objects.count() >= 1 and len(uploading.done) >= 3)
        before = set(uploading.done)
        call_command("backup", str(backup), stdout=StringIO())
        n_before_the_end = len(uploading.done)
        wait_for(lambda: len(uploading.done) > n_before_the_end)
        end(worker, signal.SIGKILL)
    uploading.is_over.set()
    uploading.join()
    after = set(uploading.done)

    destroy_database()
    shutil.rmtree(site.MEDIA_ROOT)
    with redis.Redis.from_url(broker_url) as client:
        client.flushall()

    call_command("migrate", verbosity=0)  # as on an empty machine
    call_command("restore", str(backup), stdout=StringIO())

    restored = set(Submission.objects.values_list("pk", flat=True))
    assert before <= restored < after
    assert Scoring.objects.filter(state="queued").exists()
    assert compare().is_clean  # each row has its file, and each file its row
    with celery("worker", "--concurrency", "1", "--beat"):
        wait_for(lambda: states() == {"scored"})
        wait_for(lambda: Board.objects.exists() and not unfinished_boards().exists())
        wait_for(lambda: len(Board.objects.get().editions.first().entries) == len(restored))
    assert Scoring.objects.filter(attempts__gt=1).count() == 0
    assert contents.files().state == "ok"
