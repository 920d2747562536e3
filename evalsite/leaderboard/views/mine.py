"""What of a public page is its visitor's own, as one piece that htmx puts into its places.

The page itself is the same for everybody (evalsite.leaderboard.public_pages), so this is all that tells visitors apart
there: the name, the tokens of forms, the own teams, and their rows.
"""

import re
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import Resolver404, ResolverMatch, resolve
from django.views.decorators.http import require_safe

from evalsite.accounts.models import User
from evalsite.challenges.access import sees_board, visible_phase, visible_task, visible_tasks
from evalsite.challenges.models import Scenario
from evalsite.challenges.overview import overview_of
from evalsite.leaderboard.editions import edition_of
from evalsite.leaderboard.power import power_of
from evalsite.leaderboard.rows import find_names, own_keys, own_marks, rows_called, sight_of


@require_safe
def mine(request: HttpRequest) -> HttpResponse:
    """Nothing for a stranger, but on pages with a form that needs a token."""
    page = _page(request)
    user = request.user
    if isinstance(user, User):
        context = _PIECES[page.view_name](user, **page.kwargs) if page else {}
        answer = render(request, "own/piece.html", context)
        answer.content = re.sub(rb"\s*\n\s*", b"\n", answer.content)  # nothing in it keeps its line breaks
    elif page and page.view_name == "task":
        answer = render(request, "own/tokens.html")
    else:
        answer = HttpResponse(status=HTTPStatus.NO_CONTENT)
    answer["Cache-Control"] = "private, no-store"
    return answer


def _page(request: HttpRequest) -> ResolverMatch | None:
    """What the visitor looks at; None where nothing on it is anybody's own but the head."""
    try:
        page = resolve(request.GET.get("page", ""))
    except Resolver404:
        return None
    return page if page.view_name in _PIECES else None


def _of_home(user: User) -> dict[str, Any]:
    entered = visible_tasks(user).filter(archived=None, participations__team__members=user).distinct()
    return {"entered": entered, "marks": own_marks(own_keys(user))}


def _of_task(user: User, task: str) -> dict[str, Any]:
    found = visible_task(user, task)
    marks = own_marks(own_keys(user), phase__task=found)
    return {"task": found, "overview": overview_of(found, user), "marks": marks}


def _of_phase(user: User, task: str, phase: str, scenario: int | None = None) -> dict[str, Any]:
    """Of pages on which a script finds the rows."""
    found = visible_phase(user, task, phase)
    return {"marks": own_marks(own_keys(user), phase=found)}


def _of_overview(user: User, task: str, phase: str) -> dict[str, Any]:
    return _of_phase(user, task, phase) | {"names_rows": True}


def _of_board(user: User, task: str, phase: str, scenario: int) -> dict[str, Any]:
    """The cells of the own rows, where they stand, and how far from the leader."""
    found = visible_phase(user, task, phase)
    entered = get_object_or_404(Scenario, task=found.task_id, number=scenario)
    sight = sight_of(user, found)
    if not sees_board(sight.role, found) or not sight.own_teams:
        return {}
    edition = edition_of(found, entered)
    own = [row for row in rows_called(edition, entered, sight, {}) if row.is_own]
    find_names(own)
    power = power_of(edition, entered.unit, sight.own_teams)
    return {
        "marks": [row.own_mark for row in own],
        "own_entries": own,
        "own_rows": [row for row in own if not row.reference],
        "own_distance": power and power.own,
        "scale": edition.precision.roughly(entered.scale),
    }


_PIECES: dict[str, Callable[..., dict[str, Any]]] = {
    "home": _of_home,
    "task": _of_task,
    "board": _of_board,
    "board_overview": _of_overview,
    "board_pairs": _of_phase,
}
