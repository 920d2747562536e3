"""Asks for a job, and finds it again."""

import uuid
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F

from evalsite.accounts.models import User
from evalsite.background.models import Job
from evalsite.background.tasks import tell
from evalsite.base.after_commit import after_commit
from evalsite.challenges.models import Task


def ask_for(kind: str, *, subject: uuid.UUID, task: Task | None = None, by: User | None = None) -> Job:
    """The job that does this, told to the broker when the transaction has ended.

    One that is active is asked once more, and so does not end before it has looked again.
    """
    own = Job.objects.filter(kind=kind, subject=subject)
    for _ in range(3):  # it may end, or somebody else may ask, in between
        if own.filter(state__in=Job.ACTIVE).update(asked=F("asked") + 1) and (job := active(kind, subject)):
            return job
        try:
            with transaction.atomic():
                job = Job.objects.create(kind=kind, subject=subject, task=task, made_by=by)
        except IntegrityError:
            continue
        after_commit(tell, [job.pk])
        return job
    return own.latest("created")


def begin(
    kind: str, *, subject: uuid.UUID, arguments: dict[str, Any], task: Task | None = None, by: User | None = None
) -> Job | None:
    """A job that is none of those before, such as what somebody does to many runs; None while such a one is active."""
    try:
        with transaction.atomic():
            job = Job.objects.create(kind=kind, subject=subject, task=task, made_by=by, arguments=arguments)
    except IntegrityError:
        return None
    after_commit(tell, [job.pk])
    return job


def active(kind: str, subject: uuid.UUID) -> Job | None:
    return Job.objects.filter(kind=kind, subject=subject, state__in=Job.ACTIVE).first()


def latest(kind: str, subject: uuid.UUID) -> Job | None:
    return Job.objects.filter(kind=kind, subject=subject).order_by("-created").first()
