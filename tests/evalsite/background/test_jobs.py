"""A job is done by one worker at a time, never stuck and never lost, whoever is killed in between."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.utils import timezone

from evalsite.background import services
from evalsite.background.models import Job
from evalsite.background.requesting import request_job

pytestmark = pytest.mark.django_db


@pytest.fixture
def answers(monkeypatch):
    """Return what the handler of the kind "counting" does, call by call: answers, or raises."""
    found = []

    def count(job, note):
        note(1, 2)
        answer = found.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer(job) if callable(answer) else answer

    monkeypatch.setitem(services._HANDLERS, "counting", count)
    return found


@pytest.fixture
def job(task, olga):
    return request_job("counting", subject=task.pk, task=task, by=olga)


def work(job):
    Job.objects.filter(pk=job.pk).update(not_before=None)
    services.work(job.pk)
    job.refresh_from_db()
    return job.state


def test_a_job_waits_for_others_until_it_is_done(job, answers):
    answers += [False, True]
    assert (work(job), job.attempts, job.done, job.total) == ("queued", 0, 1, 2)
    assert services.work(job.pk) == ""  # it looks again only a second later
    assert work(job) == "done"
    assert job.finished


def test_who_asks_while_a_job_is_at_work_has_it_look_once_more(job, task, answers):
    answers += [lambda job: request_job("counting", subject=task.pk) == job, True]
    assert work(job) == "queued"
    assert work(job) == "done"
    assert request_job("counting", subject=task.pk) != job


def test_a_job_fails_after_three_attempts_and_says_why(job, answers):
    answers += [ValueError("no room")] * 3
    assert [work(job) for _ in range(3)] == ["queued", "queued", "failed"]
    assert job.error == "ValueError: no room"


def test_the_reaper_takes_back_what_a_dead_worker_held(job, answers):
    services.claim(job.pk)
    assert services.reap() == []
    Job.objects.update(lease_ends=timezone.now() - timedelta(minutes=1))

    assert services.reap() == [job.pk]

    answers += [True]
    assert work(job) == "done"


def test_a_job_whose_workers_always_die_has_failed(job):
    for _ in range(settings.MAX_ATTEMPTS):
        services.claim(job.pk)
        Job.objects.update(lease_ends=timezone.now() - timedelta(minutes=1))
        services.reap()
    job.refresh_from_db()
    assert (job.state, job.error) == ("failed", "its workers have died")


def test_a_worker_that_has_lost_its_lease_changes_nothing(job, answers):
    answers += [lambda job: Job.objects.update(state="queued", lease=None) and True]
    assert services.work(job.pk) == ""
    job.refresh_from_db()
    assert job.state == "queued"
