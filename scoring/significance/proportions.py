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
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from scoring.columns import Array, Floats, Integers
from scoring.rows import Rows
from scoring.significance.distributions import normal
from scoring.significance.limits import ENDS_AGREE, FEW_ITEMS, FEWEST_ITEMS, NO_DECISIONS, TIE

Interval = tuple[float, float]


class Proportion(NamedTuple):
    """A score that is a share of decisions, both (...): credit in points, which may be broken, and the decisions.

    Of F1 the share is J = tp / (tp + fp + fn), and the score 2J / (1 + J); of F-beta fp and fn have weights in J.
    """

    credit: Floats
    decisions: Floats
    is_f1: bool = False


Proportions = Callable[[Floats], Mapping[str, Proportion]]  # from counts (..., kinds)


def prf_proportions(
    credit: Array,
    gold: Array,
    system: Array,
    names: tuple[str, str, str] = ("precision", "recall", "f1"),
    beta: float | None = None,
) -> dict[str, Proportion]:
    """Return precision, recall and F1, and with a beta `fbeta`, from the credit and both sides' items, all (...)."""
    precision, recall, f1 = names
    proportions = {
        precision: Proportion(credit, system),
        recall: Proportion(credit, gold),
        f1: Proportion(credit, gold + system - credit, is_f1=True),
    }
    if beta:
        # F-beta = 2J / (1 + J) too, if J weighs false alarms by 2 / (1 + β²) and misses by 2β² / (1 + β²).
        alarm = 2 / (1 + beta**2)
        decisions = credit + alarm * (system - credit) + (2 - alarm) * (gold - credit)
        proportions["fbeta"] = Proportion(credit, decisions, is_f1=True)
    return proportions


def wilson_interval(share: float, number: float, confidence_level: float) -> Interval:
    """Return the ends of Wilson's interval of a share of so many decisions, which need be no whole number.

    >>> [round(end, 6) for end in wilson_interval(5 / 6, 6, 0.95)]
    [0.436497, 0.969947]
    """
    z = normal().inv_cdf((1 + confidence_level) / 2)
    centre = (share + z**2 / (2 * number)) / (1 + z**2 / number)
    half = z * math.sqrt(share * (1 - share) / number + z**2 / (4 * number**2)) / (1 + z**2 / number)
    # At a share of 0 or 1 one end is the share itself, but for the rounding of the square root.
    low, high = (0.0 if share == 0 else centre - half), (1.0 if share == 1 else centre + half)
    return max(0.0, low), min(1.0, high)


@dataclass(frozen=True)
class _Sums:
    """Sums over the units of one proportion's credit a and decisions b, each (groups,)."""

    a: Floats
    b: Floats
    aa: Floats
    ab: Floats
    bb: Floats
    units: Floats  # how many units have a decision
    most: float  # the largest number of decisions of a unit in a row

    @classmethod
    def of(cls, group: Integers, n_groups: int, credit: Floats, decisions: Floats) -> "_Sums":
        """Return the sums over cells (unit, group), of which group, credit and decisions (cells,) are given."""

        def summed(values: Array) -> Floats:
            return np.bincount(group, weights=values, minlength=n_groups).astype(np.float64, copy=False)

        return cls(
            a=summed(credit),
            b=summed(decisions),
            aa=summed(np.square(credit)),
            ab=summed(credit * decisions),
            bb=summed(np.square(decisions)),
            units=summed(decisions > 0),
            most=float(decisions.max(initial=0)),
        )

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

    A row on fewer than ten items of the gold has no interval, nor has a score without a decision.
    """
    group_of_cell, counts = _cells(rows)
    is_few = np.asarray(gold_items) < FEWEST_ITEMS
    intervals: list[dict[str, Interval]] = [{} for _ in is_few]
    reasons: list[dict[str, str]] = [{} for _ in is_few]
    for name, (credit_of_cell, decisions_of_cell, is_f1) in proportions(counts).items():
        sums = _Sums.of(group_of_cell, len(is_few), credit_of_cell, decisions_of_cell)
        effect = sums.design_effect()
        for group, (credit, decisions) in enumerate(zip(sums.a.tolist(), sums.b.tolist(), strict=True)):
            if is_few[group] or not decisions:
                reasons[group][name] = FEW_ITEMS if is_few[group] else NO_DECISIONS
                continue
            ends = wilson_interval(min(1.0, credit / decisions), decisions / effect, confidence_level)
            low, high = (2 * end / (1 + end) for end in ends) if is_f1 else ends
            if high - low <= TIE:
                reasons[group][name] = ENDS_AGREE
            else:
                intervals[group][name] = low, high
    return intervals, reasons


def design_effects(rows: Array | Rows, proportions: Proportions) -> dict[str, float]:
    """Return the design effect of a table of rows (units, groups, kinds) for each of its proportions."""
    group_of_cell, counts = _cells(rows)
    return {
        name: _Sums.of(group_of_cell, rows.shape[1], share.credit, share.decisions).design_effect()
        for name, share in proportions(counts).items()
    }


def _cells(rows: Array | Rows) -> tuple[Integers, Floats]:
    """Return the group (cells,) and the counts (cells, kinds) of each unit and group that has any count.

    Most units have nothing of most groups: of a million answers with a hundred labels a hundredth of the cells is left.

    >>> _cells(np.array([[[1, 0], [0, 0]], [[0, 2], [3, 4]]]))
    (array([0, 0, 1]), array([[1., 0.],
           [0., 2.],
           [3., 4.]]))
    """
    if not isinstance(rows, Rows):
        units, groups = np.nonzero(rows.any(axis=-1))
        return groups, rows[units, groups].astype(np.float64)
    _, n_groups, n_kinds = rows.shape
    units, columns, values = rows.flat()
    cells, cell_of_value = np.unique(units.astype(np.int64) * n_groups + columns // n_kinds, return_inverse=True)
    counts = np.zeros((len(cells), n_kinds))
    counts[cell_of_value, columns % n_kinds] = values
    return cells % n_groups, counts
