"""Whoever is killed while a candidate is scored: the next worker goes on, and nothing is lost or done twice."""

import os
import signal

import pytest

from evalsite.background.models import Job
from evalsite.background.tasks import enqueue
from evalsite.leaderboard.models import Preview
from evalsite.submissions.models import Scoring
from tests.factories import PARTLY_RIGHT, PARTLY_RIGHT_PHRASES, make_gold, make_run, run_files
from tests.workers import wait_for

pytestmark = pytest.mark.thorough


@pytest.mark.django_db(transaction=True)
def test_a_worker_killed_in_the_middle_of_a_candidate_loses_nothing(celery, phase, scenario, team):
    for n in range(4):
        make_run(phase, team, PARTLY_RIGHT | {"n.txt": str(n)})
    candidate = make_gold(phase, scenario, run_files(PARTLY_RIGHT_PHRASES, ""))
    on_candidate = Scoring.objects.filter(gold=candidate)
    with celery("worker", "--concurrency", "1", N_RESAMPLES="200000") as worker:
        enqueue([Job.objects.get().pk])
        wait_for(lambda: on_candidate.filter(state="running").exists())
        os.killpg(worker.pid, signal.SIGKILL)
        worker.wait(10)
    assert on_candidate.count() == 4
    assert not Preview.objects.exists()

    with celery("worker", "--concurrency", "2"), celery("beat"):
        wait_for(lambda: Job.objects.get(subject=candidate.pk).state == "done")

    assert [scoring.state for scoring in on_candidate] == ["scored"] * 4
    assert Preview.objects.get().entries[0]["n_runs"] == 4
    assert scored_once(on_candidate)


def scored_once(scorings):
    """All but the one that was held by the dead worker had one attempt."""
    return sorted(scorings.values_list("attempts", flat=True)) == [1, 1, 1, 2]
