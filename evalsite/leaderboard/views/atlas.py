"""The page of the error atlas: for everybody who sees the board once the gold is open, until then for organisers."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from evalsite.challenges.access import sees_against_gold
from evalsite.leaderboard.atlas.page import AtlasPage
from evalsite.leaderboard.atlas.stored import stored_atlas
from evalsite.leaderboard.opening import opened
from evalsite.submissions.models import Result


@require_safe
def atlas(request: HttpRequest, task: str, phase: str, scenario: int) -> HttpResponse:
    opening = opened(request, task, phase, scenario)
    if not opening.sees:
        return opening.refused(request, "board_atlas")
    if not sees_against_gold(opening.sight.role, opening.phase):
        raise Http404
    edition, rows = opening.edition()
    context: dict[str, Any] = {}
    if found := stored_atlas(edition, rows):
        texts = _texts(opening.scenario.engine_family.unit_texts, found.systems[0], edition.gold_id)
        page = AtlasPage(found, rows, scenario, texts)
        context = {"atlas": page, "picture": page.picture(request.GET.get("units", ""))}
    return render(request, "leaderboard/atlas.html", opening.context("board_atlas") | context)


def _texts(unit_texts: Any, submission: str, gold: Any) -> dict[str, str]:
    """The texts by which units are known again, from the tables of one of the results."""
    result = (
        Result.objects.counting()
        .filter(scoring__gold=gold, scoring__submission=submission)
        .select_related("stored_tables")
        .only("stored_tables__tables")
        .order_by("created")
        .last()
    )
    return dict(unit_texts(result.tables)) if result else {}
