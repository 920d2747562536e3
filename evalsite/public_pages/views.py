"""What of a public page is its visitor's own, as one piece that htmx puts into its places.

The page itself is the same for everybody (evalsite.public_pages.middleware), so this is all that tells visitors apart
there: the name, the tokens of forms, the own teams, and their rows.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from time import time
from typing import Any
from uuid import UUID

from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string
from django.urls import Resolver404, ResolverMatch, resolve
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from evalsite.accounts.models import User
from evalsite.base.cache_keys import cache_key
from evalsite.board_pages.board import cells
from evalsite.board_pages.board.power import power_of
from evalsite.board_pages.board.rows import standings
from evalsite.board_pages.board.visibility import Visibility, keys_of, own_keys, own_marks, visibility_of
from evalsite.challenges.access import (
    Role,
    oversees,
    sees_board,
    sees_names,
    visible_phase,
    visible_task,
    visible_tasks,
)
from evalsite.challenges.gold.budget import budget_of
from evalsite.challenges.gold.versions import golds_in_force
from evalsite.challenges.models import Phase, Scenario
from evalsite.challenges.precision import precision_for
from evalsite.challenges.task_page.overview import overview_of
from evalsite.challenges.templatetags.own_parts import teams_by_task
from evalsite.leaderboard.combined_score import NAME, CombinedScore, Scored
from evalsite.leaderboard.making.editions import newest_as_stored
from evalsite.leaderboard.models import Combined
from evalsite.public_pages.middleware import MAX_AGE, PROXY_MAX_AGE, Shown, entered_by, shown_of


@require_safe
def mine(request: HttpRequest) -> HttpResponse:
    """Return nothing for a stranger, but on pages with a form that needs a token."""
    page = _page(request)
    user = request.user
    if isinstance(user, User):
        context = _PIECES[page.view_name](user, **page.kwargs) if page else {}
        answer = render(request, "own/piece.html", context)
        answer.content = re.sub(rb"\s*\n\s*", b"\n", answer.content)  # nothing in it keeps its line breaks
    elif page and page.view_name == "task":
        answer = render(request, "own/tokens.html")
    else:
        answer = HttpResponse(status=HTTPStatus.NO_CONTENT, headers={"X-Accel-Expires": PROXY_MAX_AGE})
    answer["Cache-Control"] = "private, no-store"
    return answer


def _page(request: HttpRequest) -> ResolverMatch | None:
    """Return what the visitor looks at; None where nothing on it is anybody's own but the head."""
    try:
        page = resolve(request.GET.get("page", ""))
    except Resolver404:
        return None
    return page if page.view_name in _PIECES else None


def _of_home(user: User) -> dict[str, Any]:
    teams = teams_by_task(user)
    entered = visible_tasks(user).filter(archived=None, pk__in=teams).values_list("pk", "slug")
    places = _places((tuple(teams[pk]), f"own-{slug}") for pk, slug in entered)
    return {"own_teams": places, "marks": own_marks(own_keys(user))}


def _of_task(user: User, task: str) -> dict[str, Any]:
    task_row = visible_task(user, task)
    marks = own_marks(own_keys(user), phase__task=task_row)
    overview = overview_of(task_row, user)
    examples = (
        (entrance.sample_phase, f"example-note-{entrance.scenario.number}")
        for entrance in overview.entrances
        if entrance.scenario.has_sample and entrance.sample_phase and not entrance.sample_phase.gold_released
    )
    return {"task": task_row, "overview": overview, "examples": _places(examples), "marks": marks}


def _places(parts: Iterable[tuple[Any, str]]) -> list[tuple[Any, str]]:
    """Group the ids of elements by what they are to show: each part with the selector of all its places."""
    by_part: dict[Any, list[str]] = {}
    for part, place in parts:
        by_part.setdefault(part, []).append(f"#{place}")
    return [(part, ",".join(places)) for part, places in by_part.items()]


def _of_phase(user: User, task: str, phase: str, scenario: int | str | None = None) -> dict[str, Any]:
    """Return the own piece of pages on which a script finds the rows."""
    phase_row = visible_phase(user, task, phase)
    return {"marks": own_marks(own_keys(user), phase=phase_row)}


def _of_overview(user: User, task: str, phase: str) -> dict[str, Any]:
    return _of_phase(user, task, phase) | {"names_rows": True}


def _of_board(user: User, task: str, phase: str, scenario: int | str) -> dict[str, Any]:
    """Return the part of the board, which organisers get made anew each time."""
    shown = None if oversees(user) else shown_of(task)
    if shown is None:
        visible = visible_phase(user, task, phase)
        return {"board_part": _board_part(visibility_of(user, visible), _scored(visible, scenario))}
    teams = sorted(user.memberships.order_by().values_list("team", flat=True))
    return {"board_part": _kept_board_part(shown, teams, entered_by(user, shown), phase, scenario)}


def _kept_board_part(
    shown: Shown, teams: Sequence[UUID], entered: Iterable[UUID], phase: str, scenario: int | str
) -> SafeString:
    """Return what is kept for whoever is in just these teams, until the task changes or has news; or make it.

    It is made for the teams of its key, and not for the person, who may have left one meanwhile.
    """
    role = Role.PARTICIPANT if set(shown.tasks).intersection(entered) else Role.STRANGER
    key = cache_key("own-board", shown.revision, shown.news, phase, scenario, role, teams, get_language())
    part: SafeString | None = caches["pages"].get(key)
    if part is None:
        setup = _kept_setup(shown, phase, scenario)
        visible = setup.phase
        visibility = Visibility(visible.task, role, visible, sees_names(role, visible), keys_of(teams))
        part = _board_part(visibility, setup.scored)
        caches["pages"].set(key, part, setup.ends - time())
    return part


@dataclass(frozen=True)
class _BoardSetup:
    """Holds what organisers have set of a board: its phase, with task and budget, and what it ranks by."""

    phase: Phase
    scored: Scored
    ends: float  # when it is to be read anew


def _kept_setup(shown: Shown, phase: str, scenario: int | str) -> _BoardSetup:
    """Return this as the process has read it since the task's revision was raised: new results do not change it.

    A combined score has its board with it, which is made anew with them.
    """
    key = cache_key("board-setup", shown.revision, phase, scenario, scenario == NAME and shown.news)
    setup: _BoardSetup | None = caches["editions"].get(key)
    if setup is None:
        ends = min(time() + MAX_AGE, shown.ends)  # before it is asked what is released
        row = get_object_or_404(Phase.objects.select_related("task"), task__in=shown.tasks, slug=phase)
        if not row.gold_released:
            budget_of(row)  # which is kept with the row
        setup = _BoardSetup(row, _scored(row, scenario), ends)
        caches["editions"].set(key, setup, ends - time())
    return setup


def _board_part(visibility: Visibility, scored: Scored) -> SafeString:
    """Render the marks and cells of the own rows, where they stand, and how far from the leader."""
    return render_to_string("own/_board.html", _own_board(visibility, scored))


def _own_board(visibility: Visibility, scored: Scored) -> dict[str, Any]:
    if not sees_board(visibility.role, visibility.phase) or not visibility.own_teams:
        return {}
    edition = newest_as_stored(visibility.phase, scored)
    precision = precision_for(visibility.role, visibility.phase, scored)
    scale = precision.roughly(scored.scale)
    power = power_of(edition, scored.unit, visibility.own_teams, precision, scale)
    own_rows = standings(edition, scored, visibility)
    return {
        "marks": [row.own_mark for row in own_rows],
        "own_cells": [(row.own_mark, SafeString(cells.team(row))) for row in own_rows],
        "own": [row for row in own_rows if not row.reference],
        "power": power,
    }


def _scored(phase: Phase, number: int | str) -> Scored:
    """Return what the board ranks by; raise Http404 where there is none."""
    if number != NAME:
        scenario: Scenario = get_object_or_404(Scenario, task=phase.task_id, number=number)
        return scenario
    combined = get_object_or_404(Combined, phase=phase)
    combined.phase = phase
    return CombinedScore(combined, list(golds_in_force(phase)))


_PIECES: dict[str, Callable[..., dict[str, Any]]] = {
    "home": _of_home,
    "task": _of_task,
    "board": _of_board,
    "board_overview": _of_overview,
    "board_pairs": _of_phase,
}
