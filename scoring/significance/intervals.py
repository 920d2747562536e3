"""Intervals and moments of one score from its values on the resamples.

Efron & Tibshirani (1993), An Introduction to the Bootstrap, chapters 13 and 14, explain both kinds of intervals.
"""

import math

import numpy as np

from scoring.columns import Floats
from scoring.significance.distributions import normal
from scoring.significance.limits import TIE

_MOMENT_RESAMPLES = 1_000
_MANY_VALUES = 2_000  # of which a sample is worth its time
_SAMPLED = 500
_HUGE = 1e100  # from here on cubes and squares of sums come near to what a double holds


def percentile_interval(values: Floats, confidence_level: float) -> tuple[float, float]:
    """Return the central part of the values (n_resamples,), none of them NaN.

    >>> percentile_interval(np.arange(101.0), 0.5)
    (25.0, 75.0)
    """
    tail = (1 - confidence_level) / 2
    return _ends(values, tail, 1 - tail)


def bca_interval(values: Floats, point: float, jackknife: Floats, confidence_level: float) -> tuple[float, float]:
    """Return bias-corrected, accelerated percentiles (Efron 1987) of the values (n_resamples,), none of them NaN.

    `point` is the score itself, `jackknife` (n_units,) the scores with one unit left out. On small or skewed samples
    other percentiles than the central ones cover the true score as often as promised.
    """
    return accelerated_interval(values, point, float(accelerations(jackknife)), confidence_level)


def accelerated_interval(
    values: Floats, point: float, acceleration: float, confidence_level: float
) -> tuple[float, float]:
    """Return the `bca_interval` where the jackknife's acceleration is known."""
    bias = _bias(values, point)
    tail = (1 - confidence_level) / 2
    low, high = (_adjusted_level(level, bias, acceleration) for level in (tail, 1 - tail))
    return _ends(values, low, high)


def accelerations(jackknife: Floats) -> Floats:
    """Compute a = Σ d³ / (6 (Σ d²)^1.5) over the last axis: how skewed the influence d of single units is.

    `jackknife` (..., n_units) are scores with one unit left out. 0 where all units have the same influence, NaN where
    that of one is unknown, as its score is undefined.

    >>> accelerations(np.array([[0.5, 0.5, 0.5, 0.9], [0.5, 0.5, 0.5, 0.5], [0.5, 0.5, 0.5, np.nan]])).round(3)
    array([-0.096,  0.   ,    nan])
    """
    deviations = jackknife.mean(axis=-1, keepdims=True) - jackknife
    largest = np.abs(deviations).max(axis=-1, keepdims=True)
    if (largest > _HUGE).any():
        deviations = deviations / np.where(largest > _HUGE, largest, 1)  # which changes no skewness
    squares = np.square(deviations).sum(axis=-1)
    agree = jackknife.max(axis=-1) - jackknife.min(axis=-1) <= TIE
    # Where all agree the mask is added, so that 0 is not divided by 0.
    return np.where(agree, 0.0, (deviations**3).sum(axis=-1) / (6 * squares * np.sqrt(squares) + agree))


def moments(values: Floats, n_units: int) -> tuple[Floats, Floats, Floats]:
    """Return mean, variance (divided by the number of values) and its root, over the last axis.

    Of at most the first 1,000 resamples, however many there are, so that the numbers do not depend on
    how many the intervals took. NaN is skipped; NaN comes back where no value is left, or for one unit.

    >>> [part.tolist() for part in moments(np.array([1.0, np.nan, 3.0]), n_units=2)]
    [2.0, 1.0, 1.0]
    """
    first = values[..., :_MOMENT_RESAMPLES]
    defined = ~np.isnan(first)
    number = defined.sum(axis=-1)
    # One unit can only be drawn as itself: a variance of 0 would say that the score is certain.
    divisor = np.where((number > 0) & (n_units > 1), number, np.nan)
    mean = first.sum(axis=-1, where=defined) / divisor
    deviations = first - mean[..., np.newaxis]
    variance = np.square(deviations).sum(axis=-1, where=defined) / divisor
    return mean, variance, np.sqrt(variance)


def quantile(values: Floats, level: float) -> float:
    """Return the quantile, linear between neighbours, as NumPy's `linear`.

    >>> quantile(np.array([0.5, 0.75, 0.8, 1.0]), 0.25)
    0.6875
    """
    return _between(values, _sample(values), level)


def _ends(values: Floats, low: float, high: float) -> tuple[float, float]:
    """Return the quantiles of an interval's two levels."""
    sample = _sample(values)
    return _between(values, sample, low), _between(values, sample, high)


def _sample(values: Floats) -> Floats:
    """Return some of the values, sorted; none where the values are few."""
    return np.sort(values[:: len(values) // _SAMPLED]) if len(values) >= _MANY_VALUES else np.empty(0)


def _between(values: Floats, sample: Floats, level: float) -> float:
    """Return the quantile of values of which a sample is given."""
    position = (len(values) - 1) * level  # in the sorted values, with a fraction
    below = math.floor(position)
    low, high = _neighbours(values, sample, below)
    return low + (position - below) * (high - low)


def _neighbours(values: Floats, sample: Floats, place: int) -> tuple[float, float]:
    """Return what stands at this place of the sorted values, and behind it; the last one twice at the end.

    Of thousands only a tail is sorted: to find it by a bound takes a fraction of the time of a partition of all.
    """
    if len(sample):
        tail, place_in_tail = _tail(values, sample, place)
        if 0 <= place_in_tail < len(tail) - 1:
            tail.sort()
            return float(tail[place_in_tail]), float(tail[place_in_tail + 1])
    following = min(place + 1, len(values) - 1)
    parted = np.partition(values, (place, following))
    return float(parted[place]), float(parted[following])


def _tail(values: Floats, sample: Floats, place: int) -> tuple[Floats, int]:
    """Return the values from the nearer end up to a bound beyond the place, and the place among them, if there.

    The bound is that of the sample, which may be wrong, as that of values in a certain order is.
    """
    share = (place + 1) / len(values)
    error = math.sqrt(len(sample) * share * (1 - share))  # of the number of sampled values up to the place
    if share < 0.5:
        bound = math.ceil(len(sample) * share + 4 * error) + 1
        return values.compress(values <= sample[min(bound, len(sample) - 1)]), place
    bound = math.floor(len(sample) * share - 4 * error) - 1
    tail = values.compress(values >= sample[max(bound, 0)])
    return tail, place - (len(values) - len(tail))


def _bias(values: Floats, point: float) -> float:
    """Compute z₀: how far the median of the resamples lies from the score itself, as a normal deviate.

    A resample that equals the score counts half on either side, since the scores of few items often do.
    """
    n_resamples = len(values)
    less = np.count_nonzero(values < point - TIE)
    up_to = np.count_nonzero(values <= point + TIE)
    share = (less + up_to) / (2 * n_resamples)
    # A share of 0 or 1 would send the bias to infinity.
    edge = 1 / (2 * n_resamples)
    return normal().inv_cdf(min(max(share, edge), 1 - edge))


def _adjusted_level(level: float, bias: float, acceleration: float) -> float:
    """Return which percentile to take for this level: Φ(z₀ + z / (1 − a z)) with z = z₀ + Φ⁻¹(level)."""
    z = bias + normal().inv_cdf(level)
    slope = 1 - acceleration * z
    # Beyond the pole the formula would turn round and give a low end above the high one.
    if slope <= 0:
        return 1.0 if z > 0 else 0.0
    return normal().cdf(bias + z / slope)
