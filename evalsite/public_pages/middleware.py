"""Keeps the pages that everybody sees: one page for all visitors, whether they are logged in or not.

A page is made for a request that carries nothing of its visitor, and kept by its address, the language and the revision
of what it shows; all processes share it. So what organisers change is seen at once. Behind new boards and participants
(`Task.news`) a page may lag, for MAX_STALENESS seconds once it is there. Then one request makes it anew, and meanwhile,
for STALE_WHILE_REVALIDATE seconds at most, others get the page before. What is a visitor's own comes to it as a piece
(`views.py`).

Organisers, and whoever a message waits for, get pages that are made for them alone. docs/freshness.md has a drawing.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import reduce
from gzip import compress, decompress
from hashlib import blake2b
from http import HTTPStatus
from importlib import import_module
from math import inf
from operator import or_
from time import sleep, time
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.conf import settings
from django.contrib.messages import get_messages
from django.contrib.messages.middleware import MessageMiddleware
from django.core.cache import caches
from django.db.models import Exists, OuterRef, Q
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import get_language

from evalsite.accounts.models import User
from evalsite.accounts.organisers import is_organiser
from evalsite.base.cache_keys import cache_key
from evalsite.base.contrib import Trait, names_with
from evalsite.challenges.access import PublicReader, taking_part
from evalsite.challenges.models import Download, Phase, Task, published

View = Callable[[HttpRequest], HttpResponse]
MAX_AGE = 20.0  # seconds: the upper bound for what no revision covers, such as "in 3 hours"
MIN_STALENESS, MAX_STALENESS = 2.0, 8.0  # seconds for which a page is shown although there is news
STALENESS_FACTOR = 100  # times as long as the page took to make, so that one page takes a hundredth of a processor
STALE_WHILE_REVALIDATE = 10.0  # seconds more for which others get the page before while one request makes it anew
LOCK_TIMEOUT = 10.0  # seconds after which a page whose maker has died is made by somebody else
WAIT_TIMEOUT = 5.0  # seconds for which a request waits for another one that makes its page
POLL_INTERVAL = 0.02  # seconds
GZIP_LEVEL = 6  # half the time of the highest, for 3 % more bytes
PROXY_MAX_AGE = "2"  # seconds for which the proxy keeps what it got for a stranger

_QUERIES = {"board": re.compile(r"(page=[1-9][0-9]?)?\Z")}  # few enough that nobody can fill the cache with them
_PLAIN = re.compile(r"\Z")
WITH_OWN_PIECE = {"home", "task", "board", "board_overview", "board_pairs", "how_to_read"}
_FILES = {"board_export"}  # these have no piece: whoever is logged in gets a file made for them
_HEADERS = ("Content-Type", "Content-Disposition", "Vary")
# What a page is made of, in the headers of a request and what the server adds to them.
_NEEDED = {
    *("REQUEST_METHOD", "SCRIPT_NAME", "PATH_INFO", "QUERY_STRING", "SERVER_NAME", "SERVER_PORT", "SERVER_PROTOCOL"),
    *("HTTP_HOST", "HTTP_X_FORWARDED_PROTO", "wsgi.url_scheme"),
}


@dataclass(frozen=True)
class Page:
    body: bytes | None  # None: it was tried in vain, and each visitor gets a page that is made anew
    is_packed: bool  # by gzip, once for all: text that holds nothing secret of which the length could tell
    headers: dict[str, str]
    tag: str
    news: Hashable  # what was the newest when it was made
    made: float
    max_staleness: float  # seconds for which it is shown although there is news

    def is_shown(self, news: Hashable, grace: float = 0.0) -> bool:
        return time() < self.made + (MAX_AGE if self.news == news else self.max_staleness) + grace


@dataclass(frozen=True)
class Shown:
    """What a page shows, of one task or of all that are public; or nothing that changes."""

    tasks: Sequence[UUID] = ()
    revision: Hashable = None
    news: Hashable = None

    @property
    def ends(self) -> float:
        """Return when something opens, closes or is released by itself; or the day ends."""
        if self.revision is None:
            return inf
        now = timezone.now()
        day = now.replace(hour=0, minute=0, second=0, microsecond=0)
        phases = Phase.objects.filter(task__in=self.tasks)
        downloads = Download.objects.filter(task__in=self.tasks)
        times = [
            day + timedelta(days=1),
            *_next(phases, now, "opens", "closes", "late_until", "results_released"),
            *_next(downloads, now, "available_from"),
            *_next(Task.objects.all(), now, "publish_at", "entry_rules__closes"),
        ]
        return min(times).timestamp()


def _next(rows: Any, now: datetime, *names: str) -> Iterable[datetime]:
    """Return the times in these columns that are still to come."""
    to_come = rows.filter(reduce(or_, (Q(**{f"{name}__gt": now}) for name in names)))
    return (time for times in to_come.order_by().values_list(*names) for time in times if time and time > now)


class PublicPagesMiddleware:
    """Stands innermost, where it is known who asks, in which language, and for which page."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: dict[str, Any]) -> HttpResponse | None:
        """Return the page for all; None where this visitor gets one that is made anew."""
        name = request.resolver_match.view_name if request.resolver_match else ""
        if name in WITH_OWN_PIECE | names_with(Trait.KEPT):
            request.own_piece = f"{reverse('mine')}?{urlencode({'page': request.path})}"  # type: ignore[attr-defined]
        if not _is_for_all(request, name):
            return None
        shown = Shown() if name == "how_to_read" else shown_of(kwargs.get("task", ""))
        if shown is None:
            return None
        public = PublicReader(_entered(request, shown))
        page = _page(public, request, shown, lambda asked: view(asked, *args, **kwargs))
        return _answer(page, request) if page.body is not None else None


def _is_for_all(request: HttpRequest, name: str) -> bool:
    """Return whether this visitor gets the page that everybody gets."""
    is_kept = name in WITH_OWN_PIECE | names_with(Trait.KEPT) or _has_no_piece(name)
    if not is_kept or request.method != "GET":
        return False
    if {"HTTP_AUTHORIZATION", "HTTP_HX_REQUEST"} & request.META.keys() or "messages" in request.COOKIES:
        return False
    if not _QUERIES.get(name, _PLAIN).match(request.META.get("QUERY_STRING", "")):
        return False
    if settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return True
    if _has_no_piece(name) or len(get_messages(request)) or is_organiser(request.user):
        return False
    return not (request.user.is_authenticated and _shows_own_words(request, name))


def _has_no_piece(name: str) -> bool:
    return name in _FILES | names_with(Trait.EMBEDDED) | names_with(Trait.FRAMED)


def _shows_own_words(request: HttpRequest, name: str) -> bool:
    """Return whether a team reads there what is hidden from others and no piece brings: methods of its best runs."""
    named = request.resolver_match.kwargs if request.resolver_match else {}
    if name not in names_with(Trait.KEPT):
        return False
    return Phase.objects.filter(task__slug=named["task"], slug=named["phase"], is_anonymous=True).exists()


def shown_of(task: str) -> Shown | None:
    """Return what is shown of the public task with this slug, or of all; None where there is no such task."""
    tasks = Task.objects.filter(published(timezone.now())).order_by("pk")
    rows = list((tasks.filter(slug=task) if task else tasks).values_list("pk", "revision", "news"))
    if task and not rows:
        return None
    revision = tuple((pk, revision) for pk, revision, _ in rows)
    return Shown([pk for pk, *_ in rows], revision, tuple(news for *_, news in rows))


def _entered(request: HttpRequest, shown: Shown) -> Iterable[UUID]:
    """Return the tasks in which the visitor takes part and sees boards, or data, that strangers do not see."""
    if settings.SESSION_COOKIE_NAME not in request.COOKIES or not isinstance(request.user, User):
        return ()
    return entered_by(request.user, shown)


def entered_by(user: User, shown: Shown) -> Iterable[UUID]:
    """Return the tasks in which the person takes part, of those where this makes a difference to what is shown."""
    kept = _for_participants(shown) if shown.tasks else ()
    return taking_part(user).filter(task__in=kept).values_list("task", flat=True) if kept else ()


def _for_participants(shown: Shown) -> Sequence[UUID]:
    """Return the tasks with something for participants alone, which can change only with the revision.

    Most tasks have nothing such, and then who takes part need not be asked for each page.
    """
    key = cache_key("for-participants", shown.revision)
    keys: list[UUID] | None = caches["editions"].get(key)
    if keys is None:
        phases = Phase.objects.filter(task=OuterRef("pk"))
        kept = phases.filter(Q(board_audience=Phase.Audience.PARTICIPANTS) | Q(members_only=True))
        kept_files = Download.objects.filter(task=OuterRef("pk"), members_only=True)
        tasks = Task.objects.filter(Exists(kept) | Exists(kept_files), pk__in=shown.tasks)
        keys = list(tasks.values_list("pk", flat=True))
        caches["editions"].set(key, keys, MAX_AGE)
    return keys


def _asked_by(reader: PublicReader, request: HttpRequest) -> HttpRequest:
    """Ask for the same page as nobody in particular: no cookie, session or address of the visitor is left on it."""
    asked = copy(request)
    asked.user = reader  # type: ignore[assignment]
    asked.META = {name: value for name, value in request.META.items() if name in _NEEDED}
    asked.COOKIES = {}
    asked.session = import_module(settings.SESSION_ENGINE).SessionStore()
    MessageMiddleware(lambda _: HttpResponse()).process_request(asked)
    asked.lacks_second_factor = False  # type: ignore[attr-defined]
    return asked


def _page(reader: PublicReader, request: HttpRequest, shown: Shown, view: View) -> Page:
    """Return the page that is kept, or else one that is made now, by one request at a time."""
    key = cache_key(
        "page",
        *(Page.__match_args__, request.build_absolute_uri(), get_language()),
        *(sorted(map(str, reader.entered)), shown.revision),
    )
    cache, given_up = caches["pages"], time() + WAIT_TIMEOUT
    while True:
        page: Page | None = cache.get(key)
        if page and page.is_shown(shown.news):
            return page
        if cache.add(f"{key}-making", 1, LOCK_TIMEOUT) or time() > given_up:
            break
        if page and page.is_shown(shown.news, STALE_WHILE_REVALIDATE):
            return page
        sleep(POLL_INTERVAL)
    try:
        ends = shown.ends  # before the view looks at the clock
        page = _made(_asked_by(reader, request), shown, view)
        cache.set(key, page, min(MAX_AGE + STALE_WHILE_REVALIDATE, ends - page.made))
        return page
    finally:
        cache.delete(f"{key}-making")


def _made(asked: HttpRequest, shown: Shown, view: View) -> Page:
    began = time()
    response = view(asked)
    took = time() - began
    # From when it is there: on a busy machine the making alone may take as long as a page may be stale.
    max_staleness = took + min(MAX_STALENESS, max(MIN_STALENESS, STALENESS_FACTOR * took))
    if response.status_code != HTTPStatus.OK or response.streaming or response.cookies:
        return Page(None, False, {}, "", shown.news, began, max_staleness)
    if "CSRF_COOKIE_NEEDS_UPDATE" in asked.META:
        raise RuntimeError(f"the public page {asked.path} has a form with a token, which is somebody's own")
    headers = {name: response[name] for name in _HEADERS if name in response}
    tag = f'W/"{blake2b(response.content, digest_size=16).hexdigest()}"'
    is_packed = headers["Content-Type"].startswith("text/")
    body = compress(response.content, GZIP_LEVEL) if is_packed else response.content
    return Page(body, is_packed, headers, tag, shown.news, began, max_staleness)


def _answer(page: Page, request: HttpRequest) -> HttpResponse:
    body, is_packed = page.body or b"", page.is_packed
    if is_packed and "gzip" not in request.META.get("HTTP_ACCEPT_ENCODING", ""):
        body, is_packed = decompress(body), False
    answer = HttpResponse(body, headers=page.headers)
    if is_packed:
        answer["Content-Encoding"] = "gzip"
    patch_vary_headers(answer, ["Accept-Encoding"])
    answer["ETag"] = page.tag
    answer["Cache-Control"] = "no-cache"  # kept by browsers, and asked for again each time: it costs us nearly nothing
    if settings.SESSION_COOKIE_NAME not in request.COOKIES:
        answer["X-Accel-Expires"] = PROXY_MAX_AGE
    return get_conditional_response(request, etag=page.tag, response=answer) or answer
