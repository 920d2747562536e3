"""Which of several systems differ: all pairs tested together on shared draws."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, ndtri, stdtr, stdtrit

from scoring.columns import Floats, Integers
from scoring.significance.intervals import quantile
from scoring.significance.limits import FEWEST_UNITS, TIE

# Scores of few items lie on a lattice: what falls short of the observed value by less than this equals it.
_SLACK = 1e-9
_SMALLEST_SE = 1e-10
_BLOCK_VALUES = 2**17  # doubles that stay in the processor's cache


@dataclass(frozen=True)
class Pairs:
    """Tests of P pairs, each of shape (P,): the first system of a pair minus the second.

    `se` is the standard error of the difference, `p` the p-value of the pair alone, `p_adjusted` that of the
    pair among all. `critical_value` bounds the standardised deviation of all pairs at once; None without a
    joint test.
    """

    difference: Floats
    se: Floats
    p: Floats
    p_adjusted: Floats
    critical_value: float | None


def step_down(
    scores: Floats,
    draws: Floats,
    pairs: Integers,
    n_units: int,
    confidence_level: float,
) -> Pairs:
    """The max-T step-down test (Westfall & Young 1993; Romano & Wolf 2005) on bootstrap draws.

    `scores` (systems,) and `draws` (systems, B) are the same statistic, on the gold and on its resamples;
    `pairs` (P, 2) names systems. Takes two vectors of length B beside the input, whatever P is. Below
    20 units the adjusted p-values are all 1, because the bootstrap's spread is not to be trusted there.
    """
    difference = differences(scores, pairs)
    deviations = draws - scores[:, np.newaxis]
    se, p = _alone(difference, deviations, pairs)
    t = normal_deviate(_standardised(difference, se), n_units)
    q, largest = _together(t, se, deviations, pairs)
    if n_units < FEWEST_UNITS:
        q = np.ones_like(q)
    can_move = len(pairs) > 0 and n_units > 1
    return Pairs(difference, se, p, q, quantile(largest, confidence_level) if can_move else None)


def differences(scores: Floats, pairs: Integers) -> Floats:
    """Score of the first minus that of the second, and 0 where they are one point of the lattice."""
    found = scores[pairs[:, 0]] - scores[pairs[:, 1]]
    return np.where(np.abs(found) <= TIE, 0.0, found)


def normal_deviate(t: Floats, n_units: int) -> Floats:
    """The normal deviate with the tail of an observed t over `n_units`.

    The bootstrap's spread is too small by √((n−1)/n), and t has the tails of Student's distribution with
    n − 1 degrees of freedom (Hesterberg 2015). Infinity stays infinity.
    """
    if n_units < 2:
        return t
    return np.asarray(-ndtri(stdtr(n_units - 1, -t * np.sqrt((n_units - 1) / n_units))))


def simultaneous_factor(critical_value: float, n_units: int) -> float:
    """What to multiply a standard error with for an interval that holds for all pairs at once.

    The way of `normal_deviate` back. Shape: a number of standard errors.
    """
    tail = stdtrit(n_units - 1, ndtr(-critical_value))
    return float(-tail * np.sqrt(n_units / (n_units - 1)))


def randomisation(
    scores: Floats,
    swapped: Callable[[], Iterator[tuple[Floats, Floats]]],
    pairs: Integers,
    n_resamples: int,
) -> Pairs:
    """Approximate randomisation (Noreen 1989; Yeh 2000), corrected by Holm (1979).

    `swapped` gives, trial by trial in batches, both scores (m, P) of each pair after units were swapped.
    """
    difference = differences(scores, pairs)
    extreme = np.ones(len(pairs))
    total, squares = np.zeros(len(pairs)), np.zeros(len(pairs))
    for first, second in swapped():
        moved = first - second
        extreme += np.count_nonzero(np.abs(moved) >= np.abs(difference) - _SLACK, axis=0)
        total += moved.sum(axis=0)
        squares += np.square(moved).sum(axis=0)
    variance = (squares - total**2 / n_resamples) / max(1, n_resamples - 1)
    p = extreme / (n_resamples + 1)
    return Pairs(difference, np.sqrt(np.maximum(variance, 0)), p, holm(p), None)


def holm(p: Floats) -> Floats:
    """Adjusted p-values (P,): the smallest times P, the next times P − 1, never falling, at most 1."""
    order = np.argsort(p, kind="stable")
    stepped = np.minimum(1.0, np.arange(len(p), 0, -1) * p[order])
    adjusted = np.empty_like(p)
    adjusted[order] = np.maximum.accumulate(stepped)
    return adjusted


def _standardised(difference: Floats, se: Floats) -> Floats:
    certain = np.where(difference == 0, 0.0, np.inf)
    return np.where(se > 0, np.abs(difference) / np.where(se > 0, se, 1.0), certain)


def _alone(difference: Floats, deviations: Floats, pairs: Integers) -> tuple[Floats, Floats]:
    """Standard error and p-value of each pair.

    Summed without a matrix product, whose last digit would depend on the number of threads.
    """
    n_resamples = deviations.shape[1]
    se, p = np.zeros(len(pairs)), np.ones(len(pairs))
    step = max(1, _BLOCK_VALUES // max(1, n_resamples))
    for start in range(0, len(pairs), step):
        some = slice(start, start + step)
        moved = deviations[pairs[some, 0]] - deviations[pairs[some, 1]]
        squares = np.einsum("ij,ij->i", moved, moved) - np.einsum("ij->i", moved) ** 2 / n_resamples
        root = np.sqrt(np.maximum(squares, 0) / max(1, n_resamples - 1))
        se[some] = np.where(root <= _SMALLEST_SE, 0.0, root)
        reach = np.abs(difference[some]) - _SLACK * se[some]
        as_far = np.count_nonzero(np.abs(moved, out=moved) >= reach[:, np.newaxis], axis=1)
        p[some] = (1 + np.where(se[some] > 0, as_far, 0)) / (n_resamples + 1)
    p[difference == 0] = 1.0
    return se, p


def _together(t: Floats, se: Floats, deviations: Floats, pairs: Integers) -> tuple[Floats, Floats]:
    """Adjusted p-values, and on each resample the largest deviation of all pairs.

    From the smallest t upwards the maximum over a pair and all before it grows in place, so that one
    vector serves all steps.
    """
    n_resamples = deviations.shape[1]
    largest, moved = np.zeros(n_resamples), np.empty(n_resamples)
    q = np.ones(len(pairs))
    order = np.argsort(t, kind="stable")
    for pair in order.tolist():
        if se[pair] > 0:
            first, second = pairs[pair]
            np.subtract(deviations[first], deviations[second], out=moved)
            np.abs(moved, out=moved)
            moved *= 1 / se[pair]
            np.maximum(largest, moved, out=largest)
        q[pair] = (1 + np.count_nonzero(largest >= t[pair] - _SLACK)) / (n_resamples + 1)
    falling = order[::-1]
    q[falling] = np.maximum.accumulate(q[falling])
    return q, largest
