"""The matrix of all pairs: what a cell says, to whom, in which parts, and at what cost."""

import re
import time
from html import unescape

import numpy as np
import pytest

from evalsite.challenges.models import Participation, Phase
from scoring.comparing.places import packed_pairs, unpacked_pairs
from tests.evalsite.leaderboard.boards import make_board, make_entry, make_teams
from tests.evalsite.leaderboard.compared import compare

PATH = "/tasks/health/test/board/1/pairs/"


def page(client, query: str = "") -> str:
    response = client.get(PATH + query)
    assert response.status_code == 200
    return unescape(response.content.decode())


def signs(html: str) -> list[str]:
    """Return each row of the matrix with one letter a cell: better, alike, worse, or self."""
    rows = re.findall(r"<tr.*?</tr>", html.partition('<table class="matrix')[2].partition("</table>")[0], re.DOTALL)
    return ["".join(found[0] for found in re.findall(r'<td class="(?:is-)?(\w+)"', row)) for row in rows[1:]]


@pytest.fixture
def board(phase, scenario, team):
    """First and second are alike, both better than the third; a baseline is below all."""
    second, third, organisers = make_teams(phase, "Second", "Third", "Organisers")
    Participation.objects.create(task=phase.task, team=team, number=9)
    entries = [
        make_entry(team, 0.700, 1, method="Secret method"),
        make_entry(second, 0.699, 2),
        make_entry(third, 0.400, 3),
        make_entry(organisers, 0.2, reference="baseline", method="Dictionary"),
    ]
    edition = make_board(phase, scenario, entries)
    compare(edition, scenario)
    return edition


def test_cells_say_who_is_better_in_sign_and_words(client, board):
    html = page(client)

    assert signs(html) == ["sab", "asb", "wws", "www"]
    assert "2 of 3 pairs can be told apart." in html
    assert 'title="Alice and Bob is better than Third: +0.30, adjusted p' in html
    assert 'title="Third is worse than Second: −0.30, adjusted p' in html
    assert 'title="Alice and Bob cannot be told apart from Second: +0.0010, adjusted p' in html
    assert '<span class="visually-hidden">is better than Third: +0.30, adjusted p' in html


def test_the_same_stands_in_words_for_those_who_cannot_see_a_matrix(client, board):
    words = page(client).partition('id="in-words"')[2]
    first = re.sub(r"<[^>]*>", " ", words.partition("</details>")[0])
    p = r"adjusted p (?:[01]\.\d{1,4}|< 0\.001)"

    assert re.search(
        rf"Alice and Bob \+1 ≈1 −0 better than Third \+0\.30, {p} cannot be told apart from Second \+0\.0010, {p}$",
        " ".join(first.split()),
    )


def test_each_cell_and_each_name_in_words_leads_to_the_page_of_the_two(client, board):
    html = page(client)
    cell = re.search(r'<td class="is-better"[^>]*><a href="([^"]+)"', html)[1]
    word = re.search(r'<ul class="pair-others">\s*<li><a href="([^"]+)"', html)[1]

    assert cell == word
    chosen = re.findall(r"selected>\s*([^<]+?)\s*</option>", unescape(client.get(cell).content.decode()))
    assert [name.split("· ")[0].split()[-1] for name in chosen] == ["Bob", "Third"]


def test_an_anonymous_board_names_nobody_in_its_matrix(client, board):
    Phase.objects.update(is_anonymous=True)

    html = page(client)

    assert "Team 9 is better than Team 2" in html
    for hidden in ("Alice", "Second", "Third", "Secret method"):
        assert hidden not in html
    for entry in board.entries:
        assert entry["team"] not in html
        assert entry["reference"] or entry["submission"] not in html  # references are nobody's secret


def test_a_board_that_could_not_be_compared_says_so(client, phase, scenario):
    one, other = make_teams(phase, "One", "Other")
    make_board(phase, scenario, [make_entry(one, 0.5, 1), make_entry(other, 0.4, 2)])
    assert "Nothing to compare yet" in page(client)


@pytest.fixture
def large(phase, scenario):
    teams = make_teams(phase, *(f"Team of {number}" for number in range(95)))
    entries = [make_entry(team, 0.9 - number / 200, number + 1) for number, team in enumerate(teams)]
    edition = make_board(phase, scenario, entries)
    compare(edition, scenario)
    return edition


def test_forty_entries_stand_on_a_page_and_the_others_on_further_ones(client, large):
    first, corner, last = page(client), page(client, "?rows=1&columns=3"), page(client, "?rows=3&columns=3")

    assert [len(row) for row in signs(first)] == [40] * 40
    assert [len(row) for row in signs(corner)] == [15] * 40
    assert set("".join(signs(corner))) == {"b"}
    assert [row.index("s") for row in signs(last)] == list(range(15))
    assert 'href="?rows=2&columns=3"' in last


@pytest.mark.parametrize("query", ["?rows=0", "?rows=x&columns=%01", "?rows=99999999999", "?columns=-1", "?rows=²"])
def test_a_part_that_is_not_there_gives_the_first(client, large, query):
    assert signs(page(client, query)) == signs(page(client))


def test_the_page_costs_a_constant_number_of_queries_and_little_time(client, large, django_assert_num_queries):
    with django_assert_num_queries(10):
        began = time.process_time()
        page(client)
        assert time.process_time() - began < 2.0  # 0.3 s alone; the machine may be busy


def test_p_values_come_back_as_they_were_packed():
    p = np.array([[1, 0.25, 0.5], [0.25, 1, 0.125], [0.5, 0.125, 1]])
    assert unpacked_pairs(packed_pairs(p), 3).tolist() == p.tolist()


def test_a_page_of_a_long_board_names_the_columns_that_it_shows_and_counts_all_entries(client, large):
    words = page(client, "?rows=1&columns=3").partition('id="in-words"')[2]
    first = " ".join(re.sub(r"<[^>]*>", " ", words.partition("</details>")[0]).split())
    n_better, n_alike, n_worse = map(int, re.search(r"\+(\d+) ≈(\d+) −(\d+)", first).groups())
    assert (n_better + n_alike, n_worse) == (94, 0)
    assert first.count("Team of ") == 1 + 15
    assert "By name the columns that are shown, by number all entries." in first
