"""Background jobs of Celery's for the jobs: a message may come twice, late or never."""

import uuid
from collections.abc import Iterable

from celery import shared_task
from django.db.models.functions import Now

from evalsite.background import services
from evalsite.background.models import Job
from evalsite.base.queues import LATE_AFTER, tell_broker


@shared_task
def work(pk: str) -> None:
    """The next step of a job, and a message for the one after it, which the reaper gives after a longer rest."""
    job = uuid.UUID(pk)
    if services.work(job) == Job.State.QUEUED:
        tell([job], wait=services.STEP.total_seconds() + 0.1)


@shared_task
def send(pk: str) -> None:
    """A mail, which waits behind no long work; what the mail server does not take is the reaper's."""
    services.work(uuid.UUID(pk))


@shared_task(expires=LATE_AFTER)
def reap() -> None:
    tell(services.reap())


def tell(pks: Iterable[uuid.UUID], wait: float = 0) -> bool:
    """Tell the broker; to be called after the transaction has ended. What is not told is found by the reaper.

    Returns whether the broker has taken all; the first message that it does not take is the last.
    """
    jobs = Job.objects.filter(pk__in=list(pks))
    jobs.update(enqueued=Now())
    kinds = jobs.order_by("created").values_list("pk", "kind")
    return all(tell_broker(send if kind == Job.MAIL else work, str(pk), wait=wait) for pk, kind in kinds)
