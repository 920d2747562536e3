"""The life of a job: claimed by one worker, done step by step, never stuck and never lost.

As with scorings, every change of state is an UPDATE that names the state it starts from, and what time it is says the
database.
"""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import structlog
from django.conf import settings
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now

from evalsite.background.handlers import Note, handler_of
from evalsite.background.models import Job
from evalsite.heartbeat import beating

log = structlog.get_logger()
State = Job.State
STEP = timedelta(seconds=1)  # that a job waits for others before it looks again
REST = timedelta(seconds=10)  # after a failed attempt
TOLD_AGAIN = timedelta(seconds=30)  # after which a message counts as lost
KEPT = timedelta(days=30)  # a job that is done and has left no file


def claim(pk: uuid.UUID) -> Job | None:
    """Take a job that is due; of any number of workers that try, one gets it."""
    lease = uuid.uuid4()
    due = Q(not_before=None) | Q(not_before__lte=Now())
    taken = Job.objects.filter(due, pk=pk, state=State.QUEUED).update(
        state=State.RUNNING,
        attempts=F("attempts") + 1,
        lease=lease,
        lease_ends=Now() + settings.LEASE,
        started=Now(),
    )
    return Job.objects.select_related("task", "made_by").get(pk=pk) if taken else None


def held(job: Job) -> QuerySet[Job]:
    """The job as long as this worker holds it."""
    return Job.objects.filter(pk=job.pk, state=State.RUNNING, lease=job.lease)


def work(pk: uuid.UUID) -> str:
    """Claim the job and do its next step; returns its state afterwards, "" if another one has it."""
    job = claim(pk)
    if job is None:
        return ""
    with structlog.contextvars.bound_contextvars(job=str(pk), kind=job.kind):
        try:
            with heartbeat(job) as note:
                is_done = handler_of(job.kind)(job, note)
        except Exception as error:
            log.exception("a job has failed", attempt=job.attempts)
            return _fail(job, f"{type(error).__name__}: {error}")
        return _finish(job) if is_done else _wait(job)


def _finish(job: Job) -> str:
    """Unless somebody has asked for it since: then once more."""
    ended = held(job).filter(asked=job.asked)
    if ended.update(state=State.DONE, finished=Now(), lease=None, lease_ends=None, error=""):
        log.info("job done")
        return State.DONE
    return _wait(job)


def _wait(job: Job) -> str:
    waits = held(job).update(**_RELEASED, attempts=0, error="", not_before=Now() + STEP)
    return State.QUEUED if waits else ""


def _fail(job: Job, error: str) -> str:
    if job.attempts >= settings.MAX_ATTEMPTS:
        failed = {"state": State.FAILED, "finished": Now(), "lease": None, "lease_ends": None}
        return State.FAILED if held(job).update(**failed, error=error) else ""
    rests = held(job).update(**_RELEASED, error=error, not_before=Now() + REST)
    return State.QUEUED if rests else ""


_RELEASED = {"state": State.QUEUED, "lease": None, "lease_ends": None, "enqueued": None}


@contextmanager
def heartbeat(job: Job) -> Iterator[Note]:
    """Renew the lease while the block runs; gives the function that takes how much is done, of how much."""

    def note(n_done: int, total: int) -> None:
        held(job).update(done=n_done, total=total, lease_ends=Now() + settings.LEASE)

    def renew() -> None:
        held(job).update(lease_ends=Now() + settings.LEASE)

    with beating(f"job {job.pk}", renew, every=settings.LEASE.total_seconds() / 6):
        yield note


def reap() -> list[uuid.UUID]:
    """Take back what dead workers hold; returns the jobs of which the broker has to be told (again)."""
    expired = Job.objects.filter(state=State.RUNNING, lease_ends__lt=Now())
    ended = {"state": State.FAILED, "finished": Now(), "lease": None, "lease_ends": None}
    expired.filter(attempts__gte=settings.MAX_ATTEMPTS).update(**ended, error="its workers have died")
    if n_taken := expired.update(**_RELEASED):
        log.warning("jobs taken back", n=n_taken)
    Job.objects.filter(state=State.DONE, file="", finished__lt=Now() - KEPT).delete()
    untold = Q(enqueued=None) | Q(enqueued__lt=Now() - TOLD_AGAIN)
    return list(Job.objects.filter(untold, state=State.QUEUED).order_by("created").values_list("pk", flat=True))
