"""Writes the pages of a task as a folder that needs no server: as a stranger is answered, with style and pictures.

The site itself answers, through all its middleware, so that nothing is shown that a stranger does not see. Pages are
found by their links, from the task's own on; links between them become relative, and all that needs a server goes:
scripts, forms, and links to pages that are not in the folder.
"""

import re
from collections import deque
from collections.abc import Callable, Iterator
from html import escape, unescape
from io import BytesIO
from pathlib import Path
from posixpath import dirname, normpath, relpath
from urllib.parse import unquote, unquote_to_bytes, urlsplit

from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.handlers.base import BaseHandler
from django.core.handlers.wsgi import WSGIRequest
from django.http import FileResponse, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import Resolver404, resolve

from evalsite.base.contrib import Trait, names_with
from evalsite.challenges.models import Task
from evalsite.challenges.storage.zip_streams import Member

MOST_PAGES = 5_000
SHOWN = {
    *("task", "task_page", "board", "board_overview", "board_pairs", "entry"),
    "how_to_read",
}
FILES = {"picture", "board_export"}
Report = Callable[[int, int], None]
_PAGE = re.compile(r"page=[1-9]\d{0,3}\Z")  # the one query that leads to a page of the folder
_LINK = re.compile(r'\s(href|src)="([^"]*)"')
_CSS_URL = re.compile(r"""url\(\s*["']?([^"')]+?)["']?\s*\)""")
_OF_SERVER = [
    re.compile(pattern, re.S)
    for pattern in (
        r"<script\b.*?</script>",
        r"<noscript\b.*?</noscript>",
        r"<form\b.*?</form>",
        r'<nav class="site-nav".*?</nav>',
        r'<div class="site-tools">.*?</header>(?=)',
        r'<nav aria-label="[^"]*">\s*<ul>\s*<li><a href="[^"]*help/">.*?</nav>',
        r'<link rel="(?:canonical|alternate|preload)"[^>]*>',
        r'<div id="own-[a-z]+"[^>]*></div>',
    )
]
_ATTRIBUTES = re.compile(r'\s(?:hx-[a-z-]+|data-(?:parts|upload|sort-url))(?:="[^"]*")?')


class NotPublic(Exception):
    """Strangers see no page of the task."""


class StaticPages:
    """The pages of a task and all files that they need, found by their links."""

    def __init__(self, task: Task, report: Report = lambda done, total: None) -> None:
        self.task = task
        self._report = report
        self._site = BaseHandler()
        self._site.load_middleware()
        self._known: dict[str, str] = {}  # the path in the folder by the address on the site
        self._waiting: deque[str] = deque()
        self._static: dict[str, Path] = {}
        self._icons = _symbols()

    def members(self) -> Iterator[Member]:
        """Yield the files of the folder; raise NotPublic."""
        start = self.task.get_absolute_url()
        if self._answer(start).status_code != 200:
            raise NotPublic
        self._wanted(start)
        yield "index.html", [_redirect(self._known[start])]
        done = 0
        while self._waiting:
            address = self._waiting.popleft()
            answer = self._answer(address)
            if answer.status_code == 200:
                yield self._known[address], [self._content(address, answer)]
            done += 1
            self._report(done, done + len(self._waiting))
        yield from self._static_files()

    def _answer(self, address: str) -> HttpResponseBase:
        host = urlsplit(settings.SITE_URL).netloc
        path, _, query = address.partition("?")
        environ = {
            "REQUEST_METHOD": "GET",
            "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),
            "QUERY_STRING": query,
            "HTTP_HOST": host,
            "SERVER_NAME": host,
            "SERVER_PORT": "443",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": "127.0.0.1",
            "wsgi.url_scheme": "https",
            "wsgi.input": BytesIO(),
        }
        return self._site.get_response(WSGIRequest(environ))

    def _content(self, address: str, answer: HttpResponseBase) -> bytes:
        if isinstance(answer, FileResponse) or answer.streaming:
            return b"".join(answer)  # type: ignore[arg-type]
        assert isinstance(answer, HttpResponse)
        if not answer.get("Content-Type", "").startswith("text/html"):
            return answer.content
        return self._without_server(answer.content.decode(), address).encode()

    def _without_server(self, html: str, address: str) -> str:
        for pattern in _OF_SERVER:
            html = pattern.sub("</header>" if "</header>" in pattern.pattern else "", html)
        html = _ATTRIBUTES.sub("", html)
        here = self._known[address]
        used: set[str] = set()
        html = _LINK.sub(lambda match: self._link(match, address, here, used), html)
        symbols = "".join(self._icons.get(name, "") for name in sorted(used))
        return html.replace("<body>", f'<body><svg hidden aria-hidden="true">{symbols}</svg>', 1)

    def _link(self, match: re.Match[str], address: str, here: str, used: set[str]) -> str:
        """Return the attribute with a relative address, or nothing where it would need the server."""
        name, target = match[1], unescape(match[2])
        parts = urlsplit(target)
        if parts.scheme or parts.netloc or (not parts.path and not parts.query):
            return match[0]
        path = parts.path if parts.path.startswith("/") else normpath(f"{urlsplit(address).path}{parts.path}")
        if not parts.path:
            path = urlsplit(address).path
        if path.startswith(_static_root()):
            relative = path.removeprefix(_static_root())
            if relative.startswith("icons") and parts.fragment:
                used.add(parts.fragment)
                return f' {name}="#{escape(parts.fragment)}"'
            place = self._static_place(relative)
        else:
            place = self._wanted(f"{path}?{parts.query}" if parts.query else path)
        if place is None:
            return ""
        fragment = f"#{parts.fragment}" if parts.fragment else ""
        return f' {name}="{escape(relpath(place, dirname(here) or "."))}{escape(fragment)}"'

    def _wanted(self, address: str) -> str | None:
        """Return where the page at this address of the site is in the folder; None where it is not in it."""
        if address in self._known:
            return self._known[address]
        parts = urlsplit(address)
        try:
            match = resolve(unquote(parts.path))
        except Resolver404:
            return None
        is_file = match.url_name in FILES | names_with(Trait.STATIC_FILE)
        is_shown = is_file or match.url_name in SHOWN | names_with(Trait.STATIC_PAGE)
        is_own = match.kwargs.get("task") == self.task.slug or match.url_name == "how_to_read"
        if not is_own or not is_shown or len(self._known) >= MOST_PAGES:
            return None
        if parts.query and (is_file or not _PAGE.match(parts.query)):
            return None
        name = "" if is_file else f"{parts.query.replace('=', '-')}.html" if parts.query else "index.html"
        self._known[address] = f"{unquote(parts.path).lstrip('/')}{name}"
        self._waiting.append(address)
        return self._known[address]

    def _static_place(self, relative: str) -> str | None:
        """Return where a static file is in the folder, and note it with what it names itself."""
        place = f"static/{relative}"
        if place in self._static:
            return place
        source = _static_source(relative)
        if source is None:
            return None
        self._static[place] = source
        if source.suffix == ".css":
            for target in _CSS_URL.findall(source.read_text()):
                if not urlsplit(target).scheme:
                    self._static_place(normpath(f"{dirname(relative)}/{urlsplit(target).path}"))
        return place

    def _static_files(self) -> Iterator[Member]:
        for place, source in self._static.items():
            yield place, [source.read_bytes()]


def _static_root() -> str:
    return "/" + settings.STATIC_URL.lstrip("/")


def _static_source(relative: str) -> Path | None:
    collected = Path(settings.STATIC_ROOT, relative)
    if collected.is_file():
        return collected
    source = finders.find(relative)
    return Path(source) if isinstance(source, str) else None


def _symbols() -> dict[str, str]:
    """Return the site's icons by name: browsers load none from a second file where there is no server."""
    source = _static_source("icons.svg")
    text = source.read_text() if source else ""
    return {match[1]: match[0] for match in re.finditer(r'<symbol\b[^>]*\bid="([^"]+)".*?</symbol>', text, re.S)}


def _redirect(place: str) -> bytes:
    target = escape(place)
    return (
        f'<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url={target}">'
        f'<a href="{target}">{target}</a>\n'
    ).encode()
