"""Badges, tables for frames, and the page that hands them out: whoever asks gets what strangers may see."""

from copy import copy
from datetime import date
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template import Context
from django.utils import translation
from django.views.decorators.http import require_safe

from evalsite.board_pages.board.access import access_to_board
from evalsite.board_pages.board.sentence import sentence_in_html
from evalsite.board_pages.entry import EntryOnBoard, entry_page
from evalsite.challenges.access import PublicReader, Role, sees_board, sees_entries
from evalsite.contrib.badges.drawing import badge as drawn
from evalsite.contrib.badges.snippets import snippet_of, table_in_markdown
from evalsite.contrib.badges.standing import Standing, standing_of


@require_safe
def badge(
    request: HttpRequest, task: str, phase: str, scenario: int | str, pk: UUID | None = None, day: date | None = None
) -> HttpResponse:
    """Draw the badge of a board, or with `pk` of an entry on it, once strangers see that entry's page."""
    with translation.override(None):  # it says the same to everybody
        standing = _public(request, task, phase, scenario, day)
        if pk is None:
            return _picture(standing, standing.message)
        if not sees_entries(Role.STRANGER, standing.access.phase):
            raise Http404
        if row := standing.row_of(str(pk)):
            return _picture(standing, standing.message_of(row))
        if day or not _is_replaced(standing, pk):
            raise Http404
        return _picture(standing, "replaced by another run of the team")


def _is_replaced(standing: Standing, pk: UUID) -> bool:
    page = entry_page(standing.access, pk)
    return page is not None and any(board.scenario == standing.access.scenario for board in page.replaced)


def _picture(standing: Standing, message: str) -> HttpResponse:
    return HttpResponse(drawn(standing.label, message), content_type="image/svg+xml; charset=utf-8")


@require_safe
def embed(request: HttpRequest, task: str, phase: str, scenario: int | str, day: date | None = None) -> HttpResponse:
    """Show the head of the board in a page without links to log in, which other sites may frame."""
    standing = _public(request, task, phase, scenario, day)
    context = standing.access.context("board") | {
        "standing": standing,
        "finding": sentence_in_html(standing.edition, standing.rows),
    }
    return render(request, "contrib/badges/embed.html", context)


@require_safe
def board_badges(request: HttpRequest, task: str, phase: str, scenario: int | str) -> HttpResponse:
    """Show the badge and the table of a board, and what to paste to have them elsewhere."""
    standing = _public(request, task, phase, scenario, None)
    with translation.override(None):
        snippet = snippet_of(request, standing.label, standing.access.phase, standing.access.scenario)
        table = table_in_markdown(standing, snippet.link)
    context = standing.access.context("board") | {"snippet": snippet, "table": table}
    return render(request, "contrib/badges/badges.html", context)


def board_panel(context: Context) -> dict[str, Any]:
    """Return whether strangers see the board, and so its badge."""
    phase = context["phase"]
    return {"has_badge": phase.task.is_public and sees_board(Role.STRANGER, phase)}


def entry_panel(context: Context) -> dict[str, Any]:
    """Return what to paste for each board on which the entry stands; nothing while strangers don't see its page."""
    request, phase, run = context["request"], context["phase"], context["submission"]
    if not (phase.task.is_public and sees_entries(Role.STRANGER, phase)):
        return {"snippets": []}
    boards: list[EntryOnBoard] = context["entry"].boards
    return {"snippets": [snippet_of(request, phase.task.title, phase, board.scenario, run.pk) for board in boards]}


def _public(request: HttpRequest, task: str, phase: str, scenario: int | str, day: date | None) -> Standing:
    """Return the board as strangers see it; raises Http404 where they don't, or none stood on the day."""
    asked = copy(request)
    asked.user = PublicReader()
    access = access_to_board(asked, task, phase, scenario)
    standing = standing_of(access, day) if access.is_allowed else None
    if standing is None:
        raise Http404
    return standing
