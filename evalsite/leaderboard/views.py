"""The ranked page, its downloads, and all scenarios of a phase side by side."""

from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from evalsite.challenges.access import sees_board, visible_tasks
from evalsite.challenges.models import Gold, Phase, Scenario
from evalsite.leaderboard.editions import edition_of
from evalsite.leaderboard.exports import FORMATS, export
from evalsite.leaderboard.opening import PAGES
from evalsite.leaderboard.overview import overview
from evalsite.leaderboard.ranking import Asked, ranking
from evalsite.leaderboard.rows import Sight, sight_of

Pair = tuple[Phase, Scenario]


@require_safe
@vary_on_headers("HX-Request")
def board(request: HttpRequest, task: str, phase: str, scenario: int) -> HttpResponse:
    found, boards, chosen = _opened(request, task, phase, scenario)
    sight = sight_of(request.user, found)
    context = _context(found, boards, chosen, sight)
    if not sees_board(sight.role, found):
        return render(request, "leaderboard/hidden.html", context, status=403)
    context |= ranking(Asked(request.GET), found, chosen, sight)
    if request.htmx and context["table"].shown.opened:
        return HttpResponse(context["table"].runs_line())
    return render(request, "leaderboard/board.html", context)


@require_safe
def board_export(request: HttpRequest, task: str, phase: str, scenario: int, suffix: str) -> HttpResponse:
    """All entries of the board, as this visitor may see them, as a file."""
    found, boards, chosen = _opened(request, task, phase, scenario)
    if suffix not in FORMATS:
        raise Http404
    sight = sight_of(request.user, found)
    if not sees_board(sight.role, found):
        return render(request, "leaderboard/hidden.html", _context(found, boards, chosen, sight), status=403)
    asked = Asked(request.GET)
    edition = edition_of(found, chosen, asked.moment)
    content_type, content = export(suffix, edition, found, chosen, sight, asked.columns(chosen))
    answer = HttpResponse(content, content_type=content_type)
    day = f"-{edition.day}" if edition.entries else ""
    name = f"{found.task.slug}-{found.slug}-scenario{chosen.number}{day}.{suffix}"
    answer["Content-Disposition"] = content_disposition_header(True, name)
    return answer


@require_safe
def board_overview(request: HttpRequest, task: str, phase: str) -> HttpResponse:
    """All scenarios of the phase: teams down, scenarios across."""
    found, boards, _ = _opened(request, task, phase, None)
    sight = sight_of(request.user, found)
    context = _context(found, boards, None, sight)
    if not sees_board(sight.role, found):
        return render(request, "leaderboard/hidden.html", context, status=403)
    scenarios = [each for of, each in boards if of == found]
    return render(request, "leaderboard/overview.html", context | overview(request.GET, found, scenarios, sight))


def _opened(
    request: HttpRequest, task: str, phase: str, number: int | None
) -> tuple[Phase, list[Pair], Scenario | None]:
    """The phase, all that its task ranks, and the scenario of this number; Http404 where there is no such board."""
    phases = Phase.objects.filter(task__in=visible_tasks(request.user)).select_related("task")
    found = get_object_or_404(phases, task__slug=task, slug=phase)
    boards = _boards(found)
    chosen = next((each for of, each in boards if of == found and number in (None, each.number)), None)
    if chosen is None:
        raise Http404
    return found, boards, chosen if number is not None else None


def _boards(phase: Phase) -> list[Pair]:
    """All that the task ranks: the pairs that have gold."""
    golds = Gold.objects.filter(phase__task=phase.task_id).select_related("phase", "scenario")
    pairs = {(gold.phase_id, gold.scenario_id): (gold.phase, gold.scenario) for gold in golds}
    return sorted(pairs.values(), key=lambda pair: (pair[0].opens, pair[1].number))


def _context(phase: Phase, boards: Sequence[Pair], scenario: Scenario | None, sight: Sight) -> dict[str, Any]:
    return {
        "task": phase.task,
        "phase": phase,
        "scenario": scenario,
        "headline": scenario.score_titles[scenario.headline] if scenario else "",
        "tabs": _tabs(boards, phase, scenario, sight),
        "board_pages": _pages(sight, phase, scenario) if scenario else [],
    }


def _tabs(
    boards: Sequence[Pair], phase: Phase, scenario: Scenario | None, sight: Sight
) -> dict[str, list[tuple[str, str, bool]]]:
    """(title, address, is this page) of the boards beside this one: one in each other phase, and its phase's."""
    beside: dict[Phase, Scenario] = {}
    for each, entered in boards:
        if sees_board(sight.role, each) and (entered == scenario or each not in beside):
            beside[each] = entered
    here = [entered for each, entered in boards if each == phase]
    scenarios = [(f"{each.number}: {each.name}", _address(sight, phase, each), each == scenario) for each in here]
    if len(here) > 1:
        scenarios.append(("All side by side", _address(sight, phase, None), scenario is None))
    return {
        "Phase": [
            (each.name, _address(sight, each, entered if scenario else None), each == phase)
            for each, entered in beside.items()
        ],
        "Scenario": scenarios,
    }


def _pages(sight: Sight, phase: Phase, scenario: Scenario) -> list[tuple[str, str, bool]]:
    address = [sight.task.slug, phase.slug, scenario.number]
    return [(title, reverse(name, args=address), name == "board") for name, title in PAGES]


def _address(sight: Sight, phase: Phase, scenario: Scenario | None) -> str:
    if scenario is None:
        return reverse("board_overview", args=[sight.task.slug, phase.slug])
    return reverse("board", args=[sight.task.slug, phase.slug, scenario.number])
