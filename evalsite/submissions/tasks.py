"""Background jobs: each takes a key and calls one service."""

import os
import uuid
from collections.abc import Iterable, Sequence
from functools import partial

import structlog
from celery import Task, shared_task
from django.db import DatabaseError, InterfaceError
from django.db.models import QuerySet
from django.db.models.functions import Now

from evalsite.base.queues import LATE_AFTER, tell_broker
from evalsite.submissions.lifecycle import scorer, thinning, waiting
from evalsite.submissions.lifecycle.scorer import patiently
from evalsite.submissions.lifecycle.transitions import lease_of
from evalsite.submissions.models import Scoring
from evalsite.submissions.receiving import kept_uploads
from evalsite.submissions.runs import likeness

log = structlog.get_logger()
MOST_AT_ONCE = 100  # scorings of which a request tells the broker itself


def enqueue(pks: Iterable[uuid.UUID]) -> None:
    """Tell the broker of queued scorings, once for each upload; to be called after their transaction has ended.

    They are safe then, so nothing that goes wrong here is the caller's: the reaper tells the broker of what is left.
    """
    try:
        told = list(pks)
        if not told:
            return
        Scoring.objects.filter(pk__in=told).update(enqueued=Now())
        _send(_one_of_each_upload(told))
    except (DatabaseError, InterfaceError):
        log.exception("the broker could not be told; the reaper will tell it")


def tell(pks: Sequence[uuid.UUID]) -> None:
    """The same for the scorings of one new upload, whose rows say already that the broker has been told."""
    _send(pks[:1])


def _send(pks: Iterable[uuid.UUID]) -> None:
    for pk in pks:
        if not tell_broker(score, str(pk)):  # each further message would be waited for, and the reaper follows
            return


def _one_of_each_upload(pks: Sequence[uuid.UUID]) -> Iterable[uuid.UUID]:
    """Whoever scores it does the others too."""
    if len(pks) < 2:
        return pks
    uploads = dict(Scoring.objects.filter(pk__in=pks).values_list("pk", "submission"))
    return reversed({uploads[pk]: pk for pk in reversed(pks) if pk in uploads}.values())


def enqueue_first(pks: Sequence[uuid.UUID]) -> None:
    """Tell the broker of as many as takes no time; the reaper, in a worker, tells it of the others within seconds."""
    enqueue(pks[:MOST_AT_ONCE])


def enqueue_waiting() -> None:
    """Tell the broker of all queued scorings that it was never told of."""
    enqueue(_untold())


def enqueue_due() -> None:
    """As `enqueue_waiting`, of as many as takes no time; the reaper follows with the others."""
    enqueue(_untold()[:MOST_AT_ONCE])


def _untold() -> QuerySet[Scoring, uuid.UUID]:
    return Scoring.objects.due().filter(enqueued=None).order_by("created").values_list("pk", flat=True)


class ScoringTask(Task):
    """Lets go of what a killed process has held; by name, as the web processes have no worker's classes."""

    Request = "evalsite.submissions.lifecycle.lost_processes:ScoringRequest"


@shared_task(bind=True, base=ScoringTask)
def score(self: Task, pk: str) -> None:
    scoring = uuid.UUID(pk)
    # One that has to be tried again is found by the reaper, after a moment's rest.
    scorer.score_upload(scoring, lease_of(self.request.id, os.getpid()))
    enqueue(patiently(partial(waiting.next_of_person, scoring)))


@shared_task(expires=LATE_AFTER)
def reap() -> None:
    enqueue(waiting.reap())


@shared_task(expires=LATE_AFTER)
def drop_expired() -> None:
    """Files are kept for an hour; whatever else nobody owns any more is tidied away once a day (evalsite.upkeep)."""
    kept_uploads.drop_expired()


@shared_task(expires=LATE_AFTER)
def thin() -> None:
    likeness.make_missing()
    thinning.thin()
