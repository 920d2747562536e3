"""Keeps, for a moment, the pages that everybody sees, and sketches of them for those who are logged in.

What a page shows is told by `versions`: it is never shown once anything has changed that organisers set. After a new
result or name it may be some seconds old, so that many readers cost no more than one; and so may what is told of
nowhere (how many teams compete, "in 3 hours"). While another one is made, everybody gets the old one.

Whoever has a message that waits, a query beyond the usual or something to organise gets a page of their own, kept for
nobody. Others who are logged in get the sketch for the tasks in which they take part, filled with what is their own.
"""

import re
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.messages import get_messages
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.html import escape
from django.utils.translation import get_language

from evalsite.accounts.models import User
from evalsite.accounts.organisers import is_organiser
from evalsite.challenges.sketches import NAME, TOKEN, TOKEN_OF_FORM, AnyReader, Sketch, mark, sketch_of
from evalsite.challenges.ties import Ties, ties_of
from evalsite.leaderboard import kept_pieces, versions
from evalsite.leaderboard.kept_pieces import Pieces
from evalsite.leaderboard.showcase import Facts, Showcase
from evalsite.leaderboard.versions import OfTasks, facts_of, is_still_so, of_tasks

SECONDS = 10
_QUERIES = {"board": re.compile(r"(page=[1-9][0-9]?)?\Z")}  # few enough that nobody can fill the store with them
_PLAIN = re.compile(r"\Z")
_NAMES = {"home", "task", "board", "board_overview", "board_history", "board_pairs", "board_export"}
_SKETCHED = _NAMES - {"board_export"} | {"submit"}
_HEADERS = ("Content-Type", "Content-Disposition", "Vary")
_pages: Showcase[Sketch] = Showcase(most=100, seconds=SECONDS)


class KeptPagesMiddleware:
    """Stands innermost, where it is known who asks, in which language, and for which page."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        wanted: Wanted | None = getattr(request, "wanted", None)
        if wanted is None:
            return response
        del request.wanted  # type: ignore[attr-defined]
        page = wanted.keep(request, response)
        if wanted.ties:
            request.user = wanted.ties.user
        if page is None:
            return self._anew(request) if wanted.ties else response
        return wanted.answer(page, request) or self._anew(request)

    def _anew(self, request: HttpRequest) -> HttpResponse:
        """The page of this visitor alone, where it was tried in vain to make one for all."""
        request.is_made_anew = True  # type: ignore[attr-defined]
        del request.pieces  # type: ignore[attr-defined]
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: dict[str, Any]) -> HttpResponse | None:
        """The answer; None where the view has to be asked, for all who want this page now or for this visitor."""
        user = _reader(request)
        if user is None and not _is_for_everybody(request):
            return None
        wanted = _wanted(request, kwargs.get("task", ""), ties_of(user) if user else None)
        page = _pages.take(wanted.key, wanted.facts)
        if page is not None:
            return wanted.answer(page, request)
        wanted.asked(request)
        return None


def _is_for_everybody(request: HttpRequest) -> bool:
    """Whether the page is one that is kept, and nothing of who asks for it can be on it."""
    own = {settings.SESSION_COOKIE_NAME, "messages"} & request.COOKIES.keys()
    return not own and _is_usual(request, _NAMES)


def _is_usual(request: HttpRequest, names: set[str]) -> bool:
    """Whether it asks for one of these pages as most do, and not for a piece of it."""
    match = request.resolver_match
    if request.method != "GET" or match is None or match.view_name not in names:
        return False
    if "HTTP_AUTHORIZATION" in request.META or "HTTP_HX_REQUEST" in request.META:
        return False
    usual = _QUERIES.get(match.view_name, _PLAIN)
    return usual.match(request.META.get("QUERY_STRING", "")) is not None


@dataclass(frozen=True)
class Wanted:
    """A page that many want, and who wants it now."""

    key: Hashable
    facts: Facts
    told: OfTasks  # from which the facts are
    task: str
    ties: Ties | None  # None: nobody who is logged in

    def answer(self, page: Sketch, request: HttpRequest) -> HttpResponse | None:
        """The page for this visitor; None where it has to be made anew."""
        if self.ties is None:
            return _for_everybody(page, request)
        own = page.own_of(self.ties)
        if own is None:
            return None
        given = {**own, NAME: escape(str(self.ties.user)), TOKEN: get_token(request)}
        return HttpResponse(page.body(given), headers=page.headers)

    def asked(self, request: HttpRequest) -> HttpRequest:
        """The request, for the view to make the page for all."""
        request.wanted, request.pieces = self, Pieces(self.told)  # type: ignore[attr-defined]
        if self.ties:
            request.user = AnyReader(mark(NAME), self.ties.entered)  # type: ignore[assignment]
        return request

    def keep(self, request: HttpRequest, response: HttpResponse) -> Sketch | None:
        """The page that the view has made for all; None where it has to be made for each visitor.

        It is kept for others if it is what they get, and nothing changed meanwhile.
        """
        if not _is_for_many(request, response, self.ties):
            _pages.leave(self.key)
            return None
        headers = {name: response[name] for name in _HEADERS if name in response}
        page = sketch_of(request, response.content, headers)
        if is_still_so(self.told, self.task):
            _pages.put(self.key, self.facts, page)
            request.pieces.keep(self.task)  # type: ignore[attr-defined]
        else:
            _pages.leave(self.key)
        return page


def _wanted(request: HttpRequest, task: str, ties: Ties | None) -> Wanted:
    told = of_tasks(task)
    listed = {UUID(str(pk)) for pk, *_ in told}
    entered = None if ties is None else frozenset(ties.entered.keys() & listed)
    key = (request.build_absolute_uri(), get_language(), entered)
    match = request.resolver_match
    is_of_results = match is not None and match.view_name == "board_history"
    facts = facts_of(told, also=timezone.now().date(), is_of_results=is_of_results)
    return Wanted(key, facts, told, task, ties)


def _is_for_many(request: HttpRequest, response: HttpResponse, ties: Ties | None) -> bool:
    if response.status_code != HTTPStatus.OK or response.streaming or response.cookies:
        return False
    # A token that is not in a form, which is filled in for each, is somebody's own.
    return (
        ties is not None
        or "CSRF_COOKIE_NEEDS_UPDATE" not in request.META
        or bool(TOKEN_OF_FORM.search(response.content))
    )


def _for_everybody(page: Sketch, request: HttpRequest) -> HttpResponse:
    if page.is_open:
        return HttpResponse(page.body({TOKEN: get_token(request)}), headers=page.headers)
    answer = HttpResponse(page.body({}), headers=page.headers)
    answer["ETag"] = tag = f'W/"{page.digest}"'
    answer["Cache-Control"] = "no-cache"  # kept by browsers, and asked for again each time: it costs us nearly nothing
    answer["X-Accel-Expires"] = "2"  # seconds for which the proxy keeps it, for those alone who send no cookie of ours
    return get_conditional_response(request, etag=tag, response=answer) or answer


def _reader(request: HttpRequest) -> User | None:
    """Who is logged in, organises nothing, and asks for a page of which there are sketches."""
    if hasattr(request, "is_made_anew") or settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return None
    if not _is_usual(request, _SKETCHED) or not isinstance(request.user, User):
        return None
    return None if is_organiser(request.user) or len(get_messages(request)) else request.user


def clear() -> None:
    """In this process; what it shows is made anew then."""
    _pages.clear()
    kept_pieces.clear()
    versions.clear()
