"""Sums on resamples as matrix products: of columns of counts (columns, units) with weights (m, units).

Every sum is exact, so that no order of summation, number of threads or computer changes a digit; and no column is
multiplied twice.
"""

from collections.abc import Iterator, Sequence
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

    def __len__(self) -> int:
        return len(self.places)

    def times(self, weights: NDArray[np.integer]) -> NDArray[np.floating]:
        """The sums (columns, m) with each of the weights (m, units)."""
        sums = self.columns @ weights.T.astype(self.columns.dtype)
        return sums if len(sums) == len(self) else sums[self.places]


def distinct(columns: NDArray[np.floating]) -> Distinct:
    """Each of the columns (columns, units) once.

    >>> distinct(np.array([[0.0, 2.0], [0.0, 0.0], [0.0, 2.0]])).times(np.array([[1, 1], [0, 2]]))
    array([[2., 4.],
           [0., 0.],
           [2., 4.]])
    """
    place_of: dict[bytes, int] = {}
    places = np.array([place_of.setdefault(column.tobytes(), len(place_of)) for column in columns], dtype=np.int64)
    _, firsts = np.unique(places, return_index=True)
    return Distinct(columns[firsts], places)


def factors(columns: Sequence[Floats | Columns]) -> list[Distinct | Columns]:
    """The columns of neighbouring parts as one array, where they are arrays: one large product is quicker than many."""
    return list(_joined(columns))


def _joined(columns: Sequence[Floats | Columns]) -> Iterator[Distinct | Columns]:
    plain: list[Floats] = []
    for own in columns:
        if not isinstance(own, Columns):
            plain.append(own)
            continue
        if plain:
            yield distinct(_narrowed(np.concatenate(plain)))
            plain = []
        yield own
    if plain:
        yield distinct(_narrowed(np.concatenate(plain)))


def _narrowed(columns: Floats) -> NDArray[np.floating]:
    """In single precision, which takes half the time, where all sums of a resample are integers that it holds exactly.

    A resample has as many units as the gold, so no sum, nor any part of one, exceeds n · max|x|.
    """
    if columns.shape[1] * np.abs(columns).max(initial=0) < _EXACT_IN_SINGLE and is_whole(columns, axis=1).all():
        return columns.astype(np.float32)
    return columns


def on_grid(columns: Floats) -> Floats:
    """Columns (kinds, units) that are not all integers, rounded to multiples of a power of two, 2^−e.

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
    """Along the other axes: whether all numbers are integers, whatever their type."""
    units = np.moveaxis(rows, axis, 0)
    if np.issubdtype(rows.dtype, np.integer):
        return np.ones(units.shape[1:], dtype=bool)
    # Of broken numbers the first few tell; only what is whole so far is looked at to its end.
    is_whole = np.asarray((units[:_FIRST] == np.rint(units[:_FIRST])).all(axis=0))
    rest = units[_FIRST:] if is_whole.all() else units[_FIRST:, is_whole]
    is_whole[is_whole] = (rest == np.rint(rest)).all(axis=0).ravel()
    return is_whole
