"""The power of a test: which differences it finds, and how many units find a given one.

A paired difference of scores has a standard error, the spread of the difference over the shared draws. It serves all
kinds of scores alike, ratios of sums, means over units and areas, because the draws score each resample as the gold is
scored. A difference counts as real where it exceeds a multiple of that spread, `simultaneous_factor` of the critical
value; so one of exactly this size is found half of the time, as the observed difference falls short of the true one
as often as it exceeds it. To be found more often it has to be larger by a quantile of the same distribution.

References:
Card, Henderson, Khandelwal, Jia, Mahowald & Jurafsky (2020), With Little Power Comes Great Responsibility. EMNLP.
Romano & Wolf (2005), Exact and Approximate Stepdown Methods for Multiple Hypothesis Testing. JASA 100(469).
Tukey (1953), The Problem of Multiple Comparisons: the range of K equal systems.
"""

import numpy as np

from scoring.columns import Floats
from scoring.significance.distributions import normal_cdf, student_quantile
from scoring.significance.limits import FEWEST_UNITS, USUAL_POWER
from scoring.significance.pairs import simultaneous_factor

MOST_UNITS = 2**40  # asked for; beyond it a difference is as good as none
_STEPS = 80  # of halving an interval: more than a double has digits
_NODES = np.linspace(-8.5, 8.5, 2001)  # of normal deviates, for an integral over all of them


def factor(critical_value: float, n_units: int, power: float = 0.5) -> float:
    """Return how many standard errors a true difference needs to be found with probability `power`.

    `critical_value` is in normal deviates, as that of a comparison; the standard error is that of the draws.

    >>> round(factor(1.96, 100_000), 2), round(factor(1.96, 100_000, 0.8), 2)
    (1.96, 2.8)
    """
    return simultaneous_factor(critical_value, n_units) + float(student_quantile(n_units - 1, power))


def units_needed(difference: float, se: float, n_units: int, critical_value: float, power: float = USUAL_POWER) -> int:
    """Return the fewest units on which a true `difference` is found with probability `power`.

    `se` is the standard error on `n_units`; it falls with the root of the number of units, if further units are like
    these. At least 20, below which nothing is separated, and at most `MOST_UNITS`.

    >>> units_needed(0.02, se=0.01, n_units=400, critical_value=1.96)
    788
    """
    spread = se * float(np.sqrt(n_units))  # of a single unit's share in the difference

    def finds(n: int) -> bool:
        return factor(critical_value, n, power) * spread / float(np.sqrt(n)) <= difference

    low, high = FEWEST_UNITS - 1, FEWEST_UNITS
    while not finds(high):
        if high >= MOST_UNITS:
            return MOST_UNITS
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if finds(middle) else (middle, high)
    return high


def critical_value_among(n_systems: int, confidence_level: float) -> float:
    """Return the critical value of all pairs of so many systems that differ by chance alone, all alike.

    The upper quantile of the range of K normal deviates, over √2 (Tukey). It stands for a board's own critical value
    where there is no board yet: a board whose systems resemble each other less evenly has a slightly smaller one.

    >>> round(critical_value_among(2, 0.95), 3), round(critical_value_among(10, 0.95), 3)
    (1.96, 3.164)
    """
    low, high = 0.0, 40.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if _range_below(middle, n_systems) >= confidence_level else (middle, high)
    return high / float(np.sqrt(2))


def _range_below(width: float, n_systems: int) -> float:
    """Return the probability that all of K normal deviates lie within `width` of the smallest one."""
    density = np.exp(-np.square(_NODES) / 2) / np.sqrt(2 * np.pi)
    others: Floats = np.power(normal_cdf(_NODES + width) - normal_cdf(_NODES), n_systems - 1)
    return float(n_systems * np.trapezoid(density * others, _NODES))
