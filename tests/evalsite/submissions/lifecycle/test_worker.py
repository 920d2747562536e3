"""A real worker over a real broker: runs are scored, also when a worker is killed or the broker loses everything."""

import os
import signal
from pathlib import Path

import pytest
import redis

from evalsite.base import broker
from evalsite.leaderboard.models import Edition
from evalsite.submissions import tasks
from evalsite.submissions.lifecycle.enqueueing import enqueue, enqueue_waiting
from evalsite.submissions.models import Scoring
from tests.factories import PARTLY_RIGHT, make_submission
from tests.workers import states, use_broker, wait_for

pytestmark = pytest.mark.django_db(transaction=True)


def test_uploads_are_scored_and_the_board_follows(celery, phase, team, alice):
    made = [make_submission(phase, team, alice, PARTLY_RIGHT | {"n.txt": str(n)}) for n in range(5)]
    with celery("worker", "--concurrency", "2"):
        enqueue([submission.scorings.get().pk for submission in made])
        wait_for(lambda: states() == {"scored"})
        wait_for(lambda: newest_entry() == (1, 5))


@pytest.mark.thorough
def test_processes_that_score_give_way_to_pages(celery):
    def given_way(parent: int) -> list[int]:
        children = Path(f"/proc/{parent}/task/{parent}/children")
        if not children.exists():
            pytest.skip("this system does not tell which processes a worker has")
        return [os.getpriority(os.PRIO_PROCESS, int(child)) for child in children.read_text().split()]

    own = os.getpriority(os.PRIO_PROCESS, 0)
    with celery("worker", "--concurrency", "1", WORKER_NICE="3") as worker:
        wait_for(lambda: own + 3 in given_way(worker.pid))
        assert os.getpriority(os.PRIO_PROCESS, worker.pid) == own  # it takes messages and renews leases


def newest_entry() -> tuple[int, int] | None:
    """Rank and number of runs of the only team."""
    edition = Edition.objects.order_by("-made").first()
    return edition and (edition.entries[0]["rank"], edition.entries[0]["n_runs"])


@pytest.mark.thorough
def test_what_a_worker_logs_after_a_scoring_is_not_said_of_that_scoring(
    celery, submission, phase, team, alice, tmp_path
):
    def told_by_the_reaper():
        lines = Path(tmp_path, "worker.log").read_text().splitlines()
        return [line for line in lines if "task_enqueued" in line and "submissions.tasks.score" in line]

    with celery("worker", "--concurrency", "1", "--loglevel", "INFO"):
        enqueue([submission.scorings.get().pk])
        wait_for(lambda: states() == {"scored"})
        forgotten = make_submission(phase, team, alice, PARTLY_RIGHT | {"note.txt": "forgotten"})
        forgotten.scorings.update(attempts=1)
        tasks.reap.delay()
        wait_for(told_by_the_reaper)
    assert not [line for line in told_by_the_reaper() if "attempt=" in line or " scoring=" in line]


@pytest.mark.thorough
def test_a_run_whose_worker_is_killed_in_the_middle_is_scored_by_the_next_one(celery, submission):
    with celery("worker", "--concurrency", "1", N_RESAMPLES="1000000") as worker:
        enqueue_waiting()
        wait_for(lambda: states() == {"running"})
        os.killpg(worker.pid, signal.SIGKILL)
        worker.wait(10)
    assert states() == {"running"}
    with celery("worker", "--concurrency", "1"), celery("beat"):
        wait_for(lambda: states() == {"scored"})
    assert submission.scorings.get().attempts == 2


@pytest.mark.thorough
def test_a_run_is_scored_when_the_broker_has_lost_its_message(celery, broker_url, submission):
    enqueue_waiting()
    with redis.Redis.from_url(broker_url) as client:
        client.flushall()
    Scoring.objects.update(enqueued=None, created="2026-01-01T00:00Z")
    with celery("worker", "--concurrency", "1"), celery("beat"):
        wait_for(lambda: states() == {"scored"})


def test_an_upload_is_kept_when_the_broker_does_not_answer(submission):
    use_broker(broker.url(broker.free_port()))
    enqueue_waiting()
    use_broker("memory://")
    assert states() == {"queued"}
