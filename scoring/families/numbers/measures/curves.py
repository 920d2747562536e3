"""Scores of a ranking by belief: area under the ROC curve, average precision, equal error rate.

Rows are sorted once, by falling value of the system. A *run* are the rows with one value: together they are above a
threshold or not. A resample changes the weights of runs, and all points of the curves are cumulative sums of these.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np

from scoring.columns import Flags, Floats, Integers, starts_run
from scoring.families.numbers.pairs import Paired


@dataclass(frozen=True)
class Curve:
    """The rows of one column by falling value, those of a segment beside each other."""

    rows: Integers  # (n,)
    positive: Floats  # (n,) 1 where the gold says 1, in this order
    runs: Integers | None  # (runs,) where each begins; None where each row is one
    segments: Integers  # (segments,) the first run of each

    @classmethod
    def of(cls, paired: Paired) -> Self:
        segment = paired.segment
        rows = np.lexsort((-paired.system, segment))
        begins = starts_run(segment[rows], paired.system[rows])
        first = np.flatnonzero(begins)
        return cls(
            rows=rows,
            positive=paired.gold[rows],
            runs=None if begins.all() else first,
            segments=np.flatnonzero(starts_run(segment[rows][first])),
        )

    def points(self, weights: Floats) -> tuple[Floats, Floats]:
        """Turn weights of rows (m, n) to how many 1s and how many 0s each run has, twice (m, runs)."""
        ordered = np.take(weights, self.rows, axis=1)
        ones = ordered * self.positive
        if self.runs is None:
            return ones, ordered - ones
        ones, both = (np.add.reduceat(column, self.runs, axis=1) for column in (ones, ordered))
        return ones, both - ones


def curve_scores(curve: Curve, weights: Floats) -> dict[str, Floats]:
    """Compute `roc_auc`, `average_precision` and `eer` of weights (m, n): each (m, segments).

    NaN where a class that the score needs was not drawn.

    >>> gold, system = np.array([1, 0, 1, 0.0]), np.array([0.9, 0.8, 0.8, 0.3])
    >>> curve = Curve.of(Paired(gold, system, np.array([4]), np.arange(4)))
    >>> found = curve_scores(curve, np.array([[1, 1, 1, 1.0], [2, 1, 0, 1], [0, 2, 0, 2]]))
    >>> {name: values[:, 0].round(6).tolist() for name, values in found.items()}
    {'roc_auc': [0.875, 1.0, nan], 'average_precision': [0.833333, 1.0, nan], 'eer': [0.25, 0.0, nan]}
    """
    ones, zeros = curve.points(weights)
    segments = curve.segments
    true, false = _within(ones, segments), _within(zeros, segments)  # above or at the threshold of each run
    ends = np.append(segments[1:], ones.shape[1]) - 1
    n_ones, n_zeros = true[:, ends], false[:, ends]
    with np.errstate(divide="ignore", invalid="ignore"):
        lacks_one = (n_ones == 0) | (n_zeros == 0)
        area = _sum(ones * (_spread(n_zeros, segments, ones.shape[1]) - false + zeros / 2), segments)
        precision = true / np.maximum(true + false, 1)
        return {
            "roc_auc": np.where(lacks_one, np.nan, area / (n_ones * n_zeros)),
            "average_precision": _sum(ones * precision, segments) / np.where(n_ones == 0, np.nan, n_ones),
            "eer": np.where(lacks_one, np.nan, _equal_errors(true, false, n_ones, n_zeros, segments)),
        }


def _equal_errors(true: Floats, false: Floats, n_ones: Floats, n_zeros: Floats, segments: Integers) -> Floats:
    """Return where the curve crosses the line of equal errors: (m, segments).

    D = 1 − T − F falls from 1 to −1 along the points (F, T) of the curve; between the last point with D > 0 and the
    next one the curve is straight. D is taken times the number of 1s and of 0s, a whole number.
    """
    width = true.shape[1]
    ones, zeros = _spread(n_ones, segments, width), _spread(n_zeros, segments, width)
    distance = ones * zeros - true * zeros - false * ones
    # D falls, so that the points above the line come first; (0, 0), with D = 1, stands before the first run.
    n_above = _sum(distance > 0, segments).astype(np.int64)
    lengths = np.diff(np.append(segments, width))
    crossing = segments + np.minimum(n_above, lengths - 1)
    row = np.arange(len(true))[:, np.newaxis]
    is_first = n_above == 0
    before = np.maximum(crossing - 1, 0)
    distance_before = np.where(is_first, n_ones * n_zeros, distance[row, before])
    false_before = np.where(is_first, 0, false[row, before]) / n_zeros
    share = distance_before / (distance_before - distance[row, crossing])
    return np.asarray(false_before + share * (false[row, crossing] / n_zeros - false_before))


def _within(values: Floats, segments: Integers) -> Floats:
    """Sum (m, runs) cumulatively, anew in each segment."""
    up_to = np.cumsum(values, axis=1)
    if len(segments) > 1:
        up_to[:, segments[1] :] -= _spread(
            up_to[:, segments[1:] - 1], segments[1:] - segments[1], up_to.shape[1] - segments[1]
        )
    return up_to


def _spread(values: Floats, segments: Integers, width: int) -> Floats:
    """Spread values of segments (m, segments) over their runs (m, width), or (m, 1) for a single one."""
    if len(segments) == 1:
        return values
    return np.repeat(values, np.diff(np.append(segments, width)), axis=1)


def _sum(values: Floats | Flags, segments: Integers) -> Floats:
    if len(segments) == 1:
        return np.asarray(values.sum(axis=1, keepdims=True), dtype=np.float64)
    return np.add.reduceat(values, segments, axis=1, dtype=np.float64)
