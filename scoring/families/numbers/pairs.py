"""Gold and system numbers side by side, in *segments*: the whole column is one, or each slice of it.

All scores are computed for all segments at once, from *weights*: how often a row was drawn. A resample is the multiset
of rows for which its weights stand, and a score of it is the score's definition on that multiset.
"""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from scoring.columns import Floats, Integers
from scoring.significance import on_grid, totals

# Kinds of sums of a segment. Both columns are taken less a centre, so that numbers far from 0 lose no digit.
SUMS = ("rows", "x", "y", "xx", "yy", "xy", "difference", "absolute", "squared")
# On a resample a column is constant if its squares about its mean are no more than this share of those about the
# centre.
CONSTANT = 1e-12
# So many segments are summed one by one with a single rounding; more of them, which are short, on a grid.
_FEW_SEGMENTS = 200


@dataclass(frozen=True)
class Paired:
    """The n rows of one column, those of a segment beside each other."""

    gold: Floats  # (n,) x
    system: Floats  # (n,) y
    sizes: Integers  # (segments,) rows of each; none is empty
    row: Integers  # (n,) which row of the gold's table stands here
    starts: Integers = field(init=False)  # (segments,) where each begins

    def __post_init__(self) -> None:
        object.__setattr__(self, "starts", np.cumsum(self.sizes) - self.sizes)

    @property
    def segment(self) -> Integers:
        """Return to which segment each row belongs: (n,)."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    def by_segment(self, values: Floats) -> Floats:
        """Sum values (m, n) over the rows of each segment: (m, segments)."""
        if len(self.sizes) == 1:
            return np.asarray(values.sum(axis=1, keepdims=True))
        return np.add.reduceat(values, self.starts, axis=1)

    @cached_property
    def columns(self) -> Floats:
        """Return the kinds of SUMS (kinds, n) on a grid, so that sums of resamples are exact.

        NaN for one that overflows.
        """
        return on_grid(self._exact)

    @cached_property
    def exact_sums(self) -> Floats:
        """Return the sums (segments, kinds) over all rows, each rounded once."""
        return self.totals_of(self._exact)

    def totals_of(self, columns: Floats) -> Floats:
        """Sum columns (kinds, n) over all rows of each segment, as exactly as can be: (segments, kinds)."""
        if len(self.sizes) > _FEW_SEGMENTS:
            return np.ascontiguousarray(np.add.reduceat(on_grid(columns), self.starts, axis=1).T)
        ends = self.starts + self.sizes
        return np.stack([totals(columns[:, a:b].T) for a, b in zip(self.starts, ends, strict=True)])

    @cached_property
    def _exact(self) -> Floats:
        centres = [centres_of(column, self.starts) for column in (self.gold, self.system)]
        x_centre, y_centre = (self._spread(centre) for centre in centres)
        return sum_columns(self.gold, self.system, x_centre, y_centre)

    def _spread(self, values: Floats) -> Floats:
        """Spread values of segments over their rows, or (1,) where there is one segment."""
        return values if len(values) == 1 else np.repeat(values, self.sizes)

    def sums(self, weights: Floats) -> Floats:
        """Return the kinds of SUMS from weights (m, n): (m, segments, kinds)."""
        is_whole = (weights == 1).all(axis=1)
        if is_whole.all():
            return np.repeat(self.exact_sums[np.newaxis], len(weights), axis=0)
        if len(self.sizes) == 1:
            totals = (weights @ self.columns.T)[:, np.newaxis]
        else:
            totals = np.stack([self.by_segment(weights * column) for column in self.columns], axis=-1)
        totals[is_whole] = self.exact_sums
        return totals


def centres_of(column: Floats, starts: Integers) -> Floats:
    """Return the mean of each segment (segments,), and of a constant one its value, so that nothing is left of it.

    >>> centres_of(np.array([0.1, 0.1, 0.1, 2.0, 4.0]), np.array([0, 3])).tolist()
    [0.1, 3.0]
    """
    low, high = np.minimum.reduceat(column, starts), np.maximum.reduceat(column, starts)
    sizes = np.diff(np.append(starts, len(column)))
    # Divided first: the sum of huge numbers would overflow.
    mean = np.add.reduceat(column / (sizes if len(sizes) == 1 else np.repeat(sizes, sizes)), starts)
    return np.where(low == high, low, np.clip(mean, low, high))


def without_rounding(means: Floats) -> Floats:
    """Return the means (n,), with one value for those that differ by no more than rounding: the least of them.

    The mean of .2, .3 and .1 is less than that of .2 and .2 in the last digit, which is no difference to correlate.

    >>> without_rounding(np.array([(0.2 + 0.3 + 0.1) / 3, 0.2, 0.5])).tolist()
    [0.19999999999999998, 0.19999999999999998, 0.5]
    """
    order = np.argsort(means, kind="stable")
    ordered = means[order]
    is_first = np.r_[True, np.diff(ordered) > CONSTANT * np.abs(means).max(initial=0)]
    cleaned = np.empty_like(means)
    cleaned[order] = ordered[is_first][np.cumsum(is_first) - 1]
    return cleaned


def sum_columns(
    gold: Floats,
    system: Floats,
    gold_centre: Floats | float,
    system_centre: Floats | float,
    out: Floats | None = None,
) -> Floats:
    """Return the kinds of SUMS of each row (kinds, n); a kind whose sum would overflow is NaN throughout."""
    columns = np.empty((len(SUMS), len(gold))) if out is None else out
    n, x, y, xx, yy, xy, difference, absolute, squared = columns
    n[:] = 1
    with np.errstate(over="ignore", invalid="ignore"):
        np.subtract(gold, gold_centre, out=x)
        np.subtract(system, system_centre, out=y)
        np.subtract(system, gold, out=difference)
        np.multiply(x, x, out=xx)
        np.multiply(y, y, out=yy)
        np.multiply(x, y, out=xy)
        np.abs(difference, out=absolute)
        np.multiply(difference, difference, out=squared)
    return without_overflow(columns)


def without_overflow(columns: Floats) -> Floats:
    """Set to NaN each column of (kinds, n) whose sum, taken n times, is beyond what a double holds."""
    with np.errstate(over="ignore", invalid="ignore"):
        largest = np.maximum(columns.max(axis=1), -columns.min(axis=1))
        columns[~np.isfinite(largest * float(columns.shape[1]) ** 2)] = np.nan
    return columns
