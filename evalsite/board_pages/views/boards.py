"""The pages of a board for everybody: the ranked one with its downloads, all scenarios, entries."""

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from evalsite.board_pages.board.access import access_to_board, access_to_phase
from evalsite.board_pages.board.citing import citation_of
from evalsite.board_pages.board.exports import export, formats_of
from evalsite.board_pages.board.filtered import facts_of
from evalsite.board_pages.board.page import BoardQuery, asked_for, imported_beside, is_coming, ranking
from evalsite.board_pages.board.power import powers_of
from evalsite.board_pages.entry import entry_page
from evalsite.board_pages.overview import overview
from evalsite.challenges.access import Role, sees_entries, visible_phase
from evalsite.challenges.gold.versions import golds_in_force
from evalsite.leaderboard.combined_score import CombinedScore
from evalsite.submissions.lifecycle.candidates import progress_of


@require_safe
@vary_on_headers("HX-Request")
def board(request: HttpRequest, task: str, phase: str, scenario: int | str) -> HttpResponse:
    access = access_to_board(request, task, phase, scenario)
    if not access.is_allowed:
        return access.forbidden(request, "board")
    context = access.context("board") | {"is_coming": is_coming(access)}
    context |= ranking(BoardQuery(request.GET), access)
    address = request.build_absolute_uri(request.path + context["citable"])
    if not context["filters"]:
        context["citation"] = citation_of(context["edition"], access.phase, access.scenario, address)
    golds = access.own_golds
    if access.visibility.role >= Role.VIEWER and golds and (candidate := golds.to_publish):
        context |= {"candidate": candidate, "candidate_progress": progress_of(candidate)}
    if request.htmx and context["table"].chosen.opened:
        return render(request, "leaderboard/_runs.html", context)
    return render(request, "leaderboard/board.html", context)


@require_safe
def board_export(request: HttpRequest, task: str, phase: str, scenario: int | str, suffix: str) -> HttpResponse:
    """Download all entries of the board, as this visitor may see them."""
    access = access_to_board(request, task, phase, scenario)
    form = formats_of(access.phase).get(suffix)
    if form is None:
        raise Http404
    if not access.is_allowed:
        return access.forbidden(request, "board", is_file=True)
    query = BoardQuery(request.GET)
    facts = facts_of(access.phase, access.scenario, query.parameters)
    edition = asked_for(query, access, facts)
    columns = query.columns(access.scenario)
    imported = imported_beside(query, access.phase, access.scenario, facts)
    content = export(form.write, edition, access.phase, access.scenario, access.visibility, columns, imported, facts)
    answer = HttpResponse(content, content_type=form.content_type)
    made = f"-{edition.day}" if edition.entries else ""
    if edition.gold and edition.gold.version > 1:
        made += f"-gold{edition.gold.version}"
    board = "combined" if isinstance(access.scenario, CombinedScore) else f"scenario{access.scenario.number}"
    name = f"{access.phase.task.slug}-{access.phase.slug}-{board}{made}.{suffix}"
    answer["Content-Disposition"] = content_disposition_header(bool(form.title), name)
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
def board_powers(request: HttpRequest, task: str, phase: str) -> HttpResponse:
    """Say how much the boards of a phase tell the visitor, for a fold that asks for it as it is opened."""
    phase_row = visible_phase(request.user, task, phase)
    scenarios = list(golds_in_force(phase_row))
    context = {"scenarios": scenarios, "powers": powers_of(phase_row, scenarios, request.user)}
    return render(request, "leaderboard/_powers_told.html", context)


@require_safe
def entry(request: HttpRequest, task: str, phase: str, pk: UUID) -> HttpResponse:
    """Show a run that stands on a board: to everybody, once the results are released."""
    access = access_to_phase(request, task, phase)
    if not sees_entries(access.visibility.role, access.phase):
        raise Http404
    page = entry_page(access, pk)
    if page is None:
        raise Http404
    context = {"entry": page, "submission": page.submission, "task": access.phase.task, "phase": access.phase}
    context["bibtex"] = page.bibtex(request.build_absolute_uri(request.path))
    context["is_own"] = page.submission.team.members.filter(pk=request.user.pk).exists()
    return render(request, "leaderboard/entry.html", context)
