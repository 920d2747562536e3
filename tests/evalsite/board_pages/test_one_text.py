"""A score and its interval are the same text on every page and in every file, whoever asks and whenever."""

import csv
import re
from dataclasses import replace

import numpy as np
import pytest
from django.urls import reverse

from evalsite.board_pages.board.rows import scale_among
from evalsite.challenges.models import Phase, Scenario
from evalsite.challenges.precision import Precision
from evalsite.wording import interval, score
from scoring.scale import Scale
from tests.evalsite.board_pages.pages import cells
from tests.evalsite.leaderboard.boards import make_board, make_entry, make_teams

pytestmark = pytest.mark.django_db

N = 40
HIDDEN = Precision(is_full=False, headline="f1", shown=frozenset({"f1"}))


def random_scores() -> list[tuple[float, float, float]]:
    """Return scores with both ends, of narrow and wide intervals, many near the edge between two digits."""
    random = np.random.default_rng(5)
    values = np.sort(random.uniform(0.41, 0.95, N))[::-1]
    values[::3] = np.round(values[::3], 3) + 0.0005 + random.normal(scale=2e-5, size=len(values[::3]))
    halves = 10 ** random.uniform(-2, -0.4, N)
    return [
        (float(value), float(value - half), float(value + 0.9 * half))
        for value, half in zip(values, halves, strict=True)
    ]


@pytest.fixture
def board(phase, scenario):
    teams = make_teams(phase, *(f"Team {number:02}" for number in range(N)))
    entries = [
        make_entry(team, value, rank, scores={"f1": value}, lows={"f1": low}, highs={"f1": high})
        for rank, (team, (value, low, high)) in enumerate(zip(teams, random_scores(), strict=True), start=1)
    ]
    return make_board(phase, scenario, entries)


def written(headline: float, ends: tuple[float, float], scale: Scale) -> str:
    return f"{score(headline, scale)} {interval(ends, scale)}"


def on_page(client) -> list[str]:
    page = client.get(reverse("board", args=["health", "test", 1])).content.decode()
    return [re.search(r"\S+(\s%)? \[.*?\]", cell)[0] for cell in cells(page, "headline")]


def in_file(client, suffix: str) -> list[str]:
    content = client.get(reverse("board_export", args=["health", "test", 1, suffix])).content.decode()
    return re.findall(r"\S+(?:\s?\\?%)? \\?\[[\d.,\s]*\\?\]", content)


def in_table(client, scale: Scale) -> list[str]:
    content = client.get(reverse("board_export", args=["health", "test", 1, "csv"])).content.decode()
    rows = [
        tuple(float(row[name]) for name in ("f1", "f1_low", "f1_high")) for row in csv.DictReader(content.splitlines())
    ]
    return in_words(rows, scale)


def by_api(client, scale: Scale) -> list[str]:
    entries = client.get("/api/v1/tasks/health/test/boards/1").json()["entries"]
    return in_words([(each["scores"]["f1"], *each["intervals"]["f1"]) for each in entries], scale)


def in_words(rows: list[tuple[float, ...]], scale: Scale) -> list[str]:
    held = scale.fitted([row[0] for row in rows], [(row[1], row[2]) for row in rows])
    return [written(value, (low, high), held) for value, low, high in rows]


@pytest.mark.parametrize("digits", ["", *Scenario.Digits.values])
def test_strangers_and_organisers_read_one_text_by_every_door(client, as_olga, board, digits):
    Scenario.objects.update(digits=digits)
    scenario = Scenario.objects.get()
    scale = scale_among(scenario, "f1", board.entries)
    expected = in_words(random_scores(), scale)
    doors = [lambda who, suffix=suffix: in_file(who, suffix) for suffix in ("tex", "md")]
    doors += [on_page, lambda who: in_table(who, scenario.scale), lambda who: by_api(who, scenario.scale)]
    for is_released in (False, True):
        Phase.objects.update(gold_released=is_released)
        for who in (client, as_olga):
            for read in doors:
                assert list(map(plain, read(who)))[:N] == list(map(plain, expected))


def plain(text: str) -> str:
    return re.sub(r"[\\~\s]+", " ", text).replace(" [", "[").replace(" ]", "]").replace(" %", "%").strip()


@pytest.mark.thorough
def test_what_is_told_of_an_interval_is_written_as_the_interval_itself():
    random = np.random.default_rng(9)
    middles, halves = random.random(20_000), 10 ** random.uniform(-4, -0.31, 20_000)
    for scale in (Scale(), Scale(decimals=2), Scale(decimals=1, is_percent=True)):
        for middle, half in zip(middles, halves, strict=True):
            ends = (float(middle - half), float(middle + half))
            assert interval(HIDDEN.interval(ends, "f1"), scale) == interval(ends, scale)
    exact = replace(HIDDEN, written=frozenset({("f1", 4)}))
    for middle, half in zip(middles, halves, strict=True):
        ends = (float(middle - half), float(middle + half))
        assert interval(exact.interval(ends, "f1"), Scale(decimals=4)) == interval(ends, Scale(decimals=4))
