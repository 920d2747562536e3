"""The page that explains a board: its figures show what its words say."""

import re
from html import unescape

import numpy as np
import pytest

from evalsite.leaderboard.guide import guide


def test_the_invented_board_shows_what_it_is_there_for():
    shown = guide()
    first, second, third = shown.lines[:3]

    assert first.group == second.group != third.group
    assert (first.places, second.places) == ("1–2", "1–3")  # the second is not told from the third either
    assert third.difference[2] < 0
    assert shown.sentence == (
        f"With 150 sentences, {first.name} cannot be told apart from {second.name}; it is better than the other 3."
    )


def test_two_intervals_overlap_and_their_difference_excludes_zero():
    overlap = guide().overlap

    assert overlap.intervals[0][0] < overlap.intervals[1][1]
    assert overlap.shared_width > 0
    assert overlap.difference_interval[0] > 0
    assert overlap.zero < overlap.difference_mark.low


def test_the_bars_inside_the_interval_hold_most_of_the_resamples():
    mound = guide().mound
    heights = np.array([bar.height for bar in mound.bars])
    inside = np.array([bar.is_inside for bar in mound.bars])

    assert heights[inside].sum() / heights.sum() == pytest.approx(0.95, abs=0.02)
    assert mound.low < mound.score < mound.high


def test_everybody_can_read_it(client, db, django_assert_num_queries):
    with django_assert_num_queries(0):
        html = unescape(client.get("/how-to-read/").content.decode())

    for anchor in ("interval", "overlap", "places", "together", "not-said", "formulas", "sources"):
        assert f'id="{anchor}"' in html
        assert f'href="#{anchor}"' in html
    assert html.count("<figure") == 3
    assert not re.search(r"style=|<style|\son[a-z]+=", html)
