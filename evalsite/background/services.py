"""The life of a job: claimed by one worker, done step by step, never stuck and never lost (evalsite.base.leases)."""

import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import structlog
from django.conf import settings
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.module_loading import import_string

from evalsite.background.models import Job
from evalsite.base import contrib
from evalsite.base.leases import renewing

log = structlog.get_logger()
State = Job.State
STEP = timedelta(seconds=1)  # that a job waits for others before it looks again
PAUSE = timedelta(seconds=10)  # after a failed attempt
MESSAGE_LOST = timedelta(seconds=30)  # after which a message counts as lost
RETENTION = timedelta(days=30)  # of a job that is done and has left no file, and a mail that nobody could send

ReportProgress = Callable[[int, int], None]  # how much is done, of how much
# Returns whether the job is done; if not, it is called again a moment later. It can be called any number of times.
Handler = Callable[[Job, ReportProgress], bool]
_HANDLERS: dict[str, Handler] = {}


class Postponed(Exception):
    """Raised by a handler that waits for somebody else, such as a server that is away: no attempt is used up."""

    def __init__(self, why: str, pause: timedelta, result: dict[str, Any]) -> None:
        super().__init__(why)
        self.pause = pause
        self.result = result  # the job's, for the next attempt


def handles(kind: str) -> Callable[[Handler], Handler]:
    """Register the function as the handler of this kind of job."""

    def register(handler: Handler) -> Handler:
        _HANDLERS[kind] = handler
        return handler

    return register


def _handler(kind: str) -> Handler:
    if kind in _HANDLERS:
        return _HANDLERS[kind]
    handler: Handler = import_string(contrib.job_handlers()[kind])
    return handler


def claim(pk: uuid.UUID) -> Job | None:
    """Take a job that is due; of any number of workers that try, one gets it."""
    if not Job.objects.filter(pk=pk).claim():
        return None
    return Job.objects.select_related("task", "made_by").get(pk=pk)


def work(pk: uuid.UUID) -> str:
    """Claim the job and do its next step; return its state afterwards, "" if another worker has it or it is gone."""
    job = claim(pk)
    if job is None:
        return ""
    with structlog.contextvars.bound_contextvars(job=str(pk), kind=job.kind):
        try:
            with heartbeat(job) as report:
                is_done = _handler(job.kind)(job, report)
        except Postponed as error:
            log.warning("a job is postponed", error=str(error), seconds=error.pause.total_seconds())
            return _release(job, error.pause, attempts=0, error=str(error), result=error.result)
        except Exception as error:
            log.exception("a job has failed", attempt=job.attempts)
            return _fail(job, f"{type(error).__name__}: {error}")
        return _finish(job) if is_done else _release(job, STEP, attempts=0, error="")


def _finish(job: Job) -> str:
    """End the job, unless it was requested again meanwhile: then it goes back to the queue."""
    if job.leased.filter(asked=job.asked).end(state=State.DONE, finished=Now(), error=""):
        log.info("job done")
        return State.DONE
    return _release(job, STEP, attempts=0, error="")


def _fail(job: Job, error: str) -> str:
    if job.attempts >= settings.MAX_ATTEMPTS:
        return State.FAILED if job.leased.end(state=State.FAILED, finished=Now(), error=error) else ""
    return _release(job, PAUSE, error=error)


def _release(job: Job, pause: timedelta, **fields: object) -> str:
    return State.QUEUED if job.leased.release(pause, **fields) else ""


@contextmanager
def heartbeat(job: Job) -> Iterator[ReportProgress]:
    """Renew the lease while the block runs, and yield the function that stores the progress."""

    def report(n_done: int, total: int) -> None:
        job.leased.renew(done=n_done, total=total)

    with renewing(job):
        yield report


def reap() -> list[uuid.UUID]:
    """Take back the jobs of dead workers, and return those that need a new message."""
    expired = Job.objects.all().expired()
    given_up = expired.filter(attempts__gte=settings.MAX_ATTEMPTS)
    given_up.end(state=State.FAILED, finished=Now(), error="its workers have died")
    if n_taken := expired.release():
        log.warning("jobs taken back", n=n_taken)
    done_with = Q(state=State.DONE, file="") | Q(state=State.FAILED, kind=Job.MAIL)
    Job.objects.filter(done_with, finished__lt=Now() - RETENTION).delete()
    without_message = Q(enqueued=None) | Q(enqueued__lt=Now() - MESSAGE_LOST)
    return list(Job.objects.due().filter(without_message).order_by("created").values_list("pk", flat=True))
