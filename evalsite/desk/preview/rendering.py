"""A page of the task as somebody else would be answered at some time, with nothing left of it afterwards.

The page's own view answers, at the chosen time, inside a transaction that is always rolled back. So a participant is a
real one, with an account and a team that are made for this answer and gone with it, and no rule is told twice.
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
from evalsite.challenges.access import Visitor
from evalsite.challenges.models import Task
from evalsite.challenges.teams import participate

# Pages alone: a file would be saved by the browser, and nobody would know later as whom.
SHOWN = {
    *("task", "task_page", "submit", "submissions", "open_check"),
    *("board", "board_overview", "board_pairs", "board_compare", "board_history", "board_atlas"),
}


class As(StrEnum):
    STRANGER = "stranger"
    PARTICIPANT = "participant"


def answer_for(request: HttpRequest, task: Task, path: str, who: As, at: datetime) -> HttpResponse:
    """The page at this path of the site; Http404, PermissionDenied as its view raises them."""
    try:
        match = resolve(path)
    except Resolver404:
        raise Http404 from None
    if match.view_name not in SHOWN or match.kwargs.get("task") != task.slug:
        raise Http404
    with transaction.atomic():
        try:
            asked = _asked(request, path, _visitor(task, who), match)
            _publish(task, at)
            with moment.seen_at(at):
                answer: HttpResponseBase = match.func(asked, *match.args, **match.kwargs)
        finally:
            transaction.set_rollback(True)
    if not isinstance(answer, HttpResponse):
        raise PermissionDenied(gettext("A preview shows pages, and no files."))
    return answer


def _visitor(task: Task, who: As) -> Visitor:
    if who == As.STRANGER:
        return AnonymousUser()
    user = User.objects.create(email=f"{task.pk}@preview.invalid", name=gettext("A participant"))
    team = Team.objects.create(name=gettext("A team"))
    Membership.objects.create(team=team, user=user, is_owner=True)
    participate(task, team)
    return user


def _publish(task: Task, at: datetime) -> None:
    """A draft is shown as if it were published; one that will be at a time, only from then on."""
    if task.publish_at is None or task.publish_at <= at:
        Task.objects.filter(pk=task.pk).update(is_published=True)


def _asked(request: HttpRequest, path: str, user: Visitor, match: object) -> HttpRequest:
    """The request as that visitor would send it, without anything of the organiser's."""
    asked = copy(request)
    asked.path = asked.path_info = path
    asked.user = user  # type: ignore[assignment]
    asked.resolver_match = match  # type: ignore[assignment]
    query = QueryDict(request.GET.urlencode(), mutable=True)
    for name in OWN:
        query.pop(name, None)
    asked.__dict__["GET"] = query
    asked.META = request.META | {"QUERY_STRING": query.urlencode()}
    asked.lacks_second_factor = False  # type: ignore[attr-defined]
    asked.COOKIES = {}
    MessageMiddleware(lambda _: HttpResponse()).process_request(asked)
    del asked.desk  # type: ignore[attr-defined]
    return asked


OWN = ("as", "at_0", "at_1", "zone")  # what the query says of the preview itself


def inside_preview(html: str, task: Task, base: str, query: str) -> str:
    """The page with its ways to other pages of the task led through the preview, and no form that sends anything."""
    top = re.escape(task.get_absolute_url())
    html = re.sub(rf'(href=")({top})([^"?#]*)(\??)', lambda found: _inside(found, base, query), html)
    return re.sub(r'<form\b([^>]*\bmethod="post"[^>]*)>', lambda found: _still(found, base, query), html)


def _inside(found: re.Match[str], base: str, query: str) -> str:
    return f"{found[1]}{base}{found[3]}?{escape(query)}{'&amp;' if found[4] else ''}"


def _still(found: re.Match[str], base: str, query: str) -> str:
    kept = re.sub(r'\s(action|hx-post|data-parts|data-upload)(="[^"]*")?', "", found[1])
    return f'<form inert action="{base}?{escape(query)}"{kept}>'
