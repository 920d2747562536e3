"""The transitions of a scoring's state (see models.Scoring), each an UPDATE by the lease that holds it."""

import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q
from django.db.models.functions import Now

from evalsite.accounts.models import User
from evalsite.base.faults import Fault
from evalsite.base.leases import renewing
from evalsite.challenges.models import Gold
from evalsite.challenges.storage.files import stored_with_row
from evalsite.submissions import notices
from evalsite.submissions.boards import update_board
from evalsite.submissions.mails import mail_failure, mail_machine_fault
from evalsite.submissions.models import Result, ResultTables, Scoring

log = structlog.get_logger()
State = Scoring.State
_NO_FAULT: dict[str, Any] = {"fault": "", "error": "", "not_before": None}
# Each back-off is longer than the one before by MIN_BACKOFF. So after a fault of some minutes nothing waits for longer
# than a minute, and after one of a night nothing for longer than MAX_BACKOFF, while a try costs next to nothing.
MIN_BACKOFF, MAX_BACKOFF = timedelta(seconds=15), timedelta(minutes=10)

_WORKER = uuid.uuid4()  # made before a worker's processes are forked, so that all of a worker have the same


def lease_of(message: str | None, process: int) -> uuid.UUID:
    """Return the lease of a worker's process that has this message; a random one where the job is called as a function.

    By it the worker recognises the claim of a process that has died.
    """
    return uuid.uuid5(_WORKER, f"{process}:{message}") if message else uuid.uuid4()


def claim(pk: uuid.UUID, lease: uuid.UUID | None = None) -> Scoring | None:
    """Claim a queued scoring; of any number of workers that try, one gets it.

    It stays queued while another scoring of its person runs, until `next_of_person` returns it, and while its pause
    lasts. The claim is known by `lease`, or by one that nobody else knows.
    """
    due = Scoring.objects.filter(pk=pk).due()
    while not _take(pk, lease):
        # Marked before it is looked whether the other one has ended meanwhile: that one looks for the mark afterwards.
        if not due.update(enqueued=None) or due.filter(waits_for_person()).exists():
            return None
    return Scoring.objects.select_related("submission", "scenario", "gold").get(pk=pk)


def _take(pk: uuid.UUID, lease: uuid.UUID | None) -> bool:
    scoring = Scoring.objects.filter(pk=pk)
    with transaction.atomic():
        # Locked, so that the second of two workers sees what the first has claimed for the person.
        uploaders = User.objects.filter(submissions__scorings=pk).select_for_update(no_key=True, of=("self",))
        uploader = next(iter(uploaders.values_list("pk", flat=True)), None)
        running = Scoring.objects.filter(state=State.RUNNING, submission__uploader=uploader)
        # Mostly none is running, and the whole condition is the expensive part.
        if uploader and scoring.filter(~Exists(running)).claim(lease):
            return True
        # `claim` repeats the condition, which the database evaluates again where another worker was quicker.
        return Scoring.objects.filter(pk__in=scoring.due().exclude(waits_for_person())).claim(lease) is not None


def waits_for_person() -> Q:
    """Match queued scorings that wait until another one of the same person has ended.

    One scoring of a person runs at a time, so that nobody's files hold all workers. A run that has been scored before
    is known to end: organisers score hundreds of them again by all workers.
    """
    counted = Scoring.objects.filter(
        submission=OuterRef("submission"), scenario=OuterRef("scenario"), state=State.SCORED
    )
    running = Scoring.objects.filter(~Exists(counted), state=State.RUNNING)
    return Q(Exists(running.filter(submission__uploader=OuterRef("submission__uploader")))) & ~Q(Exists(counted))


@contextmanager
def heartbeat(scoring: Scoring) -> Iterator[Callable[[str], None]]:
    """Renew the lease while the block runs, and yield the function that takes the engine's step."""
    step = ""

    def note(name: str) -> None:
        nonlocal step
        step = name

    # The first renewal is soon, for the waiting page; a scoring of ordinary size ends before it.
    with renewing(scoring, lambda: {"step": step}, first=1.0):
        yield note


def release(pk: uuid.UUID, lease: uuid.UUID) -> bool:
    """Release what a dead process held of the scoring's upload; return False if that was nothing.

    Its message is delivered again. After its last attempt the reaper finds it, and mails the organisers.
    """
    died = Scoring.objects.filter(submission__scorings=pk).held(lease)
    if died.filter(attempts__lt=settings.MAX_ATTEMPTS).release(enqueued=F("enqueued")):
        return True
    # A second ago, since the clock may not have moved on when the reaper looks.
    return bool(died.update(lease_ends=Now() - timedelta(seconds=1)))


def complete(scoring: Scoring, numbers: dict[str, Any], evaluation: Path) -> str:
    """Store what the engine has found; the file comes first, as other writers wait for the transaction."""
    apart = {name: numbers[name] for name in ("tables", "table_intervals")}
    result = Result(scoring=scoring, **{name: value for name, value in numbers.items() if name not in apart})
    tables = ResultTables(result=result, tables=apart["tables"], intervals=apart["table_intervals"])
    with stored_with_row(result.evaluation, "evaluation.npz", evaluation):
        if not _finish(scoring, State.SCORED, **_NO_FAULT):
            result.evaluation.delete(save=False)
            return ""
        result.save(force_insert=True)
        tables.save(force_insert=True)
        if not scoring.gold.engine:
            Gold.objects.filter(pk=scoring.gold_id, engine="").update(engine=scoring.engine_version)
        update_board(scoring.submission.phase_id, scoring.scenario_id, result=result)
        notices.post_scored(scoring)
    return State.SCORED


def refuse(
    scoring: Scoring, problems: list[dict[str, Any]], causes: list[dict[str, Any]], *, broke_limits: bool = False
) -> str:
    fields = {"problems": problems, "causes": causes, "broke_limits": broke_limits}
    with transaction.atomic():
        if not _finish(scoring, State.REFUSED, **_NO_FAULT, **fields):
            return ""
        notices.post_refused(scoring)
    return State.REFUSED


def fail(scoring: Scoring, error: str, *, fault: Fault = Fault.ENGINE_CRASHED, final: bool = False) -> str:
    """Put the scoring back into the queue, or end it as failed after the third attempt or where a retry cannot help."""
    log.warning("scoring not done", fault=fault, error=error, final=final)
    if final or scoring.attempts >= settings.MAX_ATTEMPTS:
        if not _finish(scoring, State.FAILED, fault=fault, error=error):
            return ""
        if not scoring.gold.is_candidate:  # whose page shows it
            mail_failure(scoring, fault, error)
        return State.FAILED
    return State.QUEUED if scoring.leased.release(fault=fault, error=error) else ""


def _finish(scoring: Scoring, state: str, **fields: Any) -> int:
    return scoring.leased.end(state=state, step="", finished=Now(), **fields)


def retry_later(scoring: Scoring, fault: Fault, error: str) -> str:
    """Put the scoring back into the queue for a while, without the attempt that it has begun; return its state."""
    log.warning("scoring rests", fault=fault, error=error, rests=scoring.rests + 1)
    pause = min(MIN_BACKOFF * (scoring.rests + 1), MAX_BACKOFF)
    if not scoring.leased.release(pause, attempts=F("attempts") - 1, rests=F("rests") + 1, fault=fault, error=error):
        return ""
    mail_machine_fault(fault, error)
    return Scoring.State.QUEUED


def retry_now(**which: Any) -> int:
    """End the back-off of the scorings that `which` selects; return how many."""
    resting = Scoring.objects.waiting().filter(not_before__gt=Now())
    return resting.filter(**which).update(not_before=Now(), enqueued=None)
