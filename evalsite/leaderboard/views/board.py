"""The ranked page, its downloads, and all scenarios of a phase side by side."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from evalsite.challenges.access import Onlooker, Role
from evalsite.leaderboard.citing import citation_of
from evalsite.leaderboard.editions import edition_of
from evalsite.leaderboard.exports import FORMATS, export
from evalsite.leaderboard.opening import opened, opened_phase
from evalsite.leaderboard.overview import overview
from evalsite.leaderboard.own_on_board import OwnOnBoard
from evalsite.leaderboard.ranking import Asked, ranking
from evalsite.leaderboard.sketches import leave_open
from evalsite.submissions.golds import changeover


@require_safe
@vary_on_headers("HX-Request")
def board(request: HttpRequest, task: str, phase: str, scenario: int) -> HttpResponse:
    opening = opened(request, task, phase, scenario)
    if not opening.sees:
        return opening.refused(request, "board")
    context = opening.context("board")
    context |= ranking(Asked(request.GET), opening.phase, opening.scenario, opening.sight)
    address = request.build_absolute_uri(request.path + context["citable"])
    context["citation"] = citation_of(context["edition"], opening.phase, opening.scenario, address)
    if opening.own_golds.waiting and opening.sight.role == Role.ORGANISER:
        context |= {"changeover": changeover(opening.own_golds, opening.own_golds.newest), "gold": opening.gold}
    if isinstance(request.user, Onlooker):
        own = OwnOnBoard(context)
        leave_open(request, own)
        context |= own.marks
    if request.htmx and context["table"].shown.opened:
        return HttpResponse(context["table"].runs_line())
    return render(request, "leaderboard/board.html", context)


@require_safe
def board_export(request: HttpRequest, task: str, phase: str, scenario: int, suffix: str) -> HttpResponse:
    """All entries of the board, as this visitor may see them, as a file."""
    opening = opened(request, task, phase, scenario)
    if suffix not in FORMATS:
        raise Http404
    if not opening.sees:
        return opening.refused(request, "board")
    asked = Asked(request.GET)
    edition = edition_of(opening.phase, opening.scenario, asked.moment)
    columns = asked.columns(opening.scenario)
    content_type, content = export(suffix, edition, opening.phase, opening.scenario, opening.sight, columns)
    answer = HttpResponse(content, content_type=content_type)
    made = f"-{edition.day}" if edition.entries else ""
    if edition.gold and edition.gold.version > 1:
        made += f"-gold{edition.gold.version}"
    name = f"{opening.phase.task.slug}-{opening.phase.slug}-scenario{opening.scenario.number}{made}.{suffix}"
    answer["Content-Disposition"] = content_disposition_header(True, name)
    return answer


@require_safe
def board_overview(request: HttpRequest, task: str, phase: str) -> HttpResponse:
    """All scenarios of the phase: teams down, scenarios across."""
    opening = opened_phase(request, task, phase)
    if not opening.sees:
        return opening.refused(request, "board_overview")
    shown = overview(request.GET, opening.phase, opening.scenarios, opening.sight)
    return render(request, "leaderboard/overview.html", opening.context("board_overview") | shown)
