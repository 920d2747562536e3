"""From ten scenarios on, boards are a grid of what is scored and languages, and stand side by side in parts."""

import re
from html import unescape

import pytest

from evalsite.challenges.models import Scenario
from tests.evalsite.leaderboard.boards import make_board, make_entry, make_teams
from tests.factories import make_gold, make_phase, make_scenario, make_task

pytestmark = pytest.mark.django_db
PATH = "/tasks/polar/test/board/"
LANGUAGES = ("de", "es", "hau", "zh")


@pytest.fixture
def polar():
    """Three subtasks, of which two have four languages each, and the third has two."""
    task = make_task("polar")
    phase = make_phase(task)
    kinds = [("Hate", {"scenario": "1"}), ("Type", {"scenario": "2"}), ("Target", {"scenario": "3"})]
    pairs = [(name, options, code) for name, options in kinds for code in LANGUAGES]
    for number, (name, options, code) in enumerate(pairs[:10], start=1):
        scenario = make_scenario(task, number, name=f"{name}: {code}", options=options | {"folder": code})
        make_gold(phase, scenario)
        (team,) = make_teams(phase, f"Team {number}")
        make_board(phase, scenario, [make_entry(team, 0.5, 1)])
    return phase


def grid_on(page: str) -> list[list[str]]:
    """Return the rows of the grid as one reads them."""
    table = page.partition('class="board-grid"')[2].partition("</table>")[0]
    rows = re.findall(r"<tr>(.*?)</tr>", table, re.S)
    return [
        [
            " ".join(unescape(re.sub(r"<[^>]*>", "", cell)).split())
            for cell in re.findall(r"<t[hd].*?</t[hd]>", row, re.S)
        ]
        for row in rows
    ]


def test_ten_boards_are_a_grid_with_languages_across(client, polar):
    page = client.get(f"{PATH}6/").content.decode()
    assert grid_on(page) == [
        ["", "de", "es", "hau", "zh"],
        ["Hate", "1", "2", "3", "4"],
        ["Type", "5", "6", "7", "8"],
        ["Target", "9", "10", "", ""],
    ]
    assert re.search(rf'href="{PATH}6/"[^>]*aria-label="[^"]*Type: es"\s+aria-current="page"', page)
    assert 'title="German"' in page


def test_nine_are_a_row_of_links(client, polar):
    Scenario.objects.get(number=10).golds.all().delete()
    page = client.get(f"{PATH}6/").content.decode()
    assert "board-grid" not in page
    assert "9: Target: de" in page


def names_across(client, query: str) -> list[str]:
    return [column.scenario.name for column in client.get(f"{PATH}{query}").context["across"]]


def test_boards_side_by_side_are_narrowed_to_a_language_or_to_what_is_scored(client, polar):
    assert len(names_across(client, "")) == 10
    assert names_across(client, "?language=es") == ["Hate: es", "Type: es", "Target: es"]
    assert names_across(client, "?kind=5") == ["Type: de", "Type: es", "Type: hau", "Type: zh"]
    assert names_across(client, "?kind=9&language=es&sort=1") == ["Target: es"]
    assert len(names_across(client, "?language=xx&kind=77")) == 10, "what nobody has is as if not asked for"
    assert "Show all" in client.get(f"{PATH}?language=es").content.decode()


def test_scenarios_without_languages_are_a_list(client, polar):
    for scenario in Scenario.objects.all():
        scenario.options = {"scenario": scenario.options["scenario"]}
        scenario.save()
    page = client.get(f"{PATH}6/").content.decode()
    assert "<table" not in page.partition('class="board-grid"')[2].partition("</details>")[0]
    assert "10: Target: es" in page
