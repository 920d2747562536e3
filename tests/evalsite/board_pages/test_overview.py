"""All scenarios of a phase side by side."""

import re

import pytest

from evalsite.challenges.models import Phase
from tests.evalsite.board_pages.pages import names, page, rows, text
from tests.evalsite.leaderboard.boards import NOW, make_board, make_entry, make_teams
from tests.evalsite.leaderboard.compared import compare
from tests.factories import make_gold, make_phase, make_scenario

PATH = "/tasks/health/test/board/"


def places(html: str) -> list[list[str]]:
    return [[text(cell) for cell in re.findall(r"<td.*?</td>", row, re.DOTALL)] for row in rows(html)]


@pytest.fixture
def boards(phase, task, scenario):
    second = make_scenario(task, 2)
    make_gold(phase, second)
    anna, berta, chris, organisers = make_teams(phase, "Anna", "Berta", "Chris", "Organisers")
    baseline = {"reference": "baseline", "method": "Dictionary"}
    one = [make_entry(anna, 0.8, 1), make_entry(berta, 0.798, 2), make_entry(organisers, 0.3, **baseline)]
    two = [make_entry(chris, 0.9, 1), make_entry(berta, 0.4, 2), make_entry(anna, None)]
    made = [make_board(phase, scenario, one), make_board(phase, second, two)]
    for edition, each in zip(made, (scenario, second), strict=True):
        compare(edition, each)
    return made


def test_teams_stand_down_and_scenarios_across(client, boards):
    html = page(client, path=PATH)

    assert names(html) == ["Anna", "Berta", "Dictionary", "Chris"]
    assert places(html) == [
        ["1–2 0.800 [0.770, 0.820]", "–"],
        ["1–2 0.798 [0.768, 0.818]", "2 0.400 [0.370, 0.420]"],
        ["0.300 [0.270, 0.320]", "– no run"],
        ["– no run", "1 0.900 [0.870, 0.920]"],
    ]


def test_each_scenario_has_its_finding(client, boards):
    words = text(page(client, path=PATH))

    assert "Scenario 1. Shared first: Anna (0.800) and Berta (0.798). 120 sentences cannot tell them apart." in words
    assert "Scenario 2. First: Chris (0.900), better than Berta." in words
    assert "There is no place across all scenarios" in words


def test_the_rows_stand_in_the_order_of_the_chosen_scenario(client, boards):
    html = page(client, "?sort=2", path=PATH)

    assert names(html)[0] == "Chris"
    assert html.count("aria-sort") == 1
    assert names(page(client, "?sort=nonsense", path=PATH)) == names(page(client, path=PATH))


def test_an_earlier_day_shows_the_boards_of_that_day(client, boards):
    boards[1].made = NOW.replace(day=20)
    boards[1].day = boards[1].made.date()
    boards[1].save()

    assert "Chris" not in names(page(client, "?on=2026-12-12", path=PATH))
    assert "As of 12 Dec 2026." in text(page(client, "?on=2026-12-12", path=PATH))
    assert "Chris" in names(page(client, "?on=2026-12-20", path=PATH))


def test_names_are_not_shown_where_the_board_is_anonymous(client, boards):
    Phase.objects.update(is_anonymous=True)

    html = page(client, path=PATH)

    assert names(html) == ["Team 1", "Team 2", "Dictionary", "Team 3"]
    assert "Anna" not in html
    assert "Shared first: Team 1 (0.800) and Team 2 (0.798)." in text(html)


def test_boards_and_overview_lead_to_each_other(client, boards):
    assert f'href="{PATH}"' in page(client, path=f"{PATH}1/")
    assert f'href="{PATH}2/"' in page(client, path=PATH)


def test_a_phase_with_one_scenario_does_not_offer_the_overview(client, phase):
    assert f'href="{PATH}"' not in page(client, path=f"{PATH}1/")


def test_an_overview_without_results_says_what_will_be_here(client, phase):
    assert "No results yet" in page(client, path=PATH)


def test_a_phase_that_ranks_nothing_has_no_overview(client, task):
    make_phase(task, "empty")
    assert client.get("/tasks/health/empty/board/").status_code == 404


@pytest.mark.parametrize("n_teams", [3, 150])
def test_the_overview_costs_the_same_for_any_number_of_teams_and_scenarios(
    client, phase, task, scenario, n_teams, django_assert_num_queries
):
    teams = make_teams(phase, *(f"Team {number}" for number in range(n_teams)))
    for number in range(1, 2 if n_teams == 3 else 4):
        each = scenario if number == 1 else make_scenario(task, number)
        make_gold(phase, each)
        make_board(phase, each, [make_entry(team, 0.5, 1) for team in teams])

    with django_assert_num_queries(11):  # one of them for the contents, which are kept for the next readers
        assert len(rows(page(client, path=PATH))) == min(n_teams, 100)
