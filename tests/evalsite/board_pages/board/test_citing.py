"""Tests how a board is cited and shared: the link that stays, its authors, and what a link shows of it."""

import re
from html import unescape
from xml.etree import ElementTree

import pytest
from django.utils import timezone

from evalsite.challenges.models import Phase
from tests.evalsite.board_pages.pages import PATH, page, text
from tests.evalsite.leaderboard.boards import make_board, make_entry, make_teams
from tests.evalsite.leaderboard.compared import compare

pytestmark = pytest.mark.django_db

MOVES = "It changes with each result until midnight UTC, and is then fixed."


@pytest.fixture
def edition(phase, scenario):
    teams = make_teams(phase, "A & B_1", "Berta | Sons")
    made = make_board(phase, scenario, [make_entry(teams[0], 0.8, 1), make_entry(teams[1], 0.5, 2)])
    compare(made, scenario)
    return made


def cited(html: str) -> str:
    return unescape(html.partition('id="cite"')[2].partition("</details>")[0])


def test_a_board_is_cited_with_its_organisers_and_the_link_that_stays(client, edition):
    words = cited(page(client))

    assert (
        "Olga (2026, December 9). <em>Task health: Test, Scenario 1: Scenario 1</em> [Leaderboard]. Evalsite." in words
    )
    address = f"http://testserver{PATH}?on=2026-12-09&gold=1"
    assert words.count(address) == 2
    assert "@misc{health-test-1-2026-12-09," in words
    assert "  author       = {{Olga}}," in words
    assert "signature family:ehealthkd|units:120" in words
    assert client.get(address).status_code == 200


def test_the_link_of_today_says_that_it_still_changes(client, edition):
    assert MOVES not in text(page(client))
    edition.day = timezone.now().date()
    edition.save()
    assert MOVES in text(page(client))
    edition.is_final = True
    edition.save()
    assert MOVES not in text(page(client))


def test_what_is_cited_of_a_hidden_gold_is_its_told_signature(client, edition):
    edition.comparison["signature"] += "|gold:" + "ab" * 6
    edition.save()

    assert "ab" * 6 not in page(client)


def test_an_empty_board_is_not_cited(client, phase):
    assert 'id="cite"' not in page(client)


def test_a_link_to_a_board_shows_who_is_first(client, edition):
    head = page(client).partition("</head>")[0]

    assert 'property="og:title" content="Task health: board of Test, Scenario 1: Scenario 1"' in head
    assert 'name="description" content="First: A &amp; B_1 (0.800), better than Berta | Sons."' in head
    assert f'property="og:url" content="http://testserver{PATH}"' in head


def test_a_link_to_a_hidden_board_shows_nothing(client, edition):
    Phase.objects.update(board_audience="organisers")

    assert "og:" not in page(client, status=403)


def test_a_link_to_a_task_shows_its_summary(client, phase):
    assert 'property="og:description" content="Find phrases."' in page(client, path="/tasks/health/")


def test_the_markdown_table_keeps_names_in_their_cells(client, edition):
    lines = client.get(f"{PATH}board.md").content.decode().splitlines()

    assert lines[0] == r"First: A \& B\_1 (0.800), better than Berta \| Sons."
    assert lines[2].startswith("| Place | System | F1 | Difference | Group |")
    assert lines[5].startswith(r"| 2 | Berta \| Sons | 0.500 \[0.470, 0.520\] | −0.30 ")


def test_the_figure_has_a_dot_and_a_whisker_for_each_row(client, edition):
    answer = client.get(f"{PATH}board.svg")

    assert answer["Content-Type"] == "image/svg+xml"
    assert answer["Content-Disposition"].startswith("attachment")
    drawn = ElementTree.fromstring(answer.content)
    space = "{http://www.w3.org/2000/svg}"
    dots = [float(dot.get("cx")) for dot in drawn.iter(f"{space}circle")]
    assert len(dots) == 2
    assert dots[0] > dots[1]
    words = [element.text for element in drawn.iter(f"{space}text")]
    assert {"A & B_1", "Berta | Sons", "0.800 [0.770, 0.820]"} <= set(words)
    assert not re.search(r"style=|<script|href", answer.content.decode())


def test_a_name_that_no_figure_may_hold_does_not_break_it(client, phase, scenario):
    (team,) = make_teams(phase, "\x0b<script>alert(1)</script>" + "x" * 60)
    make_board(phase, scenario, [make_entry(team, 0.8, 1)])

    drawn = client.get(f"{PATH}board.svg").content

    assert ElementTree.fromstring(drawn) is not None
    assert b"<script" not in drawn
