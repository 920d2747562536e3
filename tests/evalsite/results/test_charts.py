"""Shapes of charts from numbers."""

from datetime import UTC, datetime

import numpy as np
import pytest

from evalsite.results.page.charts import histogram, progress
from evalsite.submissions.engine_jobs import distribution


def test_a_distribution_keeps_the_ends_apart_and_leaves_out_the_undefined():
    counts = distribution(np.array([0.0, 0.0, 0.05, 0.5, 0.999, 1.0, np.nan]))
    assert counts == [2, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 1]


def test_the_highest_bar_fills_the_height_and_others_are_in_proportion():
    chart = histogram([4, *[0] * 10, 2], ("sentence", "sentences"))
    first, last = chart.bars[0], chart.bars[-1]
    assert last.height == first.height / 2
    assert chart.finding == "Of 6 sentences, 2 are entirely right and 4 have nothing right"


def test_without_scored_units_there_is_no_histogram():
    assert histogram([0] * 12, ("sentence", "sentences")) is None


def test_bars_of_few_units_are_merged_and_their_areas_are_as_their_numbers():
    chart = histogram([12, 0, 3, 4, 3, 30, 2, 0, 0, 0, 0, 7], ("sentence", "sentences"), fewest=10)
    assert [(bar.label, bar.count) for bar in chart.bars] == [("0", 12), ("0.0–0.4", 10), ("0.4–1.0", 39)]
    first, second, _ = chart.bars
    assert first.height / second.height == pytest.approx(12 / (10 / 4), abs=0.1)
    assert second.width == pytest.approx(4 * (first.width + 6) - 6, abs=0.5)
    assert chart.finding == "Of 61 sentences, 12 have nothing right"
    errors = histogram([3, *[1] * 10, 14], ("sentence", "sentences"), lower_is_better=True, fewest=10)
    assert [bar.label for bar in errors.bars] == ["0.0–0.7", "≥ 0.7"]
    assert errors.finding == "27 sentences"


def test_of_fewer_units_than_a_bar_needs_there_is_no_histogram():
    assert histogram([4, *[0] * 10, 5], ("sentence", "sentences"), fewest=10) is None


def test_the_step_follows_the_best_score_so_far():
    when = datetime(2026, 3, 1, tzinfo=UTC)
    chart = progress([(when, 0.5, (0.4, 0.6)), (when, 0.4, None), (when, 0.7, (0.6, 0.8))])
    assert [point.is_best for point in chart.points] == [True, False, True]
    assert chart.points[2].y < chart.points[0].y < chart.points[1].y
    assert chart.steps.count("V") == 2
    assert chart.points[1].low is None


@pytest.mark.parametrize("value", [0.0, 1.0, 0.5])
def test_runs_without_any_difference_still_have_an_axis(value):
    when = datetime(2026, 3, 1, tzinfo=UTC)
    chart = progress([(when, value, None), (when, value, None)])
    assert len(chart.ticks) >= 2
    assert all(0 <= point.y <= chart.height for point in chart.points)


def test_one_run_makes_no_chart():
    assert progress([(datetime(2026, 3, 1, tzinfo=UTC), 0.5, None)]) is None
