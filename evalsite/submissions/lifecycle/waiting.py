"""The queue of scorings: positions, expected waits, the next of a person, and messages that are missing."""

import uuid
from dataclasses import dataclass
from datetime import timedelta

import structlog
from django.conf import settings
from django.core.cache import cache
from django.db.models import Avg, F, Func, IntegerField, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Now

from evalsite.base.faults import Fault
from evalsite.submissions.checking import limits
from evalsite.submissions.lifecycle.transitions import fail, waits_for_person
from evalsite.submissions.models import Scoring

log = structlog.get_logger()
State = Scoring.State


@dataclass(frozen=True)
class QueuePosition:
    """The position of a queued scoring: 1 is next."""

    position: int
    wait: timedelta | None  # expected; None while nothing has been scored yet


_AVERAGE = "average-wait"  # key in the cache
_AVERAGE_TIMEOUT = 10  # seconds
_MOST_AVERAGED = 100  # scorings


def n_ahead() -> Subquery:
    """Return the number of scorings that are done before the outer one."""
    ahead = Q(state=State.QUEUED, awaits_judge=False, created__lt=OuterRef("created")) | Q(state=State.RUNNING)
    counted = Func(F("pk"), function="COUNT", output_field=IntegerField())  # of all: an aggregate would group them
    return Subquery(Scoring.objects.filter(ahead).order_by().annotate(n=counted).values("n"))


def queue_positions(submission: uuid.UUID) -> dict[uuid.UUID, QueuePosition]:
    """Return the positions of the submission's queued scorings by their keys."""
    ahead = list(Scoring.objects.filter(submission=submission).waiting().values_list("pk", n_ahead()))
    average = average_wait() if ahead else None
    return {pk: queue_position(n + 1, average) for pk, n in ahead}


def queue_position(position: int, average: timedelta | None) -> QueuePosition:
    return QueuePosition(position, None if average is None else position * average)


def average_wait() -> timedelta | None:
    """Return how long the last scorings of a day took; every waiting page asks for it, so it is cached for a moment."""
    kept = cache.get(_AVERAGE)
    if kept is None:
        recent = Scoring.objects.filter(state=State.SCORED, finished__gt=Now() - timedelta(days=1))
        last = recent.order_by("-finished").annotate(took=F("finished") - F("started"))[:_MOST_AVERAGED]
        average = last.aggregate(average=Avg("took"))["average"]
        kept = (average,)  # None is cached, too
        cache.set(_AVERAGE, kept, _AVERAGE_TIMEOUT)
    return kept[0]


def next_of_person(pk: uuid.UUID) -> list[uuid.UUID]:
    """Return the scoring that waited longest for this one to end; none while another one of the person runs."""
    uploader = Subquery(Scoring.objects.filter(pk=pk).values("submission__uploader"))
    # Scorings with a message are delivered anyway, and the reaper retries others after a pause.
    untold = Scoring.objects.due().filter(submission__uploader=uploader, enqueued=None, attempts=0)
    # Mostly there is none, and the condition below is the expensive part.
    if not untold.order_by().exists():
        return []
    return list(untold.exclude(waits_for_person()).order_by("created").values_list("pk", flat=True)[:1])


def reap() -> list[uuid.UUID]:
    """Take back what dead workers hold; return the scorings that need a message (again).

    What has used up its attempts has failed; the rest waits again.
    """
    expired = Scoring.objects.all().expired()
    for scoring in expired.filter(attempts__gte=settings.MAX_ATTEMPTS).select_related("submission__phase__task"):
        fail(scoring, limits.worker_died(), fault=Fault.WORKER_DIED, final=True)
    if n_expired := expired.release():
        log.warning("scorings taken back", n=n_expired)
    return list(_forgotten().order_by("created").values_list("pk", flat=True))


def _forgotten() -> QuerySet[Scoring]:
    """Return queued scorings that have no message, or whose message is lost.

    A message counts as lost when it is half a minute old and either a younger one was taken before it, or no worker has
    taken anything for half a minute. A long queue alone gets no second messages.
    """
    patience = Now() - timedelta(seconds=30)
    is_idle = not Scoring.objects.filter(Q(state=State.RUNNING) | Q(started__gt=patience)).exists()
    gone = Q(enqueued__lt=patience)
    if not is_idle:
        overtaken = Scoring.objects.exclude(started=None).aggregate(latest=Max("enqueued"))["latest"]
        gone &= Q(enqueued__lt=overtaken) if overtaken else Q(pk=None)
    # The process that made a row sends its message at once; the reaper must not be quicker.
    # Its `created` is by the clock of that process, which may be ahead.
    moment = timedelta(seconds=5)
    is_new = Q(created__range=(Now() - moment, Now() + moment), attempts=0, rests=0)
    untold = Q(enqueued=None) & ~is_new
    return Scoring.objects.due().filter(gone | untold).exclude(waits_for_person())
