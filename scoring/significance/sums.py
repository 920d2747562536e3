"""Exact sums on resamples, as products of columns of counts (columns, units) with weights (m, units).

No order of summation, number of threads or computer changes a digit of them; and no column is multiplied twice.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.columns import Flags, Floats, Integers
from scoring.rows import Columns

_EXACT_IN_SINGLE = 2**24  # integers up to here
_FIRST = 1_000  # units that mostly tell whether a column is whole


@dataclass(frozen=True)
class Distinct:
    """Columns of which many repeat others, as those do of kinds that a label never has: each is multiplied once."""

    columns: NDArray[np.floating]  # (distinct, units)
    places: Integers  # (columns,) where each one is among them

    def empty(self, length: int) -> NDArray[np.floating]:
        """Make room for the sums on so many resamples: (distinct, length)."""
        return np.empty((len(self.columns), length), self.columns.dtype)

    def fill(self, sums: NDArray[np.floating], weights: NDArray[np.integer]) -> None:
        """Write the sums (distinct, m) with each of the weights (m, units)."""
        np.matmul(self.columns, weights.T.astype(self.columns.dtype), out=sums)

    def chosen(self, sums: NDArray[np.floating], columns: slice) -> Floats:
        """Return the sums (k, m) of some of the columns, from those of the distinct ones."""
        return sums[self.places[columns]].astype(np.float64, copy=False)


def distinct(columns: NDArray[np.floating]) -> Distinct:
    """Return each of the columns (columns, units) once.

    >>> factor = distinct(np.array([[0.0, 2.0], [0.0, 0.0], [0.0, 2.0]]))
    >>> sums = factor.empty(2)
    >>> factor.fill(sums, np.array([[1, 1], [0, 2]]))
    >>> factor.chosen(sums, slice(None))
    array([[2., 4.],
           [0., 0.],
           [2., 4.]])
    """
    place_of: dict[bytes, int] = {}
    places = np.array([place_of.setdefault(column.tobytes(), len(place_of)) for column in columns], dtype=np.int64)
    _, firsts = np.unique(places, return_index=True)
    return Distinct(columns[firsts], places)


@dataclass(frozen=True)
class Sparse:
    """Columns that are kept by their entries; with the methods of `Distinct`."""

    columns: Columns

    def empty(self, length: int) -> Floats:
        return np.empty((len(self.columns), length))

    def fill(self, sums: NDArray[np.floating], weights: NDArray[np.integer]) -> None:
        sums[:] = self.columns.times(weights)

    def chosen(self, sums: NDArray[np.floating], columns: slice) -> Floats:
        return sums[columns].astype(np.float64, copy=False)


@dataclass(frozen=True)
class Factors:
    """The columns of several parts, as they are multiplied: arrays as a single one, which is quicker than many."""

    factors: list[Distinct | Sparse]
    places: list[tuple[int, slice]]  # of each part, the index of its factor, and which of its columns are the part's

    def __len__(self) -> int:
        """Return how many columns there are."""
        return sum(place.stop - place.start for _, place in self.places)

    def empty(self, length: int) -> "Sums":
        return Sums(self, [factor.empty(length) for factor in self.factors], length)


@dataclass(frozen=True)
class Sums:
    """Room for the sums on so many resamples."""

    columns: Factors
    arrays: list[NDArray[np.floating]]  # of each factor
    length: int

    def fill(self, start: int, stop: int, weights: NDArray[np.integer]) -> None:
        """Write the sums with the weights (stop − start, units) of these resamples."""
        for factor, array in zip(self.columns.factors, self.arrays, strict=True):
            factor.fill(array[:, start:stop], weights)

    def of_part(self, number: int, stop: int) -> Floats:
        """Return those (k, stop) of one part, in the order of its columns."""
        index, place = self.columns.places[number]
        return self.columns.factors[index].chosen(self.arrays[index][:, :stop], place)


def factors(columns: Sequence[Floats | Columns]) -> Factors:
    """Return what is to be multiplied for parts with these columns."""
    plain = [part for part in columns if not isinstance(part, Columns)]
    kinds: list[Distinct | Sparse] = [distinct(_narrowed(np.concatenate(plain)))] if plain else []
    places: list[tuple[int, slice]] = []
    n_plain = 0
    for part in columns:
        if isinstance(part, Columns):
            places.append((len(kinds), slice(0, len(part))))
            kinds.append(Sparse(part))
        else:
            places.append((0, slice(n_plain, n_plain + len(part))))
            n_plain += len(part)
    return Factors(kinds, places)


def _narrowed(columns: Floats) -> NDArray[np.floating]:
    """Use single precision, in half the time, where all sums of a resample are integers that it holds exactly.

    A resample has as many units as the gold, so no sum, nor any part of one, exceeds n · max|x|.
    """
    if columns.shape[1] * np.abs(columns).max(initial=0) < _EXACT_IN_SINGLE and is_whole(columns, axis=1).all():
        return columns.astype(np.float32)
    return columns


def on_grid(columns: Floats) -> Floats:
    """Return columns (kinds, units) that are not all integers, rounded to multiples of a power of two, 2^−e.

    With e = 52 − ⌈log₂(n · max|x|)⌉ a mean changes by less than n · 2⁻⁵² · max|x|, and every partial sum of a
    resample is a multiple of 2^−e below 2⁵² of them, hence exact: no order of summation, number of threads or
    computer changes a digit of an interval.

    >>> gridded = on_grid(np.array([[1 / 3, 0.5, 1, 0, 2 / 3]]))  # e = 52 − ⌈log₂ 5⌉ = 49
    >>> float(gridded[0, 0]) == round(2**49 / 3) / 2**49
    True
    """
    broken = ~is_whole(columns, axis=1)
    if not broken.any():
        return columns
    largest = columns.shape[1] * np.abs(columns[broken]).max(axis=1, keepdims=True)
    # largest = mantissa · 2^exponent with a mantissa from 0.5 to below 1, so ⌈log₂ largest⌉ is the exponent, but one
    # less for a power of two.
    mantissa, exponent = np.frexp(largest)
    shift = 52 - (exponent - (mantissa == 0.5))
    gridded = columns.copy()
    gridded[broken] = np.ldexp(np.rint(np.ldexp(columns[broken], shift)), -shift)
    return gridded


def is_whole(rows: NDArray[np.number], axis: int) -> Flags:
    """Return along the other axes whether all numbers are integers, whatever their type."""
    units = np.moveaxis(rows, axis, 0)
    if np.issubdtype(rows.dtype, np.integer):
        return np.ones(units.shape[1:], dtype=bool)
    # Of broken numbers the first few tell; only what is whole so far is looked at to its end.
    is_whole = np.asarray((units[:_FIRST] == np.rint(units[:_FIRST])).all(axis=0))
    rest = units[_FIRST:] if is_whole.all() else units[_FIRST:, is_whole]
    is_whole[is_whole] = (rest == np.rint(rest)).all(axis=0).ravel()
    return is_whole
