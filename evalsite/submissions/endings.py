"""How a scoring ends: with a result, refused, failed for good, or back in the queue; and who is told."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import structlog
from django.conf import settings
from django.core.files import File
from django.core.mail import send_mail
from django.db import transaction
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext, override

from evalsite.accounts.language import by_language
from evalsite.challenges.access import acting_organisers
from evalsite.challenges.models import Task
from evalsite.submissions.leases import held
from evalsite.submissions.models import Result, Scoring
from evalsite.submissions.signals import results_changed

log = structlog.get_logger()
State = Scoring.State
MAIL_PAUSE = timedelta(hours=1)  # between two mails about failures of one task


def complete(scoring: Scoring, numbers: dict[str, Any], evaluation: Path) -> str:
    """Store what `work.evaluate` has found, and its file."""
    result = Result(scoring=scoring, **numbers)
    # Only now, as other writers wait for the transaction.
    with evaluation.open("rb") as stream, transaction.atomic():
        if not _finish(scoring, State.SCORED):
            return ""
        result.evaluation.save("evaluation.npz", File(stream), save=False)
        result.save(force_insert=True)
        board = {"phase_id": scoring.submission.phase_id, "scenario_id": scoring.scenario_id}
        results_changed.send(Scoring, **board, result=result)
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
    back = held(scoring).update(state=State.QUEUED, lease=None, lease_ends=None, enqueued=None, error=error)
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
    return held(scoring).update(state=state, lease=None, lease_ends=None, step="", finished=timezone.now(), **fields)


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
