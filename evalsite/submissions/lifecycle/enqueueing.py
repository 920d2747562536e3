"""Sends workers the messages by which they learn of queued scorings."""

import uuid
from collections.abc import Iterable, Sequence

import structlog
from django.db import DatabaseError, InterfaceError
from django.db.models.functions import Now

from evalsite.base.queues import send_message
from evalsite.submissions.models import Scoring

log = structlog.get_logger()
MOST_AT_ONCE = 100  # scorings that a request enqueues itself; the reaper enqueues the others within seconds
SCORE = "evalsite.submissions.tasks.score"  # by name, as the job itself needs all that is enqueued from


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


def enqueue_waiting(most: int | None = None) -> None:
    """Enqueue the scorings that wait without a message, the oldest first."""
    enqueue(Scoring.objects.due().filter(enqueued=None).order_by("created").values_list("pk", flat=True)[:most])


def send(pks: Iterable[uuid.UUID]) -> None:
    """Send messages for scorings whose rows are marked as enqueued, up to the first that the broker does not take."""
    for pk in pks:
        if not send_message(SCORE, str(pk)):  # each further one would block; the reaper sends the others
            return


def _one_of_each_upload(pks: Sequence[uuid.UUID]) -> Iterable[uuid.UUID]:
    """Return one scoring for each upload, as whoever scores it goes on with the upload's others."""
    if len(pks) < 2:
        return pks
    uploads = dict(Scoring.objects.filter(pk__in=pks).values_list("pk", "submission"))
    return reversed({uploads[pk]: pk for pk in reversed(pks) if pk in uploads}.values())
