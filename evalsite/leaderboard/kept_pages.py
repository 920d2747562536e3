"""Keeps, for a moment, the pages that everybody sees, for those who are not logged in and carry nothing of their own.

What a page shows is told by `versions.facts_of`: a page is kept under all of them, so that it is never shown once one
has changed. What is not among them (how many teams compete, who organises, "in 3 hours") may be some seconds old.
Whoever has a session, a message that waits, or a query beyond the usual gets a page of their own, kept for nobody.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.translation import get_language

from evalsite.leaderboard.versions import awaits_results, facts_of

SECONDS = 10
_QUERIES = {"board": re.compile(r"(page=[1-9][0-9]?)?\Z")}  # few enough that nobody can fill the store with them
_PLAIN = re.compile(r"\Z")
_NAMES = {"home", "task", "board", "board_overview", "board_history", "board_pairs", "board_export"}
_TOKEN = re.compile(rb'(name="csrfmiddlewaretoken" value=")[^"]+(")')
_NO_TOKEN = re.compile(rb'(name="csrfmiddlewaretoken" value=")(")')
_HEADERS = ("Content-Type", "Content-Disposition", "Vary")


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
        under: tuple[str, dict[str, Any]] | None = getattr(request, "kept_under", None)
        return response if under is None else _kept(under[0], under[1], request, response)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: dict[str, Any]) -> HttpResponse | None:
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
    match = request.resolver_match
    if request.method != "GET" or match is None or match.view_name not in _NAMES:
        return False
    own = {settings.SESSION_COOKIE_NAME, "messages"} & request.COOKIES.keys()
    if own or "HTTP_AUTHORIZATION" in request.META or "HTTP_HX_REQUEST" in request.META:
        return False
    usual = _QUERIES.get(match.view_name, _PLAIN)
    return usual.match(request.META.get("QUERY_STRING", "")) is not None


def _key(request: HttpRequest, kwargs: dict[str, Any]) -> str:
    """Under which the page is kept; "" where it shows more than the facts tell."""
    facts = facts_of(kwargs.get("task", ""))
    assert request.resolver_match is not None
    if request.resolver_match.view_name == "board_history" and awaits_results(facts):
        return ""
    told = (request.build_absolute_uri(), get_language(), timezone.now().date(), facts)
    return "page-" + blake2b(repr(told).encode(), digest_size=20).hexdigest()


def _kept(key: str, kwargs: dict[str, Any], request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The answer that the view has just made; kept if it is what everybody gets, and nothing changed meanwhile."""
    body = response.content if response.status_code == HTTPStatus.OK and not response.streaming else b""
    has_token = _TOKEN.search(body) is not None
    is_personal = bool(response.cookies) or ("CSRF_COOKIE_NEEDS_UPDATE" in request.META and not has_token)
    if not body or is_personal or _key(request, kwargs) != key:
        return response
    empty = _TOKEN.sub(rb"\1\2", body)
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
