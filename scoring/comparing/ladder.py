"""A board that cannot be climbed by guessing: of a run is told only whether it is better than its team's best.

Blum and Hardt, The Ladder: a reliable leaderboard for machine learning competitions, ICML 2015, algorithm 1 and, for a
step that follows from the data, algorithm 2. Here the step is the standard error of the difference on resamples that
both runs share, and a run has to be better by more than noise explains in any of all runs of the team: the k-th is
tested at LEVEL / (k (k + 1)), which adds up to LEVEL however many there are.
"""

from dataclasses import dataclass
from math import floor, log10

import numpy as np
from numpy.typing import NDArray

from scoring.significance.distributions import normal_quantile

LEVEL = 0.05
Draws = NDArray[np.float64] | None


@dataclass(frozen=True)
class Rung:
    """The best run of a team so far, and what was told of it."""

    score: float
    draws: Draws
    shown: float


def climb(score: float | None, draws: Draws, best: Rung | None, number: int, *, lower_is_better: bool) -> float | None:
    """Return what is told of a team's run with this number, counted from 1; None for "no better than your best".

    A first run is told, rounded to its own standard error. Of runs without resamples nothing can be said, so that only
    a first one is told, with one digit.
    """
    if score is None:
        return None
    if best is None:
        return rounded(score, _error(draws))
    if draws is None or best.draws is None or len(draws) != len(best.draws):
        return None
    error = _error(draws - best.draws)
    sign = -1 if lower_is_better else 1
    floor_of_both = max(sign * best.score, sign * best.shown)
    if not error or sign * score <= floor_of_both + error * threshold(number):
        return None
    return rounded(score, error)


def threshold(number: int) -> float:
    """Return by how many standard errors the run with this number has to be better."""
    return -float(normal_quantile(LEVEL / (number * (number + 1))))


def rounded(score: float, error: float) -> float:
    """Return the nearest multiple of the step, which is 1, 2 or 5 times a power of ten and at most the error."""
    if not error:
        return float(f"{score:.1g}")
    power = 10.0 ** floor(log10(error))
    step = max(digit * power for digit in (1, 2, 5) if digit * power <= error * (1 + 1e-9))
    return float(f"{round(score / step) * step:.12g}")


def _error(draws: Draws) -> float:
    """Return the standard error that the resamples give; 0 without any, or where they are all the same."""
    defined = draws[np.isfinite(draws)] if draws is not None else np.empty(0)
    error = float(np.std(defined, ddof=1)) if len(defined) > 1 else 0.0
    return error if error > 1e-12 else 0.0
