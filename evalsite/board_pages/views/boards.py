"""The pages of a board for everybody: the ranked one with its downloads, all scenarios, entries."""

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from evalsite.board_pages.board.access import access_to_board, access_to_phase
from evalsite.board_pages.board.citing import citation_of
from evalsite.board_pages.board.exports import FORMATS, export
from evalsite.board_pages.board.filtered import facts_of
from evalsite.board_pages.board.page import BoardQuery, asked_for, imported_beside, is_coming, ranking
from evalsite.board_pages.board.picture import PICTURES
from evalsite.board_pages.board.records import RECORDS, entry_as_every_eval_ever
from evalsite.board_pages.entry import entry_page, places_of
from evalsite.board_pages.overview import overview
from evalsite.challenges.access import Role, sees_entries
from evalsite.leaderboard.combined_score import CombinedScore
from evalsite.submissions.lifecycle.candidates import progress_of


@require_safe
@vary_on_headers("HX-Request")
def board(request: HttpRequest, task: str, phase: str, scenario: int | str) -> HttpResponse:
    access = access_to_board(request, task, phase, scenario)
    if not access.is_allowed:
        return access.forbidden(request, "board")
    context = access.context("board") | {"is_coming": is_coming(access)}
    context |= ranking(BoardQuery(request.GET), access.phase, access.scenario, access.visibility)
    address = request.build_absolute_uri(request.path + context["citable"])
    if not context["filters"]:
        context["citation"] = citation_of(context["edition"], access.phase, access.scenario, address)
    own = access.own_golds
    if access.visibility.role >= Role.VIEWER and own and (candidate := own.to_publish):
        context |= {"candidate": candidate, "candidate_progress": progress_of(candidate)}
    if request.htmx and context["table"].chosen.opened:
        return render(request, "leaderboard/_runs.html", context)
    return render(request, "leaderboard/board.html", context)


@require_safe
def board_export(request: HttpRequest, task: str, phase: str, scenario: int | str, suffix: str) -> HttpResponse:
    """Download all entries of the board, as this visitor may see them."""
    access = access_to_board(request, task, phase, scenario)
    formats = FORMATS | PICTURES | (RECORDS if access.phase.is_released else {})
    if suffix not in formats:
        raise Http404
    if not access.is_allowed:
        return access.forbidden(request, "board", is_file=True)
    content_type, write = formats[suffix]
    query = BoardQuery(request.GET)
    facts = facts_of(access.phase, access.scenario, query.parameters)
    edition = asked_for(query, access.phase, access.scenario, facts)
    columns = query.columns(access.scenario)
    imported = imported_beside(query, access.phase, access.scenario, facts)
    content = export(write, edition, access.phase, access.scenario, access.visibility, columns, imported)
    answer = HttpResponse(content, content_type=content_type)
    made = f"-{edition.day}" if edition.entries else ""
    if edition.gold and edition.gold.version > 1:
        made += f"-gold{edition.gold.version}"
    board = "combined" if isinstance(access.scenario, CombinedScore) else f"scenario{access.scenario.number}"
    name = f"{access.phase.task.slug}-{access.phase.slug}-{board}{made}.{suffix}"
    answer["Content-Disposition"] = content_disposition_header(suffix not in PICTURES, name)
    return answer


@require_safe
def board_overview(request: HttpRequest, task: str, phase: str) -> HttpResponse:
    """Show all scenarios of the phase: teams down, scenarios across."""
    access = access_to_phase(request, task, phase)
    if not access.is_allowed:
        return access.forbidden(request, "board_overview")
    shown = overview(request.GET, access) | {"is_coming": is_coming(access)}
    return render(request, "leaderboard/overview.html", access.context("board_overview") | shown)


@require_safe
def entry(request: HttpRequest, task: str, phase: str, pk: UUID) -> HttpResponse:
    """Show a run that stands on a board: to everybody, once the results are released."""
    access = access_to_phase(request, task, phase)
    if not sees_entries(access.visibility.role, access.phase):
        raise Http404
    found = entry_page(access, pk)
    if found is None:
        raise Http404
    context = {"entry": found, "submission": found.submission, "task": access.phase.task, "phase": access.phase}
    context["bibtex"] = found.bibtex(request.build_absolute_uri(request.path))
    context["is_own"] = found.submission.team.members.filter(pk=request.user.pk).exists()
    return render(request, "leaderboard/entry.html", context)


@require_safe
def entry_record(request: HttpRequest, task: str, phase: str, pk: UUID) -> HttpResponse:
    """Download an entry as a record for Every Eval Ever, once the results are released."""
    access = access_to_phase(request, task, phase)
    if not access.phase.is_released:
        raise Http404
    with translation.override(None):  # programs read it
        places = places_of(access, pk)
        if not places:
            raise Http404
        answer = HttpResponse(entry_as_every_eval_ever(places), content_type="application/json")
    name = f"{access.phase.task.slug}-{access.phase.slug}-{str(pk)[:8]}.json"
    answer["Content-Disposition"] = content_disposition_header(True, name)
    return answer
