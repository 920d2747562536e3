"""The pages on which all entries of a board are compared: pairs, and how to read a board."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from evalsite.board_pages.board.access import access_to_board
from evalsite.comparisons.all_pairs import matrix_of
from evalsite.comparisons.compare_two.pairs import MOST_A_DAY
from evalsite.comparisons.guide import guide
from evalsite.leaderboard.combined_score import CombinedScore


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
def how_to_read(request: HttpRequest) -> HttpResponse:
    return render(request, "leaderboard/how_to_read.html", {"guide": guide(), "most_a_day": MOST_A_DAY})
