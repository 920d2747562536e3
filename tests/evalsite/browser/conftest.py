"""Visitors in a real browser, which must not complain: no policy broken, no script failed, no file missing."""

import shutil
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page, Response, expect, sync_playwright

from evalsite.accounts.models import User

Visit = Callable[..., Page]

PATIENCE = 15_000  # milliseconds until something that does not come counts as missing
expect.set_options(timeout=PATIENCE)

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
def chromium():
    """A module's own, since tests elsewhere would meet the event loop that Playwright leaves in this thread."""
    path = shutil.which("chromium") or shutil.which("google-chrome")
    if path is None:
        pytest.skip("Chromium is not installed")
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        # Django takes that loop for an asynchronous caller and would refuse every query of a test.
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        browser = playwright.chromium.launch(executable_path=path, args=QUIET)
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium: Browser, live_server) -> Visit:
    """Opens an address in a new browser window, for a stranger or for `user`, who is logged in already."""
    windows: list[BrowserContext] = []
    complaints: list[str] = []

    def visit(path: str, user: User | None = None, **options: Any) -> Page:
        window = chromium.new_context(base_url=live_server.url, reduced_motion="reduce", **options)
        window.set_default_timeout(PATIENCE)
        windows.append(window)
        if user:
            window.add_cookies([{"name": "sessionid", "value": _session(user), "url": live_server.url}])
        page = window.new_page()
        _listen(page, complaints)
        page.goto(path)
        return page

    yield visit
    for window in windows:
        window.close()
    assert complaints == []


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
    """Pages may answer with a refusal, what they are made of may not."""
    return response.status >= 400 and response.request.resource_type != "document"
