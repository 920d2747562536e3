"""Runs: their state and scores, their files, and what a team may do with them."""

from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from ninja import Form, Router

from evalsite.api.auth import Reading, Uploading, owner
from evalsite.api.endpoints.events import EVENT_STREAM, stream
from evalsite.api.problems import Refusal, cause_of, finding_of, form_errors
from evalsite.api.schemas import Numbers, Problem, Reason, RunListed, Scale, Score, SubmissionDescribed, read
from evalsite.base.contrib import run_fields
from evalsite.challenges.access import Role, role_of, sees_own_scores, sees_own_steps, visible_task
from evalsite.challenges.storage.downloads import AGAIN_IN, file_response
from evalsite.leaderboard.making.ladder import step_of
from evalsite.results.page.detail import Section, sections_of
from evalsite.results.runs.history import Run, histories, own_submissions
from evalsite.results.stored import numbers_of, visible_result
from evalsite.submissions.access import acting_side, may_withdraw, visible_submission, why_not_restored
from evalsite.submissions.causes import finding_from_json
from evalsite.submissions.forms import WithdrawalForm
from evalsite.submissions.lifecycle.polling import poll
from evalsite.submissions.models import Scoring, Submission
from evalsite.submissions.runs import changing
from evalsite.translating.engine import from_engine
from scoring.errors import kind_of_warning

router = Router(tags=["Runs"])
REFUSALS = {status: Problem for status in (401, 403, 404)}


@router.get(
    "/tasks/{task}/submissions",
    response={200: list[RunListed], **REFUSALS},
    auth=Reading(),
    url_name="submissions",
    summary=gettext_noop("Your runs in a task"),
    description=gettext_noop(
        "The runs of all your teams: the latest phase first, and in each phase the newest run first."
    ),
)
def submissions(request: HttpRequest, task: str) -> list[dict[str, Any]]:
    task_row = visible_task(request.user, task)
    return [
        _listed(run, sees_scores=history.sees_scores)
        for history in histories(task_row, role_of(request.user, task_row), own_submissions(task_row, owner(request)))
        for run in history.runs
    ]


def _listed(run: Run, *, sees_scores: bool) -> dict[str, Any]:
    submission = run.submission
    scores = [_score(cell.scenario.number, cell.scoring, sees_scores=sees_scores) for cell in run.cells if cell.scoring]
    return read(RunListed, submission, phase=submission.phase.slug, team=submission.team.name, scores=scores)


def _score(number: int, cell: Scoring, *, sees_scores: bool) -> dict[str, Any]:
    result = getattr(cell, "result", None) if sees_scores and cell.state == Scoring.State.SCORED else None
    return {
        "scenario": number,
        "state": cell.state,
        "value": result.headline if result else None,
        "interval": result.interval if result else None,
    }


@router.get(
    "/submissions/{id}",
    response={200: SubmissionDescribed, **REFUSALS},
    auth=Reading(),
    url_name="submission",
    summary=gettext_noop("A run: its state and its scores"),
)
def submission(request: HttpRequest, id: UUID) -> dict[str, Any]:
    return described(request, visible_submission(request, id))


@router.get(
    "/submissions/{id}/events",
    response=REFUSALS,
    auth=Reading(),
    url_name="submission_events",
    summary=gettext_noop("The state of a run as it changes"),
    openapi_extra=EVENT_STREAM,
    description=gettext_noop(
        "Server-sent events: a `state` with the run as JSON at first and after each change, `end` when "
        "it is finished. The stream closes after some seconds, or at once if too many are open; `retry` "
        "says when to come back."
    ),
)
def submission_events(request: HttpRequest, id: UUID) -> StreamingHttpResponse:
    submission = visible_submission(request, id)

    def state() -> dict[str, Any]:
        return SubmissionDescribed(**described(request, submission)).model_dump(mode="json")

    return stream(state, lambda record: bool(record["is_finished"]), change_key=lambda: poll(request.user, id))


@router.get(
    "/submissions/{id}/scores/{scenario}",
    response={200: Numbers, **REFUSALS},
    auth=Reading(),
    url_name="submission_scores",
    summary=gettext_noop("All scores of a run with their intervals"),
)
def submission_scores(request: HttpRequest, id: UUID, scenario: int) -> dict[str, Any]:
    return numbers_of(*visible_result(request, id, scenario))


@router.get(
    "/submissions/{id}/file",
    response={**REFUSALS, 410: Problem, 503: Problem},
    auth=Reading(),
    url_name="submission_file",
    summary=gettext_noop("The files of a run, as they were uploaded"),
)
def submission_file(request: HttpRequest, id: UUID) -> HttpResponseBase:
    submission = visible_submission(request, id)
    try:
        return file_response(submission.file, submission.file_name)
    except FileNotFoundError as error:
        raise Refusal(410, _("The file no longer exists.")) from error
    except OSError as error:
        raise Refusal(503, _("Files cannot be reached at the moment."), again_in=AGAIN_IN) from error


@router.post(
    "/submissions/{id}/withdraw",
    response={200: SubmissionDescribed, 422: Problem, **REFUSALS},
    auth=Uploading(),
    url_name="submission_withdraw",
    summary=gettext_noop("Take a run off the board"),
    description=gettext_noop(
        "It keeps its numbers and still counts as an upload. Scoring that has not started is cancelled first."
    ),
)
def submission_withdraw(request: HttpRequest, id: UUID, sent: Form[Reason]) -> dict[str, Any]:
    submission = visible_submission(request, id)
    side = acting_side(request.user, submission)
    if not may_withdraw(side, submission):
        raise PermissionDenied(_("The phase has closed: only the organisers can withdraw or restore its runs."))
    form = WithdrawalForm({"reason": sent.reason}, side=side)
    if not form.is_valid():
        raise form_errors(form.errors)
    changing.cancel([submission], by=owner(request), side=side)
    changing.withdraw([submission], by=owner(request), side=side, reason=form.cleaned_data["reason"])
    return described(request, visible_submission(request, id))


@router.post(
    "/submissions/{id}/restore",
    response={200: SubmissionDescribed, **REFUSALS},
    auth=Uploading(),
    url_name="submission_restore",
    summary=gettext_noop("Put a run back on the board"),
)
def submission_restore(request: HttpRequest, id: UUID) -> dict[str, Any]:
    submission = visible_submission(request, id)
    side = acting_side(request.user, submission)
    if reason := why_not_restored(side, submission):
        raise PermissionDenied(reason)
    changing.restore([submission], by=owner(request), side=side)
    return described(request, visible_submission(request, id))


def described(request: HttpRequest, submission: Submission) -> dict[str, Any]:
    """Return the run as its page shows it to this visitor."""
    phase, task = submission.phase, submission.phase.task
    role = role_of(request.user, task)
    sees_scores = sees_own_scores(role, phase)
    sections = sections_of(submission, role)
    return read(
        SubmissionDescribed,
        submission,
        task=task.slug,
        phase=phase.slug,
        team=submission.team.name,
        bytes=submission.size,
        is_finished=not any(section.scoring.is_unfinished for section in sections),
        shows_scores=sees_scores,
        scenarios=[_section(section, role, sees_scores=sees_scores) for section in sections],
        address=request.build_absolute_uri(submission.get_absolute_url()),
        **{name: field.value(submission) for name, field in run_fields().items()},
    )


def _ladder(section: Section, role: Role) -> dict[str, Any] | None:
    run = section.scoring.submission
    if not section.is_scored or not sees_own_steps(role, run.phase):
        return None
    step = step_of(run, section.scenario)
    return {"is_decided": step is not None, "shown": step.shown if step else None}


def _section(section: Section, role: Role, *, sees_scores: bool) -> dict[str, Any]:
    scoring, place, result = section.scoring, section.place, section.result
    is_shown = sees_scores and result is not None
    is_waiting = scoring.awaits_judge and scoring.state == Scoring.State.QUEUED
    warnings = result.warnings_for(is_organiser=role >= Role.VIEWER) if is_shown and result else []
    return {
        "scenario": section.scenario.number,
        "name": section.scenario.name,
        "state": scoring.state,
        "awaits_judge": is_waiting and not scoring.awaits_gold,
        "awaits_gold": is_waiting and scoring.awaits_gold,
        "step": scoring.step if scoring.state == Scoring.State.RUNNING else "",
        "position": place.position if place else None,
        "wait_seconds": round(place.wait.total_seconds()) if place and place.wait is not None else None,
        "headline": section.scenario.headline,
        "scores": [read(Score, row, scale=read(Scale, row.scale)) for row in (section.scores if is_shown else ())],
        "ladder": _ladder(section, role),
        "problems": [finding_of(finding_from_json(problem)) for problem in scoring.problems],
        "causes": [cause_of(cause) for cause in section.refusal],
        "warnings": [from_engine(warning) for warning in warnings],
        "warning_kinds": [*map(kind_of_warning, warnings)],
        "reference": scoring.code,
    }
