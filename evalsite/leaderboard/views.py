"""The ranked page."""

from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from evalsite.challenges.access import Role, sees_board, visible_tasks
from evalsite.challenges.models import Gold, Phase, Scenario
from evalsite.leaderboard.models import Edition
from evalsite.leaderboard.rows import Sight, common_axis, edition_of, finding_of, matching, rows_of, sight_of
from evalsite.leaderboard.tables import RankingTable

ROWS_A_PAGE = 100


@require_safe
def board(request: HttpRequest, task: str, phase: str, scenario: int) -> HttpResponse:
    phases = Phase.objects.filter(task__in=visible_tasks(request.user)).select_related("task")
    found = get_object_or_404(phases, task__slug=task, slug=phase)
    boards = _boards(found)
    chosen = next((each for of, each in boards if of == found and each.number == scenario), None)
    if chosen is None:
        raise Http404
    sight = sight_of(request.user, found)
    context = {
        "task": found.task,
        "phase": found,
        "scenario": chosen,
        "headline": chosen.engine_family.score_titles[chosen.headline],
        "tabs": _tabs(boards, found, chosen, sight),
    }
    if not sees_board(sight.role, found):
        return render(request, "leaderboard/hidden.html", context, status=403)
    return render(request, "leaderboard/board.html", context | _ranking(request, found, chosen, sight))


def _boards(phase: Phase) -> list[tuple[Phase, Scenario]]:
    """All that the task ranks: the pairs that have gold."""
    golds = Gold.objects.filter(phase__task=phase.task_id).select_related("phase", "scenario")
    pairs = {(gold.phase_id, gold.scenario_id): (gold.phase, gold.scenario) for gold in golds}
    return sorted(pairs.values(), key=lambda pair: (pair[0].opens, pair[1].number))


def _tabs(
    boards: Sequence[tuple[Phase, Scenario]], phase: Phase, scenario: Scenario, sight: Sight
) -> dict[str, list[tuple[str, str, bool]]]:
    """(title, address, is this page) of the boards beside this one: its phase's, and one in each other phase."""
    beside: dict[Any, Scenario] = {}
    for each, entered in boards:
        if sees_board(sight.role, each) and (entered == scenario or each not in beside):
            beside[each] = entered
    return {
        "Phase": [(each.name, _address(sight, each, entered), each == phase) for each, entered in beside.items()],
        "Scenario": [
            (f"{entered.number}: {entered.name}", _address(sight, phase, entered), entered == scenario)
            for each, entered in boards
            if each == phase
        ],
    }


def _address(sight: Sight, phase: Phase, scenario: Scenario) -> str:
    return reverse("board", args=[sight.task.slug, phase.slug, scenario.number])


def _ranking(request: HttpRequest, phase: Phase, scenario: Scenario, sight: Sight) -> dict[str, Any]:
    edition = edition_of(phase, scenario)
    rows = rows_of(edition, scenario, sight)
    query = request.GET.get("q", "").strip()
    shown = matching(rows, query)
    table = RankingTable(shown, scenario, common_axis(rows), order_by=request.GET.getlist("sort"))
    table.paginate(per_page=ROWS_A_PAGE)
    table.page = table.paginator.get_page(request.GET.get("page"))
    ranked = [row for row in rows if not row.reference]
    return {
        "board": edition.board,
        "edition": edition,
        "finding": finding_of(edition, rows),
        "table": table,
        "query": query,
        "n_rows": len(rows),
        "n_shown": len(shown),
        "n_teams": len(ranked),
        "n_runs": sum(row.n_runs for row in ranked),
        "has_references": len(ranked) < len(rows),
        "own": [row for row in ranked if row.is_own],
        "is_anonymous": not sight.names,
        "hides_names": sight.role == Role.ORGANISER and phase.is_anonymous and not phase.is_released,
        "intervals": _intervals(edition),
    }


def _intervals(edition: Edition) -> dict[str, Any] | None:
    """How the intervals were made, if all were made alike; None where there are none."""
    made = {(entry["n_units"], entry["n_resamples"], entry["confidence_level"]) for entry in edition.entries}
    if len(made) != 1:
        return None
    ((n_units, n_resamples, level),) = made
    if not n_resamples or n_units < 2:
        return None
    is_few = any(entry["interval_method"] == "bca" for entry in edition.entries)
    return {"n_units": n_units, "n_resamples": n_resamples, "percent": f"{100 * level:g}", "is_few": is_few}
