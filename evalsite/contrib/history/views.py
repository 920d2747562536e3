"""The page of a board's history."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from evalsite.base import moment
from evalsite.board_pages.board.access import access_to_board
from evalsite.board_pages.board.page import is_coming
from evalsite.challenges.access import Role
from evalsite.challenges.models import Phase
from evalsite.contrib.history.chart import step_chart
from evalsite.contrib.history.combined import best_combined_references, read_combined_history
from evalsite.contrib.history.progress import best_references, read_history
from evalsite.leaderboard.combined_score import CombinedScore, Scored


def is_open(role: Role, phase: Phase, scored: Scored) -> bool:
    """Return True for all boards but those of mean ranks: these are among the teams that there are on a day, so that
    those of different days have no common measure.
    """
    return not (isinstance(scored, CombinedScore) and scored.is_ranks)


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
        context["is_coming"] = is_coming(access)
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
    return render(request, "contrib/history/history.html", context)
