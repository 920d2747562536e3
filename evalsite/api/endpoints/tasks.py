"""Tasks and their phases, and who one is."""

from dataclasses import asdict
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from ninja import Router

from evalsite.accounts.models import User
from evalsite.api.auth import Reading, owner
from evalsite.api.schemas import (
    Me,
    PhaseDescribed,
    PhaseWithTeams,
    Problem,
    ScenarioDescribed,
    TaskDescribed,
    TaskListed,
    read,
)
from evalsite.challenges.access import role_of, sees_board, sees_own_scores, visible_phase, visible_task
from evalsite.challenges.models import Scenario
from evalsite.challenges.scenarios import sampled_scenarios
from evalsite.challenges.starter_kit.kit import kit_name, kit_of
from evalsite.challenges.storage.uploads import most_bytes
from evalsite.challenges.taking_part.own_fields import own_fields
from evalsite.challenges.task_page.overview import Overview, Stage, listed_tasks, may_have_sample, overview_of
from evalsite.challenges.texts.layouts import layout_text
from evalsite.leaderboard.combined_score import boards_of
from evalsite.submissions.receiving.admission import Standing, standings
from evalsite.submissions.runs.describing import sheet_of

router = Router(tags=["Tasks"])


@router.get(
    "/me", response={200: Me, 401: Problem}, auth=Reading(), url_name="me", summary=gettext_noop("Whose token this is")
)
def me(request: HttpRequest) -> dict[str, Any]:
    user, token = owner(request), request.access_token  # type: ignore[attr-defined]
    return {
        "name": str(user),
        "teams": [{"id": team.pk, "name": team.name} for team in user.teams.all()],
        "token": token.name,
        "scopes": token.scopes.split(),
        "expires": token.expires,
    }


@router.get("/tasks", response=list[TaskListed], url_name="tasks", summary=gettext_noop("All tasks"))
def tasks(request: HttpRequest) -> list[dict[str, Any]]:
    by_state = listed_tasks(request.user)
    return [
        read(
            TaskListed,
            listed.task,
            state=listed.state,
            phase=listed.phase.slug if listed.phase else None,
            address=_absolute(request, listed.task.get_absolute_url()),
        )
        for state in ("open", "upcoming", "closed")
        for listed in by_state[state]
    ]


@router.get(
    "/tasks/{task}",
    response={200: TaskDescribed, 404: Problem},
    url_name="task",
    summary=gettext_noop("A task with its phases"),
    description=gettext_noop("Scenarios with family, options and layout; phases with times, limits and data."),
)
def task(request: HttpRequest, task: str) -> dict[str, Any]:
    task_row = visible_task(request.user, task)
    overview = overview_of(task_row, request.user)
    return read(
        TaskDescribed,
        task_row,
        address=_absolute(request, task_row.get_absolute_url()),
        scenarios=[_scenario(entrance.scenario) for entrance in overview.entrances],
        phases=[_phase(request, stage, overview) for stage in overview.stages],
        data=[
            {
                "title": download.title,
                "address": _absolute(request, reverse("download", args=[download.pk])),
                "kind": "download",
                "phase": download.phase.slug if download.phase else None,
            }
            for download in overview.downloads
        ],
    )


def _scenario(scenario: Scenario) -> dict[str, Any]:
    return read(
        ScenarioDescribed,
        scenario,
        lower_is_better=sorted(scenario.lower_scores),
        unit=list(scenario.unit),
        layout=layout_text(scenario),
    )


def _phase(request: HttpRequest, stage: Stage, overview: Overview) -> dict[str, Any]:
    phase = stage.phase
    return read(
        PhaseDescribed,
        phase,
        pause_reason=phase.pause_reason if phase.is_paused else "",
        former_closings=phase.moves,
        scenarios=[scenario.number for scenario in stage.entered],
        decided_by=next((board.number for board in boards_of(phase, stage.scenarios)), None),
        limits={
            "per_window": phase.window_limit,
            "window_seconds": int(phase.window.total_seconds()),
            "per_year": phase.year_limit,
            "year": phase.year,
            "in_total": phase.total_limit,
            "bytes": most_bytes(phase),
            "bytes_at_once": most_bytes(phase),
            "files": settings.DATA_UPLOAD_MAX_NUMBER_FILES,
        },
        shows_board=sees_board(overview.role, phase) and bool(stage.scenarios) and phase.state != "upcoming",
        shows_scores=sees_own_scores(overview.role, phase),
        detail=stage.detail and stage.detail.value,
        gold_is_released=phase.gold_released,
        data=_data(request, stage, overview),
    )


def _data(request: HttpRequest, stage: Stage, overview: Overview) -> list[dict[str, Any]]:
    phase = stage.phase
    golds = [
        {
            "title": _("Gold, scenario %(number)d") % {"number": gold.scenario.number},
            "address": _absolute(request, reverse("gold", args=[gold.pk])),
            "kind": "gold",
            "phase": phase.slug,
            "scenario": gold.scenario.number,
        }
        for gold in stage.golds
    ]
    if not stage.entered or not may_have_sample(phase, request.user, overview.role):
        return golds
    address = reverse("api:kit", args=[overview.task.slug, phase.slug])
    return [
        {"title": _("Starter kit"), "address": _absolute(request, address), "kind": "kit", "phase": phase.slug},
        *golds,
    ]


def _standing(standing: Standing) -> dict[str, Any]:
    return {
        "id": standing.team.pk,
        "name": standing.team.name,
        "uploads_left": standing.quota.left,
        "next_possible": standing.quota.next_possible,
        "reason": standing.reason,
    }


@router.get(
    "/tasks/{task}/{phase}",
    response={200: PhaseWithTeams, 404: Problem},
    url_name="phase",
    summary=gettext_noop("A phase"),
    description=gettext_noop("Times, limits and data, and with a token what your teams have left."),
)
def phase(request: HttpRequest, task: str, phase: str) -> dict[str, Any]:
    task_row = visible_task(request.user, task)
    overview = overview_of(task_row, request.user)
    stage = next((stage for stage in overview.stages if stage.phase.slug == phase), None)
    if stage is None:
        raise Http404
    user = request.user
    own_standings = standings(stage.phase, user, timezone.now()) if isinstance(user, User) else []
    facts = [asdict(field) for field in own_fields(sheet_of(task_row).own)]
    return _phase(request, stage, overview) | {
        "teams": [_standing(standing) for standing in own_standings],
        "facts": facts,
    }


@router.get(
    "/tasks/{task}/{phase}/kit",
    auth=Reading(),
    response={401: Problem, 404: Problem},
    url_name="kit",
    summary=gettext_noop("The starter kit of a phase"),
    description=gettext_noop("A zip archive: data, a valid sample, the checker, and a README with the commands."),
)
def kit(request: HttpRequest, task: str, phase: str) -> HttpResponse:
    phase_row = visible_phase(request.user, task, phase)
    role = role_of(request.user, phase_row.task)
    if not may_have_sample(phase_row, request.user, role) or not sampled_scenarios(phase_row):
        raise Http404
    answer = HttpResponse(kit_of(phase_row, request.build_absolute_uri("/"), role), content_type="application/zip")
    answer["Content-Disposition"] = content_disposition_header(True, kit_name(phase_row))
    return answer


def _absolute(request: HttpRequest, path: str) -> str:
    return request.build_absolute_uri(path)
