"""Intervals of the rows of tables: a row by label, type or tag rests on few decisions, and resampling fails for it.

With one error, or none, the resamples of a row hardly vary, and BCa falls to 0: percentiles of nominal 95 % cover 61
to 88 % where a dozen to forty items of the gold stand behind a row. Precision, recall and J = tp/(tp + fp + fn) are
proportions, and F1 = 2J/(1 + J) is a monotone function of the last. So all three get the interval of Wilson (1927),
"Probable inference, the law of succession, and statistical inference", which Brown, Cai & DasGupta (2001) advise for
few decisions.

A unit, as a sentence or a document, may hold several decisions of a row, which then hang together. The number of
decisions is divided by the table's design effect: how much larger the variance of a proportion is than that of
independent decisions (Korn & Graubard 1998, on effective sample sizes). Simulated in benchmarks/coverage.py.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from scoring.columns import Array, Floats
from scoring.rows import Rows
from scoring.significance.limits import FEWEST_ITEMS, TIE

Interval = tuple[float, float]


class Proportion(NamedTuple):
    """A score that is a share of decisions, both (...): credit in points, which may be broken, and the decisions.

    Of F1 the share is J = tp / (tp + fp + fn), and the score 2J / (1 + J).
    """

    credit: Floats
    decisions: Floats
    is_f1: bool = False


Proportions = Callable[[Floats], Mapping[str, Proportion]]  # from counts (..., kinds)


def prf_proportions(
    credit: Array, gold: Array, system: Array, names: tuple[str, str, str] = ("precision", "recall", "f1")
) -> dict[str, Proportion]:
    """Return precision, recall and F1 from the credit and the number of items of each side, all (...)."""
    precision, recall, f1 = names
    return {
        precision: Proportion(credit, system),
        recall: Proportion(credit, gold),
        f1: Proportion(credit, gold + system - credit, is_f1=True),
    }


def wilson_interval(share: float, number: float, confidence_level: float) -> Interval:
    """Return the ends of Wilson's interval of a share of so many decisions, which need be no whole number.

    >>> [round(end, 6) for end in wilson_interval(5 / 6, 6, 0.95)]
    [0.436497, 0.969947]
    """
    z = NormalDist().inv_cdf((1 + confidence_level) / 2)
    centre = (share + z**2 / (2 * number)) / (1 + z**2 / number)
    half = z * math.sqrt(share * (1 - share) / number + z**2 / (4 * number**2)) / (1 + z**2 / number)
    # At a share of 0 or 1 one end is the share itself, but for the rounding of the square root.
    low, high = (0.0 if share == 0 else centre - half), (1.0 if share == 1 else centre + half)
    return max(0.0, low), min(1.0, high)


@dataclass
class _Sums:
    """Sums over the units of one proportion's credit a and decisions b, each (groups,)."""

    a: Floats
    b: Floats
    aa: Floats
    ab: Floats
    bb: Floats
    units: Floats  # how many units have a decision
    most: float = 0.0  # the largest number of decisions of a unit in a row

    def add(self, credit: Floats, decisions: Floats) -> None:
        """Add some units, both (units, groups)."""
        for name, values in (("a", credit), ("b", decisions), ("units", decisions > 0)):
            setattr(self, name, getattr(self, name) + values.sum(axis=0))
        self.aa = self.aa + np.square(credit).sum(axis=0)
        self.ab = self.ab + (credit * decisions).sum(axis=0)
        self.bb = self.bb + np.square(decisions).sum(axis=0)
        self.most = max(self.most, float(np.nan_to_num(decisions).max(initial=0)))

    def design_effect(self) -> float:
        """Return the mean over the rows in which it is defined, weighted by their decisions; at least 1."""
        if self.most <= 1:
            return 1.0
        with np.errstate(divide="ignore", invalid="ignore"):
            p = self.a / self.b
            squares = self.aa - 2 * p * self.ab + p**2 * self.bb  # Σ (a − p·b)²
            clustered = self.units / (self.units - 1) * squares / self.b**2
            effects = clustered / (p * (1 - p) / self.b)
        is_defined = (self.units > 1) & (self.a > 0) & (self.a < self.b)
        if not is_defined.any():
            return 1.0
        return max(1.0, float(np.average(effects[is_defined], weights=self.b[is_defined])))


def proportion_intervals(
    rows: Array | Rows, proportions: Proportions, gold_items: Array, confidence_level: float
) -> tuple[list[dict[str, Interval]], list[dict[str, str]]]:
    """Return for each group of rows (units, groups, kinds) its intervals, and why scores have none.

    A row on fewer than ten items of the gold has no interval, nor has a score without a decision. A score whose number
    of decisions is NaN does not apply to the row.
    """
    sums = _summed(rows, proportions)
    is_few = np.asarray(gold_items) < FEWEST_ITEMS
    intervals: list[dict[str, Interval]] = [{} for _ in is_few]
    reasons: list[dict[str, str]] = [{} for _ in is_few]
    for name, (own, is_f1) in sums.items():
        effect = own.design_effect()
        for group, (credit, decisions) in enumerate(zip(own.a.tolist(), own.b.tolist(), strict=True)):
            if math.isnan(decisions):
                continue
            if is_few[group] or not decisions:
                reasons[group][name] = "few items" if is_few[group] else "no decisions"
                continue
            ends = wilson_interval(min(1.0, credit / decisions), decisions / effect, confidence_level)
            low, high = (2 * end / (1 + end) for end in ends) if is_f1 else ends
            if high - low <= TIE:
                reasons[group][name] = "both ends agree"
            else:
                intervals[group][name] = low, high
    return intervals, reasons


def _summed(rows: Array | Rows, proportions: Proportions) -> dict[str, tuple[_Sums, bool]]:
    """Return the sums of each proportion, from some units at a time, and whether it is F1's."""
    sums: dict[str, tuple[_Sums, bool]] = {}
    for piece in _in_pieces(rows):
        for name, (credit, decisions, is_f1) in proportions(np.asarray(piece, dtype=np.float64)).items():
            if name not in sums:
                nothing = np.zeros(np.shape(credit)[1:])
                sums[name] = _Sums(nothing, nothing, nothing, nothing, nothing, nothing), is_f1
            sums[name][0].add(np.asarray(credit), np.asarray(decisions))
    return sums


def _in_pieces(rows: Array | Rows) -> Iterable[Array]:
    return rows.in_pieces() if isinstance(rows, Rows) else [rows]
