"""The life of a job: claimed by one worker, done step by step, never stuck and never lost (evalsite.base.leases)."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import structlog
from django.conf import settings
from django.db.models import Q
from django.db.models.functions import Now

from evalsite.background.handlers import Note, TryLater, handler_of
from evalsite.background.models import Job
from evalsite.base.leases import renewing

log = structlog.get_logger()
State = Job.State
STEP = timedelta(seconds=1)  # that a job waits for others before it looks again
REST = timedelta(seconds=10)  # after a failed attempt
TOLD_AGAIN = timedelta(seconds=30)  # after which a message counts as lost
KEPT = timedelta(days=30)  # a job that is done and has left no file, and a mail that nobody could send


def claim(pk: uuid.UUID) -> Job | None:
    """Take a job that is due; of any number of workers that try, one gets it."""
    if not Job.objects.filter(pk=pk).claim():
        return None
    return Job.objects.select_related("task", "made_by").get(pk=pk)


def work(pk: uuid.UUID) -> str:
    """Claim the job and do its next step; returns its state afterwards, "" if another one has it or it is gone."""
    job = claim(pk)
    if job is None:
        return ""
    with structlog.contextvars.bound_contextvars(job=str(pk), kind=job.kind):
        try:
            with heartbeat(job) as note:
                is_done = handler_of(job.kind)(job, note)
        except TryLater as later:
            log.warning("a job is tried again later", error=str(later), rests=later.rests.total_seconds())
            return _released(job, later.rests, attempts=0, error=str(later), result=later.result)
        except Exception as error:
            log.exception("a job has failed", attempt=job.attempts)
            return _fail(job, f"{type(error).__name__}: {error}")
        return _finish(job) if is_done else _released(job, STEP, attempts=0, error="")


def _finish(job: Job) -> str:
    """Unless somebody has asked for it since: then once more."""
    if job.own.filter(asked=job.asked).end(state=State.DONE, finished=Now(), error=""):
        log.info("job done")
        return State.DONE
    return _released(job, STEP, attempts=0, error="")


def _fail(job: Job, error: str) -> str:
    if job.attempts >= settings.MAX_ATTEMPTS:
        return State.FAILED if job.own.end(state=State.FAILED, finished=Now(), error=error) else ""
    return _released(job, REST, error=error)


def _released(job: Job, rests: timedelta, **fields: object) -> str:
    return State.QUEUED if job.own.release(rests, **fields) else ""


@contextmanager
def heartbeat(job: Job) -> Iterator[Note]:
    """Renew the lease while the block runs; gives the function that takes how much is done, of how much."""

    def note(n_done: int, total: int) -> None:
        job.own.renew(done=n_done, total=total)

    with renewing(job):
        yield note


def reap() -> list[uuid.UUID]:
    """Take back what dead workers hold; returns the jobs of which the broker has to be told (again)."""
    expired = Job.objects.all().expired()
    given_up = expired.filter(attempts__gte=settings.MAX_ATTEMPTS)
    given_up.end(state=State.FAILED, finished=Now(), error="its workers have died")
    if n_taken := expired.release():
        log.warning("jobs taken back", n=n_taken)
    done_with = Q(state=State.DONE, file="") | Q(state=State.FAILED, kind=Job.MAIL)
    Job.objects.filter(done_with, finished__lt=Now() - KEPT).delete()
    untold = Q(enqueued=None) | Q(enqueued__lt=Now() - TOLD_AGAIN)
    return list(Job.objects.due().filter(untold).order_by("created").values_list("pk", flat=True))
