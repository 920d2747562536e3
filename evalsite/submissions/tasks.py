"""Background jobs: each takes a key and calls one service."""

import uuid
from collections.abc import Iterable, Sequence

import structlog
from celery import shared_task
from django.utils import timezone
from kombu.exceptions import OperationalError

from evalsite.submissions import keeping, services, thinning, waiting
from evalsite.submissions.models import Scoring

log = structlog.get_logger()
MOST_AT_ONCE = 100  # scorings of which a request tells the broker itself


def enqueue(pks: Iterable[uuid.UUID]) -> None:
    """Tell the broker of queued scorings; to be called after their transaction has ended."""
    told = list(pks)
    Scoring.objects.filter(pk__in=told).update(enqueued=timezone.now())
    for pk in told:
        try:
            score.delay(str(pk))
        except OperationalError:
            log.exception("the broker does not answer; the reaper will tell it")
            return


def enqueue_first(pks: Sequence[uuid.UUID]) -> None:
    """Tell the broker of as many as takes no time; the reaper, in a worker, tells it of the others within seconds."""
    enqueue(pks[:MOST_AT_ONCE])


def enqueue_waiting() -> None:
    """Tell the broker of all queued scorings that it was never told of."""
    waiting = Scoring.objects.filter(state=Scoring.State.QUEUED, enqueued=None).order_by("created")
    enqueue(list(waiting.values_list("pk", flat=True)))


@shared_task
def score(pk: str) -> None:
    services.score(uuid.UUID(pk))  # one that has to be tried again is found by the reaper, after a moment's rest
    enqueue(waiting.next_of_person(uuid.UUID(pk)))


@shared_task(expires=15)
def reap() -> None:
    enqueue(waiting.reap())


@shared_task(expires=300)
def tidy() -> None:
    keeping.tidy()


@shared_task(expires=900)
def thin() -> None:
    thinning.thin()
