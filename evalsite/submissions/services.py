"""The life of a scoring: claimed by one worker, scored once, never stuck and never lost.

The row is the truth and the queue a hint. Every change of state is an UPDATE that names the state it starts from,
so of two processes that try, one succeeds.
"""

import tempfile
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import structlog
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.core.files import File
from django.core.mail import send_mail
from django.db import connection, transaction
from django.db.models import Avg, Exists, F, Max, OuterRef, Q, QuerySet, Subquery
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext, override

from evalsite.accounts.language import by_language
from evalsite.accounts.models import User
from evalsite.challenges.access import acting_organisers
from evalsite.challenges.files import local_path
from evalsite.challenges.models import Task
from evalsite.jobs import limited
from evalsite.submissions import limits, work
from evalsite.submissions.causes import as_stored, told
from evalsite.submissions.models import Result, Scoring
from evalsite.submissions.signals import results_changed

log = structlog.get_logger()
State = Scoring.State
MAIL_PAUSE = timedelta(hours=1)  # between two mails about failures of one task


@dataclass(frozen=True)
class Place:
    """Where a queued scoring stands: 1 is next."""

    position: int
    wait: timedelta | None  # expected; None while nothing has been scored yet


def place(scoring: Scoring) -> Place:
    ahead = Scoring.objects.filter(Q(state=State.QUEUED, created__lt=scoring.created) | Q(state=State.RUNNING))
    recent = Scoring.objects.filter(state=State.SCORED, finished__gt=timezone.now() - timedelta(days=1))
    position = ahead.count() + 1
    average = recent.aggregate(average=Avg(F("finished") - F("started")))["average"]
    return Place(position, None if average is None else position * average)


def score(pk: uuid.UUID) -> str:
    """Claim the scoring and bring it to its end; returns its state afterwards, or "" if another one has it."""
    claimed = claim(pk)
    if claimed is None:
        return ""
    # Only for this scoring: the worker process lives on, and what it logs next is about something else.
    with structlog.contextvars.bound_contextvars(scoring=str(pk), attempt=claimed.attempts):
        return _score(claimed)


def _score(claimed: Scoring) -> str:
    try:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "evaluation.npz")
            with heartbeat(claimed) as on_step:
                found = _evaluate(claimed, path, on_step)
            if "numbers" in found:
                return complete(claimed, found["numbers"], path)
        if "problems" in found:
            return refuse(claimed, found["problems"], found["causes"])
        return fail(claimed, found["error"], final=True)
    except limited.LimitBroken as error:
        problem = limits.broken_scoring(error.kind)
        return refuse(claimed, [as_stored(problem)], [asdict(cause) for cause in told([problem])], broke_limits=True)
    except SoftTimeLimitExceeded:
        return fail(claimed, limits.took_too_long(), final=True)
    except limited.Crashed as error:
        return fail(claimed, str(error))
    except Exception as error:
        log.exception("scoring failed")
        return fail(claimed, f"{type(error).__name__}: {error}")


def claim(pk: uuid.UUID) -> Scoring | None:
    """Take a queued scoring; of any number of workers that try, one gets it.

    One that has to wait for another of its person stays queued, and `next_of_person` gives it when that has ended.
    """
    queued = Scoring.objects.filter(pk=pk, state=State.QUEUED)
    while not _take(queued):
        # Marked before it is looked whether the other one has ended meanwhile: that one looks for the mark afterwards.
        if not queued.update(enqueued=None) or queued.filter(_waits()).exists():
            return None
    related = ("submission__phase__task", "scenario", "gold")
    return Scoring.objects.select_related(*related).get(pk=pk)


def _take(queued: QuerySet[Scoring]) -> int:
    with transaction.atomic():
        # Of two workers that look whether another one of the person runs, the second sees what the first did.
        uploader = queued.values_list("submission__uploader", flat=True).first()
        if uploader is not None:
            User.objects.select_for_update(no_key=True).filter(pk=uploader).first()
        if queued.filter(_waits()).exists():
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


def _waits() -> Q:
    """Of queued scorings: those that wait until another one of the same person has ended.

    Of each person one runs at a time, so that nobody's files hold all workers. A run that has been scored before is
    known to end: organisers score hundreds of them again by all workers.
    """
    known = Scoring.objects.filter(submission=OuterRef("submission"), scenario=OuterRef("scenario"), state=State.SCORED)
    running = Scoring.objects.filter(~Exists(known), state=State.RUNNING)
    return Q(Exists(running.filter(submission__uploader=OuterRef("submission__uploader")))) & ~Q(Exists(known))


def next_of_person(pk: uuid.UUID) -> list[uuid.UUID]:
    """The scoring that waited longest for this one to end; none while another one of the person runs."""
    # Those of which the broker has been told come by themselves, and those to be tried again after a rest.
    waiting = Scoring.objects.filter(
        submission__uploader=Subquery(Scoring.objects.filter(pk=pk).values("submission__uploader")),
        state=State.QUEUED,
        enqueued=None,
        attempts=0,
    )
    return list(waiting.exclude(_waits()).order_by("created").values_list("pk", flat=True)[:1])


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
                _held(scoring).update(step=step, lease_ends=timezone.now() + settings.LEASE)
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


def _evaluate(scoring: Scoring, evaluation: Path, on_step: Callable[[str], None]) -> dict[str, Any]:
    """What `work.evaluate` answers; the evaluation is then at this path."""
    with local_path(scoring.gold.file) as gold, local_path(scoring.submission.file) as system:
        arguments = {
            "family": scoring.scenario.family,
            "options": scoring.scenario.options,
            "n_resamples": settings.N_RESAMPLES,
            "gold": str(gold),
            "system": str(system),
            "evaluation": str(evaluation),
        }
        files = {"reads": [str(gold), str(system)], "writes": [str(evaluation.parent)]}
        found: dict[str, Any] = limited.run(work.evaluate, arguments, limits.of_scoring(), on_step, **files)
        return found


def _held(scoring: Scoring) -> QuerySet[Scoring]:
    """The scoring as long as this worker holds it: a late answer of a worker that lost its lease changes nothing."""
    return Scoring.objects.filter(pk=scoring.pk, state=State.RUNNING, lease=scoring.lease)


def complete(scoring: Scoring, numbers: dict[str, Any], evaluation: Path) -> str:
    """Store what `work.evaluate` has found, and its file."""
    result = Result(scoring=scoring, **numbers)
    # Only now, as other writers wait for the transaction.
    with evaluation.open("rb") as stream, transaction.atomic():
        if not _finish(scoring, State.SCORED):
            return ""
        result.evaluation.save("evaluation.npz", File(stream), save=False)
        result.save(force_insert=True)
        results_changed.send(Scoring, phase_id=scoring.submission.phase_id, scenario_id=scoring.scenario_id)
    return State.SCORED


def refuse(
    scoring: Scoring, problems: list[dict[str, Any]], causes: list[dict[str, Any]], *, broke_limits: bool = False
) -> str:
    fields = {"problems": problems, "causes": causes, "broke_limits": broke_limits}
    return State.REFUSED if _end_without_result(scoring, State.REFUSED, **fields) else ""


def fail(scoring: Scoring, error: str, *, final: bool = False) -> str:
    """Back to the queue, or `failed` for good after the third attempt or where another one cannot help."""
    log.warning("scoring not done", error=error, final=final)
    if final or scoring.attempts >= settings.MAX_ATTEMPTS:
        if not _end_without_result(scoring, State.FAILED, error=error):
            return ""
        _tell_organisers(scoring, error)
        return State.FAILED
    back = _held(scoring).update(state=State.QUEUED, lease=None, lease_ends=None, enqueued=None, error=error)
    return State.QUEUED if back else ""


def _end_without_result(scoring: Scoring, state: str, **fields: Any) -> int:
    """A board on which the run stands with other gold may have waited for this one alone to go over to new gold."""
    with transaction.atomic():
        ended = _finish(scoring, state, **fields)
        other = Scoring.objects.filter(submission=scoring.submission_id, scenario=scoring.scenario_id)
        if ended and other.filter(state=State.SCORED).exists():
            results_changed.send(Scoring, phase_id=scoring.submission.phase_id, scenario_id=scoring.scenario_id)
    return ended


def _finish(scoring: Scoring, state: str, **fields: Any) -> int:
    return _held(scoring).update(state=state, lease=None, lease_ends=None, step="", finished=timezone.now(), **fields)


def _tell_organisers(scoring: Scoring, error: str) -> None:
    """By e-mail, once an hour at most; a mail server that does not answer changes nothing for the scoring."""
    submission = scoring.submission
    if not _may_mail(scoring):
        return
    told_about = {"scoring": scoring, "submission": submission, "error": error}
    try:
        for language, organisers in by_language(acting_organisers(submission.phase.task)):
            with override(language):
                text = render_to_string("submissions/email/failed.txt", told_about)
                subject = gettext("Could not be scored: %(code)s") % {"code": scoring.code}
            send_mail(f"[{settings.SITE_NAME}] {subject}", text, None, [each.email for each in organisers])
    except OSError:
        log.exception("the organisers could not be told")


def _may_mail(scoring: Scoring) -> bool:
    """Whether no mail about another failure of the task has gone out within the hour; then this one is to go."""
    now = timezone.now()
    task = scoring.submission.phase.task_id
    with transaction.atomic():
        Task.objects.select_for_update(no_key=True).get(pk=task)
        of_task = Scoring.objects.filter(submission__phase__task=task, mailed__gt=now - MAIL_PAUSE)
        return not of_task.exists() and bool(Scoring.objects.filter(pk=scoring.pk).update(mailed=now))


def reap() -> list[uuid.UUID]:
    """Take back what dead workers hold; returns the scorings of which the broker has to be told (again)."""
    now = timezone.now()
    expired = Scoring.objects.filter(state=State.RUNNING, lease_ends__lt=now)
    released = {"lease": None, "lease_ends": None, "step": ""}
    for scoring in expired.filter(attempts__gte=settings.MAX_ATTEMPTS).select_related("submission__phase__task"):
        fail(scoring, limits.worker_died(), final=True)
    expired.update(state=State.QUEUED, enqueued=None, **released)
    return list(_forgotten(now).order_by("created").values_list("pk", flat=True))


def _forgotten(now: datetime) -> QuerySet[Scoring]:
    """Queued scorings that the broker was never told of, or whose message is gone.

    A message counts as gone when it is half a minute old and either a younger one was taken before it, or no
    worker has taken anything for half a minute. A long queue alone is not told twice.
    """
    patience = now - timedelta(seconds=30)
    is_idle = not Scoring.objects.filter(Q(state=State.RUNNING) | Q(started__gt=patience)).exists()
    overtaken = Scoring.objects.exclude(started=None).aggregate(latest=Max("enqueued"))["latest"]
    gone = Q(enqueued__lt=patience)
    if not is_idle:
        gone &= Q(enqueued__lt=overtaken) if overtaken else Q(pk=None)
    # A new row's own process tells the broker at once; the reaper must not be quicker.
    untold = Q(enqueued=None) & (Q(created__lt=now - timedelta(seconds=5)) | Q(attempts__gt=0))
    return Scoring.objects.filter(gone | untold, state=State.QUEUED).exclude(_waits())
