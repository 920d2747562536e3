"""What is done to more runs than a request has time for is done in the background, each run once."""

import pytest
from django.urls import reverse

from evalsite.background import services
from evalsite.background.models import Job
from evalsite.challenges.models import Event
from evalsite.desk.runs.bulk import ACTIONS
from evalsite.desk.runs.job import KIND
from evalsite.submissions.models import Scoring, Submission

pytestmark = pytest.mark.django_db
N_RUNS, STEP = 24, 10


@pytest.fixture(autouse=True)
def few_are_many(monkeypatch):
    monkeypatch.setattr("evalsite.desk.runs.views.MAX_IN_REQUEST", STEP)
    monkeypatch.setattr("evalsite.desk.runs.job.STEP", STEP)


@pytest.fixture
def many(scored_submission):
    """Runs that have failed, beside one that was scored."""
    run, scoring = scored_submission, scored_submission.scorings.get()
    copied = {name: getattr(run, name) for name in ("phase", "team", "size", "created")}
    runs = Submission.objects.bulk_create(Submission(method=f"Run {number}", **copied) for number in range(N_RUNS - 1))
    copied = {"scenario": scoring.scenario, "gold": scoring.gold, "engine_version": scoring.engine_version}
    Scoring.objects.bulk_create(Scoring(submission=run, state="failed", **copied) for run in runs)
    return runs


@pytest.fixture
def desk(as_olga, task):
    """Does something to all runs."""
    act = reverse("desk_runs_act", args=[task.slug])
    everything = {"which": "all", "filter": "", "number": str(N_RUNS)}
    return lambda action, **more: as_olga.post(
        act, everything | {"action": action} | more, follow=True
    ).content.decode()


def work():
    [job] = Job.objects.filter(kind=KIND, state__in=Job.ACTIVE)
    return services.work(job.pk)


def test_many_runs_are_scored_again_in_the_background_with_progress(as_olga, desk, task, many):
    assert "Score again:" in desk("score")
    assert not Scoring.objects.filter(state="queued").exists(), "nothing of it within the request"
    progress = reverse("desk_runs_job", args=[task.slug])
    assert "HX-Refresh" not in as_olga.get(progress)
    assert work() == "done"
    assert Scoring.objects.filter(state="queued").count() == N_RUNS - 1
    assert "Score again: 23 runs changed." in as_olga.get(reverse("desk_runs", args=[task.slug])).content.decode()
    assert as_olga.get(progress)["HX-Refresh"] == "true"


@pytest.mark.thorough
def test_one_after_the_other_they_are_withdrawn_restored_and_cancelled(desk, many):
    desk("withdraw", reason="All of one person.")
    assert "the previous action is still running" in desk("restore")
    work()
    assert Submission.objects.filter(withdrawn_reason="All of one person.").count() == N_RUNS
    assert Event.objects.filter(kind="withdrawn").count() == N_RUNS
    desk("restore")
    work()
    assert not Submission.objects.exclude(withdrawn=None).exists()
    Scoring.objects.exclude(state="scored").update(state="queued")
    desk("cancel")
    work()
    assert Scoring.objects.filter(state="cancelled").count() == N_RUNS - 1


def test_a_worker_that_dies_in_the_middle_is_followed_by_one_that_goes_on(desk, many, monkeypatch):
    withdraw = next(each for each in ACTIONS if each.name == "withdraw")
    calls = []

    class Dying:
        name = "withdraw"

        def run(self, runs, **said):
            calls.append(len(runs))
            if len(calls) == 2:
                raise MemoryError
            return withdraw.run(runs, **said)

    desk("withdraw", reason="All of one person.")
    monkeypatch.setattr("evalsite.desk.runs.job.action_of", lambda job: Dying())
    assert work() == "queued"
    assert Submission.objects.exclude(withdrawn=None).count() == STEP
    Job.objects.update(not_before=None)
    assert work() == "done"
    assert calls == [10, 10, 10, 4]
    assert Event.objects.filter(kind="withdrawn").count() == N_RUNS
    assert Job.objects.get(kind=KIND).result == {"changed": N_RUNS}


def test_who_came_meanwhile_is_left_alone(desk, many, phase, team):
    desk("late")
    Submission.objects.create(method="New", phase=phase, team=team, size=1, created=many[0].created)
    work()
    assert list(Submission.objects.filter(is_late=False).values_list("method", flat=True)) == ["New"]
