"""Tells how much weight lies before and below each cell: what Kendall's tau counts.

Cells stand by x; each has a place by y. For each cell the weight of all cells before it with a lower place is wanted.
As in a merge sort, cells are split into halves again and again, and of each split those pairs are counted that stand
on both sides of it:

    position      0 1 2 3 | 4 5 6 7        place by y    2 0 5 3 | 1 6 4 7
    the left ones by y:  1 0 3 2           position 4 has one of them below it, 6 has three, 5 and 7 have four

The order by y inside each split does not depend on weights: it is made once, in log n passes. Then a resample takes
for each split one gather and one cumulative sum of the left half, and one gather for the right half.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from scoring.columns import Floats, Integers

# Blocks of so many neighbours are compared pair by pair, with a matrix product.
_BLOCK = 32
_EXACT_IN_SINGLE = 2**24  # whole numbers up to here

Sums = NDArray[np.floating[Any]]


@dataclass(frozen=True)
class _Split:
    """All cells in blocks of 2 · half, each split in the middle; the last block may be shorter."""

    half: int
    left: Integers  # (1 + l,) the cells of left halves, by block and then by y, behind the one that has no weight
    n_below: Integers  # (r,) of each cell of a right half: how many of `left`, earlier blocks included, are below it

    def add(self, below: Sums, weights: Sums) -> None:
        """Add to `below` (m, cells) what the left halves have below each cell of the right ones.

        `weights` (m, cells + 1) have a cell of no weight behind the others: the cumulative sums begin with it.
        """
        if not len(self.n_below):
            return
        m, n = below.shape
        up_to = np.cumsum(np.take(weights, self.left, axis=1), axis=1, dtype=weights.dtype)
        weights_below = np.take(up_to, self.n_below, axis=1)
        n_full = n // (2 * self.half)
        whole = n_full * self.half  # cells in right halves of whole blocks; as many are in their left ones
        # The left halves of earlier blocks come first in the cumulative sum.
        before = up_to[:, : whole + 1 : self.half, np.newaxis]
        full = below[:, : 2 * whole].reshape(m, n_full, 2, self.half)[:, :, 1]
        full += weights_below[:, :whole].reshape(m, n_full, self.half)
        full -= before[:, :n_full]
        if whole < len(self.n_below):
            below[:, 2 * whole + self.half :] += weights_below[:, whole:] - before[:, n_full]


@dataclass(frozen=True)
class Concordant:
    """Holds what is prepared for one column, or made on the way where it is used once."""

    splits: Iterable[_Split]
    blocks: Sums | None  # (blocks, _BLOCK, _BLOCK): 1 where the first cell is before and below the second

    @classmethod
    def of(cls, by_y: Integers) -> Self:
        """Prepare for many resamples; `by_y` (cells,) are the positions of cells in the order of y."""
        return cls(list(_splits(by_y, _BLOCK)), _compared(by_y))

    @classmethod
    def once(cls, by_y: Integers) -> Self:
        """Prepare for one use, in memory proportional to the cells."""
        return cls(_splits(by_y, 1), None)

    def below(self, weights: Floats) -> Floats:
        """Return for each cell the weight before and below it: (m, cells) to (m, cells).

        >>> Concordant.of(np.array([1, 4, 0, 3, 6, 2, 5, 7])).below(np.ones((1, 8)))
        array([[0., 0., 2., 2., 1., 5., 4., 7.]])
        """
        m, n = weights.shape
        # In single precision, which takes half the time, as long as it holds all sums of whole weights.
        largest = weights.sum(axis=1).max(initial=0)
        padded: Sums = np.zeros((m, n + 1), dtype=np.float32 if largest < _EXACT_IN_SINGLE else np.float64)
        padded[:, :n] = weights
        sums = np.zeros((m, n), padded.dtype) if self.blocks is None else _inside(self.blocks, padded[:, :n])
        for split in self.splits:
            split.add(sums, padded)
        return sums.astype(np.float64)


def _splits(by_y: Integers, smallest: int) -> Iterator[_Split]:
    """Go from the whole down to blocks of twice the smallest size.

    The order of the cells by block and y is kept, and each block parted stably into its halves, so that nothing is
    sorted.
    """
    n = len(by_y)
    # Halves are powers of two, so that shifts and masks do for the much slower division.
    shift = smallest.bit_length() - 1
    while 2 << shift < n:
        shift += 1
    order = by_y
    positions = np.arange(n)
    while shift >= smallest.bit_length() - 1 and n > smallest:
        half = 1 << shift
        is_right = (order & half) != 0
        n_left = np.cumsum(~is_right)  # cells of left halves up to here
        left, right = order[~is_right], order[is_right]
        n_below = np.empty(n, dtype=np.int64)
        n_below[right] = n_left[is_right]
        yield _Split(half, np.append(n, left), n_below[(positions & half) != 0])
        # Where each half of each block goes: the first cell of its block, and as many behind it as come before.
        parted = np.empty_like(order)
        before = np.arange(len(left)) & (half - 1)
        parted[(left & -2 * half) + before] = left
        before = np.arange(len(right)) & (half - 1)
        parted[(right & -2 * half) + half + before] = right
        order = parted
        shift -= 1


def _compared(by_y: Integers) -> Sums:
    """Compare all pairs inside blocks of neighbours: (blocks, _BLOCK, _BLOCK)."""
    n = len(by_y)
    n_blocks = -(-n // _BLOCK)
    places = np.full(n_blocks * _BLOCK, n)
    places[by_y] = np.arange(n)
    place = places.reshape(n_blocks, _BLOCK)
    is_below = place[:, :, np.newaxis] < place[:, np.newaxis, :]
    return np.triu(is_below, 1).astype(np.float32)


def _inside(blocks: Sums, weights: Sums) -> Sums:
    """Return what lies before and below each cell in its own block: (m, cells) to (m, cells)."""
    m, n = weights.shape
    padded = np.zeros((m, len(blocks) * _BLOCK), dtype=weights.dtype)
    padded[:, :n] = weights
    sums = padded.reshape(m, -1, _BLOCK).transpose(1, 0, 2) @ blocks.astype(weights.dtype, copy=False)
    return np.ascontiguousarray(sums.transpose(1, 0, 2)).reshape(m, -1)[:, :n].copy()
