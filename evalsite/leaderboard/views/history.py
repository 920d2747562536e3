"""The page of a board's history."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from evalsite.base import moment
from evalsite.leaderboard.history.best_runs import best_references, progress_of
from evalsite.leaderboard.history.step_chart import step_chart
from evalsite.leaderboard.opening import opened


@require_safe
def history(request: HttpRequest, task: str, phase: str, scenario: int) -> HttpResponse:
    opening = opened(request, task, phase, scenario)
    if not opening.sees:
        return opening.refused(request, "board_history")
    progress = progress_of(opening.gold, opening.sight)
    context: dict[str, Any] = {"progress": progress}
    if progress:
        closes = opening.phase.closes
        until = min(moment.now(), closes) if closes else moment.now()
        references = best_references(opening.gold, opening.sight)
        context["chart"] = step_chart(
            progress.bests,
            references,
            until,
            progress.others,
            scale=progress.scale,
            lower_is_better=progress.lower_is_better,
        )
        context["finding"] = progress.finding(opening.scenario.score_titles[opening.scenario.headline])
    return render(request, "leaderboard/history.html", opening.context("board_history") | context)
