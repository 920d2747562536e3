"""A worker claims a scoring and alone changes it (evalsite.base.leases); one scoring of a person runs at a time."""

import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q
from django.db.models.functions import Now

from evalsite.accounts.models import User
from evalsite.base.leases import renewing
from evalsite.submissions.models import Scoring

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
    due = Scoring.objects.filter(pk=pk).due()
    while not _take(pk, lease):
        # Marked before it is looked whether the other one has ended meanwhile: that one looks for the mark afterwards.
        if not due.update(enqueued=None) or due.filter(waits()).exists():
            return None
    return Scoring.objects.select_related("submission", "scenario", "gold").get(pk=pk)


def _take(pk: uuid.UUID, lease: uuid.UUID | None) -> bool:
    due = Scoring.objects.filter(pk=pk).due()
    with transaction.atomic():
        # Of two workers that look whether another one of the person runs, the second sees what the first did.
        uploader = User.objects.filter(submissions__scorings__in=due).select_for_update(no_key=True, of=("self",))
        list(uploader.values_list("pk"))
        # `claim` asks for the state once more: the database looks there again where another worker was just quicker.
        return Scoring.objects.filter(pk__in=due.exclude(waits())).claim(lease) is not None


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

    # The first beat soon, for the page that waits; a scoring of ordinary size ends before it.
    with renewing(scoring, lambda: {"step": step}, first=1.0):
        yield note


def release(pk: uuid.UUID, lease: uuid.UUID) -> bool:
    """Let go of what a process that is known to be dead held of the scoring's upload; False if that was nothing.

    Its message comes again, so nobody has to be told. After its last attempt the reaper finds it, and tells the
    organisers.
    """
    died = Scoring.objects.filter(submission__scorings=pk).held(lease)
    if died.filter(attempts__lt=settings.MAX_ATTEMPTS).release(enqueued=F("enqueued")):
        return True
    # A second ago, since the clock may not have moved on when the reaper looks.
    return bool(died.update(lease_ends=Now() - timedelta(seconds=1)))
