"""The page of the error atlas."""

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from evalsite.board_pages.board.access import access_to_board
from evalsite.challenges.access import Role, sees_against_gold
from evalsite.challenges.models import Phase
from evalsite.contrib.atlas.drawing import AtlasPage, stored_atlas
from evalsite.leaderboard.combined_score import CombinedScore, Scored
from evalsite.submissions.models import Result


def is_open(role: Role, phase: Phase, scored: Scored) -> bool:
    """Return True where the board of this phase has an atlas for somebody of this role."""
    return not isinstance(scored, CombinedScore) and sees_against_gold(role, phase)


@require_safe
def atlas(request: HttpRequest, task: str, phase: str, scenario: int) -> HttpResponse:
    access = access_to_board(request, task, phase, scenario)
    if not access.is_allowed:
        return access.forbidden(request, "board_atlas")
    if not access.has("board_atlas"):
        raise Http404
    edition, rows = access.edition()
    context: dict[str, Any] = {}
    if stored := stored_atlas(edition, rows):
        texts = _texts(access.scenario.engine_family.views.unit_texts, stored.systems[0], edition.gold_id)
        page = AtlasPage(stored, rows, scenario, texts)
        context = {"atlas": page, "picture": page.picture(request.GET.get("units", ""))}
    return render(request, "contrib/atlas/atlas.html", access.context("board_atlas") | context)


def _texts(unit_texts: Any, submission: str, gold: Any) -> Mapping[str, str]:
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
