"""Celery tasks of uploads: each takes a key and calls one service."""

import os
import uuid
from collections.abc import Iterable, Sequence
from functools import partial

import structlog
from celery import Task, shared_task
from django.db import DatabaseError, InterfaceError
from django.db.models.functions import Now

from evalsite.base.queues import LATE_AFTER, send_message
from evalsite.submissions import notices
from evalsite.submissions.judging import unjudged
from evalsite.submissions.lifecycle import candidates, scorer, thinning, waiting
from evalsite.submissions.lifecycle.scorer import with_retries
from evalsite.submissions.lifecycle.transitions import lease_of
from evalsite.submissions.models import Scoring
from evalsite.submissions.receiving import kept_uploads
from evalsite.submissions.runs import likeness

log = structlog.get_logger()
MOST_AT_ONCE = 100  # scorings that a request enqueues itself; the reaper enqueues the others within seconds


def enqueue(pks: Iterable[uuid.UUID]) -> None:
    """Send a message for each upload among the queued scorings; to be called after their transaction has ended.

    The rows are safe then, so no error here reaches the caller: the reaper sends the messages that are missing.
    """
    try:
        scorings = list(pks)
        if scorings:
            Scoring.objects.filter(pk__in=scorings).update(enqueued=Now())
            send(_one_of_each_upload(scorings))
    except (DatabaseError, InterfaceError):
        log.exception("scorings could not be enqueued; the reaper will do it")


def send(pks: Iterable[uuid.UUID]) -> None:
    """Send messages for scorings whose rows are marked as enqueued, up to the first that the broker does not take."""
    for pk in pks:
        if not send_message(score, str(pk)):  # each further one would block; the reaper sends the others
            return


@shared_task(expires=LATE_AFTER)
def post_notices() -> None:
    """Post the notices whose time has come; told by beat."""
    notices.post_due()
    unjudged.post_overdue()


@shared_task(expires=LATE_AFTER)
def let_ranked_parts_decide() -> None:
    """Let the ranked part of a gold decide once its phase is over and its results are out; told by beat."""
    candidates.let_ranked_parts_decide()


def _one_of_each_upload(pks: Sequence[uuid.UUID]) -> Iterable[uuid.UUID]:
    """Return one scoring for each upload, as whoever scores it goes on with the upload's others."""
    if len(pks) < 2:
        return pks
    uploads = dict(Scoring.objects.filter(pk__in=pks).values_list("pk", "submission"))
    return reversed({uploads[pk]: pk for pk in reversed(pks) if pk in uploads}.values())


def enqueue_waiting(most: int | None = None) -> None:
    """Enqueue the scorings that wait without a message, the oldest first."""
    enqueue(Scoring.objects.due().filter(enqueued=None).order_by("created").values_list("pk", flat=True)[:most])


class ScoringTask(Task):
    """Releases what a killed process has held; by name, as the web processes have no worker's classes."""

    Request = "evalsite.submissions.lifecycle.lost_processes:ScoringRequest"


@shared_task(bind=True, base=ScoringTask)
def score(self: Task, pk: str) -> None:
    scoring = uuid.UUID(pk)
    # The reaper enqueues what is to be retried, after a pause.
    scorer.score_upload(scoring, lease_of(self.request.id, os.getpid()))
    enqueue(with_retries(partial(waiting.next_of_person, scoring)))


@shared_task(expires=LATE_AFTER)
def reap() -> None:
    enqueue(waiting.reap())


@shared_task(expires=LATE_AFTER)
def drop_expired() -> None:
    """Drop uploads that were kept for their hour; what else nobody owns is removed once a day (evalsite.upkeep)."""
    kept_uploads.drop_expired()


@shared_task(expires=LATE_AFTER)
def thin() -> None:
    likeness.make_missing()
    thinning.thin()
