"""The life of a scoring: claimed by one worker, scored once, never stuck and never lost."""

import tempfile
import uuid
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import structlog
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings

from evalsite.challenges.files import local_path
from evalsite.jobs import limited
from evalsite.submissions import limits, work
from evalsite.submissions.causes import as_stored, told
from evalsite.submissions.endings import complete, fail, refuse
from evalsite.submissions.leases import claim, heartbeat
from evalsite.submissions.models import Scoring

log = structlog.get_logger()


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
