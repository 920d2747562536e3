"""The pages of a board for everybody: the ranked one with its downloads, all scenarios, pairs, history, atlas."""

from http import HTTPStatus
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers
from django_htmx.http import HttpResponseStopPolling, reswap

from evalsite.base import moment
from evalsite.challenges.access import Role, role_of, sees_against_gold, sees_entries, sees_own_scores
from evalsite.leaderboard.board.access import PhaseAccess, access_to_board, access_to_phase
from evalsite.leaderboard.board.citing import citation_of
from evalsite.leaderboard.board.exports import FORMATS, export
from evalsite.leaderboard.board.filtered import facts_of
from evalsite.leaderboard.board.page import BoardQuery, asked_for, imported_beside, ranking
from evalsite.leaderboard.board.picture import PICTURES
from evalsite.leaderboard.board.records import OF_ENTRY, RECORDS
from evalsite.leaderboard.combined.making import is_fresh
from evalsite.leaderboard.combined_score import CombinedScore
from evalsite.leaderboard.compare_two.pairs import MOST_A_DAY
from evalsite.leaderboard.pages.all_pairs import matrix_of
from evalsite.leaderboard.pages.atlas import AtlasPage, stored_atlas
from evalsite.leaderboard.pages.combined_history import best_combined_references, read_combined_history
from evalsite.leaderboard.pages.entry import entry_page, places_of
from evalsite.leaderboard.pages.guide import guide
from evalsite.leaderboard.pages.history import best_references, read_history
from evalsite.leaderboard.pages.history_chart import step_chart
from evalsite.leaderboard.pages.overview import overview
from evalsite.leaderboard.pages.run_position import Coming, coming
from evalsite.leaderboard.tasks import enqueue_combined
from evalsite.results.page.detail import chosen_section, sections_of
from evalsite.submissions.access import visible_submission
from evalsite.submissions.lifecycle.candidates import progress_of
from evalsite.submissions.models import Result


@require_safe
@vary_on_headers("HX-Request")
def board(request: HttpRequest, task: str, phase: str, scenario: int | str) -> HttpResponse:
    access = access_to_board(request, task, phase, scenario)
    if not access.is_allowed:
        return access.forbidden(request, "board")
    context = access.context("board") | {"is_coming": _is_coming(access)}
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
    shown = overview(request.GET, access) | {"is_coming": _is_coming(access)}
    return render(request, "leaderboard/overview.html", access.context("board_overview") | shown)


def _is_coming(access: PhaseAccess) -> bool:
    """Return whether the phase's combined score misses results, and let it be made anew then."""
    combined = access.combined.get(access.phase.pk)
    if combined is None or is_fresh(combined):
        return False
    enqueue_combined(access.phase.pk)
    return True


@require_safe
def pairs(request: HttpRequest, task: str, phase: str, scenario: int | str) -> HttpResponse:
    access = access_to_board(request, task, phase, scenario)
    if not access.is_allowed:
        return access.forbidden(request, "board_pairs")
    edition, rows = access.edition(only_compared=True)
    chosen = (request.GET.get(name, "") for name in ("rows", "columns"))
    compare_url = "" if isinstance(access.scenario, CombinedScore) else access.address("board_compare")
    context = {
        "matrix": matrix_of(edition, rows, *chosen, compare_url),
        "edition": edition,
        "comparison": edition.comparison,
        "compare_url": compare_url,
    }
    return render(request, "leaderboard/pairs.html", access.context("board_pairs") | context)


@require_safe
def atlas(request: HttpRequest, task: str, phase: str, scenario: int) -> HttpResponse:
    access = access_to_board(request, task, phase, scenario)
    if not access.is_allowed:
        return access.forbidden(request, "board_atlas")
    if not sees_against_gold(access.visibility.role, access.phase):
        raise Http404
    edition, rows = access.edition()
    context: dict[str, Any] = {}
    if found := stored_atlas(edition, rows):
        texts = _texts(access.scenario.engine_family.views.unit_texts, found.systems[0], edition.gold_id)
        page = AtlasPage(found, rows, scenario, texts)
        context = {"atlas": page, "picture": page.picture(request.GET.get("units", ""))}
    return render(request, "leaderboard/atlas.html", access.context("board_atlas") | context)


def _texts(unit_texts: Any, submission: str, gold: Any) -> dict[str, str]:
    """Return the texts that tell people which unit is meant, from the tables of one of the results."""
    result = (
        Result.objects.counting()
        .filter(scoring__gold=gold, scoring__submission=submission)
        .select_related("stored_tables")
        .only("stored_tables__tables")
        .order_by("created")
        .last()
    )
    return dict(unit_texts(result.tables)) if result else {}


@require_safe
def history(request: HttpRequest, task: str, phase: str, scenario: int | str) -> HttpResponse:
    access = access_to_board(request, task, phase, scenario)
    if not access.is_allowed:
        return access.forbidden(request, "board_history")
    if not access.has("board_history"):
        raise Http404
    scored, visibility = access.scenario, access.visibility
    context: dict[str, Any] = {}
    if isinstance(scored, CombinedScore):
        progress = read_combined_history(scored, visibility)
        references = best_combined_references(scored, visibility) if progress else []
        context["is_coming"] = _is_coming(access)
    else:
        progress = read_history(access.gold, visibility)
        references = best_references(access.gold, visibility) if progress else []
    if progress:
        closes = access.phase.closes
        until = min(moment.now(), closes) if closes else moment.now()
        context["chart"] = step_chart(
            progress.bests,
            references,
            until,
            progress.others,
            scale=progress.scale,
            lower_is_better=progress.lower_is_better,
        )
        context["finding"] = progress.finding(scored.score_titles[scored.headline])
    context = access.context("board_history") | context | {"progress": progress}
    return render(request, "leaderboard/history.html", context)


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
def entry_record(request: HttpRequest, task: str, phase: str, pk: UUID, suffix: str) -> HttpResponse:
    """Download an entry as a record of another project, once the results are released."""
    access = access_to_phase(request, task, phase)
    if not access.phase.is_released or suffix not in OF_ENTRY:
        raise Http404
    content_type, write = OF_ENTRY[suffix]
    with translation.override(None):  # programs read it
        places = places_of(access, pk)
        if not places:
            raise Http404
        answer = HttpResponse(write(places), content_type=content_type)
    name = f"{access.phase.task.slug}-{access.phase.slug}-{str(pk)[:8]}.{suffix}"
    answer["Content-Disposition"] = content_disposition_header(True, name)
    return answer


@require_safe
def how_to_read(request: HttpRequest) -> HttpResponse:
    return render(request, "leaderboard/how_to_read.html", {"guide": guide(), "most_a_day": MOST_A_DAY})


@require_safe
@login_required
def run_place(request: HttpRequest, pk: UUID, scenario: int) -> HttpResponse:
    """Answer with nothing until the board has the run, which is all that most of these requests ask."""
    state = coming(request.user, pk, scenario)
    if state == Coming.SOON:
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    if state == Coming.LATE:
        return reswap(HttpResponseStopPolling(), "none")
    found = visible_submission(request, pk)
    role = role_of(request.user, found.phase.task)
    section = chosen_section(sections_of(found, role), str(scenario))
    if section is None or not sees_own_scores(role, found.phase):
        raise Http404
    return render(request, "results/_place.html", {"submission": found, "section": section, "visitors_role": role})
