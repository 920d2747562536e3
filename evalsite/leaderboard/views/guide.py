"""The page that explains how to read a board."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from evalsite.leaderboard.compare_two.pairs import MOST_A_DAY
from evalsite.leaderboard.guide import guide


@require_safe
def how_to_read(request: HttpRequest) -> HttpResponse:
    return render(request, "leaderboard/how_to_read.html", {"guide": guide(), "most_a_day": MOST_A_DAY})
