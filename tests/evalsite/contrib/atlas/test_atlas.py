"""The error atlas of a board: what it shows, to whom, and how large it may become."""

import re
from html import unescape
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest
from django.template.loader import render_to_string
from django.utils import translation

from evalsite.board_pages.board.rows import rows_of
from evalsite.board_pages.board.visibility import visibility_of
from evalsite.challenges.models import Phase
from evalsite.contrib.atlas.drawing import MOST_CELLS, AtlasPage
from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board, Edition
from scoring.comparing.atlas import Atlas
from tests.evalsite import families
from tests.factories import make_gold, make_run, run_files

pytestmark = pytest.mark.django_db

PATH = "/tasks/health/test/board/1/atlas/"


@pytest.fixture
def runs(phase, scenario, team, strangers):
    """Four sentences of one phrase: alice's run finds the first two, charlie's the next two but the last."""
    lines = [f"{k + 1}\t{6 * k} {6 * k + 5}\tConcept\tdolor\n" for k in range(4)]

    def files(*found):
        return run_files("".join(lines[k] for k in found), "", sentences="dolor\n" * 4)

    make_gold(phase, scenario, files(0, 1, 2, 3))
    made = {
        "alice": make_run(phase, team, files(0, 1), method="First"),
        "charlie": make_run(phase, strangers, files(1, 2), method="Second"),
    }
    refresh(Board.objects.get())
    return made


def release():
    Phase.objects.update(gold_released=True)


def read(client, user=None, query: str = "", status: int = 200) -> str:
    client.logout()
    if user:
        client.force_login(user)
    response = client.get(PATH + query)
    assert response.status_code == status
    return re.sub(r"\s+", " ", unescape(response.content.decode()))


def cells(page: str) -> list[list[str]]:
    """The shades of each column."""
    columns = re.findall(r'<g transform="translate\(\d+ 0\)">(.*?)</g>', page)
    return [re.findall(r'class="cell (\w+)"', column) for column in columns]


@pytest.mark.thorough
def test_the_tab_is_shown_to_those_who_may_open_it(client, as_olga, runs):
    board = "/tasks/health/test/board/1/"
    assert PATH not in client.get(board).content.decode()
    assert PATH in as_olga.get(board).content.decode()
    release()
    assert PATH in client.get(board).content.decode()


def test_a_column_is_a_unit_the_hardest_first_and_a_line_a_system(client, runs):
    release()
    assert cells(read(client)) == [["s9", "s9"], ["s0", "s9"], ["s9", "s0"], ["s0", "s0"]]


@pytest.mark.thorough
def test_it_says_what_nobody_and_what_one_alone_has_right(client, alice, runs):
    release()
    page = read(client, alice)
    assert "In 1 of 4 sentences no system has everything right." in page
    own = page[page.index("Only you") :].partition("</details>")[0]
    assert re.search(r'units/sentence%201/"><bdi>sentence 1</bdi>', own)
    assert "sentence 2" not in own
    nobody = page[page.index('id="unsolved"') : page.index('id="neighbours"')]
    assert re.findall(r"<bdi>(sentence \d)</bdi>", nobody) == ["sentence 4"]
    together = page[page.index('id="together"') : page.index('id="unsolved"')]
    assert "0.857" in together
    assert "+0.190" in together


def test_cells_lead_to_the_units_of_runs_that_the_visitor_may_open(client, alice, charlie, olga, runs):
    release()
    for user, own in ((alice, ["alice"]), (charlie, ["charlie"]), (olga, ["alice", "charlie"]), (None, [])):
        page = read(client, user)
        linked = {name for name, run in runs.items() if f"/submissions/{run.pk}/scores/1/units/" in page}
        assert linked == set(own)
        for address in re.findall(r'href="(/submissions/[^"]*/units/[^"]*)"', page)[:3]:
            assert client.get(address).status_code == 200


def test_an_anonymous_board_has_an_anonymous_atlas(client, charlie, runs):
    Phase.objects.update(gold_released=True, is_anonymous=True)
    page = read(client, charlie)
    assert "Alice and Bob" not in page
    assert "First" not in page


@pytest.mark.thorough
def test_a_baseline_is_a_system_and_a_human_run_is_none(client, phase, team, runs):
    release()
    lines = "".join(f"{k + 1}\t{6 * k} {6 * k + 5}\tConcept\tdolor\n" for k in range(3))
    for reference in ("baseline", "human"):
        # The last sentence stays unsolved, so that neither run is the gold itself.
        files = run_files(lines, "", sentences="dolor\n" * 4)
        make_run(phase, team, files, method=reference.title(), reference=reference)
    refresh(Board.objects.get())
    page = read(client)
    names = page[page.index('class="atlas-names"') : page.index("</ol>")]
    assert "Baseline" in names
    assert "Human" not in names


def test_a_hidden_board_hides_its_atlas(client, charlie, runs):
    Phase.objects.update(gold_released=True, board_audience=Phase.Audience.ORGANISERS)
    read(client, charlie, status=403)


@pytest.mark.thorough
def test_a_board_without_runs_has_an_empty_one(client, phase, scenario):
    release()
    assert "Nothing to draw yet" in read(client)


@pytest.mark.thorough
def test_it_is_made_once_and_costs_as_many_queries_for_all(client, alice, runs, django_assert_max_num_queries):
    release()
    read(client, alice)
    for result in Edition.objects.get().board.phase.submissions.all():
        result.scorings.get().result.evaluation.delete(save=False)
    with django_assert_max_num_queries(20):
        answer = client.get(PATH)
    assert len(cells(re.sub(r"\s+", " ", answer.content.decode()))) == 4


@pytest.mark.parametrize("make", [families.make_answered, families.make_annotated, families.make_chained])
def test_every_family_has_one(client, make, olga, team, alice):
    run = make(olga, team, alice, gold_released=True)
    refresh(Board.objects.get())
    page = client.get(f"/tasks/{run.phase.task.slug}/{run.phase.slug}/board/1/atlas/").content.decode()
    assert cells(re.sub(r"\s+", " ", page))


def test_units_that_only_have_numbers_are_called_in_spanish():
    with translation.override("es"):
        assert "oración 34" in render_to_string("contrib/atlas/_unit.html", {"name": "sentence 34"})


# A large board


@pytest.fixture
def large(runs, phase, scenario, olga):
    """An atlas page of a hundred systems and five thousand units, under names of two real rows."""
    rows = rows_of(Edition.objects.get(), scenario, visibility_of(olga, phase))
    keys = [row.entry["submission"] for row in rows]
    scores = np.random.default_rng(1).random((100, 5000))
    square = np.zeros((100, 100))
    atlas = Atlas(
        [keys[k % 2] for k in range(100)], [f"u{k}" for k in range(5000)], scores, scores[:, 0], square, square
    )
    return AtlasPage(atlas, rows, 1, {})


@pytest.mark.thorough
def test_a_large_picture_is_bounded_and_shows_every_unit_in_some_column(large):
    picture = large.picture("")
    assert sum(len(column.cells) for column in picture.columns) <= MOST_CELLS
    assert picture.columns[0].url == f"?units=0-{5000 // len(picture.columns)}"
    assert picture.columns[-1].url.endswith("-5000")
    assert len(picture.blocks) == 10


@pytest.mark.thorough
def test_a_column_leads_on_to_its_units_alone(large):
    picture = large.picture("100-140")
    assert [column.title for column in picture.columns] == [
        large._atlas.units[unit] for unit in large._atlas.by_difficulty[100:140]
    ]
    assert (picture.n_together, picture.blocks, picture.is_part) == (1, [], True)


@pytest.mark.parametrize("asked", ["5-2", "x-y", "-", "1-", "99999999999-3", "7000-8000"])
def test_nonsense_shows_all(large, asked):
    assert not large.picture(asked).is_part


def test_pairs_of_one_s_own_stand_first_though_others_would_gain_more():
    page = object.__new__(AtlasPage)
    page.rows = [SimpleNamespace(is_own=place == 0) for place in range(8)]
    gains = np.fromfunction(lambda one, two: (one + two) / 100, (8, 8))
    pairs = sorted(combinations(range(8), 2), key=lambda pair: -gains[pair])
    page._atlas = SimpleNamespace(
        best_pairs=lambda number: pairs[:number], gains=gains, oracle=gains, lower_is_better=False
    )
    together = page.together
    assert [pair.is_own for pair in together] == [True] * 5 + [False] * 5
    assert together[0].oracle == gains[0, 7]
