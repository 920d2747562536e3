"""The scores of both sides from weights of units: of the whole, or of each slice.

What can be sorted or summed once is prepared; then scores are made for any weights.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

import numpy as np

from scoring.columns import Array, Floats, Integers
from scoring.families.numbers.combining import over_columns
from scoring.families.numbers.measures.agreement import scores_of_sums
from scoring.families.numbers.measures.curves import Curve, curve_scores
from scoring.families.numbers.measures.inversions import Concordant
from scoring.families.numbers.measures.ranked import Ranked, rank_scores
from scoring.families.numbers.names import SLICES
from scoring.families.numbers.pairs import Paired
from scoring.families.numbers.scores import paired_with
from scoring.family import Options
from scoring.significance import on_grid

# From so many items on, the intervals of Kendall's tau take too long to be made unasked.
MOST_FOR_KENDALL = 20_000


@dataclass(frozen=True)
class Rows:
    """Holds what is scored: n rows of both sides, in the gold's order."""

    gold: Floats  # (columns, n)
    system: Floats  # (columns, n)
    tolerance: Floats | None  # (n,) how far off still counts as near
    unit: Integers  # (n,) the unit that each row belongs to
    n_units: int
    slice: Integers | None  # (n,) the slice of each row; None without slices
    slices: tuple[str, ...] = ()  # their names

    def __len__(self) -> int:
        return len(self.unit)


@dataclass(frozen=True)
class _Column:
    """One column, prepared."""

    paired: Paired
    further: dict[str, Floats]  # {score: (n,)} those that are means over rows
    ranked: Ranked | None
    concordant: Concordant | None  # for resamples; None where Kendall's tau has no interval
    curve: Curve | None

    @classmethod
    def of(cls, paired: Paired, tolerance: Floats | None, options: Options, *, draws_kendall: bool) -> Self:
        is_real = options["kind"] == "real"
        ranked = Ranked.of(paired) if is_real else None
        return cls(
            paired=paired,
            further=paired_with(paired, tolerance, options),
            ranked=ranked,
            concordant=Concordant.of(ranked.y_order) if ranked and draws_kendall else None,
            curve=None if is_real else Curve.of(paired),
        )

    def scores(self, weights: Floats, options: Options) -> dict[str, Floats]:
        """Return {score: (m, segments)} from weights of rows (m, n), as they stand in `paired`."""
        scores = self._means(weights)
        zero = options["constant"] == "zero"
        if self.curve:
            return scores | curve_scores(self.curve, weights)
        assert self.ranked
        concordant = self.concordant
        if concordant is None and _is_whole(weights):
            concordant = Concordant.once(self.ranked.y_order)
        scores |= scores_of_sums(self.paired.sums(weights), zero_if_constant=zero)
        return scores | rank_scores(self.ranked, concordant, weights, zero_if_constant=zero)

    def _means(self, weights: Floats) -> dict[str, Floats]:
        if not self.further:
            return {}
        of_items, n = np.stack(list(self.further.values())), self.paired.by_segment(weights)
        with np.errstate(invalid="ignore"):
            if _is_whole(weights):
                sums = self.paired.totals_of(of_items)
                return {name: sums[np.newaxis, :, k] / n for k, name in enumerate(self.further)}
            gridded = on_grid(of_items)
            return {name: self.paired.by_segment(weights * gridded[k]) / n for k, name in enumerate(self.further)}


def _is_whole(weights: Floats) -> bool:
    """Return whether they are those of the corpus itself."""
    return len(weights) == 1 and bool((weights == 1).all())


@dataclass
class Scorer:
    """All columns of some rows, in the same segments."""

    columns: list[_Column]
    unit: Integers  # (n,) the unit of each row, as they stand by segment
    options: Options
    is_by_unit: bool  # whether the rows are the units as they stand
    _last: tuple[Array, list[dict[str, Floats]]] | None = field(default=None, repr=False)

    @classmethod
    def of(cls, rows: Rows, options: Options, *, by_slice: bool, draws_kendall: bool) -> Self:
        """Make the scorer of the whole, or with `by_slice` of each slice."""
        segment = rows.slice if by_slice and rows.slice is not None else np.zeros(len(rows), dtype=np.int64)
        order = np.argsort(segment, kind="stable")
        sizes = np.bincount(segment)
        columns = [
            _Column.of(
                Paired(gold[order], system[order], sizes, order),
                rows.tolerance,
                options,
                draws_kendall=draws_kendall,
            )
            for gold, system in zip(rows.gold, rows.system, strict=True)
        ]
        unit = rows.unit[order]
        return cls(columns, unit, options, bool(np.array_equal(unit, np.arange(rows.n_units))))

    def by_column(self, weights: Array) -> list[dict[str, Floats]]:
        """Return {score: (m, segments)} for each column, from weights of units (m, units).

        The last answer is kept: the corpus and a table ask for the same resamples, one after the other.
        """
        if self._last and np.array_equal(self._last[0], weights):
            return self._last[1]
        of_rows = np.asarray(weights, dtype=np.float64)
        if not self.is_by_unit:
            of_rows = np.take(of_rows, self.unit, axis=1)
        scores = [column.scores(of_rows, self.options) for column in self.columns]
        self._last = weights, scores
        return scores

    def scores(self, weights: Array) -> dict[str, Floats]:
        """Return the scores of all columns together: {score: (m, segments)}."""
        return over_columns(self.by_column(weights), self.options)


def ordered(scores: Mapping[str, Floats], names: Sequence[str]) -> dict[str, Floats]:
    """Return those of the scores that have one of the names, in their order."""
    return {name: scores[name] for name in names if name in scores}


def of_slices(values: Floats, *, lower_is_better: bool) -> dict[str, Floats]:
    """Return mean and worst of a score over the slices that have one: (m, slices) to twice (m,).

    >>> found = of_slices(np.array([[0.5, np.nan, 0.25]]), lower_is_better=False)
    >>> {name: value.tolist() for name, value in found.items()}
    {'slice_mean': [0.375], 'slice_min': [0.25]}
    """
    has = ~np.isnan(values)
    number = has.sum(axis=1)
    is_any = number > 0
    mean = np.where(has, values, 0).sum(axis=1) / np.where(is_any, number, np.nan)
    worst = np.where(has, values, -np.inf).max(axis=1) if lower_is_better else np.where(has, values, np.inf).min(axis=1)
    return dict(zip(SLICES, (mean, np.where(is_any, worst, np.nan)), strict=True))
