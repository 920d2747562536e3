"""Rows of counts of which most are 0, kept as those that are not: a million items and a hundred labels fit.

A family whose rows may be many and wide gives `rows_of_entries` what single items add to them. Where all counts are
few, what comes back is a plain array; else it is `Rows`, which answers what arrays are asked for in the statistics:
its shape, its sums, and products with weights. Anything else may take `np.asarray` of it, which makes the whole array.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.columns import Array, Floats, Integers, starts_run

# Counts that a plain array may have: 32 MiB.
_MOST_PLAIN = 2**22
# Unit, column and value of each entry; columns are those of the last axes laid flat.
Entries = tuple[Array, Array, Array]


def rows_of_entries(shape: tuple[int, ...], entries: Sequence[Entries]) -> "Array | Rows":
    """Return rows of this shape, (units, …, kinds), to which entries of units and columns add their values.

    >>> unit, column = np.array([0, 1, 1]), np.array([2, 0, 0])
    >>> rows_of_entries((2, 3), [(unit, column, np.array([5, 1, 1]))])
    array([[0, 0, 5],
           [2, 0, 0]])
    """
    rows = Rows(shape, tuple(entries))
    return rows.plain() if math.prod(shape) <= _MOST_PLAIN else rows


@dataclass(frozen=True, eq=False)
class Rows:
    """Counts (units, …, kinds) by their entries."""

    shape: tuple[int, ...]
    entries: tuple[Entries, ...]  # in parts of any number and size

    def __len__(self) -> int:
        return self.shape[0]

    @property
    def ndim(self) -> int:
        """Return how many axes the whole array has."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """Return how many entries there are."""
        return sum(len(values) for _, _, values in self.entries)

    @property
    def n_columns(self) -> int:
        """Return how many columns there are: of all axes but that of the units."""
        return math.prod(self.shape[1:])

    def plain(self) -> Array:
        """Return the whole array, of integers if all values are."""
        cells = np.zeros(math.prod(self.shape))
        for unit, column, values in self.entries:
            cells += np.bincount(unit.astype(np.int64) * self.n_columns + column, weights=values, minlength=len(cells))
        is_whole = all(np.issubdtype(values.dtype, np.integer) for _, _, values in self.entries)
        return (cells.astype(np.int64) if is_whole else cells).reshape(self.shape)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        whole = self.plain()
        return whole if dtype is None else whole.astype(dtype)

    def sum(self, axis: int = 0) -> Array:
        """Return the sums over the units, correctly rounded; over another axis, of the whole array."""
        if axis != 0:
            return np.asarray(self.plain().sum(axis=axis))
        sums = np.zeros(self.n_columns)
        broken: list[Entries] = []
        for unit, column, values in self.entries:
            if np.issubdtype(values.dtype, np.integer):
                sums += np.bincount(column, weights=values, minlength=self.n_columns)
            else:
                broken.append((unit, column, values))
        if broken:
            column, values = (np.concatenate(parts) for parts in list(zip(*broken, strict=True))[1:])
            order = np.argsort(column, kind="stable")
            places = np.searchsorted(column[order], np.arange(self.n_columns + 1)).tolist()
            ordered = values[order].tolist()
            sums += [math.fsum(ordered[start:stop]) for start, stop in pairwise(places)]
        return sums.reshape(self.shape[1:])

    def in_pieces(self) -> Iterator[Array]:
        """Return the whole array, some units at a time."""
        units, columns, values = (np.concatenate(parts) for parts in zip(*self.entries, strict=True))
        order = np.argsort(units, kind="stable")
        step = max(1, _MOST_PLAIN // self.n_columns)
        firsts = range(0, len(self), step)
        places = [*np.searchsorted(units[order], firsts).tolist(), len(order)]
        for first, (start, stop) in zip(firsts, pairwise(places), strict=True):
            piece = order[start:stop]
            shape = (min(step, len(self) - first), *self.shape[1:])
            yield Rows(shape, ((units[piece] - first, columns[piece], values[piece]),)).plain()

    def flat(self) -> Entries:
        """Return units, columns and values of all entries, one for each count that is not 0."""
        columnwise = self.by_column
        columns = np.repeat(np.arange(len(columnwise), dtype=np.int32), np.diff(columnwise.starts))
        is_small = (
            bool((columnwise.values == np.rint(columnwise.values)).all())
            and np.abs(columnwise.values).max(initial=0) < 2**31
        )
        return columnwise.units, columns, columnwise.values.astype(np.int32) if is_small else columnwise.values

    def of_groups(self, groups: slice) -> "Rows":
        """Return some of the groups of rows (units, groups, kinds)."""
        start, stop, _ = groups.indices(self.shape[1])
        kinds = self.shape[2]
        columnwise = self.by_column
        first, last = int(columnwise.starts[start * kinds]), int(columnwise.starts[stop * kinds])
        column = np.repeat(
            np.arange((stop - start) * kinds), np.diff(columnwise.starts[start * kinds : stop * kinds + 1])
        )
        return Rows(
            (len(self), stop - start, kinds), ((columnwise.units[first:last], column, columnwise.values[first:last]),)
        )

    def of_units(self, places: Integers) -> "Rows":
        """Return the rows of some units, in this order."""
        place = np.full(len(self), -1, dtype=np.int64)
        place[places] = np.arange(len(places))
        entries = ((place[unit], column, values) for unit, column, values in self.entries)
        kept = tuple((unit[unit >= 0], column[unit >= 0], values[unit >= 0]) for unit, column, values in entries)
        return Rows((len(places), *self.shape[1:]), kept)

    @cached_property
    def by_column(self) -> "Columns":
        """Return the entries in the order of columns and units, with one for each that has any."""
        units, columns, values = (np.concatenate(parts) for parts in zip(*self.entries, strict=True))
        place = columns.astype(np.int64) * len(self) + units
        order = np.argsort(place, kind="stable")
        place = place[order]
        is_first = starts_run(place)
        firsts = np.flatnonzero(is_first)
        summed = np.add.reduceat(values[order].astype(np.float64), firsts) if len(firsts) else np.zeros(0)
        place = place[firsts]
        starts = np.searchsorted(place, np.arange(self.n_columns + 1) * len(self))
        return Columns(len(self), starts, (place % len(self)).astype(np.int32), summed)

    def columns(self) -> "Columns":
        """Return the columns turned over, (kinds · …, units), kinds first: what products are made of."""
        flat = np.arange(self.n_columns).reshape(self.shape[1:])
        return self.by_column.taken(flat.T.ravel())

    def tobytes(self) -> bytes:
        """Return bytes that are the same for equal counts."""
        columnwise = self.by_column
        return columnwise.starts.tobytes() + columnwise.units.tobytes() + columnwise.values.tobytes()


@dataclass(frozen=True, eq=False)
class Columns:
    """k columns of counts of n units, each by its entries."""

    n_units: int
    starts: Integers  # (k + 1,): the entries of column i are those from starts[i] up to starts[i + 1]
    units: NDArray[np.int32]  # (entries,) ascending in each column
    values: Floats  # (entries,)

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def shape(self) -> tuple[int, int]:
        """Return the shape as that of an array (k, n)."""
        return len(self), self.n_units

    def taken(self, columns: Integers) -> "Columns":
        """Return some of the columns, in any order."""
        sizes = np.diff(self.starts)[columns]
        starts = np.concatenate([[0], np.cumsum(sizes)])
        at = np.repeat(self.starts[columns] - starts[:-1], sizes) + np.arange(starts[-1])
        return Columns(self.n_units, starts, self.units[at], self.values[at])

    def times(self, weights: Array) -> Floats:
        """Return the sums (k, m) with each of the weights (m, units)."""
        sums = np.zeros((len(self), len(weights)))
        has_any = np.flatnonzero(np.diff(self.starts))
        if len(has_any):
            # (entries, m): the weights of each entry's unit, one row in one piece.
            by_entry = np.ascontiguousarray(weights.T, dtype=np.float64)[self.units]
            if not self._are_ones:
                by_entry *= self.values[:, np.newaxis]
            sums[has_any] = np.add.reduceat(by_entry, self.starts[has_any])
        return sums

    def plain(self) -> Floats:
        """Return the whole array (k, n)."""
        whole = np.zeros(self.shape)
        whole[np.repeat(np.arange(len(self)), np.diff(self.starts)), self.units] = self.values
        return whole

    def has_fractions(self) -> NDArray[np.bool_]:
        """Return whether each column has values that are not whole: (k,)."""
        broken = np.zeros(len(self), dtype=bool)
        entry = np.flatnonzero(self.values != np.rint(self.values))
        broken[np.searchsorted(self.starts, entry, side="right") - 1] = True
        return broken

    def on_grid(self, most: Floats) -> "Columns":
        """Round the values of columns that are not whole to multiples of 2^−e, e = 52 − ⌈log₂ most⌉ of the column.

        `significance.on_grid` says why, of plain arrays.
        """
        broken = self.has_fractions()
        if not broken.any():
            return self
        mantissa, exponent = np.frexp(most)
        shift = np.where(broken, 52 - (exponent - (mantissa == 0.5)), 0)
        of_entry = np.repeat(shift, np.diff(self.starts))
        return Columns(
            self.n_units, self.starts, self.units, np.ldexp(np.rint(np.ldexp(self.values, of_entry)), -of_entry)
        )

    def largest(self) -> Floats:
        """Return the largest absolute value of each column, 0 where it has none: (k,)."""
        largest = np.zeros(len(self))
        has_any = np.flatnonzero(np.diff(self.starts))
        if len(has_any):
            largest[has_any] = np.maximum.reduceat(np.abs(self.values), self.starts[has_any])
        return largest

    @cached_property
    def _are_ones(self) -> bool:
        return bool((self.values == 1).all())
