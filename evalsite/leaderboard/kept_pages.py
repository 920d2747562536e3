"""Keeps, for a moment, the pages that everybody sees, and sketches of them for those who are logged in.

What a page shows is told by `versions.facts_of`: a page is kept under all of them, so that it is never shown once one
has changed. What is not among them (how many teams compete, who organises, "in 3 hours") may be some seconds old.
Whoever has a message that waits, a query beyond the usual or an organiser's flag gets a page of their own, kept for
nobody. Others who are logged in get the sketch for the tasks in which they take part, filled with what is their own.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from http import HTTPStatus
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.messages import get_messages
from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.html import escape
from django.utils.translation import get_language

from evalsite.accounts.models import User
from evalsite.challenges.access import Onlooker
from evalsite.leaderboard.rows import Ties, ties_of
from evalsite.leaderboard.shelf import Shelf
from evalsite.leaderboard.sketches import NAME, TOKEN_OF_FORM, Sketch, mark, sketch_of
from evalsite.leaderboard.versions import awaits_results, facts_of

SECONDS = 10
_QUERIES = {"board": re.compile(r"(page=[1-9][0-9]?)?\Z")}  # few enough that nobody can fill the store with them
_PLAIN = re.compile(r"\Z")
_NAMES = {"home", "task", "board", "board_overview", "board_history", "board_pairs", "board_export"}
_SKETCHED = {"board", "board_overview", "board_history", "board_pairs"}
_NO_TOKEN = re.compile(rb'(name="csrfmiddlewaretoken" value=")(")')
_HEADERS = ("Content-Type", "Content-Disposition", "Vary")
_sketches: Shelf[Sketch] = Shelf(most=60, seconds=SECONDS)


@dataclass(frozen=True)
class Page:
    """An answer as it is kept. Where it holds a form, `body` has no token: each visitor gets one of their own."""

    body: bytes
    has_token: bool
    headers: dict[str, str]
    tag: str


class KeptPagesMiddleware:
    """Stands innermost, where it is known who asks, in which language, and for which page."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        asking: Asking | None = getattr(request, "sketched_for", None)
        if asking is not None:
            return asking.keep(request, response) or self._anew(request)
        under: tuple[str, dict[str, Any]] | None = getattr(request, "kept_under", None)
        return response if under is None else _kept(under[0], under[1], request, response)

    def _anew(self, request: HttpRequest) -> HttpResponse:
        """The page of this visitor alone, where it was tried in vain to make one for all."""
        request.is_made_anew = True  # type: ignore[attr-defined]
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: dict[str, Any]) -> HttpResponse | None:
        if _is_sketched(request):
            return _from_sketch(request, kwargs)
        if not _is_for_everybody(request):
            return None
        key = _key(request, kwargs)
        page: Page | None = caches["pages"].get(key) if key else None
        if page is None:
            request.kept_under = (key, kwargs) if key else None  # type: ignore[attr-defined]
            return None
        return _answer(page, request)


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


def _key(request: HttpRequest, kwargs: dict[str, Any], ties: Ties | None = None) -> str:
    """Under which the page is kept, or its sketch for people with such ties; "" where it shows more than the facts
    tell."""
    facts = facts_of(kwargs.get("task", ""))
    assert request.resolver_match is not None
    if request.resolver_match.view_name == "board_history" and awaits_results(facts):
        return ""
    listed = {UUID(str(pk)) for pk, *_ in facts}
    entered = None if ties is None else sorted(ties.entered & listed)
    told = (request.build_absolute_uri(), get_language(), timezone.now().date(), entered, facts)
    return "page-" + blake2b(repr(told).encode(), digest_size=20).hexdigest()


def _kept(key: str, kwargs: dict[str, Any], request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The answer that the view has just made; kept if it is what everybody gets, and nothing changed meanwhile."""
    body = response.content if response.status_code == HTTPStatus.OK and not response.streaming else b""
    has_token = TOKEN_OF_FORM.search(body) is not None
    is_personal = bool(response.cookies) or ("CSRF_COOKIE_NEEDS_UPDATE" in request.META and not has_token)
    if not body or is_personal or _key(request, kwargs) != key:
        return response
    empty = TOKEN_OF_FORM.sub(rb"\1\2", body)
    headers = {name: response[name] for name in _HEADERS if name in response}
    tag = f'W/"{blake2b(empty, digest_size=16).hexdigest()}"'
    page = Page(empty, has_token, headers, tag)
    caches["pages"].set(key, page, SECONDS)
    return _answer(page, request)


def _answer(page: Page, request: HttpRequest) -> HttpResponse:
    if page.has_token:
        token = get_token(request).encode()  # letters and digits
        return HttpResponse(_NO_TOKEN.sub(lambda hole: hole[1] + token + hole[2], page.body), headers=page.headers)
    answer = HttpResponse(page.body, headers=page.headers)
    answer["ETag"] = page.tag
    answer["Cache-Control"] = "no-cache"  # kept by browsers, and asked for again each time: it costs us nearly nothing
    return get_conditional_response(request, etag=page.tag, response=answer) or answer


@dataclass(frozen=True)
class Asking:
    """Somebody who is logged in, and asks for a page of which there is no sketch yet."""

    user: User
    ties: Ties
    key: str
    kwargs: dict[str, Any]

    def keep(self, request: HttpRequest, response: HttpResponse) -> HttpResponse | None:
        """The answer for this visitor by the one for an onlooker; None where the view has to be asked for it."""
        request.user = self.user
        del request.sketched_for  # type: ignore[attr-defined]
        if response.status_code != HTTPStatus.OK or response.streaming or response.cookies:
            return None
        headers = {name: response[name] for name in _HEADERS if name in response}
        sketch = sketch_of(request, response.content, headers)
        if _key(request, self.kwargs, self.ties) == self.key:
            _sketches.put(self.key, sketch)
        return _filled(sketch, request, self.user, self.ties)


def _is_sketched(request: HttpRequest) -> bool:
    """Whether the visitor is logged in, organises nothing, and asks for a page of which there are sketches."""
    if hasattr(request, "is_made_anew") or settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return False
    if not _is_usual(request, _SKETCHED) or not isinstance(request.user, User):
        return False
    return not (request.user.is_staff or request.user.is_superuser) and not len(get_messages(request))


def _from_sketch(request: HttpRequest, kwargs: dict[str, Any]) -> HttpResponse | None:
    """The answer; None where the view has to be asked, which then makes a sketch if there is none."""
    user: User = request.user  # type: ignore[assignment]
    ties = ties_of(user)
    key = _key(request, kwargs, ties)
    sketch = _sketches.get(key) if key else None
    if sketch is not None:
        return _filled(sketch, request, user, ties)
    if key:
        request.sketched_for = Asking(user, ties, key, kwargs)  # type: ignore[attr-defined]
        request.user = Onlooker(mark(NAME), ties.entered)
    return None


def _filled(sketch: Sketch, request: HttpRequest, user: User, ties: Ties) -> HttpResponse | None:
    body = sketch.body(escape(str(user)), get_token(request), ties.teams)
    return None if body is None else HttpResponse(body, headers=sketch.headers)
