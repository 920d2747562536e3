"""The page of all pairs of a board."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from evalsite.leaderboard.all_pairs import matrix_of
from evalsite.leaderboard.opening import opened


@require_safe
def pairs(request: HttpRequest, task: str, phase: str, scenario: int) -> HttpResponse:
    opening = opened(request, task, phase, scenario)
    if not opening.sees:
        return opening.refused(request, "board_pairs")
    edition, rows = opening.edition(with_places=True)
    chosen = (request.GET.get(name, "") for name in ("rows", "columns"))
    compare_url = reverse("board_compare", args=[task, phase, scenario])
    context = {
        "matrix": matrix_of(edition, rows, *chosen, compare_url),
        "edition": edition,
        "comparison": edition.comparison,
        "compare_url": compare_url,
    }
    return render(request, "leaderboard/pairs.html", opening.context("board_pairs") | context)
