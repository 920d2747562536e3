"""Requests a job, and finds it again."""

import uuid
from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from evalsite.accounts.models import User
from evalsite.background.models import Job
from evalsite.background.tasks import enqueue
from evalsite.base.after_commit import after_commit
from evalsite.challenges.models import Task

SHOWN_FOR = timedelta(hours=1)  # after its end


def request_job(kind: str, *, subject: uuid.UUID, task: Task | None = None, by: User | None = None) -> Job:
    """Return the job of this kind and subject, enqueued when the transaction has ended.

    An active job counts the request, and so does not end before it has looked again.
    """
    jobs = Job.objects.filter(kind=kind, subject=subject)
    for _ in range(3):  # it may end, or somebody else may request it, in between
        active = jobs.filter(state__in=Job.ACTIVE)
        if active.update(asked=F("asked") + 1) and (job := active.first()):
            return job
        if job := start_job(kind, subject=subject, arguments={}, task=task, by=by):
            return job
    return jobs.latest("created")


def start_job(
    kind: str, *, subject: uuid.UUID, arguments: dict[str, Any], task: Task | None = None, by: User | None = None
) -> Job | None:
    """Start a new job, such as a change of many runs; return None while one of this kind and subject is active."""
    try:
        with transaction.atomic():
            job = Job.objects.create(kind=kind, subject=subject, task=task, made_by=by, arguments=arguments)
    except IntegrityError:
        return None
    after_commit(enqueue, [job.pk])
    return job


def latest_job(kind: str, subject: uuid.UUID) -> Job | None:
    return Job.objects.filter(kind=kind, subject=subject).order_by("-created").first()


def recent_job(kind: str, subject: uuid.UUID) -> Job | None:
    """Return the job that is at work, or that has ended of late."""
    job = latest_job(kind, subject)
    if job is None or job.is_active:
        return job
    return job if job.finished and job.finished > timezone.now() - SHOWN_FOR else None
