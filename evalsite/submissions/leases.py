"""A scoring is claimed by one worker, whose lease a heartbeat renews, and is changed by that worker alone.

The row is the truth and the queue a hint. Every change of state is an UPDATE that names the state it starts from,
so of two processes that try, one succeeds.
"""

import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import structlog
from django.conf import settings
from django.db import connection, transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from evalsite.accounts.models import User
from evalsite.submissions.models import Scoring

log = structlog.get_logger()
State = Scoring.State


def claim(pk: uuid.UUID) -> Scoring | None:
    """Take a queued scoring; of any number of workers that try, one gets it.

    One that has to wait for another of its person stays queued, and `next_of_person` gives it when that has ended.
    """
    queued = Scoring.objects.filter(pk=pk, state=State.QUEUED)
    while not _take(queued):
        # Marked before it is looked whether the other one has ended meanwhile: that one looks for the mark afterwards.
        if not queued.update(enqueued=None) or queued.filter(waits()).exists():
            return None
    related = ("submission__phase__task", "scenario", "gold")
    return Scoring.objects.select_related(*related).get(pk=pk)


def _take(queued: QuerySet[Scoring]) -> int:
    with transaction.atomic():
        # Of two workers that look whether another one of the person runs, the second sees what the first did.
        uploader = queued.values_list("submission__uploader", flat=True).first()
        if uploader is not None:
            User.objects.select_for_update(no_key=True).filter(pk=uploader).first()
        if queued.filter(waits()).exists():
            return 0
        now = timezone.now()  # only now, as it may have had to wait for the lock
        return queued.update(
            state=State.RUNNING,
            attempts=F("attempts") + 1,
            lease=uuid.uuid4(),
            lease_ends=now + settings.LEASE,
            started=now,
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
    done = threading.Event()

    def note(name: str) -> None:
        nonlocal step
        step = name

    def beat() -> None:
        try:
            # The first beat soon, for the page that waits; a scoring of ordinary size ends before it.
            wait = 1.0
            while not done.wait(wait):
                held(scoring).update(step=step, lease_ends=timezone.now() + settings.LEASE)
                wait = settings.LEASE.total_seconds() / 6
        finally:
            connection.close()

    thread = threading.Thread(target=beat, name=f"heartbeat {scoring.pk}", daemon=True)
    thread.start()
    try:
        yield note
    finally:
        done.set()
        thread.join()


def held(scoring: Scoring) -> QuerySet[Scoring]:
    """The scoring as long as this worker holds it: a late answer of a worker that lost its lease changes nothing."""
    return Scoring.objects.filter(pk=scoring.pk, state=State.RUNNING, lease=scoring.lease)
