"""Celery tasks that work on jobs: a message may come twice, late or never."""

import uuid
from collections.abc import Iterable

from celery import shared_task
from django.db.models.functions import Now

from evalsite.background import services
from evalsite.background.models import Job
from evalsite.base.queues import LATE_AFTER, send_message


@shared_task
def work(pk: str) -> None:
    """Do the next step of a job, and enqueue the one after it; after a longer pause the reaper does that."""
    job = uuid.UUID(pk)
    if services.work(job) == Job.State.QUEUED:
        enqueue([job], wait=services.STEP.total_seconds() + 0.1)


@shared_task
def send(pk: str) -> None:
    """Send a mail, which waits behind no long work; the reaper retries what the mail server does not take."""
    services.work(uuid.UUID(pk))


@shared_task(expires=LATE_AFTER)
def reap() -> None:
    enqueue(services.reap())


def enqueue(pks: Iterable[uuid.UUID], wait: float = 0) -> bool:
    """Send messages for these jobs once the transaction has ended; the reaper sends those that are missing.

    Return whether the broker has taken all of them; the first that it does not take is the last one tried.
    """
    jobs = Job.objects.filter(pk__in=list(pks))
    jobs.update(enqueued=Now())
    kinds = jobs.order_by("created").values_list("pk", "kind")
    return all(send_message(send if kind == Job.MAIL else work, str(pk), wait=wait) for pk, kind in kinds)
