"""Runs that wait for a judge, their files, and the scores that the judge posts."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.http import FileResponse, Http404, HttpRequest, UnreadablePostError
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from ninja import Query, Router, Schema
from pydantic import Field

from evalsite.api.auth import Judging
from evalsite.api.models import AccessToken
from evalsite.api.problems import Refusal
from evalsite.api.schemas import Problem, read
from evalsite.base.file_names import plain_name
from evalsite.challenges.access import Role, role_of
from evalsite.challenges.gold.versions import gold_in_force
from evalsite.challenges.models import Gold, Phase, Scenario
from evalsite.challenges.storage.downloads import AGAIN_IN
from evalsite.contrib.judging import posting
from evalsite.contrib.judging.reading import Invalid, Trouble, name_problem, read_posted
from evalsite.contrib.judging.schemas import Judged, RunsToJudge, RunToJudge
from evalsite.contrib.judging.unjudged import Judge, runs_of, runs_without
from evalsite.submissions.models import Submission

router = Router(tags=["Judges"])
REFUSALS = {status: Problem for status in (401, 403, 404)}
PAGE, MOST = 100, 1000  # runs of a list


class _Asked(Schema):
    scenario: int = Field(description=gettext_noop("Its number."))
    name: str = Field(description=gettext_noop("Of the judge, such as COMET."))
    version: str = Field(description=gettext_noop("Of the judge; another version is a candidate next to the former."))
    gold: int | None = Field(
        None,
        description=gettext_noop("Version of the gold; that which ranks, if this judge scores on it, if left out."),
    )
    after: UUID | None = Field(None, description=gettext_noop("The last run of the page before."))
    limit: int = Field(PAGE, ge=1, le=MOST)


class _OfGold(Schema):
    scenario: int = Field(description=gettext_noop("Its number."))
    version: int | None = Field(None, description=gettext_noop("Of the gold; the one in force if left out."))


@router.get(
    "/judge/{task}/{phase}/runs",
    response={200: RunsToJudge, 409: Problem, 422: Problem, **REFUSALS},
    auth=Judging(),
    url_name="judge_runs",
    summary=gettext_noop("Runs without scores of this judge"),
    description=gettext_noop(
        "The oldest first. A run leaves the list once its scores are posted; `after` goes on behind a run."
    ),
)
def judge_runs(request: HttpRequest, task: str, phase: str, asked: Query[_Asked]) -> dict[str, Any]:
    phase_row, scenario = _judged(request, task, phase, asked.scenario)
    judge = _judge(asked)
    golds = _conflicts_answered(lambda: posting.gold_for(phase_row, scenario, judge))
    gold = next((gold for gold in golds if asked.gold in (None, gold.version)), None)
    if golds and gold is None:
        raise Http404
    after = get_object_or_404(Submission, phase=phase_row, pk=asked.after) if asked.after else None
    runs = runs_without(gold) if gold else runs_of(phase_row, scenario)
    if after is not None:
        runs = runs.filter(Q(created__gt=after.created) | Q(created=after.created, pk__gt=after.pk))
    listed = list(runs.select_related("team")[: asked.limit + 1])
    return {
        "golds": [gold.version for gold in golds],
        "runs": [_listed(run, gold) for run in listed[: asked.limit]],
        "has_more": len(listed) > asked.limit,
    }


def _listed(run: Submission, gold: Gold | None) -> dict[str, Any]:
    return read(RunToJudge, run, team=run.team.name, bytes=run.size, gold=gold.version if gold else None)


@router.get(
    "/judge/{task}/{phase}/runs/{id}/file",
    response={**REFUSALS, 410: Problem, 503: Problem},
    auth=Judging(),
    url_name="judge_file",
    summary=gettext_noop("The file of a run to be judged"),
)
def judge_file(request: HttpRequest, task: str, phase: str, id: UUID) -> HttpResponseBase:
    phase_row = _phase(request, task, phase)
    scenarios = phase_row.task.scenarios.filter(is_judged=True)
    run = next((run for scenario in scenarios for run in runs_of(phase_row, scenario).filter(pk=id)), None)
    if run is None:
        raise Http404
    return _streamed(run.file, run.file_name)


@router.get(
    "/judge/{task}/{phase}/gold",
    response={**REFUSALS, 410: Problem, 503: Problem},
    auth=Judging(),
    url_name="judge_gold",
    summary=gettext_noop("The units to be scored, as the gold has them"),
    description=gettext_noop("For tokens that may read gold."),
)
def judge_gold(request: HttpRequest, task: str, phase: str, asked: Query[_OfGold]) -> HttpResponseBase:
    phase_row, scenario = _judged(request, task, phase, asked.scenario)
    if not _token(request).may_read_gold:
        raise PermissionDenied(_("This token may not read gold. An owner of the task can make one that may."))
    versions = Gold.objects.filter(phase=phase_row, scenario=scenario)
    gold = versions.filter(version=asked.version).first() if asked.version else gold_in_force(phase_row, scenario)
    if gold is None:
        raise Http404
    return _streamed(gold.file, gold.file_name or "gold")


@router.post(
    "/judge/{task}/{phase}/scores",
    response={200: Judged, 409: Problem, 413: Problem, 422: Problem, 503: Problem, **REFUSALS},
    auth=Judging(),
    url_name="judge_scores",
    summary=gettext_noop("Post the scores of a run"),
    description=gettext_noop(
        "JSON: `run`, `scenario`, `judge` with `name` and `version`, and `scores`, a list of objects with `unit` and "
        "`score`. The same once more changes nothing. Other numbers of the same version are refused (409), unless "
        "`replace` is true. `gold` may name the version of the gold, as the list of runs has it."
    ),
)
def judge_scores(request: HttpRequest, task: str, phase: str) -> dict[str, Any]:
    phase_row = _phase(request, task, phase)
    try:
        posted = read_posted(_body(request))
        scenario = _scenario(phase_row, posted.scenario)
        taken = posting.post_scores(phase_row, scenario, posted, by=_token(request).user)
    except Invalid as error:
        raise _invalid(error) from error
    except posting.Conflict as error:
        raise Refusal(HTTPStatus.CONFLICT, str(error)) from error
    except posting.Changed as error:
        words = _("The gold or its judge has changed this moment. Post again.")
        raise Refusal(HTTPStatus.SERVICE_UNAVAILABLE, words, again_in=1) from error
    except posting.NoSuchRun as error:
        raise Http404 from error
    return {
        "run": posted.run,
        "gold": taken.gold.version,
        "is_candidate": taken.gold.is_candidate,
        "is_same": taken.is_same,
        "has_replaced": taken.has_replaced,
    }


def _token(request: HttpRequest) -> AccessToken:
    token: AccessToken = request.access_token  # type: ignore[attr-defined]
    return token


def _phase(request: HttpRequest, task: str, phase: str) -> Phase:
    """Return the phase of the token's task; raise PermissionDenied if the token's creator no longer owns the task."""
    token = _token(request)
    assert token.task is not None
    if token.task.slug != task:
        raise Http404
    if role_of(token.user, token.task) < Role.OWNER:
        raise PermissionDenied(
            _("The person who made this token no longer owns the task. Another owner can make a new one.")
        )
    phase_row: Phase = get_object_or_404(token.task.phases, slug=phase)
    phase_row.task = token.task
    return phase_row


def _judged(request: HttpRequest, task: str, phase: str, number: int) -> tuple[Phase, Scenario]:
    phase_row = _phase(request, task, phase)
    return phase_row, _scenario(phase_row, number)


def _scenario(phase: Phase, number: int) -> Scenario:
    scenario = phase.task.scenarios.filter(number=number).first()
    if scenario is None:
        raise Http404
    if not scenario.is_judged:
        raise Refusal(HTTPStatus.CONFLICT, _("Runs of this scenario are not judged elsewhere."))
    scenario.task = phase.task
    return scenario


def _judge(asked: _Asked) -> Judge:
    problems = {key: problem for key in ("name", "version") if (problem := name_problem(getattr(asked, key)))}
    if problems:
        raise _invalid(Invalid(Trouble(key, problem) for key, problem in problems.items()))
    return Judge(asked.name, asked.version)


def _conflicts_answered(find: Callable[[], list[Gold]]) -> list[Gold]:
    try:
        return find()
    except posting.Conflict as error:
        raise Refusal(HTTPStatus.CONFLICT, str(error)) from error


def _body(request: HttpRequest) -> bytes:
    try:
        content: bytes = request.read(settings.MAX_UPLOAD_BYTES + 1)
    except UnreadablePostError as error:
        words = _("The scores did not arrive complete. Send them again.")
        raise Refusal(HTTPStatus.BAD_REQUEST, words) from error
    return content


def _invalid(error: Invalid) -> Refusal:
    problems = [{"place": trouble.place, "message": trouble.message} for trouble in error.troubles]
    detail = _("The scores have problems, so nothing was stored: %(n)s.") % {"n": error.n}
    return Refusal(HTTPStatus.UNPROCESSABLE_ENTITY, detail, problems=problems)


def _streamed(file: Any, name: str) -> HttpResponseBase:
    """Return the file from here, also where downloads lead to the store: a program follows no redirection."""
    try:
        content = file.storage.open(file.name)
    except FileNotFoundError as error:
        raise Refusal(HTTPStatus.GONE, _("The file no longer exists.")) from error
    except OSError as error:
        raise Refusal(503, _("Files cannot be reached at the moment."), again_in=AGAIN_IN) from error
    return FileResponse(content, as_attachment=True, filename=plain_name(name), content_type="application/octet-stream")
