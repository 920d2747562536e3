"""The error atlas: how hard each unit is, what two systems would gain from each other, and who errs alike.

All of it comes from the stored counts of single units; no draws and no files are needed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from scoring.columns import Array, Flags, Floats, Integers
from scoring.comparing.units import are_paired, is_full, scores_of_units
from scoring.evaluation import Evaluation
from scoring.families import FAMILIES
from scoring.scale import Scale
from scoring.significance.limits import TIE


@dataclass(frozen=True, eq=False)
class Atlas:
    """Units and systems of one gold; s systems in the order in which they were given, u units in that of the gold."""

    systems: list[str]
    units: list[str]
    scores: Floats  # (s, u) the headline of each unit alone; NaN where a system has none there
    totals: Floats  # (s,) the headline of each system on the whole gold
    oracle: Floats  # (s, s) the headline of the best of both, unit by unit; on the diagonal the system's own
    agreement: Floats  # (s, s) Pearson's r of the scores of units; NaN where all units of a system have one score
    lower_is_better: bool = False  # whether the best score is the lowest one
    scale: Scale = field(default_factory=Scale)  # how the score is said, and which one a unit has with nothing wrong

    @cached_property
    def solved(self) -> Flags:
        """Return whether everything in the unit is right: (s, u)."""
        return is_full(self.scores, self.scale, lower_is_better=self.lower_is_better)

    @cached_property
    def n_solvers(self) -> Integers:
        """Return how many systems have solved each unit: (u,)."""
        return np.asarray(self.solved.sum(axis=0))

    @cached_property
    def best(self) -> Floats:
        """Return the best score that any system has, NaN where none has one: (u,)."""
        return np.asarray((np.fmin if self.lower_is_better else np.fmax).reduce(self.scores, axis=0))

    @cached_property
    def by_difficulty(self) -> Integers:
        """Return indices of the units (u,) by their mean score, the hardest first, those without a score last."""
        defined = ~np.isnan(self.scores)
        sums, numbers = np.nansum(self.scores, axis=0), defined.sum(axis=0)
        mean = np.divide(sums, numbers, out=np.full(len(self.units), np.nan), where=numbers > 0)
        return np.argsort(self._sign * mean, kind="stable")

    @property
    def unsolved(self) -> Integers:
        """Return indices of the units that nobody has solved, by the best score that anybody has there, worst first."""
        order = np.lexsort([np.argsort(self.by_difficulty), self._sign * self.best])
        return np.asarray(order[(self.n_solvers[order] == 0) & ~np.isnan(self.best[order])])

    def only(self, system: int) -> Integers:
        """Return indices of the units that this system alone has solved, the hardest first."""
        alone = self.solved[system] & (self.n_solvers == 1)
        return np.asarray(self.by_difficulty[alone[self.by_difficulty]])

    @property
    def gains(self) -> Floats:
        """Return by how much the best of both is better than the better of the two: (s, s).

        The diagonal is NaN.
        """
        totals = self._sign * self.totals
        gains = self._sign * self.oracle - np.maximum.outer(totals, totals)
        np.fill_diagonal(gains, np.nan)
        return gains

    def best_pairs(self, number: int) -> list[tuple[int, int]]:
        """Return pairs of systems by falling gain; those that gain nothing are left out."""
        first, second = np.triu_indices(len(self.systems), 1)
        gains = self.gains[first, second]
        order = [k for k in np.argsort(-gains, kind="stable").tolist() if gains[k] > TIE][:number]
        return [(int(first[k]), int(second[k])) for k in order]

    @property
    def _sign(self) -> int:
        """Return what to multiply scores with, so that more is better."""
        return -1 if self.lower_is_better else 1

    def nearest(self, system: int) -> int | None:
        """Return the other system whose scores of units agree most with this one's; None where nothing can be said."""
        others = self.agreement[system].copy()
        others[system] = np.nan
        return None if np.isnan(others).all() else int(np.nanargmax(others))


def atlas_of(evaluations: Mapping[str, Evaluation]) -> Atlas | None:
    """Return the atlas of systems scored on one gold with the same options; None where units have no score.

    Those that were scored otherwise than the first are left out.
    """
    first = next(iter(evaluations.values()), None)
    if first is None or scores_of_units(first) is None:
        return None
    paired = {key: evaluation for key, evaluation in evaluations.items() if are_paired(first, evaluation)}
    scores = np.array([scores_of_units(evaluation) for evaluation in paired.values()], dtype=np.float64)
    rows = np.stack([np.asarray(evaluation.rows) for evaluation in paired.values()]).astype(np.float64)
    totals = np.array(
        [np.nan if (s := evaluation.scores[evaluation.headline]) is None else s for evaluation in paired.values()]
    )
    lower_is_better = first.headline in first.lower_is_better
    return Atlas(
        systems=list(paired),
        units=first.units,
        scores=scores,
        totals=totals,
        oracle=_oracle(first, -scores if lower_is_better else scores, rows),
        agreement=_agreement(scores),
        lower_is_better=lower_is_better,
        scale=first.scale(first.headline),
    )


def _oracle(one: Evaluation, scores: Floats, rows: Array) -> Floats:
    """Return of each pair the headline made of the counts of the better of both in each unit: (s, s).

    Where both are equal, the counts are those of the first.

    `scores` (s, u) are those of units, of which more is better here; `rows` are counts (s, u, ..., kinds). What follows
    is an upper bound of what one can get by choosing between the two unit by unit, as in the oracle of system
    combination; a score that is no mean of unit scores may have a choice that is better still.
    """
    n_systems, n_units = scores.shape
    flat = rows.reshape(n_systems, n_units, -1)
    values = np.nan_to_num(scores, nan=-np.inf)
    sums = np.zeros((n_systems, n_systems, flat.shape[2]))
    for system in range(n_systems):
        # Where the system is taken: as the first of a pair also where both are equal, as the second only where better.
        as_first = values[system] >= values
        as_second = values[system] > values
        sums[system] += as_first.astype(np.float64) @ flat[system]
        sums[:, system] += as_second.astype(np.float64) @ flat[system]
    diagonal = np.arange(n_systems)
    sums[diagonal, diagonal] = flat.sum(axis=1)
    counts = sums.reshape(n_systems, n_systems, *rows.shape[2:])
    return np.asarray(FAMILIES[one.family].metrics_with(one.options)(counts)[one.headline])


def _agreement(scores: Floats) -> Floats:
    """Return Pearson's correlation over the units in which all systems have a score: (s, s)."""
    common = scores[:, ~np.isnan(scores).any(axis=0)]
    if common.shape[1] < 2:
        return np.full((len(scores), len(scores)), np.nan)
    deviations = common - common.mean(axis=1, keepdims=True)
    lengths = np.sqrt((deviations**2).sum(axis=1))
    products = np.outer(lengths, lengths)
    correlations = np.full(products.shape, np.nan)
    np.divide(deviations @ deviations.T, products, out=correlations, where=products > TIE)
    return correlations
