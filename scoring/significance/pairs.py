"""Tests of which systems differ: all pairs tested together on shared draws.

With K systems there are K(K−1)/2 pairs. Each tested alone at 5 % would find a difference among ten equal systems on
most boards; so the p-values are adjusted for all pairs at once. Two ways:

* `step_down`: on bootstrap draws, by the maximum over the pairs. Systems on one gold do well and badly on the same
  resamples, and the maximum takes account of it, which loses less power than a correction that knows only the number
  of pairs.
* `randomisation`: units are exchanged between two systems, and the p-values corrected by Holm.

References:
Efron & Tibshirani (1993), An Introduction to the Bootstrap.
Hesterberg (2015), What Teachers Should Know About the Bootstrap. The American Statistician 69(4).
Holm (1979), A Simple Sequentially Rejective Multiple Test Procedure. Scandinavian Journal of Statistics 6(2).
Noreen (1989), Computer-Intensive Methods for Testing Hypotheses.
Romano & Wolf (2005), Exact and Approximate Stepdown Methods for Multiple Hypothesis Testing. JASA 100(469).
Westfall & Young (1993), Resampling-Based Multiple Testing.
Yeh (2000), More Accurate Tests for the Statistical Significance of Result Differences. COLING.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from scoring.columns import Floats, Integers
from scoring.significance.alone import SLACK, Alone, PairTestCache, tests_alone
from scoring.significance.distributions import normal_cdf, normal_quantile, student_cdf, student_quantile
from scoring.significance.intervals import quantile
from scoring.significance.joint import n_reached
from scoring.significance.limits import FEWEST_UNITS, TIE


@dataclass(frozen=True)
class Pairs:
    """Tests of P pairs: the first system of a pair minus the second."""

    difference: Floats  # (P,): of the scores on the gold; exactly 0 for a tie
    se: Floats  # (P,): standard error of the difference; 0 where it is the same on all resamples
    p: Floats  # (P,): two-sided p-value of the pair alone
    p_adjusted: Floats  # (P,): p-value of the pair among all
    critical_value: float | None  # what the largest standardised deviation seldom exceeds; None without a joint test


def step_down(
    scores: Floats,
    draws: Floats,
    pairs: Integers,
    n_units: int,
    confidence_level: float,
    *,
    cache: PairTestCache | None = None,
) -> Pairs:
    """Make the max-T step-down test (Westfall & Young 1993; Romano & Wolf 2005) on bootstrap draws.

    `scores` (K,) and `draws` (K, B) are the same statistic of each system, on the gold and on its resamples;
    `pairs` (P, 2) names systems by number. Beside the input it needs the deviations (K, B) and a few numbers for each
    pair. Below 20 units the adjusted p-values are all 1, because the bootstrap's spread is not to be trusted there.
    `cache`, from a call before, saves tests of pairs alone and changes no number.

    The second system below falls behind the first on every resample; the third hardly differs from the first:

    >>> scores = np.array([0.8, 0.5, 0.79])
    >>> draws = scores[:, np.newaxis] + np.array([[2, -2, 1, -1] * 5, [1, -1, 1, -1] * 5, [-2, 2, 1, -1] * 5]) / 100
    >>> tested = step_down(scores, draws, np.array([[0, 1], [0, 2]]), n_units=50, confidence_level=0.95)
    >>> (tested.p_adjusted * 21).round()  # of 20 resamples none reaches the first difference, ten the second
    array([ 1., 11.])
    """
    tested = step_down_over(scores, draws, pairs, np.full(len(pairs), n_units), confidence_level, cache=cache)
    return tested if n_units >= FEWEST_UNITS else replace(tested, p_adjusted=np.ones_like(tested.p_adjusted))


def step_down_over(
    scores: Floats,
    draws: Floats,
    pairs: Integers,
    n_units: Integers,
    confidence_level: float,
    *,
    cache: PairTestCache | None = None,
) -> Pairs:
    """Return the step-down test of pairs of several boards together, of which each has its own number of units: (P,).

    A system of another board is another system here. Which pairs rest on too few units, the caller knows.
    """
    difference = differences(scores, pairs)
    # A resample's deviation from the gold stands for the gold's deviation from the population: (K, B).
    deviations = draws - scores[:, np.newaxis]
    alone = tests_alone(cache, scores, draws, difference, deviations, pairs)
    t = normal_deviate(_standardised(difference, alone.se), n_units)
    p_adjusted, critical_value = _together(t, alone, deviations, pairs, confidence_level)
    can_move = len(pairs) > 0 and n_units.max() > 1
    return Pairs(difference, alone.se, alone.p, p_adjusted, critical_value if can_move else None)


def differences(scores: Floats, pairs: Integers) -> Floats:
    """Return the score of the first minus that of the second, (P,), and exactly 0 for a tie.

    >>> differences(np.array([0.1 + 0.2, 0.3, 0.5]), np.array([[0, 1], [2, 1]]))
    array([0. , 0.2])
    """
    difference = scores[pairs[:, 0]] - scores[pairs[:, 1]]
    return np.where(np.abs(difference) <= TIE, 0.0, difference)


def normal_deviate(t: Floats, n_units: Integers | int) -> Floats:
    """Return the normal deviate with the tail of an observed t (P,) over `n_units`, one number or that of each t.

    The bootstrap's spread is too small by √((n−1)/n), and t has the tails of Student's distribution with
    n − 1 degrees of freedom (Hesterberg 2015). Without this, ten equal systems on 20 units would be told apart
    three times as often as promised. Infinity stays infinity.

    >>> normal_deviate(np.array([2.0]), n_units=20).round(3), normal_deviate(np.array([2.0]), n_units=2000).round(3)
    (array([1.837]), array([1.998]))
    """
    n = np.maximum(n_units, 2)  # of one unit, or none, t stays as it is
    # By the lower tail of −t: near 1, the upper one would lose all digits of a small p-value.
    deviate = -normal_quantile(student_cdf(n - 1, -t * np.sqrt((n - 1) / n)))
    return np.where(np.asarray(n_units) < 2, t, deviate)


def simultaneous_factor(critical_value: float, n_units: int) -> float:
    """Return what to multiply a standard error with for an interval that holds for all pairs at once.

    The inverse of `normal_deviate`, from the critical value back to the t that an observed difference has.
    """
    tail = student_quantile(n_units - 1, normal_cdf(-critical_value))
    return float(-tail * np.sqrt(n_units / (n_units - 1)))


def randomisation(
    scores: Floats,
    swapped: Callable[[], Iterator[tuple[Floats, Floats]]],
    pairs: Integers,
    n_trials: int,
) -> Pairs:
    """Test by approximate randomisation (Noreen 1989; Yeh 2000), corrected by Holm (1979).

    If two systems are equally good, it does not matter which of them gave the output of a unit. `swapped` gives, trial
    by trial in batches, both scores (m, P) of each pair after some units were exchanged.
    """
    difference = differences(scores, pairs)
    # The observed difference is one of the possible exchanges, so it is counted, and no p-value is 0.
    extreme = np.ones(len(pairs))
    total, squares = np.zeros(len(pairs)), np.zeros(len(pairs))
    for first, second in swapped():
        moved = first - second  # (m, P)
        extreme += np.count_nonzero(np.abs(moved) >= np.abs(difference) - SLACK, axis=0)
        total += moved.sum(axis=0)
        squares += np.square(moved).sum(axis=0)
    variance = (squares - total**2 / n_trials) / max(1, n_trials - 1)
    p = extreme / (n_trials + 1)
    # Rounding may leave a variance of 0 slightly negative.
    return Pairs(difference, np.sqrt(np.maximum(variance, 0)), p, holm(p), None)


def holm(p: Floats) -> Floats:
    """Return adjusted p-values (P,): the smallest times P, the next times P − 1, never falling, at most 1.

    >>> holm(np.array([0.04, 0.01, 0.02, 0.5]))
    array([0.08, 0.04, 0.06, 0.5 ])
    """
    order = np.argsort(p, kind="stable")
    stepped = np.minimum(1.0, np.arange(len(p), 0, -1) * p[order])
    adjusted = np.empty_like(p)
    adjusted[order] = np.maximum.accumulate(stepped)
    return adjusted


def _standardised(difference: Floats, se: Floats) -> Floats:
    """Return the difference in standard errors, t: (P,).

    Without spread a difference is certain, t infinite; and a tie without spread is a tie, t = 0.
    """
    certain = np.where(difference == 0, 0.0, np.inf)
    return np.where(se > 0, np.abs(difference) / np.where(se > 0, se, 1.0), certain)


def _together(
    t: Floats, alone: Alone, deviations: Floats, pairs: Integers, confidence_level: float
) -> tuple[Floats, float]:
    """Return adjusted p-values (P,), and the quantile of the largest standardised deviation of all pairs on a resample.

    A pair is compared with the largest deviation of itself and of all pairs whose t is smaller: those with a larger t
    are separated first, and then no longer in the way.
    """
    n_resamples = deviations.shape[1]
    reached, largest = n_reached(t, alone, deviations, pairs)
    stepped = (1 + reached) / (n_resamples + 1)
    p_adjusted = np.ones(len(pairs))
    falling = np.argsort(t, kind="stable")[::-1]
    # A pair is separated only if all pairs with a larger t are.
    p_adjusted[falling] = np.maximum.accumulate(stepped[falling])
    return p_adjusted, quantile(largest, confidence_level)
