"""The two formulas that every family shares, and their zero cases."""

import numpy as np

from scoring.prf import harmonic_mean, ratio


def test_a_zero_denominator_gives_zero_whatever_stands_above_it():
    np.testing.assert_array_equal(ratio([3, 0, 5, 1], [4, 0, 0, 3]), [0.75, 0, 0, 1 / 3])


def test_what_is_not_applicable_stays_not_applicable():
    np.testing.assert_array_equal(ratio([np.nan, 1.0], [2.0, np.nan]), [np.nan, np.nan])


def test_shapes_are_kept_and_broadcast():
    assert ratio(1, 2).shape == ()
    assert ratio(np.ones((2, 1)), np.zeros(3)).shape == (2, 3)
    assert float(ratio(1, 0)) == 0.0


def test_the_harmonic_mean_is_zero_where_both_are_zero():
    np.testing.assert_array_equal(harmonic_mean([0.0, 1.0, 0.5], [0.0, 0.0, 1.0]), [0, 0, 2 / 3])


def test_the_harmonic_mean_is_evaluated_in_the_stated_order():
    rng = np.random.default_rng(1)
    precision, recall = rng.random((2, 10_000))
    np.testing.assert_array_equal(harmonic_mean(precision, recall), (2 * precision) * recall / (precision + recall))


def test_the_formulas_work_on_the_last_axis_of_sums():
    counts = np.arange(24.0).reshape(2, 3, 4)
    correct, _, missing, spurious = np.moveaxis(counts, -1, 0)
    f1 = harmonic_mean(ratio(correct, correct + spurious), ratio(correct, correct + missing))
    assert f1.shape == (2, 3)
    assert f1[0, 0] == 0
