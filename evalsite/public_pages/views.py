"""What of a public page is its visitor's own, as one piece that htmx puts into its places.

The page itself is the same for everybody (evalsite.public_pages.middleware), so this is all that tells visitors apart
there: the name, the tokens of forms, the own teams, and their rows.
"""

import re
from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import Resolver404, ResolverMatch, resolve
from django.views.decorators.http import require_safe

from evalsite.accounts.models import User
from evalsite.board_pages.board.power import power_of
from evalsite.board_pages.board.rows import find_names, rows_with_names
from evalsite.board_pages.board.visibility import own_keys, own_marks, visibility_of
from evalsite.challenges.access import sees_board, visible_phase, visible_task, visible_tasks
from evalsite.challenges.gold.versions import golds_in_force
from evalsite.challenges.models import Phase, Scenario
from evalsite.challenges.task_page.overview import overview_of
from evalsite.challenges.templatetags.own_parts import teams_by_task
from evalsite.leaderboard.combined_score import NAME, CombinedScore, Scored
from evalsite.leaderboard.making.editions import edition_of
from evalsite.leaderboard.models import Combined
from evalsite.public_pages.middleware import PROXY_MAX_AGE


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
    found = visible_task(user, task)
    marks = own_marks(own_keys(user), phase__task=found)
    overview = overview_of(found, user)
    examples = (
        (entrance.sample_phase, f"example-note-{entrance.scenario.number}")
        for entrance in overview.entrances
        if entrance.scenario.has_sample and entrance.sample_phase and not entrance.sample_phase.gold_released
    )
    return {"task": found, "overview": overview, "examples": _places(examples), "marks": marks}


def _places(parts: Iterable[tuple[Any, str]]) -> list[tuple[Any, str]]:
    """Group the ids of elements by what they are to show: each part with the selector of all its places."""
    found: dict[Any, list[str]] = {}
    for part, place in parts:
        found.setdefault(part, []).append(f"#{place}")
    return [(part, ",".join(places)) for part, places in found.items()]


def _of_phase(user: User, task: str, phase: str, scenario: int | str | None = None) -> dict[str, Any]:
    """Return the own piece of pages on which a script finds the rows."""
    found = visible_phase(user, task, phase)
    return {"marks": own_marks(own_keys(user), phase=found)}


def _of_overview(user: User, task: str, phase: str) -> dict[str, Any]:
    return _of_phase(user, task, phase) | {"names_rows": True}


def _of_board(user: User, task: str, phase: str, scenario: int | str) -> dict[str, Any]:
    """Return the cells of the own rows, where they stand, and how far from the leader."""
    found = visible_phase(user, task, phase)
    entered = _scored(found, scenario)
    visibility = visibility_of(user, found)
    if not sees_board(visibility.role, found) or not visibility.own_teams:
        return {}
    edition = edition_of(found, entered)
    own = [row for row in rows_with_names(edition, entered, visibility, {}) if row.is_own]
    find_names(own)
    scale = edition.precision.roughly(entered.scale)
    power = power_of(edition, entered.unit, visibility.own_teams, scale=scale)
    return {
        "marks": [row.own_mark for row in own],
        "own_entries": own,
        "own_rows": [row for row in own if not row.reference],
        "own_power": power,
        "scale": scale,
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
