"""Renders a page of the task as somebody else would get it at some time.

The page's own view answers, at the chosen time, inside a transaction that is always rolled back. So a participant is a
real one, with an account and a team that exist for this response alone, and no rule is implemented twice.
"""

import re
from copy import copy
from datetime import datetime
from enum import StrEnum
from html import escape

from django.contrib.auth.models import AnonymousUser
from django.contrib.messages.middleware import MessageMiddleware
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.urls import Resolver404, resolve
from django.utils.translation import gettext

from evalsite.accounts.models import Membership, Team, User
from evalsite.base import moment
from evalsite.base.contrib import Trait, names_with
from evalsite.challenges.access import Visitor
from evalsite.challenges.models import Task
from evalsite.challenges.taking_part.entering import agree, rules_of
from evalsite.challenges.taking_part.teams import participate

# Only pages: the browser would save a file, and nobody would know later who it was for.
SHOWN = {
    *("task", "task_page", "enter", "submit", "submissions", "open_check"),
    *("board", "board_overview", "board_pairs", "board_compare"),
}


class As(StrEnum):
    STRANGER = "stranger"
    PARTICIPANT = "participant"


def answer_for(request: HttpRequest, task: Task, path: str, who: As, at: datetime) -> HttpResponse:
    """Return the page at this path of the site; raises Http404 and PermissionDenied as its view does."""
    try:
        match = resolve(path)
    except Resolver404:
        raise Http404 from None
    if match.view_name not in SHOWN | names_with(Trait.PREVIEWED) or match.kwargs.get("task") != task.slug:
        raise Http404
    with transaction.atomic():
        try:
            visit = _request_as(request, path, _visitor(task, who), match)
            _publish(task, at)
            with moment.seen_at(at):
                answer: HttpResponseBase = match.func(visit, *match.args, **match.kwargs)
        finally:
            transaction.set_rollback(True)
    if not isinstance(answer, HttpResponse):
        raise PermissionDenied(gettext("A preview shows pages, but no files."))
    return answer


def _visitor(task: Task, who: As) -> Visitor:
    if who == As.STRANGER:
        return AnonymousUser()
    user = User.objects.create(email=f"{task.pk}@preview.invalid", name=gettext("A participant"))
    team = Team.objects.create(name=gettext("A team"))
    Membership.objects.create(team=team, user=user, is_owner=True)
    participate(task, team)
    if version := rules_of(task).terms_version:
        agree(task, team, user, version)
    return user


def _publish(task: Task, at: datetime) -> None:
    """Publish a draft for this response; one that will be published at a time, only from then on."""
    if task.publish_at is None or task.publish_at <= at:
        Task.objects.filter(pk=task.pk).update(is_published=True)


def _request_as(request: HttpRequest, path: str, user: Visitor, match: object) -> HttpRequest:
    """Return the request as that visitor would send it, without anything of the organiser's."""
    visit = copy(request)
    visit.path = visit.path_info = path
    visit.user = user  # type: ignore[assignment]
    visit.resolver_match = match  # type: ignore[assignment]
    query = QueryDict(request.GET.urlencode(), mutable=True)
    for name in _PREVIEW_PARAMETERS:
        query.pop(name, None)
    visit.__dict__["GET"] = query
    visit.META = request.META | {"QUERY_STRING": query.urlencode()}
    visit.lacks_second_factor = False  # type: ignore[attr-defined]
    visit.COOKIES = {}
    MessageMiddleware(lambda _: HttpResponse()).process_request(visit)
    del visit.desk  # type: ignore[attr-defined]
    return visit


_PREVIEW_PARAMETERS = ("as", "at_0", "at_1", "zone")  # query parameters of the preview itself


def inside_preview(html: str, task: Task, base: str, query: str) -> str:
    """Return the page with its links to other pages of the task led through the preview, and with inert forms."""
    top = re.escape(task.get_absolute_url())
    html = re.sub(rf'(href=")({top})([^"?#]*)(\??)', lambda match: _link_inside(match, base, query), html)
    return re.sub(r'<form\b([^>]*\bmethod="post"[^>]*)>', lambda match: _inert_form(match, base, query), html)


def _link_inside(match: re.Match[str], base: str, query: str) -> str:
    return f"{match[1]}{base}{match[3]}?{escape(query)}{'&amp;' if match[4] else ''}"


def _inert_form(match: re.Match[str], base: str, query: str) -> str:
    attributes = re.sub(r'\s(action|hx-post|data-parts|data-upload)(="[^"]*")?', "", match[1])
    return f'<form inert action="{base}?{escape(query)}"{attributes}>'
