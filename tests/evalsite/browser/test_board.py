"""The board in a browser: rows that say whom they beat, runs that open, choices without a script and with one."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board
from tests.evalsite.leaderboard.boards import make_board, make_entry, make_teams
from tests.evalsite.leaderboard.compared import compare
from tests.factories import PARTLY_RIGHT_PHRASES, make_run, run_files

BOARD = "/tasks/health/test/board/1/"


@pytest.fixture
def compared(phase, scenario):
    """A and B are alike, C is behind them, and the baseline behind C."""
    teams = make_teams(phase, "A", "B", "C", "Organisers")
    entries = [make_entry(team, score, 1, n_runs=2) for team, score in zip(teams, (0.8, 0.799, 0.5), strict=False)]
    entries.append(make_entry(teams[3], 0.3, reference="baseline", method="Dictionary"))
    edition = make_board(phase, scenario, entries)
    compare(edition, scenario)
    return edition


def row(page: Page, name: str) -> Locator:
    return page.get_by_role("row").filter(has=page.get_by_role("rowheader", name=re.compile(f"^{name}")))


def words(page: Page) -> list[str | None]:
    return [row.get_attribute("data-word") for row in page.locator("tbody td.place").all()]


@pytest.mark.thorough
def test_a_row_under_the_pointer_says_whom_it_beats(visit, compared):
    page = visit(BOARD)
    row(page, "B").hover()
    assert words(page) == ["alike", None, "worse", "worse"]
    expect(page.get_by_role("status")).to_have_text("B is better than 1 and cannot be told apart from 1.")
    row(page, "C").hover()
    assert words(page) == ["better", "better", None, "worse"]
    page.get_by_role("heading", level=1).hover()
    assert words(page) == [None] * 4
    expect(page.get_by_role("status")).to_be_hidden()


@pytest.mark.thorough
def test_a_reference_says_so_too(visit, compared):
    page = visit(BOARD)
    row(page, "Dictionary").hover()
    assert words(page) == ["better", "better", "better", None]
    expect(page.get_by_role("status")).to_contain_text("is worse than 3.")


def test_arrows_lead_from_row_to_row(visit, compared):
    page = visit(BOARD)
    rows = page.locator("tbody tr")
    rows.first.focus()
    assert words(page) == [None, "alike", "worse", "worse"]
    page.keyboard.press("ArrowDown")
    expect(rows.nth(1)).to_be_focused()
    page.keyboard.press("End")
    expect(rows.nth(3)).to_be_focused()
    assert words(page) == ["better", "better", "better", None]
    page.keyboard.press("ArrowDown")
    expect(rows.nth(3)).to_be_focused()
    page.keyboard.press("Escape")
    assert words(page) == [None] * 4


@pytest.mark.thorough
def test_the_rows_are_one_stop_for_tab_and_leaving_them_clears_the_words(visit, compared):
    page = visit(BOARD)
    page.locator("tbody tr").first.focus()
    assert page.locator("tbody tr[tabindex='0']").count() == 1
    page.get_by_role("link", name="Tasks").focus()
    assert words(page) == [None] * 4


@pytest.mark.thorough
def test_a_word_under_a_place_moves_nothing(visit, compared):
    page = visit(BOARD)
    before = [each.bounding_box() for each in page.locator("tbody tr").all()]
    row(page, "B").hover()
    expect(page.get_by_role("status")).to_be_visible()
    assert [each.bounding_box() for each in page.locator("tbody tr").all()] == before


@pytest.fixture
def runs(phase, team):
    good = run_files(PARTLY_RIGHT_PHRASES, "")
    for method, files in (("First try", None), ("Second try", good)):
        make_run(phase, team, files, method=method)
    refresh(Board.objects.get())


def test_the_runs_of_a_team_open_in_place_and_close_again(visit, runs):
    page = visit(BOARD)
    link = page.get_by_role("link", name="2 runs of Alice and Bob")
    link.click()
    expect(page.locator("tr.runs")).to_contain_text("First try")
    expect(link).to_have_attribute("aria-expanded", "true")
    assert page.url.endswith(BOARD)
    link.press("Enter")
    expect(page.locator("tr.runs")).to_have_count(0)
    expect(link).to_have_attribute("aria-expanded", "false")


@pytest.mark.thorough
def test_without_scripts_the_runs_open_on_a_page_of_their_own_address(visit, runs):
    page = visit(BOARD, java_script_enabled=False)
    page.get_by_role("link", name="2 runs of Alice and Bob").click()
    expect(page.locator("tr.runs")).to_contain_text("First try")
    assert "team=" in page.url


@pytest.mark.thorough
def test_columns_are_chosen_without_scripts(visit, compared):
    page = visit(BOARD, java_script_enabled=False)
    page.locator("summary", has_text="Columns").click()
    page.get_by_role("checkbox", name="Precision", exact=True).uncheck()
    page.get_by_label("Chance to be the best").check()
    page.get_by_role("button", name="Show these").click()
    expect(page.get_by_role("columnheader", name="Best, share of resamples")).to_be_visible()
    expect(page.get_by_role("columnheader", name="Precision")).to_have_count(0)


@pytest.mark.thorough
def test_an_earlier_day_is_chosen_and_left_again(visit, compared):
    page = visit(BOARD)
    page.locator("summary", has_text="Earlier boards").click()
    page.get_by_label("As it was at the end of").fill("2026-12-20")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.get_by_text("As of 20 Dec 2026.")).to_be_visible()
    page.get_by_role("link", name="To the current board").click()
    expect(page.get_by_text("As of 20 Dec 2026.")).to_have_count(0)


@pytest.mark.thorough
def test_a_file_is_downloaded(visit, compared):
    page = visit(BOARD)
    page.locator("summary", has_text="Download").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Spreadsheet (CSV)").click()
    assert download.value.suggested_filename == "health-test-scenario1-2026-12-09.csv"


@pytest.mark.thorough
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("name", ["Columns", "Earlier boards", "Download"])
def test_what_opens_above_the_board_stays_on_the_page(visit, compared, width, name):
    page = visit(BOARD, viewport={"width": width, "height": 800})
    page.locator("summary", has_text=name).click()
    box = page.locator("details[open] .board-panel").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    assert page.evaluate("document.documentElement.scrollWidth") == width
