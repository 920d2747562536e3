"""Who leads, for the pages of apps that import nothing from this one."""

from collections.abc import Mapping
from typing import NamedTuple
from uuid import UUID

from django import template
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from evalsite.challenges.access import Visitor, roles_of
from evalsite.challenges.models import Task
from evalsite.challenges.overview import Listed
from evalsite.challenges.sketches import AnyReader, leave_open
from evalsite.leaderboard.kept_pieces import Pieces
from evalsite.leaderboard.leads import Lead, leads_of

register = template.Library()


class Line(NamedTuple):
    """Who leads a task, on the list of tasks."""

    html: SafeString  # "" where the visitor may see no board
    shown: frozenset[str]  # the teams in it


@register.simple_tag(takes_context=True)
def leads_of_listed(context: template.Context, listed: Mapping[str, list[Listed]]) -> dict[UUID, SafeString]:
    """Of the tasks on the home page, which are listed by state; the lines of those of which there is no news are kept,
    where the page is made for many."""
    request = context["request"]
    entries = {entry.task.pk: entry for entries in listed.values() for entry in entries}
    lines = _kept_lines(request, entries) if hasattr(request, "pieces") else _lines(request.user, entries)
    _leave_open(request, frozenset().union(*(line.shown for line in lines.values())))
    return {task: line.html for task, line in lines.items()}


@register.simple_tag(takes_context=True)
def lead_of(context: template.Context, task: Task) -> Lead | None:
    request = context["request"]
    lead = leads_of([task], request.user).get(task.pk)
    _leave_open(request, _shown(lead))
    return lead


def _leave_open(request: HttpRequest, shown: frozenset[str]) -> None:
    """Where one page is made for many, those in front get one of their own, on which they find themselves."""
    if isinstance(request.user, AnyReader):
        leave_open(request, lambda ties: None if ties.teams & shown else {})


def _kept_lines(request: HttpRequest, entries: Mapping[UUID, Listed]) -> dict[UUID, Line]:
    """A line tells nothing of its reader: who is on one gets a page that is made anew, without these."""
    pieces: Pieces = request.pieces  # type: ignore[attr-defined]
    names = {task: ("lead", role, get_language()) for task, role in roles_of(request.user, _tasks(entries)).items()}
    lines = {task: pieces.get(task, name) for task, name in names.items()}
    made = _lines(request.user, {task: entries[task] for task, line in lines.items() if line is None})
    for task, line in made.items():
        pieces.add(task, names[task], line)
    return lines | made


def _lines(user: Visitor, entries: Mapping[UUID, Listed]) -> dict[UUID, Line]:
    leads = leads_of(_tasks(entries), user) if entries else {}
    return {task: _line(leads.get(task), entry) for task, entry in entries.items()}


def _line(lead: Lead | None, entry: Listed) -> Line:
    said = {"lead": lead, "entry": entry}
    html = render_to_string("leaderboard/_lead_line.html", said) if lead else SafeString("")
    return Line(html, _shown(lead))


def _shown(lead: Lead | None) -> frozenset[str]:
    return frozenset(each.row.entry["team"] for each in lead.drawn) if lead else frozenset()


def _tasks(entries: Mapping[UUID, Listed]) -> list[Task]:
    return [entry.task for entry in entries.values()]


@register.filter
def of_task(lines: dict[UUID, SafeString], task: Task) -> SafeString:
    return lines[task.pk]
