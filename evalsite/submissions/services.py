"""The life of a scoring: claimed by one worker, scored once, never stuck and never lost.

The row is the truth and the queue a hint. Every change of state is an UPDATE that names the state it starts from,
so of two processes that try, one succeeds.
"""

import tempfile
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import structlog
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.core.files import File
from django.core.mail import send_mail
from django.db import connection, transaction
from django.db.models import Avg, F, Max, Q, QuerySet
from django.template.loader import render_to_string
from django.utils import timezone

import scoring as engine
from evalsite.challenges.access import acting_organisers
from evalsite.challenges.files import local_path
from evalsite.submissions.causes import as_stored
from evalsite.submissions.models import Result, Scoring
from evalsite.submissions.signals import results_changed

log = structlog.get_logger()
State = Scoring.State
N_TENTHS = 10  # of the scores between 0 and 1, in the distribution of a result


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
        with heartbeat(claimed) as on_step:
            evaluation = _evaluate(claimed, on_step)
        return complete(claimed, evaluation)
    except engine.SubmissionError as error:
        return refuse(claimed, error.problems)
    except (engine.GoldError, engine.ConfigurationError) as error:
        return fail(claimed, str(error), final=True)
    except SoftTimeLimitExceeded:
        return fail(claimed, f"Took longer than {settings.CELERY_TASK_SOFT_TIME_LIMIT} seconds.", final=True)
    except Exception as error:
        log.exception("scoring failed")
        return fail(claimed, f"{type(error).__name__}: {error}")


def claim(pk: uuid.UUID) -> Scoring | None:
    """Take a queued scoring; of any number of workers that try, one gets it."""
    now = timezone.now()
    claimed = Scoring.objects.filter(pk=pk, state=State.QUEUED).update(
        state=State.RUNNING,
        attempts=F("attempts") + 1,
        lease=uuid.uuid4(),
        lease_ends=now + settings.LEASE,
        started=now,
        step="",
    )
    if not claimed:
        return None
    related = ("submission__phase__task", "scenario", "gold")
    return Scoring.objects.select_related(*related).get(pk=pk)


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


def _evaluate(scoring: Scoring, on_step: Callable[[str], None]) -> engine.Evaluation:
    with local_path(scoring.gold.file) as gold, local_path(scoring.submission.file) as system:
        return engine.evaluate(
            scoring.scenario.family,
            gold=gold,
            system=system,
            options=scoring.scenario.options,
            n_resamples=settings.N_RESAMPLES,
            on_step=on_step,
            drop_marks=True,
        )


def _held(scoring: Scoring) -> QuerySet[Scoring]:
    """The scoring as long as this worker holds it: a late answer of a worker that lost its lease changes nothing."""
    return Scoring.objects.filter(pk=scoring.pk, state=State.RUNNING, lease=scoring.lease)


def complete(scoring: Scoring, evaluation: engine.Evaluation) -> str:
    result = _result(scoring, evaluation)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "evaluation.npz")
        evaluation.save(path)
        # Only now, as other writers wait for the transaction.
        with path.open("rb") as stream, transaction.atomic():
            if not _finish(scoring, State.SCORED):
                return ""
            result.evaluation.save("evaluation.npz", File(stream), save=False)
            result.save(force_insert=True)
            results_changed.send(Scoring, phase_id=scoring.submission.phase_id, scenario_id=scoring.scenario_id)
    return State.SCORED


def _result(scoring: Scoring, evaluation: engine.Evaluation) -> Result:
    numbers = evaluation.as_dict()
    family = scoring.scenario.engine_family
    metrics = family.metrics(evaluation.rows, evaluation.options)
    return Result(
        scoring=scoring,
        headline=numbers["scores"][evaluation.headline],
        scores=numbers["scores"],
        intervals=numbers["intervals"],
        interval_methods=numbers["interval_methods"],
        counts=numbers["counts"],
        tables=_kept(numbers["tables"], family),
        table_intervals=_with_reasons(numbers["table_intervals"], numbers["table_interval_reasons"]),
        # A score that is no function of sums is none of a single unit either.
        distribution=distribution(metrics.get(evaluation.headline, np.empty(0))),
        warnings=numbers["warnings"],
        signature=evaluation.signature,
        gold_digest=evaluation.gold_digest,
        seed=evaluation.seed,
        n_units=len(evaluation.units),
        n_resamples=evaluation.n_resamples,
        confidence_level=evaluation.confidence_level,
    )


def _with_reasons(
    intervals: dict[str, list[dict[str, Any]]], reasons: dict[str, list[dict[str, str]]]
) -> dict[str, list[dict[str, Any]]]:
    """{table: for each row {column: its interval, or in a word why it has none}}."""
    return {
        table: [why | ends for why, ends in zip(reasons[table], rows, strict=True)] for table, rows in intervals.items()
    }


def distribution(values: np.ndarray) -> list[int]:
    """Counts of unit scores (n,) between 0 and 1: exactly 0, the ten tenths between, exactly 1; NaN left out."""
    defined = values[~np.isnan(values)]
    between = defined[(defined > 0) & (defined < 1)]
    tenths = np.bincount((between * N_TENTHS).astype(int), minlength=N_TENTHS)
    return [int((defined <= 0).sum()), *tenths.tolist(), int((defined >= 1).sum())]


def _kept(tables: dict[str, Any], family: engine.Family) -> dict[str, Any]:
    """Without the tables of single items, which stay in the evaluation file; one that has no rows is kept to say so."""
    kept = {name: table for name, table in tables.items() if name not in family.item_tables}
    return kept | {name: [] for name in family.item_tables if not tables.get(name)}


def refuse(scoring: Scoring, problems: list[engine.Problem]) -> str:
    refused = _end_without_result(scoring, State.REFUSED, problems=[as_stored(problem) for problem in problems])
    return State.REFUSED if refused else ""


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
    """By e-mail; a mail server that does not answer must not change what became of the scoring."""
    submission = scoring.submission
    addresses = list(acting_organisers(submission.phase.task).values_list("email", flat=True))
    text = render_to_string(
        "submissions/email/failed.txt", {"scoring": scoring, "submission": submission, "error": error}
    )
    subject = f"[{settings.SITE_NAME}] Could not be scored: {scoring.code}"
    try:
        send_mail(subject, text, None, addresses)
    except OSError:
        log.exception("the organisers could not be told")


def reap() -> list[uuid.UUID]:
    """Take back what dead workers hold; returns the scorings of which the broker has to be told (again)."""
    now = timezone.now()
    expired = Scoring.objects.filter(state=State.RUNNING, lease_ends__lt=now)
    released = {"lease": None, "lease_ends": None, "step": ""}
    for scoring in expired.filter(attempts__gte=settings.MAX_ATTEMPTS).select_related("submission__phase__task"):
        fail(scoring, "The worker died while scoring, at each attempt.", final=True)
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
    return Scoring.objects.filter(gone | untold, state=State.QUEUED)
