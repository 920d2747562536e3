"""The scatter of unit scores: where points stand, how large they are, and what it keeps to itself."""

import numpy as np
import pytest
from django.template.loader import render_to_string

from evalsite.comparisons.compare_two.differences import changed_units
from evalsite.comparisons.compare_two.scatter import scatter_of

FIRST = np.array([1, 1, 1, 1, 0.52, 0.58, 0, np.nan])
SECOND = np.array([0, 0, 0, 0, 0.52, 0.20, 1, 0.5])


def test_units_that_share_a_place_make_one_point_with_an_area_as_large_as_they_are_many():
    chart = scatter_of(FIRST, SECOND, is_coarse=False)

    largest = chart.points[0]
    single = next(point for point in chart.points if point.count == 1)
    assert (largest.count, largest.x, largest.y) == (4, chart.right, chart.bottom)
    assert largest.radius == pytest.approx(2 * single.radius, abs=0.1)
    assert sum(point.count for point in chart.points) == 7


def test_it_counts_who_is_ahead_where():
    chart = scatter_of(FIRST, SECOND, is_coarse=False)
    assert (chart.n_first, chart.n_equal, chart.n_second, chart.n_left_out) == (5, 1, 1, 1)


def test_a_coarse_one_shows_tenths_and_no_more():
    places = {(point.first, point.second) for point in scatter_of(FIRST, SECOND, is_coarse=True).points}
    assert places == {("1", "0"), ("0.5–0.6", "0.5–0.6"), ("0.5–0.6", "0.2–0.3"), ("0", "1")}
    alike = [scatter_of(np.array([value]), np.array([value]), is_coarse=True) for value in (0.51, 0.59)]
    assert alike[0] == alike[1]
    texts = {"unit": ("sentence", "sentences"), "names": ("A", "B"), "headline": "F1"}
    for is_coarse in (True, False):
        shown = {"scatter": scatter_of(FIRST, SECOND, is_coarse=is_coarse), **texts}
        assert ("In tenths" in render_to_string("leaderboard/_scatter.html", shown)) == is_coarse


def test_negative_scores_and_none_at_all_make_no_scatter():
    assert scatter_of(np.array([-3.0]), np.array([1.0]), is_coarse=False) is None
    assert scatter_of(np.array([np.nan]), np.array([1.0]), is_coarse=False) is None


def test_thousands_in_one_place_stay_inside():
    chart = scatter_of(np.full(5000, 0.5), np.full(5000, 0.5), is_coarse=False)
    assert chart.points[0].radius <= 18


def test_the_units_that_differ_most_come_first_and_equal_ones_not_at_all():
    units = changed_units([f"s{k}" for k in range(8)], FIRST, SECOND)
    assert [(unit.name, round(unit.difference, 2)) for unit in units if unit.has_changed] == [
        ("s0", 1),
        ("s1", 1),
        ("s2", 1),
        ("s3", 1),
        ("s6", -1),
        ("s5", 0.38),
    ]


def test_the_axes_begin_at_a_half_where_no_unit_is_below():
    high = scatter_of(np.array([0.5, 0.9]), np.array([0.75, 1]), is_coarse=False)
    low = scatter_of(np.array([0.4, 0.9]), np.array([0.75, 1]), is_coarse=False)

    assert [label for _, label in high.x_ticks] == ["0.5", "0.75", "1"]
    assert [label for _, label in low.x_ticks] == ["0", "0.5", "1"]
    assert min(point.x for point in high.points) == high.left


def test_units_that_are_right_or_wrong_make_four_cells_and_partly_right_ones_none():
    chart = scatter_of(np.array([1, 1, 1, 0.0]), np.array([1, 1, 0, 0.0]), is_coarse=True)
    assert [[place and place.count for place in row] for row in chart.square] == [[2, 1], [None, 1]]
    assert scatter_of(FIRST, SECOND, is_coarse=True).square is None
