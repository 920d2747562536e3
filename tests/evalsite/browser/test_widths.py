"""Pages at the widths of phones, tablets and laptops, and while their fonts are still on the way."""

import time
from collections.abc import Iterator
from uuid import uuid4

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from evalsite.challenges.models import Phase
from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board
from tests.evalsite.browser.conftest import WHOLE_BROWSERS, started
from tests.evalsite.browser.test_accessibility import scrolls_sideways
from tests.evalsite.comparisons.test_compare_two import N_SENTENCES, found, run
from tests.evalsite.leaderboard.boards import make_board, make_entry, make_teams
from tests.evalsite.leaderboard.compared import compare
from tests.factories import make_gold, make_run, make_scenario

pytestmark = pytest.mark.thorough

BOARD = "/tasks/health/test/board/1/"
WIDTHS = (320, 390, 768, 1024, 1140, 1280)
LONG_METHOD = "Multilingual transformer with a layer of conditional random fields, an ensemble of five"


@pytest.fixture
def compared(phase, scenario):
    teams = make_teams(phase, "Tajinaste", "Faro NLP", "Cierzo Lab")
    scores = zip(teams, (0.8, 0.799, 0.5), strict=True)
    edition = make_board(phase, scenario, [make_entry(team, score, 1, method=LONG_METHOD) for team, score in scores])
    compare(edition, scenario)
    return edition


def too_wide(page: Page) -> list[int]:
    expect(page.get_by_text("Something broke")).to_have_count(0)
    found = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 844})
        found += [width] if scrolls_sideways(page) else []
    return found


@pytest.mark.parametrize("path", [BOARD, f"{BOARD}pairs/", "/how-to-read/"])
def test_no_width_makes_the_page_scroll_sideways(visit, compared, path):
    assert too_wide(visit(path)) == []


def test_the_first_row_of_a_board_is_on_the_first_screen_of_a_phone(visit, compared, task, phase):
    make_gold(phase, make_scenario(task, 2))
    page = visit(BOARD, viewport={"width": 390, "height": 844})
    first = page.locator("table.board tbody tr").first
    expect(first).to_be_in_viewport(ratio=1)
    assert first.bounding_box()["y"] < 600
    assert page.locator(".power").bounding_box()["y"] > page.locator(".board-scroll").bounding_box()["y"]


def test_a_phone_sorts_by_links_above_the_board_and_folds_the_further_figures(visit, compared):
    page = visit(BOARD, viewport={"width": 390, "height": 844})
    recall = page.locator("table.board tbody td[data-label='Recall']").first
    expect(recall).to_be_hidden()
    page.get_by_label("All figures").check()
    expect(recall).to_be_visible()
    page.get_by_role("navigation", name="Sort by").get_by_role("link", name="Team").click()
    expect(page.locator("table.board tbody th").first).to_contain_text("Cierzo Lab")


def test_the_runs_of_a_team_are_cards_on_a_phone(visit, phase, task, team, alice):
    make_gold(phase, make_scenario(task, 2))
    make_run(phase, team, method=LONG_METHOD)
    page = visit("/tasks/health/submissions/", alice)
    assert too_wide(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.get_by_role("link", name=LONG_METHOD).bounding_box()["width"] > 250


def test_the_difference_that_sorts_the_sentences_is_in_sight(visit, phase, scenario, team, alice):
    make_gold(phase, scenario, found(*range(N_SENTENCES)))
    one, other = (run(phase, team, range(n), f"{LONG_METHOD} {n}") for n in (30, 20))
    refresh(Board.objects.get())
    Phase.objects.update(gold_released=True)
    page = visit(f"{BOARD}compare/?a={one.pk}&b={other.pk}", alice)
    box = page.get_by_role("group", name="Sentences", exact=True)
    assert box.evaluate("box => box.scrollWidth <= box.clientWidth")
    assert box.locator("tbody th").first.evaluate("cell => cell.getClientRects().length") == 1


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """The whole browser, whose layout visitors see."""
    yield from started(WHOLE_BROWSERS)


SHIFTS = """() => {
    window.shifts = 0;
    new PerformanceObserver((list) => {
        for (const each of list.getEntries()) window.shifts += each.value;
    }).observe({ type: "layout-shift", buffered: true });
}"""


@pytest.mark.parametrize("path", [BOARD, f"{BOARD}pairs/", "/how-to-read/"])
@pytest.mark.parametrize("width", [390, 1280])
def test_late_fonts_hardly_move_the_page(visit, compared, path, width):
    page = visit("/", viewport={"width": width, "height": 844})
    page.add_init_script(f"({SHIFTS})()")
    page.route("**/*.woff2", lambda route: (time.sleep(0.3), route.continue_()))
    page.goto(path)
    page.evaluate("document.fonts.ready")
    page.wait_for_timeout(200)
    assert page.evaluate("document.fonts.check('16px \"Source Sans 3\"')")
    expect(page.get_by_text("Something broke")).to_have_count(0)
    assert page.evaluate("window.shifts") < 0.1
    page.unroute_all()


def test_a_button_has_the_ring_of_a_link(visit, phase, team, alice):
    page = visit("/tasks/health/test/submit/", alice)
    button = page.get_by_role("button", name="Upload and check")
    page.keyboard.press("Tab")
    button.focus()
    ring = button.evaluate(
        "(b) => { const s = getComputedStyle(b); return [s.outlineStyle, s.outlineWidth, s.boxShadow]; }"
    )
    assert ring == ["solid", "3px", "none"]


def test_the_arrows_lead_from_pair_to_pair_and_say_it(visit, compared):
    page = visit(f"{BOARD}pairs/")
    links = page.locator("table.matrix td a")
    assert page.locator("table.matrix td a[tabindex='0']").count() == 1
    links.first.focus()
    expect(page.locator("[data-pair-said]")).to_contain_text("Tajinaste cannot be told apart from Faro NLP: +0.0010")
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-pair-said]")).to_contain_text("Tajinaste is better than Cierzo Lab: +0.30, adjusted p")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Compare two runs")).to_be_visible()


def test_cancel_keeps_the_focus_while_the_page_follows(visit, submission, alice):
    page = visit(submission.get_absolute_url(), alice)
    cancel = page.get_by_role("button", name="Cancel what is still queued")
    cancel.focus()
    with page.expect_response(lambda answer: "seen=" in answer.url):
        pass
    page.wait_for_timeout(100)
    expect(cancel).to_be_focused()
    expect(page.locator("#progress-said")).to_have_text("")
    submission.scorings.update(state="running", lease=uuid4(), started=timezone.now())
    expect(page.locator("#progress-said")).to_contain_text("running.")
    expect(cancel).to_be_focused()
