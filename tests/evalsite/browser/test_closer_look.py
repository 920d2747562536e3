"""The pages beside a board in a browser: no barrier in any look, headings that stay in sight, a list on a phone."""

import pytest
from playwright.sync_api import expect

from evalsite.challenges.models import Phase
from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board
from tests.evalsite.browser.test_accessibility import barriers, scrolls_sideways
from tests.evalsite.comparisons.test_compare_two import N_SENTENCES, found, run
from tests.evalsite.leaderboard.boards import make_board, make_entry, make_teams
from tests.evalsite.leaderboard.compared import compare
from tests.factories import make_gold

pytestmark = pytest.mark.thorough

BOARD = "/tasks/health/test/board/1/"
LONG = ("W" * 100, "فريق معالجة اللغة العربية في الجامعة (٢)", "言語処理チーム")


@pytest.fixture
def large(phase, scenario):
    return make_compared(phase, scenario, 60)


def make_compared(phase, scenario, n_teams):
    """A board of some teams, some with names that are long, or run from right to left."""
    names = [*LONG, *(f"Team of number {number}" for number in range(n_teams - len(LONG)))]
    organisers, *teams = make_teams(phase, "Organisers", *names)
    entries = [make_entry(team, 0.9 - number / 150, number + 1) for number, team in enumerate(teams)]
    entries.append(make_entry(organisers, 0.3, reference="baseline", method="m" * 100))
    edition = make_board(phase, scenario, entries)
    compare(edition, scenario)
    return edition


@pytest.fixture
def runs(phase, scenario, team, strangers):
    make_gold(phase, scenario, found(*range(N_SENTENCES)))
    made = [
        run(phase, team, range(30), "W" * 100),
        run(phase, team, range(4, 38), "Good rules"),
        run(phase, strangers, range(8), "Weak rules"),
    ]
    refresh(Board.objects.get())
    return made


def test_the_matrix(visit, phase, scenario):
    make_compared(phase, scenario, 12)
    assert barriers(visit(f"{BOARD}pairs/")) == []


def test_the_matrix_of_a_large_board_leaves_the_page_its_width(visit, large):
    assert not scrolls_sideways(visit(f"{BOARD}pairs/"))


def test_the_headings_of_the_matrix_stay_while_it_scrolls(visit, large):
    page = visit(f"{BOARD}pairs/", viewport={"width": 900, "height": 700})
    box = page.get_by_role("region", name="Matrix of all pairs")
    corner = box.locator(".corner")
    row, column = box.locator("tbody th").nth(30), box.locator("thead th").nth(30)
    box.evaluate("box => box.scrollTo(700, 700)")

    frame, stays = box.bounding_box(), corner.bounding_box()
    assert (stays["x"], stays["y"]) == pytest.approx((frame["x"], frame["y"]), abs=1)
    assert row.bounding_box()["x"] == pytest.approx(frame["x"], abs=1)
    assert column.bounding_box()["y"] == pytest.approx(frame["y"], abs=1)


def test_a_phone_shows_the_pairs_as_a_list(visit, large):
    page = visit(f"{BOARD}pairs/", viewport={"width": 390, "height": 800})
    expect(page.get_by_role("table")).to_have_count(0)
    second = page.locator(".pair-list details").nth(1)
    second.locator("summary").click()
    expect(second.get_by_text("cannot be told apart from")).to_be_visible()


def test_two_runs_with_all_that_lies_behind_them(visit, runs, alice):
    Phase.objects.update(gold_released=True)
    page = visit(f"{BOARD}compare/?a={runs[0].pk}&b={runs[1].pk}", alice)
    expect(page.get_by_role("heading", name="Where they differ most")).to_be_visible()
    assert barriers(page) == []


def test_beside_the_units_of_two_runs_no_column_is_empty(visit, runs, alice):
    Phase.objects.update(gold_released=True)
    page = visit(f"{BOARD}compare/?a={runs[0].pk}&b={runs[1].pk}", alice)
    boxes = [section.bounding_box() for section in page.locator(".closer > section").all()]
    columns = {box["x"]: [other for other in boxes if other["x"] == box["x"]] for box in boxes}
    assert len(columns) == 2
    tops = {round(min(box["y"] for box in column)) for column in columns.values()}
    assert len(tops) == 1
    heights = sorted(sum(box["height"] for box in column) for column in columns.values())
    assert heights[1] - heights[0] < max(box["height"] for box in boxes)


def test_another_pair_is_chosen_from_two_lists(visit, runs, alice):
    page = visit(f"{BOARD}compare/", alice)
    page.get_by_label("Second").select_option(label=page.locator("#choose-b optgroup").nth(1).inner_text().strip())
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_text("cannot be told apart").first).to_be_visible()


@pytest.mark.parametrize("name", ["pairs", "compare"])
def test_pages_of_a_board_without_results(visit, phase, name):
    assert barriers(visit(f"{BOARD}{name}/")) == []


def test_how_to_read_a_board(visit, db):
    assert barriers(visit("/how-to-read/")) == []
