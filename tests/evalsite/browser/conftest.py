"""Visitors in a real browser, which must not complain: no policy broken, no script failed, no file missing."""

import shutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page, Response, ViewportSize, expect, sync_playwright

from evalsite.accounts.models import User

Visit = Callable[..., Page]

VIEWPORT: ViewportSize = {"width": 1280, "height": 720}
PATIENCE = 15_000  # milliseconds until something that does not come counts as missing
expect.set_options(timeout=PATIENCE)

# The headless shell takes a quarter less of the processor, and lays out text otherwise before its fonts have come.
WHOLE_BROWSERS = ("chromium", "google-chrome")
BROWSERS = ("chromium-headless-shell", *WHOLE_BROWSERS)
QUIET = (
    "--no-sandbox",  # root, as in many containers, cannot have one
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A module's own, since tests elsewhere would meet the event loop that Playwright leaves in this thread."""
    yield from started(BROWSERS)


def started(names: Iterable[str]) -> Iterator[Browser]:
    """Start the first of these browsers that is installed, and stop it."""
    path = next(filter(None, map(shutil.which, names)), None)
    if path is None:
        pytest.skip("Chromium is not installed")
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        # Django takes that loop for an asynchronous caller and would refuse every query of a test.
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        browser = playwright.chromium.launch(executable_path=path, args=QUIET)
        yield browser
        browser.close()


@dataclass
class Window:
    page: Page
    complaints: list[str]


@pytest.fixture(scope="module")
def window(chromium: Browser, live_server) -> Window:
    """Stays open from test to test: to open one costs as much as several pages of the site."""
    return _open(chromium, live_server.url, [])


@pytest.fixture
def visit(chromium: Browser, window: Window, live_server) -> Visit:
    """Opens an address for a stranger or for `user`, who is logged in already.

    The first visit of a test is in the window that stays, cleared of what the last test left. Later ones, and those
    without scripts, are in windows of their own.
    """
    opened: list[Window] = []

    def visit(
        path: str,
        user: User | None = None,
        *,
        color_scheme: str = "light",
        viewport: ViewportSize = VIEWPORT,
        java_script_enabled: bool = True,
    ) -> Page:
        is_own = bool(opened) or not java_script_enabled
        here = _open(chromium, live_server.url, window.complaints, java_script_enabled) if is_own else window
        opened.append(here)
        here.page.emulate_media(color_scheme=color_scheme)
        here.page.set_viewport_size(viewport)
        if user:
            here.page.context.add_cookies([{"name": "sessionid", "value": _session(user), "url": live_server.url}])
        here.page.goto(path)
        if java_script_enabled:
            here.page.locator("#own-piece").wait_for(state="detached")
        return here.page

    yield visit
    for each in opened:
        if each is window:
            _clear(window.page)
        else:
            each.page.context.close()
    complaints = window.complaints.copy()
    window.complaints.clear()
    assert complaints == []


def _open(chromium: Browser, url: str, complaints: list[str], java_script_enabled: bool = True) -> Window:
    context = chromium.new_context(base_url=url, reduced_motion="reduce", java_script_enabled=java_script_enabled)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    _listen(page, complaints)
    return Window(page, complaints)


def _clear(page: Page) -> None:
    """Nothing remembered, and nothing shown that would ask the site for more."""
    page.evaluate("localStorage.clear(), sessionStorage.clear()")
    page.goto("about:blank")
    page.context.clear_cookies()


def _session(user: User) -> str:
    client = Client()
    client.force_login(user)
    return client.cookies["sessionid"].value


def _listen(page: Page, complaints: list[str]) -> None:
    page.on("console", lambda said: complaints.append(said.text) if _is_complaint(said.type, said.text) else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("response", lambda response: complaints.append(response.url) if _is_missing(response) else None)


def _is_complaint(kind: str, text: str) -> bool:
    """Breaches of the content security policy are errors too; a missing file is told by its response."""
    return kind == "error" and not text.startswith("Failed to load resource")


def _is_missing(response: Response) -> bool:
    """Pages and forms may answer with a refusal, what they are made of may not."""
    return response.status >= 400 and response.request.method == "GET" and response.request.resource_type != "document"
