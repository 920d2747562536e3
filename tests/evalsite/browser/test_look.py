"""Tests what only a browser can tell of the look: the theme stays chosen, and nothing breaks out of its place."""

import pytest
from playwright.sync_api import Page, expect

from tests.evalsite.leaderboard.boards import make_board, make_entry, make_teams

pytestmark = pytest.mark.thorough

BOARD = "/tasks/health/test/board/1/"
NAMES = (
    "W" * 100,
    "The very long and most honourable team of the institute for names that never come to an end at all, ever",
    "فريق معالجة اللغة العربية في الجامعة (٢)",
    "צוות עיבוד שפה",
    "言語処理チーム",
    "B",
)


@pytest.fixture
def board(phase, scenario):
    teams = make_teams(phase, *(name[:100] for name in NAMES))
    methods = ("m" * 100, "طريقة", "A method with a long name " * 3, "M", "M", "")
    entries = [
        make_entry(team, 0.9 - place / 10, place + 1, method=method)
        for place, (team, method) in enumerate(zip(teams, methods, strict=True))
    ]
    return make_board(phase, scenario, entries)


def theme(page: Page) -> str:
    return page.locator("html").get_attribute("data-bs-theme")


def test_the_theme_follows_the_system_until_one_is_chosen_and_then_stays(visit, phase):
    page = visit("/", color_scheme="light")
    page.emulate_media(color_scheme="dark")
    expect(page.locator("html")).to_have_attribute("data-bs-theme", "dark")
    page.emulate_media(color_scheme="light")
    page.get_by_role("button", name="Dark").click()
    assert theme(page) == "dark"
    page.reload()
    assert theme(page) == "dark"
    page.get_by_role("link", name="Task health").click()
    expect(page.get_by_role("heading", name="Task health")).to_be_visible()
    assert theme(page) == "dark"
    page.get_by_role("button", name="Light").click()
    page.reload()
    assert theme(page) == "light"


@pytest.mark.parametrize("width", [390, 768, 1280])
def test_the_board_never_makes_the_page_scroll_sideways(visit, board, width):
    page = visit(BOARD, viewport={"width": width, "height": 800})
    assert page.get_by_role("row").count() == 1 + len(NAMES)
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_on_a_phone_every_team_shows_rank_name_and_interval_without_scrolling(visit, board):
    page = visit(BOARD, viewport={"width": 390, "height": 800})
    for place, name in enumerate(NAMES, start=1):
        row = page.get_by_role("row").nth(place)
        for cell in (row.get_by_role("cell").first, row.get_by_role("rowheader"), row.get_by_text("[").first):
            box = cell.bounding_box()
            assert box["x"] >= 0, name
            assert box["x"] + box["width"] <= 390, name


# Cells with something in them that ends to the right of the cell.
SPILLS = """() => [...document.querySelectorAll("table.board tbody tr")].flatMap((row) =>
    [...row.cells].filter((cell) => {
        const end = cell.getBoundingClientRect().right + 1;
        return [...cell.querySelectorAll("*")].some((part) => part.getBoundingClientRect().right > end);
    }).map((cell) => cell.textContent.trim().slice(0, 60)))"""


def test_long_and_right_to_left_names_break_no_row(visit, board):
    page = visit(BOARD, viewport={"width": 1280, "height": 800})
    assert page.evaluate(SPILLS) == []
    rows = page.get_by_role("row").all()[1:]
    lefts = {round(row.get_by_role("rowheader").bounding_box()["x"]) for row in rows}
    assert len(lefts) == 1
    for place, row in enumerate(rows, start=1):
        assert row.get_by_role("cell").first.inner_text().strip() == str(place)
        assert row.bounding_box()["height"] < 100, NAMES[place - 1]
