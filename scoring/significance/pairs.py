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

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

import numpy as np
from scipy.special import ndtr, ndtri, stdtr, stdtrit

from scoring.columns import Flags, Floats, Integers
from scoring.significance.intervals import quantile
from scoring.significance.limits import FEWEST_UNITS, TIE

# A resample whose deviation falls short of the observed one by less than this counts as reaching it. Scores of few
# items take few values, so that equal deviations are common, and their last digits differ.
_SLACK = 1e-9
# A standard error below this is rounding: the two systems differ by the same amount on all resamples.
_SMALLEST_SE = 1e-10
_BLOCK_VALUES = 2**17  # doubles that stay in the processor's cache
_FEW_LIMITS = 32  # up to so many are counted one by one, more by sorting once
_BETWEEN_LOOKS = 64  # pairs, until it is looked whether the others can still matter


@dataclass(frozen=True)
class Pairs:
    """Tests of P pairs: the first system of a pair minus the second."""

    difference: Floats  # (P,): of the scores on the gold; exactly 0 for a tie
    se: Floats  # (P,): standard error of the difference; 0 where it is the same on all resamples
    p: Floats  # (P,): two-sided p-value of the pair alone
    p_adjusted: Floats  # (P,): p-value of the pair among all
    critical_value: float | None  # what the largest standardised deviation seldom exceeds; None without a joint test


@dataclass(frozen=True)
class Alone:
    """The tests of P pairs by themselves, whatever other pairs are tested beside them."""

    se: Floats  # (P,): standard error of the difference; 0 where it is the same on all resamples
    p: Floats  # (P,): two-sided p-value of the pair alone
    farthest: Floats  # (P,): the largest deviation of the difference on any resample, in the unit of the score


class PairTestCache:
    """Tests of pairs alone by the digests of their systems, so that a board with one new system tests only its pairs.

    It holds those of the systems of the latest test. A digest stands for a system's score and all its draws.
    """

    def __init__(self) -> None:
        self._rows: dict[bytes, int] = {}
        self._tests = np.empty((3, 0, 0))

    def look_up(self, digests: Sequence[bytes], pairs: Integers) -> tuple[Flags, Alone]:
        """Return which of the pairs (P, 2) of these systems are known, and what they tell: NaN for the others."""
        rows = np.array([self._rows.get(digest, -1) for digest in digests], dtype=np.int64)[pairs]  # (P, 2)
        is_known = (rows >= 0).all(axis=1)
        tests = np.full((3, len(pairs)), np.nan)
        tests[:, is_known] = self._tests[:, rows[is_known, 0], rows[is_known, 1]]
        is_known &= ~np.isnan(tests[0])
        return is_known, Alone(*tests)

    def store(self, digests: Sequence[bytes], pairs: Integers, alone: Alone) -> None:
        """Keep the tests of these pairs, and no others: a difference has the same tests in both directions."""
        self._rows = {digest: row for row, digest in enumerate(digests)}
        self._tests = np.full((3, len(digests), len(digests)), np.nan)
        # Equal systems have one digest, and their pairs with others one test.
        rows = np.array([self._rows[digest] for digest in digests], dtype=np.int64)[pairs]
        for matrix, values in zip(self._tests, (alone.se, alone.p, alone.farthest), strict=True):
            matrix[rows[:, 0], rows[:, 1]] = matrix[rows[:, 1], rows[:, 0]] = values


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
    alone = _alone_by(cache, scores, draws, difference, deviations, pairs)
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
    deviate = -ndtri(stdtr(n - 1, -t * np.sqrt((n - 1) / n)))
    return np.where(np.asarray(n_units) < 2, t, deviate)


def simultaneous_factor(critical_value: float, n_units: int) -> float:
    """Return what to multiply a standard error with for an interval that holds for all pairs at once.

    The inverse of `normal_deviate`, from the critical value back to the t that an observed difference has.
    """
    tail = stdtrit(n_units - 1, ndtr(-critical_value))
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
        extreme += np.count_nonzero(np.abs(moved) >= np.abs(difference) - _SLACK, axis=0)
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


def _alone_by(
    cache: PairTestCache | None, scores: Floats, draws: Floats, difference: Floats, deviations: Floats, pairs: Integers
) -> Alone:
    """Return the tests of each pair by itself, of which those that are known are not made again."""
    if cache is None:
        return _alone(difference, deviations, pairs)
    digests = [sha256(score.tobytes() + vector.tobytes()).digest() for score, vector in zip(scores, draws, strict=True)]
    is_known, alone = cache.look_up(digests, pairs)
    made = _alone(difference[~is_known], deviations, pairs[~is_known])
    for values, new in zip((alone.se, alone.p, alone.farthest), (made.se, made.p, made.farthest), strict=True):
        values[~is_known] = new
    cache.store(digests, pairs, alone)
    return alone


def _alone(difference: Floats, deviations: Floats, pairs: Integers) -> Alone:
    """Test each pair by itself, without a matrix product, whose last digit depends on the number of threads."""
    n_resamples = deviations.shape[1]
    se, p, farthest = np.zeros(len(pairs)), np.ones(len(pairs)), np.zeros(len(pairs))
    step = max(1, _BLOCK_VALUES // max(1, n_resamples))
    for start in range(0, len(pairs), step):
        some = slice(start, start + step)
        moved = deviations[pairs[some, 0]] - deviations[pairs[some, 1]]  # (step, B): deviations of the differences
        squares = np.einsum("ij,ij->i", moved, moved) - np.einsum("ij->i", moved) ** 2 / n_resamples
        root = np.sqrt(np.maximum(squares, 0) / max(1, n_resamples - 1))
        se[some] = np.where(root <= _SMALLEST_SE, 0.0, root)
        # |Δ*| ≥ |Δ| − slack · se is the same as T* ≥ t − slack, without dividing B values.
        reach = np.abs(difference[some]) - _SLACK * se[some]
        as_far = np.count_nonzero(np.abs(moved, out=moved) >= reach[:, np.newaxis], axis=1)
        # One is added above and below for the gold itself: with B resamples nothing smaller than 1/(B + 1) is known.
        p[some] = (1 + np.where(se[some] > 0, as_far, 0)) / (n_resamples + 1)
        farthest[some] = moved.max(axis=1, initial=0.0)
    p[difference == 0] = 1.0
    return Alone(se, p, farthest)


def _together(
    t: Floats, alone: Alone, deviations: Floats, pairs: Integers, confidence_level: float
) -> tuple[Floats, float]:
    """Return adjusted p-values (P,), and the quantile of the largest standardised deviation of all pairs on a resample.

    A pair is compared with the largest deviation of itself and of all pairs whose t is smaller: those with a larger t
    are separated first, and then no longer in the way. From the smallest t upwards that maximum grows in place, so
    that one vector serves all steps.

    A pair that on no resample deviates as far as its own t cannot reach the larger t of later pairs either, and is left
    out of the maximum; on a long board with clear differences those are most pairs.
    """
    n_resamples = deviations.shape[1]
    largest = _Largest(deviations, pairs, alone.se)
    # As far as the standardised deviation of a pair ever goes: multiplied as `largest` multiplies, to the last bit.
    farthest = np.where(alone.se > 0, alone.farthest * (1 / np.where(alone.se > 0, alone.se, 1.0)), 0.0)
    rising = np.argsort(t, kind="stable")
    limits = t[rising] - _SLACK
    reaching = np.flatnonzero((farthest[rising] >= limits) & (alone.se[rising] > 0))
    n_reached = np.zeros(len(pairs), dtype=np.int64)
    done = 0
    for place in reaching.tolist():
        n_reached[done:place] = _n_reached(largest.values, limits[done:place])
        largest.take(int(rising[place]))
        done = place
    n_reached[done:] = _n_reached(largest.values, limits[done:])
    stepped = (1 + n_reached) / (n_resamples + 1)
    p_adjusted = np.ones(len(pairs))
    # A pair is separated only if all pairs with a larger t are.
    p_adjusted[rising[::-1]] = np.maximum.accumulate(stepped[::-1])
    largest.take_until(confidence_level, np.delete(rising, reaching), farthest)
    return p_adjusted, quantile(largest.values, confidence_level)


def _n_reached(largest: Floats, limits: Floats) -> Integers:
    """Return how many of the values (B,) reach each limit: (n,)."""
    if len(limits) <= _FEW_LIMITS:
        return np.array([np.count_nonzero(largest >= limit) for limit in limits.tolist()], dtype=np.int64)
    return np.asarray(len(largest) - np.searchsorted(np.sort(largest), limits, side="left"))


class _Largest:
    """The largest standardised deviation of the pairs taken so far."""

    def __init__(self, deviations: Floats, pairs: Integers, se: Floats) -> None:
        self.values = np.zeros(deviations.shape[1])  # (B,)
        self._moved = np.empty_like(self.values)
        self._deviations, self._pairs, self._se = deviations, pairs, se

    def take(self, pair: int) -> None:
        first, second = self._pairs[pair].tolist()
        moved = self._moved
        np.subtract(self._deviations[first], self._deviations[second], out=moved)
        np.abs(moved, out=moved)
        moved *= 1 / self._se[pair]
        np.maximum(self.values, moved, out=self.values)

    def take_until(self, level: float, pairs: Integers, farthest: Floats) -> None:
        """Take further pairs, until the others cannot change the quantile: none goes farther than its lower neighbour.

        What they could raise lies below that one, and would stay below it.
        """
        if not len(self.values):
            return
        below = math.floor((len(self.values) - 1) * level)
        falling = pairs[np.argsort(-farthest[pairs], kind="stable")]
        for start in range(0, len(falling), _BETWEEN_LOOKS):
            if farthest[falling[start]] <= np.partition(self.values, below)[below]:
                return
            for pair in falling[start : start + _BETWEEN_LOOKS].tolist():
                if self._se[pair] > 0:
                    self.take(pair)
