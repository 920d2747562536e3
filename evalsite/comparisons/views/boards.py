"""The pages on which all entries of a board are compared: pairs, atlas, and how to read a board."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from evalsite.board_pages.board.access import access_to_board
from evalsite.challenges.access import sees_against_gold
from evalsite.comparisons.all_pairs import matrix_of
from evalsite.comparisons.atlas import AtlasPage, stored_atlas
from evalsite.comparisons.compare_two.pairs import MOST_A_DAY
from evalsite.comparisons.guide import guide
from evalsite.leaderboard.combined_score import CombinedScore
from evalsite.submissions.models import Result


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
def how_to_read(request: HttpRequest) -> HttpResponse:
    return render(request, "leaderboard/how_to_read.html", {"guide": guide(), "most_a_day": MOST_A_DAY})
