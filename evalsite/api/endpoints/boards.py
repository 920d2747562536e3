"""Boards, as the pages and their downloads show them to the same visitor."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from ninja import Query, Router

from evalsite.api.schemas import Board, Problem
from evalsite.board_pages.board.access import access_to_board
from evalsite.board_pages.board.exports import as_record, exported
from evalsite.board_pages.board.filtered import facts_of
from evalsite.leaderboard.combined_score import NAME
from evalsite.leaderboard.imported import imported_tables
from evalsite.leaderboard.making.editions import NEWEST, EditionQuery, edition_of, parse_edition_query

router = Router(tags=["Boards"])


@router.get(
    "/tasks/{task}/{phase}/boards/combined",
    response={200: Board, 401: Problem, 403: Problem, 404: Problem},
    url_name="combined_board",
    summary=gettext_noop("The board of the combined score"),
    description=gettext_noop(
        "A formula over scores of several scenarios, or the mean of ranks. It has everything "
        "that other boards have, and the scores that it is made of."
    ),
)
def combined(request: HttpRequest, task: str, phase: str) -> dict[str, Any]:
    return _record(request, task, phase, NAME)


@router.get(
    "/tasks/{task}/{phase}/boards/{scenario}",
    response={200: Board, 401: Problem, 403: Problem, 404: Problem},
    url_name="board",
    summary=gettext_noop("A board"),
    description=gettext_noop(
        "Entries with place ranges, groups, scores, intervals and differences to the leader, and the finding."
    ),
)
def board(
    request: HttpRequest,
    task: str,
    phase: str,
    scenario: int,
    on: str = Query("", description=gettext_noop("A day such as 2026-11-20, or `final`: the board as it stood then.")),
    gold: str = Query("", description=gettext_noop("Version of the gold by which it ranked.")),
) -> dict[str, Any]:
    return _record(request, task, phase, scenario, parse_edition_query(on, gold))


def _record(
    request: HttpRequest, task: str, phase: str, scenario: int | str, moment: EditionQuery = NEWEST
) -> dict[str, Any]:
    access = access_to_board(request, task, phase, scenario)
    if not access.is_allowed:
        raise PermissionDenied(_("This board is not shown to you, or not yet."))
    if moment.is_unknown:
        raise Http404
    edition = edition_of(access.phase, access.scenario, moment)
    with translation.override(None):  # in English, as the downloads, since programs read it
        imported = imported_tables(access.phase, access.scenario) if moment.is_newest else []
        facts = facts_of(access.phase, access.scenario, {})
        board = exported(edition, access.phase, access.scenario, access.visibility, imported=imported, facts=facts)
        return as_record(board)
