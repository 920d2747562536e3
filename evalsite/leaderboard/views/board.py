"""The ranked page, its downloads, and all scenarios of a phase side by side."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from evalsite.challenges.access import Role
from evalsite.leaderboard.citing import citation_of
from evalsite.leaderboard.combined.files import FORMATS as COMBINED_FORMATS
from evalsite.leaderboard.combined.page import combined_board
from evalsite.leaderboard.editions import edition_of
from evalsite.leaderboard.exports import FORMATS, export
from evalsite.leaderboard.opening import opened, opened_phase
from evalsite.leaderboard.overview import overview
from evalsite.leaderboard.ranking import Asked, ranking
from evalsite.leaderboard.rows import called_of
from evalsite.leaderboard.tasks import tell_combined
from evalsite.submissions.candidates import progress_of


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
    if opening.sight.role >= Role.VIEWER and (candidate := opening.own_golds.to_publish):
        context |= {"candidate": candidate, "candidate_progress": progress_of(candidate)}
    if request.htmx and context["table"].shown.opened:
        return render(request, "leaderboard/_runs.html", context)
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
    if (combined := shown["combined"]) and not combined.is_fresh:
        tell_combined(opening.phase.pk)
    return render(request, "leaderboard/overview.html", opening.context("board_overview") | shown)


@require_safe
def combined_export(request: HttpRequest, task: str, phase: str, suffix: str) -> HttpResponse:
    """The board of the combined score, as this visitor may see it, as a file."""
    opening = opened_phase(request, task, phase)
    if suffix not in COMBINED_FORMATS:
        raise Http404
    if not opening.sees:
        return opening.refused(request, "board_overview")
    board = combined_board(opening.phase, opening.scenarios, opening.sight, called_of(opening.sight))
    if board is None:
        raise Http404
    content_type, write = COMBINED_FORMATS[suffix]
    with translation.override(None):  # programs read it: numbers have a point, and words are English
        answer = HttpResponse(write(opening.phase, board), content_type=content_type)
    name = f"{opening.phase.task.slug}-{opening.phase.slug}-combined.{suffix}"
    answer["Content-Disposition"] = content_disposition_header(True, name)
    return answer
