"""The page that explains a board: its figures show what its words say."""

import json
import re
from html import unescape
from pathlib import Path

import numpy as np
import pytest

from evalsite.comparisons.guide import POWER, guide
from tests.evalsite.board_pages.pages import text


def test_the_invented_board_shows_what_it_is_there_for():
    shown = guide()
    first, second, third = shown.lines[:3]

    assert first.group == second.group != third.group
    assert (first.rank_range, second.rank_range) == ("1–2", "1–3")  # the second is not told from the third either
    assert third.difference[2] < 0
    assert shown.sentence == (
        f"Shared first: {first.name} ({first.score:.3f}) and {second.name} ({second.score:.3f}). "
        f"150 sentences cannot tell them apart; {first.name} is better than the other 3."
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

    for anchor in ("interval", "overlap", "places", "together", "power", "not-said", "formulas", "sources"):
        assert f'id="{anchor}"' in html
        assert f'href="#{anchor}"' in html
    assert html.count("<figure") == 3
    assert not re.search(r"style=|<style|\son[a-z]+=", html)


def test_what_a_test_can_tell_is_shown_with_every_simulated_cell(client, db):
    figures = json.loads(POWER.read_text())
    html = text(client.get("/how-to-read/").content.decode())

    assert len(figures["sizes"]) == 27
    for cell in figures["sizes"]:
        for found, size in (("found_half", "half"), ("found_often", "often")):
            assert f"{100 * cell[found]:.1f} % {cell[size]:.3f}" in html
    for need in figures["needs"]:
        assert f"{need['n_systems']} {need['needed']:,} {100 * need['found_often']:.1f} %" in html
    shares = [cell["found_half"] for cell in figures["sizes"]]
    assert f"was detected on {100 * min(shares):.1f} % to {100 * max(shares):.1f} %" in html


def test_the_pages_figures_are_those_of_the_documents_and_lie_within_what_was_promised():
    figures = json.loads(POWER.read_text())
    document = Path("docs/statistics.md").read_text(encoding="utf-8")

    for cell in figures["sizes"]:
        told = (
            f"{cell['half']:.3f}: {100 * cell['found_half']:.1f} | {cell['often']:.3f}: {100 * cell['found_often']:.1f}"
        )
        assert told in document
        assert 0.4 <= cell["found_half"] <= 0.6
        assert 0.72 <= cell["found_often"] <= 0.88
    for need in figures["needs"]:
        assert f"{need['needed']:,} | {100 * need['found_often']:.1f} %" in document
