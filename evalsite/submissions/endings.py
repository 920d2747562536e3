"""How a scoring ends: with a result, refused, failed for good, or back in the queue."""

from pathlib import Path
from typing import Any

import structlog
from django.conf import settings
from django.db.models.functions import Now

from evalsite.base.faults import Fault
from evalsite.challenges.models import Gold
from evalsite.challenges.storage.files import stored
from evalsite.submissions.models import Fingerprint, Result, ResultTables, Scoring
from evalsite.submissions.signals import results_changed
from evalsite.submissions.telling import tell_of_failure

log = structlog.get_logger()
State = Scoring.State
_NO_FAULT: dict[str, Any] = {"fault": "", "error": "", "not_before": None}


def complete(scoring: Scoring, numbers: dict[str, Any], evaluation: Path) -> str:
    """Store what `work.evaluate` has found, and its file first: other writers wait for the transaction."""
    apart = {name: numbers[name] for name in ("tables", "table_intervals", "fingerprint")}
    result = Result(scoring=scoring, **{name: value for name, value in numbers.items() if name not in apart})
    tables = ResultTables(result=result, tables=apart["tables"], intervals=apart["table_intervals"])
    fingerprint = _fingerprint(result, **apart["fingerprint"])
    with stored(result.evaluation, "evaluation.npz", evaluation):
        if not _finish(scoring, State.SCORED, **_NO_FAULT):
            result.evaluation.delete(save=False)
            return ""
        result.save(force_insert=True)
        tables.save(force_insert=True)
        fingerprint.save(force_insert=True)
        if not scoring.gold.engine:
            Gold.objects.filter(pk=scoring.gold_id, engine="").update(engine=scoring.engine_version)
        board = {"phase_id": scoring.submission.phase_id, "scenario_id": scoring.scenario_id}
        results_changed.send(Scoring, **board, result=result)
    return State.SCORED


def _fingerprint(result: Result, same: str, least: str, n_mistakes: int) -> Fingerprint:
    words = {"same": bytes.fromhex(same), "least": bytes.fromhex(least)}
    return Fingerprint(result=result, gold_id=result.scoring.gold_id, **words, n_mistakes=n_mistakes)


def refuse(
    scoring: Scoring, problems: list[dict[str, Any]], causes: list[dict[str, Any]], *, broke_limits: bool = False
) -> str:
    fields = {"problems": problems, "causes": causes, "broke_limits": broke_limits}
    return State.REFUSED if _finish(scoring, State.REFUSED, **_NO_FAULT, **fields) else ""


def fail(scoring: Scoring, error: str, *, fault: Fault = Fault.ENGINE_CRASHED, final: bool = False) -> str:
    """Back to the queue, or `failed` for good after the third attempt or where another one cannot help."""
    log.warning("scoring not done", fault=fault, error=error, final=final)
    if final or scoring.attempts >= settings.MAX_ATTEMPTS:
        if not _finish(scoring, State.FAILED, fault=fault, error=error):
            return ""
        if not scoring.gold.is_candidate:  # whose page says it
            tell_of_failure(scoring, fault, error)
        return State.FAILED
    return State.QUEUED if scoring.own.release(fault=fault, error=error) else ""


def _finish(scoring: Scoring, state: str, **fields: Any) -> int:
    return scoring.own.end(state=state, step="", finished=Now(), **fields)
