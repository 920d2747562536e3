"""The life of a scoring: claimed by one worker, scored once, never stuck and never lost."""

import tempfile
import uuid
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import structlog
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings

from evalsite.challenges.checked_files import checked_path, require_digest
from evalsite.faults import Fault, FaultyFile, fault_of
from evalsite.jobs import limited
from evalsite.submissions import limits, work
from evalsite.submissions.causes import as_stored, told
from evalsite.submissions.endings import complete, fail, refuse
from evalsite.submissions.leases import claim, heartbeat
from evalsite.submissions.models import Scoring
from evalsite.submissions.patience import patiently
from evalsite.submissions.resting import rest, wake_after

log = structlog.get_logger()


def score(pk: uuid.UUID, lease: uuid.UUID | None = None) -> str:
    """Claim the scoring and bring it to its end; returns its state afterwards, or "" if another one has it.

    A database that restarts meanwhile is waited for; `lease` is what the claim is known by.
    """
    claimed = patiently(partial(claim, pk, lease))
    if claimed is None:
        return ""
    # Only for this scoring: the worker process lives on, and what it logs next is about something else.
    with structlog.contextvars.bound_contextvars(scoring=str(pk), attempt=claimed.attempts):
        return _score(claimed)


def _score(claimed: Scoring) -> str:
    ending: Callable[[], str]
    try:
        return _scored(claimed)
    except limited.LimitBroken as error:
        problem = limits.broken_scoring(error.kind)
        causes = [asdict(cause) for cause in told([problem])]
        ending = partial(refuse, claimed, [as_stored(problem)], causes, broke_limits=True)
    except SoftTimeLimitExceeded:
        ending = partial(fail, claimed, limits.took_too_long(), fault=Fault.TOOK_TOO_LONG, final=True)
    except Exception as error:
        ending = _ending_of(claimed, error)
    return patiently(ending)


def _scored(claimed: Scoring) -> str:
    """The state of a scoring that the engine has answered to: scored, refused, or failed for the organiser's gold."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "evaluation.npz")
        with heartbeat(claimed) as on_step:
            found = _evaluate(claimed, path, on_step)
        if "numbers" in found:
            state = patiently(partial(complete, claimed, found["numbers"], path))
        elif "problems" in found:
            state = patiently(partial(refuse, claimed, found["problems"], found["causes"]))
        else:
            state = patiently(partial(fail, claimed, found["error"], fault=Fault.GOLD_BROKEN, final=True))
    if state:
        patiently(partial(wake_after, claimed))
    return state


def _ending_of(claimed: Scoring, error: Exception) -> Callable[[], str]:
    """A fault of the machine is no attempt; all else may be the engine's, and is tried three times."""
    said = str(error) if isinstance(error, limited.Crashed | FaultyFile) else f"{type(error).__name__}: {error}"
    if fault := fault_of(error):
        return partial(rest, claimed, fault, said)
    log.error("scoring failed", exc_info=error)
    return partial(fail, claimed, said)


def _evaluate(scoring: Scoring, evaluation: Path, on_step: Callable[[str], None]) -> dict[str, Any]:
    """What `work.evaluate` answers; the evaluation is then at this path. Raises FaultyFile.

    The engine blames whoever made a file that it cannot read, so both files are looked at before; and once more where
    it does, as the folder that they lie in may have gone meanwhile.
    """
    golds, runs = scoring.gold, scoring.submission
    with checked_path(golds.file, golds.sha256) as gold, checked_path(runs.file, runs.sha256) as system:
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
        if "numbers" not in found:
            require_digest(gold, golds.sha256, golds.file.name or "")
            require_digest(system, runs.sha256, runs.file.name or "")
        return found
