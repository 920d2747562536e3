"""Intervals of means over labels, such as macro F1, of which some labels are rare.

Percentiles and BCa of nominal 95 % cover 83 to 88 % where some labels of the mean stand on few items: a resample either
lacks such a label, or holds the same one or two decisions. So the mean is taken apart. Labels with at least ten items
of the gold are common, and their part of the mean has the percentile interval of the shared draws; each of the others
has Wilson's interval, as its row of a table. The distances of all ends from their scores are added as variances are
(MOVER: Zou & Donner 2008, "Construction of confidence limits about effect measures: a general approach").

    mean M = (f₁ + f₂ + f₃)/3, the third label rare:  low = M − √((S − low of S)² + (f₃ − low of f₃)²)/3, S = f₁ + f₂

Simulated in benchmarks/coverage.py.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from scoring.columns import Array, Flags, Floats
from scoring.messages import Message
from scoring.rows import Rows
from scoring.significance.intervals import percentile_interval
from scoring.significance.limits import FEWEST_ITEMS
from scoring.significance.proportions import Interval, Proportion, Proportions, design_effects, wilson_interval

# Above this share of rare labels the interval is too narrow all the same.
_MOST_RARE = 0.25


class Mean(NamedTuple):
    """A mean over labels: the score of each, and how much each weighs."""

    column: str  # the score of a label, one of the proportions
    weights: Floats | None  # (labels,), 0 for one that is no part of it; None: the gold's items, as they are drawn


@dataclass(frozen=True)
class Averages:
    """What stands behind scores that are means over labels."""

    rows: Array | Rows  # (units, labels, kinds)
    proportions: Proportions  # from counts (..., kinds): the scores of a label
    gold_items: Callable[[Floats], Floats]  # from counts (..., kinds): how many the gold has of the label
    means: Callable[[Floats], Mapping[str, Mean]]  # from the counts of all units (labels, kinds): {score: Mean}

    @property
    def rare_means(self) -> dict[str, Mean]:
        """Return the means of which a label is rare: {score: Mean}."""
        return {name: mean for name, mean in self._means.items() if (self._weights(mean)[self._is_rare] > 0).any()}

    def common_parts(self, counts: Floats) -> dict[str, Floats]:
        """Return the part that common labels have in each of these means (...), from counts (..., labels, kinds)."""
        shares, items = self.proportions(counts), self.gold_items(counts)
        return {name: self._common_part(mean, shares, items) for name, mean in self.rare_means.items()}

    def intervals(
        self, parts: Mapping[str, Floats], points: Mapping[str, float], confidence_level: float
    ) -> dict[str, Interval]:
        """Return the interval of each of the means, from its common part on the resamples (n_resamples,)."""
        return {
            name: self._interval(mean, parts[name], points[name], confidence_level)
            for name, mean in self.rare_means.items()
            if name in points and not math.isnan(points[name])
        }

    def warning(self, name: str) -> Message | None:
        """Return what is said of a mean with many rare labels; None where they are few."""
        is_part = self._weights(self._means[name]) > 0
        n, of = int((is_part & self._is_rare).sum()), int(is_part.sum())
        if n <= _MOST_RARE * of:
            return None
        return Message(
            "many-rare-labels",
            "{score}: {n} of {of} labels have fewer than ten gold items: this interval is too narrow, by our"
            " simulations it holds in 88 rather than 95 of 100",
            score=name,
            n=n,
            of=of,
        )

    def _interval(self, mean: Mean, part: Floats, point: float, confidence_level: float) -> Interval:
        weights, shares = self._weights(mean), self.proportions(self._counts)
        own_part = float(self._common_part(mean, shares, self._items))
        ends = percentile_interval(part, confidence_level)
        below, above = max(0.0, own_part - ends[0]) ** 2, max(0.0, ends[1] - own_part) ** 2
        weight_of_common = float(weights[~self._is_rare].sum())
        usual = own_part / weight_of_common if weight_of_common else point
        proportion, effect = shares[mean.column], self._effects[mean.column]
        for label in np.flatnonzero((weights > 0) & self._is_rare).tolist():
            value, (low, high) = _of_label(proportion, label, effect, usual, confidence_level)
            below += (weights[label] * (value - low)) ** 2
            above += (weights[label] * (high - value)) ** 2
        return max(0.0, point - math.sqrt(below)), min(1.0, point + math.sqrt(above))

    def _common_part(self, mean: Mean, shares: Mapping[str, Proportion], items: Floats) -> Floats:
        values = _values(shares[mean.column])
        if mean.weights is None:
            return _ratio((values * items * ~self._is_rare).sum(axis=-1), items.sum(axis=-1))
        return np.asarray((values * (self._weights(mean) * ~self._is_rare)).sum(axis=-1))

    def _weights(self, mean: Mean) -> Floats:
        """Return the weights with the sum 1: (labels,)."""
        weights = self._items if mean.weights is None else mean.weights
        return _ratio(weights, weights.sum())

    @cached_property
    def _counts(self) -> Floats:
        return np.asarray(self.rows.sum(axis=0), dtype=np.float64)

    @cached_property
    def _items(self) -> Floats:
        return np.asarray(self.gold_items(self._counts), dtype=np.float64)

    @cached_property
    def _is_rare(self) -> Flags:
        return self._items < FEWEST_ITEMS

    @cached_property
    def _means(self) -> Mapping[str, Mean]:
        return self.means(self._counts)

    @cached_property
    def _effects(self) -> Mapping[str, float]:
        return design_effects(self.rows, self.proportions)


def _ratio(numerator: Floats, denominator: Floats | float) -> Floats:
    """Return the quotient, 0 where the denominator is 0."""
    below = np.asarray(denominator, dtype=np.float64)
    return np.asarray(numerator / np.where(below == 0, 1, below) * (below != 0))


def _values(share: Proportion) -> Floats:
    """Return the score of each label: its share, or 2J / (1 + J) of F; 0 without a decision."""
    value = _ratio(share.credit, share.decisions)
    return np.asarray(2 * value / (1 + value) if share.is_f1 else value)


def _of_label(
    share: Proportion, label: int, effect: float, usual: float, confidence_level: float
) -> tuple[float, Interval]:
    """Return a rare label's score and its ends; without a decision it may be anything, most likely what is usual."""
    credit, decisions = float(share.credit[label]), float(share.decisions[label])
    if not decisions:
        return usual, (0.0, 1.0)
    value = min(1.0, credit / decisions)
    low, high = wilson_interval(value, decisions / effect, confidence_level)
    if share.is_f1:
        value, low, high = (2 * end / (1 + end) for end in (value, low, high))
    return value, (low, high)
