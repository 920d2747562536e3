"""Rank correlations of rows and of resamples of them: Spearman's by midranks, Kendall's tau-b by pairs.

Sorting is done once. Rows that are equal in both columns are merged into a *cell*; cells with the same x are a *class*
of x, likewise of y. A resample changes only the weights of cells, and all else are sums of these. So few distinct
values, as on a scale from 1 to 5, cost next to nothing.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np

from scoring.columns import Flags, Floats, Integers, starts_run
from scoring.families.numbers.measures.agreement import correlation
from scoring.families.numbers.measures.inversions import Concordant
from scoring.families.numbers.pairs import Paired


@dataclass(frozen=True)
class _Classes:
    """The cells by equal values of one column, those of a segment beside each other."""

    order: Integers | None  # (cells,) the cells by this column; None where they stand so already
    starts: Integers | None  # (classes,) where in that order each class begins; None where each cell is one
    of_cell: Integers | None  # (cells,) the class of each cell; None where it has the same number
    segments: Integers  # (segments,) the first class of each

    def weights(self, cells: Floats) -> Floats:
        """Sum (m, cells) to (m, classes)."""
        ordered = cells if self.order is None else np.take(cells, self.order, axis=1)
        return ordered if self.starts is None else np.add.reduceat(ordered, self.starts, axis=1)

    def to_cells(self, values: Floats) -> Floats:
        """Spread (m, classes) over (m, cells)."""
        return values if self.of_cell is None else np.take(values, self.of_cell, axis=1)


@dataclass(frozen=True)
class Ranked:
    """One column, sorted in both ways."""

    rows: Integers  # (n,) the rows in the order of their cells
    cells: Integers | None  # (cells,) where each cell begins; None where each row is one
    segments: Integers  # (segments,) the first cell of each
    x: _Classes
    y: _Classes
    y_order: Integers  # (cells,) the cells by rising y, equal ones by x

    @classmethod
    def of(cls, paired: Paired) -> Self:
        segment = paired.segment
        # One key less is a third of the time.
        last = () if len(paired.sizes) == 1 else (segment,)
        rows = np.lexsort((paired.system, paired.gold, *last))
        segment, gold, system = segment[rows], paired.gold[rows], paired.system[rows]
        begins = starts_run(segment, gold, system)
        first = np.flatnonzero(begins)
        segment, gold, system = segment[first], gold[first], system[first]
        y_order = np.lexsort((gold, system, *([segment] if last else [])))
        return cls(
            rows=rows,
            cells=None if begins.all() else first,
            segments=np.flatnonzero(starts_run(segment)),
            x=_classes(None, starts_run(segment, gold), segment),
            y=_classes(y_order, starts_run(segment[y_order], system[y_order]), segment),
            y_order=y_order,
        )

    @property
    def n_cells(self) -> int:
        return len(self.y_order)

    def weights_of_cells(self, weights: Floats) -> Floats:
        """Sum weights of rows (m, n) to those of cells (m, cells)."""
        ordered = np.take(weights, self.rows, axis=1)
        return ordered if self.cells is None else np.add.reduceat(ordered, self.cells, axis=1)


def _classes(order: Integers | None, begins: Flags, segment: Integers) -> _Classes:
    """Return the classes whose first cells in this order are flagged; `segment` (cells,) is that of each."""
    numbers = np.cumsum(begins) - 1
    first = np.flatnonzero(begins)
    is_alone = len(first) == len(begins)
    # The order goes by segment first, so that the segments of cells in it are those of the cells as they stand.
    segments = np.flatnonzero(starts_run(segment[first]))
    if order is None:
        return _Classes(None, None if is_alone else first, None if is_alone else numbers, segments)
    of_cell = np.empty_like(numbers)
    of_cell[order] = numbers
    return _Classes(order, None if is_alone else first, of_cell, segments)


def rank_scores(
    ranked: Ranked, concordant: Concordant | None, weights: Floats, *, zero_if_constant: bool
) -> dict[str, Floats]:
    """Compute `spearman`, and with `concordant` also `kendall`, of weights (m, n): each (m, segments).

    The weights of a resample of the rows 1 1 3 4 5 6:

    >>> x, y = np.array([1, 2, 2, 3, 4, 5.0]), np.array([1.5, 1, 2.5, 2.5, 3.5, 5.5])
    >>> ranked = Ranked.of(Paired(x, y, np.array([6]), np.arange(6)))
    >>> concordant = Concordant.of(ranked.y_order)
    >>> found = rank_scores(ranked, concordant, np.array([[2, 0, 1, 1, 1, 1.0]]), zero_if_constant=False)
    >>> {name: round(float(value[0, 0]), 6) for name, value in found.items()}
    {'spearman': 0.985184, 'kendall': 0.963624}
    """
    cells = ranked.weights_of_cells(weights)
    x, y = ranked.x.weights(cells), ranked.y.weights(cells)
    scores = {"spearman": _spearman(ranked, cells, x, y, zero_if_constant)}
    if concordant is not None:
        scores["kendall"] = _kendall(ranked, concordant, (cells, x, y), zero_if_constant)
    return scores


def _spearman(ranked: Ranked, cells: Floats, x: Floats, y: Floats, zero_if_constant: bool) -> Floats:
    """Compute Pearson's correlation of midranks; weights of cells, of classes of x and of y."""
    x_rank, y_rank = _deviations(x, ranked.x.segments), _deviations(y, ranked.y.segments)
    both = ranked.x.to_cells(x_rank) * ranked.y.to_cells(y_rank)
    both *= cells
    s_xy = _by_segment(both, ranked.segments)
    s_xx, s_yy = _squares(x, x_rank, ranked.x.segments), _squares(y, y_rank, ranked.y.segments)
    return correlation(s_xy, s_xx, s_yy, s_xx == 0, s_yy == 0, zero_if_constant=zero_if_constant)


def _deviations(classes: Floats, segments: Integers) -> Floats:
    """Return twice how far the midrank of each class lies from its segment's mean rank: (m, classes).

    With C_k the rows up to class k, class k has the midrank C_{k−1} + (W_k + 1)/2 and the mean is (N + 1)/2; twice the
    difference is C_{k−1} + C_k − N, a whole number.

    >>> _deviations(np.array([[2, 1, 1, 1, 1.0]]), np.array([0]))
    array([[-4., -1.,  1.,  3.,  5.]])
    """
    up_to = np.cumsum(classes, axis=1)
    ends = np.append(segments[1:], classes.shape[1]) - 1
    # Rows before and up to the end of each segment; their sum is twice the former and the segment's own N.
    after = up_to[:, ends]
    borders = after.copy()
    borders[:, 1:] += after[:, :-1]
    deviations = 2 * up_to
    deviations -= classes
    deviations -= borders if len(segments) == 1 else np.repeat(borders, ends - segments + 1, axis=1)
    return deviations


def _squares(classes: Floats, deviations: Floats, segments: Integers) -> Floats:
    weighted = deviations * deviations
    weighted *= classes
    return _by_segment(weighted, segments)


def _by_segment(values: Floats, segments: Integers) -> Floats:
    """Sum (m, k) over the entries of each segment: (m, segments)."""
    if len(segments) == 1:
        return np.asarray(values.sum(axis=1, keepdims=True))
    return np.add.reduceat(values, segments, axis=1)


def _kendall(
    ranked: Ranked, concordant: Concordant, weights: tuple[Floats, Floats, Floats], zero_if_constant: bool
) -> Floats:
    """Compute tau-b: (concordant − discordant pairs) / √(pairs not tied in x · pairs not tied in y).

    The order of cells breaks ties of x by y and those of y by x, so that pairs tied in one column alone are first
    counted as concordant. With P all pairs of different cells, T those tied in one column alone, and C those counted,
    the numerator is 2 C − P − T.
    """
    cells, x, y = weights
    n = _by_segment(cells, ranked.segments)
    same_cell = _by_segment(cells * cells, ranked.segments)
    same_x, same_y = _by_segment(x * x, ranked.x.segments), _by_segment(y * y, ranked.y.segments)
    below = concordant.below(cells)
    below *= cells
    counted = _by_segment(below, ranked.segments)
    if len(ranked.segments) > 1:
        # Earlier segments come before in both orders.
        counted -= n * (np.cumsum(n, axis=1) - n)
    # All pairs below are taken twice: ordered pairs.
    surplus = 4 * counted - (n * n - same_cell) - (same_x - same_cell) - (same_y - same_cell)
    untied_x, untied_y = n * n - same_x, n * n - same_y
    return correlation(surplus, untied_x, untied_y, untied_x == 0, untied_y == 0, zero_if_constant=zero_if_constant)
