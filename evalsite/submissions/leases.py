"""A scoring is claimed by one worker, whose lease a heartbeat renews, and is changed by that worker alone.

The row is the truth and the queue a hint. Every change of state is an UPDATE that names the state it starts from,
so of two processes that try, one succeeds. What time it is says the database, as the clocks of workers may differ.
"""

import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from evalsite.accounts.models import User
from evalsite.heartbeat import beating
from evalsite.submissions.models import Scoring

log = structlog.get_logger()
State = Scoring.State
_WORKER = uuid.uuid4()  # made before a worker's processes are forked, so that all of a worker have the same


def lease_of(message: str | None, process: int) -> uuid.UUID:
    """By which a worker knows the claim of one of its processes (its number) that has a message.

    Nobody else's without a message, as where the job is called as a function.
    """
    return uuid.uuid5(_WORKER, f"{process}:{message}") if message else uuid.uuid4()


def claim(pk: uuid.UUID, lease: uuid.UUID | None = None) -> Scoring | None:
    """Take a queued scoring; of any number of workers that try, one gets it.

    One that has to wait for another of its person stays queued, and `next_of_person` gives it when that has ended; one
    that rests stays queued until it is due. The claim is known by `lease`, or by one that nobody else knows.
    """
    while not _take(pk, lease or uuid.uuid4()):
        queued = _queued(pk)
        # Marked before it is looked whether the other one has ended meanwhile: that one looks for the mark afterwards.
        if not queued.update(enqueued=None) or queued.filter(waits()).exists():
            return None
    return Scoring.objects.select_related("submission", "scenario", "gold").get(pk=pk)


def due() -> Q:
    """Of queued scorings: those that do not rest after a fault of the machine."""
    return Q(not_before=None) | Q(not_before__lte=Now())


def _queued(pk: uuid.UUID) -> QuerySet[Scoring]:
    return Scoring.objects.filter(due(), pk=pk, state=State.QUEUED)


def _take(pk: uuid.UUID, lease: uuid.UUID) -> int:
    with transaction.atomic():
        # Of two workers that look whether another one of the person runs, the second sees what the first did.
        uploader = User.objects.filter(submissions__scorings__in=_queued(pk)).values_list("pk")
        list(uploader.select_for_update(no_key=True, of=("self",)))
        queued = _queued(pk)
        # Also outside the state is asked for: the database looks there again where another worker was just quicker.
        return queued.filter(pk__in=queued.exclude(waits())).update(
            state=State.RUNNING,
            attempts=F("attempts") + 1,
            lease=lease,
            lease_ends=Now() + settings.LEASE,
            started=Now(),
            step="",
        )


def waits() -> Q:
    """Of queued scorings: those that wait until another one of the same person has ended.

    Of each person one runs at a time, so that nobody's files hold all workers. A run that has been scored before is
    known to end: organisers score hundreds of them again by all workers.
    """
    known = Scoring.objects.filter(submission=OuterRef("submission"), scenario=OuterRef("scenario"), state=State.SCORED)
    running = Scoring.objects.filter(~Exists(known), state=State.RUNNING)
    return Q(Exists(running.filter(submission__uploader=OuterRef("submission__uploader")))) & ~Q(Exists(known))


@contextmanager
def heartbeat(scoring: Scoring) -> Iterator[Callable[[str], None]]:
    """Renew the lease while the block runs; gives the function that takes the engine's step."""
    step = ""

    def note(name: str) -> None:
        nonlocal step
        step = name

    def renew() -> None:
        held(scoring).update(step=step, lease_ends=Now() + settings.LEASE)

    # The first beat soon, for the page that waits; a scoring of ordinary size ends before it.
    with beating(f"scoring {scoring.pk}", renew, every=settings.LEASE.total_seconds() / 6, first=1.0):
        yield note


def release(pk: uuid.UUID, lease: uuid.UUID) -> bool:
    """Let go of what a process that is known to be dead held of the scoring's upload; False if that was nothing.

    Back in the queue it can be taken at once. After its last attempt the reaper finds it, and tells the organisers.
    """
    died = Scoring.objects.filter(submission__scorings=pk, state=State.RUNNING, lease=lease)
    released = {"state": State.QUEUED, "lease": None, "lease_ends": None, "step": ""}
    if died.filter(attempts__lt=settings.MAX_ATTEMPTS).update(**released):
        return True
    # A second ago, since the clock may not have moved on when the reaper looks.
    return bool(died.update(lease_ends=Now() - timedelta(seconds=1)))


def held(scoring: Scoring) -> QuerySet[Scoring]:
    """The scoring as long as this worker holds it: a late answer of a worker that lost its lease changes nothing."""
    return Scoring.objects.filter(pk=scoring.pk, state=State.RUNNING, lease=scoring.lease)
