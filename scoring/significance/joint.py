"""The joint part of the step-down test: each pair against the largest deviation of all pairs with a smaller t.

A *place* is that of a pair in the order of rising t; the limits of the places rise with it. On a resample, a deviation
at a place reaches the limits of that place and of those after it, up to the deviation itself. So the places that a
resample counts for are the union of such stretches, which many deviations of other pairs cover alike.

Two parts find it. From the smallest t upwards all deviations are looked at, but only on the resamples that are still
*low*: where no pair so far has deviated by `Peaks.level` standard errors. From then on only peaks can go farther, and
those are few and known. The work is that of the peaks and of the first pairs, which lift nearly all resamples.
"""

import numpy as np

from scoring.columns import Flags, Floats, Integers, owners, pieces
from scoring.significance.alone import SLACK, Alone, standardised_at

_BLOCK_VALUES = 2**16  # doubles of deviations that are made at a time
_PEAKS_AT_A_TIME = 2**17
_CLOSING_SHARE = 4  # one low resample in so many has to be lifted before the others are copied


def n_reached(t: Floats, alone: Alone, deviations: Floats, pairs: Integers) -> tuple[Integers, Floats]:
    """Return for each pair (P,) on how many resamples the largest deviation of it and all with a smaller t reaches t.

    The second is the largest standardised deviation of all pairs on each resample: (B,).
    """
    rising = np.argsort(t, kind="stable")
    limits = t[rising] - SLACK
    low = _Low(deviations, len(pairs), alone.peaks.level)
    # A pair without spread raises nothing.
    factors = np.where(alone.se > 0, 1 / np.where(alone.se > 0, alone.se, 1.0), 0.0)[rising]
    reached = np.zeros(len(pairs), dtype=np.int64)
    while low.place < len(pairs):
        some = slice(low.place, low.place + low.n_places)
        reached[some] = low.step(pairs[rising[some]], factors[some], limits[some])
    reached += _n_covered(low, rising, limits, alone, deviations, pairs)
    by_pair = np.empty_like(reached)
    by_pair[rising] = reached
    return by_pair, low.largest


class _Low:
    """The resamples on which no pair so far has deviated by the level of the peaks."""

    def __init__(self, deviations: Floats, n_pairs: int, level: float) -> None:
        n_resamples = deviations.shape[1]
        self.place = 0
        self.largest = np.zeros(n_resamples)  # (B,): so far, or when the resample ended to be low
        self.low_until = np.full(n_resamples, n_pairs)  # (B,): the place from which on only peaks are looked at
        self._n_pairs, self._level = n_pairs, level
        self._resamples = np.arange(n_resamples)
        self._deviations = deviations  # (K, low resamples)
        self._largest = np.zeros(n_resamples)  # (low resamples,)
        self._room = np.empty((2, max(n_resamples, _BLOCK_VALUES)))

    @property
    def n_places(self) -> int:
        """Return how many places a step takes."""
        return max(1, _BLOCK_VALUES // max(1, len(self._resamples)), self._n_pairs * (not len(self._resamples)))

    def step(self, pairs: Integers, factors: Floats, limits: Floats) -> Integers | int:
        """Take the next pairs, whose deviations are to be multiplied by `factors`; return how many reach each limit."""
        self.place += len(pairs)
        if not len(self._resamples):
            return 0
        shape = (len(pairs), len(self._resamples))
        # Two arrays serve all steps: fresh memory would take longer than the work on it. No index is out of range, and
        # `clip` writes without a buffer.
        moved, other = (room[: shape[0] * shape[1]].reshape(shape) for room in self._room)
        np.take(self._deviations, pairs[:, 0], axis=0, out=moved, mode="clip")
        np.take(self._deviations, pairs[:, 1], axis=0, out=other, mode="clip")
        moved -= other
        np.abs(moved, out=moved)
        moved *= factors[:, np.newaxis]
        if limits[-1] <= self._largest.min():
            n_reached = np.full(len(pairs), len(self._resamples))
            self._largest = np.maximum(self._largest, moved.max(axis=0))
        else:
            np.maximum(moved[0], self._largest, out=moved[0])
            _accumulate_maximum(moved)
            n_reached = np.array([np.count_nonzero(row) for row in moved >= limits[:, np.newaxis]])
            self._largest = moved[-1].copy()
        self._close(self._largest >= self._level)
        return n_reached

    def _close(self, lifted: Flags) -> None:
        """Leave the lifted resamples to the peaks, if that spares much, and write down what is known of all."""
        if np.count_nonzero(lifted) * _CLOSING_SHARE >= len(lifted):
            self.low_until[self._resamples[lifted]] = self.place
            self.largest[self._resamples] = self._largest
            self._resamples, self._largest = self._resamples[~lifted], self._largest[~lifted]
            self._deviations = np.compress(~lifted, self._deviations, axis=1)
        elif self.place >= self._n_pairs:
            self.largest[self._resamples] = self._largest


def _accumulate_maximum(values: Floats) -> None:
    """Replace each row (m, n) by the maximum of it and all rows above, in place."""
    if len(values) > values.shape[1]:
        np.maximum.accumulate(values, axis=0, out=values)
        return
    # NumPy goes through one column after the other, which takes several times as long where rows are wide.
    for above, row in zip(values, values[1:], strict=False):
        np.maximum(above, row, out=row)


def _n_covered(
    low: _Low, rising: Integers, limits: Floats, alone: Alone, deviations: Floats, pairs: Integers
) -> Integers:
    """Return how many resamples that are no longer low reach the limit of each place: (P,); complete `low.largest`."""
    n_pairs, ended = len(pairs), np.flatnonzero(low.low_until < len(pairs))
    # How far a resample had been lifted counts from the place where it ended to be low, as if it had a peak there.
    lifted = low.largest[ended]
    resample, place, value = _peaks_later(low, rising, alone, deviations, pairs)
    resample = np.concatenate([ended, resample])
    start = np.concatenate([low.low_until[ended], place])
    end = np.searchsorted(limits, np.concatenate([lifted, value]), side="right")

    reaches = end > start
    resample, start, end = resample[reaches], start[reaches], end[reaches]
    in_turn = np.argsort(resample * (n_pairs + 1) + start)
    resample, start, end = resample[in_turn], start[in_turn], end[in_turn]
    # Of each stretch, what none of the resample's earlier ones covers: resample by resample the ends lie apart.
    apart = resample * (n_pairs + 1)
    covered = np.maximum.accumulate(apart + end)
    start[1:] = np.maximum(start[1:], covered[:-1] - apart[1:])
    adds = end > start
    changes = np.bincount(start[adds], minlength=n_pairs + 1) - np.bincount(end[adds], minlength=n_pairs + 1)
    return np.cumsum(changes)[:n_pairs]


def _peaks_later(
    low: _Low, rising: Integers, alone: Alone, deviations: Floats, pairs: Integers
) -> tuple[Integers, Integers, Floats]:
    """Return the peaks that go farther than their resample had been lifted, and come later: resample, place, value.

    Places are gone through from the smallest on, and `low.largest` rises with them: what a peak of a smaller place has
    reached already, a later one need not say again.
    """
    parts = [(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0))]
    sizes = alone.peaks.sizes[rising]
    for some in pieces(sizes, _PEAKS_AT_A_TIME):
        resample, place = alone.peaks.of(rising[some]).astype(np.int64), owners(sizes[some]) + some.start
        is_later = place >= low.low_until[resample]
        resample, place = resample[is_later], place[is_later]
        owner = rising[place]
        value = standardised_at(deviations, pairs[owner], resample, alone.se[owner])
        is_higher = value > low.largest[resample]
        resample, place, value = resample[is_higher], place[is_higher], value[is_higher]
        np.maximum.at(low.largest, resample, value)
        parts.append((resample, place, value))
    resamples, later, values = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    return resamples, later, values
