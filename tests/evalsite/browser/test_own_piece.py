"""What is a visitor's own comes to a page that everybody gets: without a jump, and without a script not at all."""

import os
import re

import pytest
from playwright.sync_api import Page, expect

from evalsite.challenges.models import Participation
from tests.evalsite.leaderboard.boards import make_board, make_entry, make_teams
from tests.evalsite.leaderboard.compared import compare

BOARD = "/tasks/health/test/board/1/"
PHONE = {"width": 390, "height": 844}
# Added up by the browser: how far what one reads was moved, as a share of the window.
SHIFTS = """() => new Promise((told) => new PerformanceObserver((list) => told(
  list.getEntries().reduce((sum, each) => sum + each.value, 0)
)).observe({ type: "layout-shift", buffered: true }) || setTimeout(() => told(0), 500))"""


@pytest.fixture
def compared(phase, scenario, team):
    others = make_teams(phase, "A", "B", "C")
    Participation.objects.create(task=phase.task, team=team, number=77)
    scores = zip((others[0], team, *others[1:]), (0.8, 0.799, 0.5, 0.4), strict=True)
    edition = make_board(
        phase, scenario, [make_entry(each, score, place) for place, (each, score) in enumerate(scores, 1)]
    )
    compare(edition, scenario)
    return edition


def shot(page: Page, name: str) -> None:
    if folder := os.environ.get("LOOKS"):
        page.screenshot(path=f"{folder}/{name}.png", full_page=True)


@pytest.mark.parametrize(("viewport", "scheme"), [({"width": 1280, "height": 720}, "light"), (PHONE, "dark")])
@pytest.mark.parametrize("path", ["/", "/tasks/health/", BOARD, "/tasks/health/test/board/", f"{BOARD}pairs/"])
def test_the_own_name_and_row_come_without_a_jump(visit, compared, alice, path, viewport, scheme):
    page = visit(path, alice, viewport=viewport, color_scheme=scheme)
    expect(page.locator("#own-account .menu")).to_be_visible()
    shot(page, f"first{re.sub('/', '-', path)}{scheme}")
    page.reload()
    expect(page.locator("#own-account .menu")).to_be_visible()
    if "board/1" in path or path == "/tasks/health/":
        expect(page.locator("tr.is-own, g.is-own").first).to_be_attached()
    assert page.evaluate(SHIFTS) < 0.02
    shot(page, f"again{re.sub('/', '-', path)}{scheme}")


def test_the_own_row_says_so_and_leads_to_the_run(visit, compared, alice):
    page = visit(BOARD, alice)
    own = page.locator("tr.is-own")
    expect(own).to_have_count(1)
    expect(own).to_contain_text("your team")
    expect(page.locator("#own-line")).to_contain_text("Your team, Alice and Bob, is in")


@pytest.mark.thorough
def test_who_logs_out_by_the_menu_that_came_is_a_stranger(visit, compared, alice):
    page = visit(BOARD, alice)
    page.locator("#own-account summary").click()
    page.get_by_role("button", name="Log out").click()
    page.goto(BOARD)
    expect(page.get_by_role("link", name="Log in")).to_be_visible()
    expect(page.locator(".is-own")).to_have_count(0)


@pytest.mark.thorough
def test_without_a_script_the_page_leads_to_the_own_runs(visit, compared, alice):
    page = visit(BOARD, alice, java_script_enabled=False)
    page.get_by_role("link", name="Your runs").click()
    expect(page).to_have_url(re.compile("/tasks/health/submissions/"))
