"""Scores an upload: claims a scoring, has a child evaluate it, and ends it."""

import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial
from itertools import chain, repeat
from typing import TypeVar

import structlog
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection

from evalsite.base.faults import Fault, KnownFault, fault_of
from evalsite.jobs import sandbox
from evalsite.submissions.causes import finding_to_json
from evalsite.submissions.checking import limits
from evalsite.submissions.lifecycle.transitions import claim, complete, fail, heartbeat, refuse, retry_later
from evalsite.submissions.lifecycle.upload_child import UploadChild, waiting_with
from evalsite.submissions.models import Scoring
from scoring.messages import from_data, to_data
from scoring.readers.explanations import explain

log = structlog.get_logger()
Answer = TypeVar("Answer")


def score_upload(pk: uuid.UUID, lease: uuid.UUID | None = None) -> None:
    """Score it, and then one after the other what else is queued of the same upload; each claim has this `lease`.

    A job has a time limit: where the first scorings have taken long, `next_of_person` gives each of the others its own.
    """
    end = time.monotonic() + settings.LEASE.total_seconds()
    with UploadChild() as child:
        _claim_and_score(pk, lease, child)
        for other in child.others if child.others is not None else with_retries(lambda: _keys_waiting_with(pk)):
            if time.monotonic() > end:
                with_retries(lambda: waiting_with(pk).update(enqueued=None))
                return
            _claim_and_score(other, lease, child)


def _keys_waiting_with(pk: uuid.UUID) -> list[uuid.UUID]:
    return list(waiting_with(pk).values_list("pk", flat=True))


def score(pk: uuid.UUID) -> str:
    """Claim the scoring and bring it to its end; return its state afterwards, or "" if another worker has it."""
    with UploadChild() as child:
        return _claim_and_score(pk, None, child)


def _claim_and_score(pk: uuid.UUID, lease: uuid.UUID | None, child: UploadChild) -> str:
    """Claim and score, and wait for a database that restarts meanwhile."""
    claimed = with_retries(partial(claim, pk, lease))
    if claimed is None:
        return ""
    # Bound for this scoring alone: the worker's next log lines are about something else.
    ids = {"submission": str(claimed.submission_id), "scoring": str(pk)}
    with structlog.contextvars.bound_contextvars(**ids, attempt=claimed.attempts):
        log.info("scoring claimed")
        began = time.monotonic()
        state = _score_or_fail(claimed, child)
        seconds = round(time.monotonic() - began, 3)
        if state:
            log.info("scoring ended", state=state, seconds=seconds)
        else:
            log.warning("lease lost", seconds=seconds)  # another worker has it, and the answer is discarded
    return state


def _score_or_fail(claimed: Scoring, child: UploadChild) -> str:
    ending: Callable[[], str]
    try:
        return _evaluate_and_end(claimed, child)
    except sandbox.LimitBroken as error:
        problem = limits.broken_scoring(error.kind)
        causes = [to_data(asdict(cause)) for cause in explain([problem])]
        ending = partial(refuse, claimed, [finding_to_json(problem)], causes, broke_limits=True)
    except SoftTimeLimitExceeded:
        ending = partial(fail, claimed, limits.took_too_long(), fault=Fault.TOOK_TOO_LONG, final=True)
    except Exception as error:
        ending = _ending_of(claimed, error)
    return with_retries(ending)


def _evaluate_and_end(claimed: Scoring, child: UploadChild) -> str:
    """End the scoring by the engine's answer: scored, refused, or failed for the organiser's gold."""
    with heartbeat(claimed) as on_step:
        answer, evaluation = child.evaluate(claimed, on_step)
    if "numbers" in answer:
        return with_retries(partial(complete, claimed, answer["numbers"], evaluation))
    if "problems" in answer and claimed.scenario.is_judged:
        # The judge's scores were in order when they came, and no participant can mend them.
        words = answer["problems"][0]["message"]
        return with_retries(partial(fail, claimed, from_data(words), fault=Fault.GOLD_BROKEN, final=True))
    if "problems" in answer:
        return with_retries(partial(refuse, claimed, answer["problems"], answer["causes"]))
    return with_retries(partial(fail, claimed, from_data(answer["error"]), fault=Fault.GOLD_BROKEN, final=True))


def _ending_of(claimed: Scoring, error: Exception) -> Callable[[], str]:
    """Return how to end after an error: a fault of the machine costs no attempt, all else may be the engine's."""
    text = str(error) if isinstance(error, sandbox.Crashed | KnownFault) else f"{type(error).__name__}: {error}"
    if fault := fault_of(error):
        return partial(retry_later, claimed, fault, text)
    log.error("scoring failed", exc_info=error)
    return partial(fail, claimed, text)


def with_retries(ask: Callable[[], Answer]) -> Answer:
    """Return what `ask` returns, repeated with short pauses while the database is away, for DATABASE_PATIENCE.

    `ask` is one transaction, and does nothing when it has been done before. Inside a transaction of the caller's
    nothing can be repeated, so the error is raised at once. So no worker burns the messages of a queue meanwhile.
    """
    end = time.monotonic() + settings.DATABASE_PATIENCE.total_seconds()
    for wait in _waits():
        try:
            return ask()
        except (DatabaseError, InterfaceError) as error:
            if connection.in_atomic_block or fault_of(error) is None or time.monotonic() + wait > end:
                raise
            log.warning("the database does not answer; asking again", error=str(error), wait=wait)
            connection.close()
        time.sleep(wait)
    raise AssertionError("the waits never end")


def _waits() -> Iterator[float]:
    """Yield seconds: short at first, as most restarts take a moment."""
    return chain((0.1, 0.2, 0.5, 1), repeat(2))
