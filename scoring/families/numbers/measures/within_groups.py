"""Correlations within groups, as the texts of one person, and between the means of groups; and both as one.

    group   gold   system        within: r of A is 1, B has one number in the gold and none
    A       1 3    2 3           C has 0, since the system's numbers are equal: (1 + 0) / 2 = .5
    B       5 5    3 5           between: the means 2, 5, 3 and 2.5, 4, 1 correlate with .654654
    C       2 4    1 1           composite: tanh((artanh .5 + artanh .654654) / 2) = .582576

A resample draws groups: one that is drawn twice counts as two groups. SemEval-2026 task 2 ranks by the composite.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np

from scoring.columns import Array, Floats, Integers
from scoring.families.numbers.combining import fisher_mean
from scoring.families.numbers.measures.agreement import scores_of_sums
from scoring.families.numbers.names import OF_GROUPS
from scoring.families.numbers.pairs import Paired, without_rounding
from scoring.family import Options


@dataclass(frozen=True)
class Grouped:
    """One column by groups."""

    within: Floats  # (groups,) Pearson's correlation of each; NaN where the gold's numbers are equal
    means: Paired  # those of the groups

    @classmethod
    def of(cls, gold: Floats, system: Floats, unit: Integers, n_units: int) -> Self:
        """Make it of numbers (n,) of both sides and the group of each."""
        order = np.argsort(unit, kind="stable")
        sizes = np.bincount(unit, minlength=n_units)
        paired = Paired(gold[order], system[order], sizes, order)
        x, y = (
            without_rounding(np.bincount(unit, weights=column, minlength=n_units) / sizes) for column in (gold, system)
        )
        whole = Paired(x, y, np.array([n_units]), np.arange(n_units))
        return cls(scores_of_sums(paired.exact_sums, zero_if_constant=True)["pearson"], whole)

    def scores(self, weights: Array, options: Options) -> dict[str, Floats]:
        """Return {score: (m,)} from weights of groups (m, groups)."""
        weights = np.asarray(weights, dtype=np.float64)
        is_there = ~np.isnan(self.within)
        with np.errstate(invalid="ignore"):
            within = weights @ np.where(is_there, self.within, 0.0) / (weights @ is_there)
        zero = options["constant"] == "zero"
        between = scores_of_sums(self.means.sums(weights), zero_if_constant=zero)["pearson"][:, 0]
        both = np.clip(np.stack([within, between]), -1.0, 1.0)
        return dict(zip(OF_GROUPS, (*both, fisher_mean(both)), strict=True))
