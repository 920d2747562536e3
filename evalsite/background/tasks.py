"""Background jobs of Celery's for the jobs: a message may come twice, late or never."""

import uuid
from collections.abc import Iterable

from celery import shared_task
from django.db.models.functions import Now

from evalsite.background import services
from evalsite.background.models import Job
from evalsite.queues import LATE_AFTER, tell_broker


@shared_task
def work(pk: str) -> None:
    """The next step of a job, and a message for the one after it."""
    job = uuid.UUID(pk)
    if services.work(job) == Job.State.QUEUED:
        tell([job], wait=services.STEP.total_seconds() + 0.1)


@shared_task(expires=LATE_AFTER)
def reap() -> None:
    tell(services.reap())


def tell(jobs: Iterable[uuid.UUID], wait: float = 0) -> None:
    """Tell the broker; to be called after the transaction has ended. What is not told is found by the reaper."""
    for pk in jobs:
        Job.objects.filter(pk=pk).update(enqueued=Now())
        tell_broker(work, str(pk), wait=wait)
