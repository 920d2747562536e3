"""The engine's array dictionary: the types of columns, and the idioms that all families share.

Annotations are kept as *columns*: arrays of equal length in which entry i of each belongs to annotation i.
Annotations of one document, or spans of one phrase, stand beside each other, so that a *range* of a column is told
by where it starts and by its size. Each function below is one idiom of that style, with an example that is run as
a test. The module needs NumPy alone, because some commands start faster than SciPy is imported.
"""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Indices, codes, offsets and counts.
Integers = NDArray[np.int64]
# Scores, shares and weighted counts. NaN stands for a score that does not apply.
Floats = NDArray[np.float64]
# One truth value for each row.
Flags = NDArray[np.bool_]
# Counts that a family may keep as Integers or, where they are weighted, as Floats.
Array = NDArray[Any]
# Numbers of 64 bits that stand for something else.
Words = NDArray[np.uint64]

# Products below this bound, and sums of two of them, fit into 64 bits with their sign.
_MOST_CODES = 2**62


def starts_from_sizes(sizes: Array | Sequence[int]) -> Integers:
    """Return where each of n neighbouring ranges starts, and last where the last one ends: (n,) -> (n + 1,).

    Range i is then `column[starts[i] : starts[i + 1]]`, and `np.diff` gives the sizes back. Of flags, entry i is the
    number of flags set before position i.

    >>> starts_from_sizes([2, 0, 3, 1])
    array([0, 2, 2, 5, 6])
    """
    starts = np.zeros(len(sizes) + 1, dtype=np.int64)
    np.cumsum(sizes, out=starts[1:])
    return starts


def owners(sizes: Array) -> Integers:
    """Return for each entry of n neighbouring ranges the index of its range: (n,) -> (sum of sizes,).

    >>> owners(np.array([2, 0, 3, 1]))
    array([0, 0, 2, 2, 2, 3])
    """
    return np.repeat(np.arange(len(sizes)), sizes)


def ranks(sizes: Array) -> Integers:
    """Return for each entry of n neighbouring ranges its index inside its range: (n,) -> (sum of sizes,).

    >>> ranks(np.array([2, 0, 3, 1]))
    array([0, 1, 0, 1, 2, 0])
    """
    return ranges(np.zeros(len(sizes), dtype=np.int64), sizes)


def ranges(starts: Array, sizes: Array) -> Integers:
    """Return the indices of n ranges in any place, one range after the other: (n,), (n,) -> (sum of sizes,).

    `column[ranges(starts, sizes)]` takes those ranges out of a column; `owners(sizes)` tells whose each entry is.

    >>> ranges(np.array([7, 9, 0, 4]), np.array([2, 0, 3, 1]))
    array([7, 8, 0, 1, 2, 4])
    """
    # What a range starts at, less the number of entries before it: to be added to a running number.
    shift = np.asarray(starts, dtype=np.int64) - (np.cumsum(sizes, dtype=np.int64) - sizes)
    shifts = np.repeat(shift, sizes)
    return np.arange(len(shifts)) + shifts


def pieces(sizes: Integers, limit: int) -> Iterator[slice]:
    """Return slices of neighbours whose sizes come to `limit` at most, or of a single one that is larger.

    Work whose memory grows with the sizes is done piece by piece.

    >>> list(pieces(np.array([2, 2, 9, 1]), limit=4))
    [slice(0, 2, None), slice(2, 3, None), slice(3, 4, None)]
    """
    starts = starts_from_sizes(sizes)
    start = 0
    while start < len(sizes):
        stop = int(np.searchsorted(starts, starts[start] + limit, side="right")) - 1
        stop = max(start + 1, stop)
        yield slice(start, stop)
        start = stop


def numbered(values: Iterable[Hashable]) -> Integers:
    """Return the number of each value, in the order of first sight: (n,).

    >>> numbered("banana")
    array([0, 1, 2, 1, 2, 1])
    """
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(value, len(numbers)) for value in values], dtype=np.int64)


def coded(*columns: NDArray[np.integer[Any]]) -> Integers:
    """Return several columns (n,) of integers as one: codes (n,), equal where all columns are equal.

    The codes are not negative, and in the order of the rows: first by the first column, then by the second. They
    mean nothing outside of one call, so columns of gold and system have to be coded together (`coded_together`).

    >>> coded(np.array([1, 0, 1, 1]), np.array([5, 7, 5, 6]))
    array([3, 2, 3, 4])
    """
    code, n_codes = _from_zero(columns[0])
    for column in columns[1:]:
        digit, base = _from_zero(column)
        if n_codes * base >= _MOST_CODES:
            # Numbering the values that occur leaves at most n of either, and n * n fits.
            code, n_codes = _numbered(code)
            digit, base = _numbered(digit)
        code = code * base + digit
        n_codes *= base
    return code


def coded_together(
    gold: Sequence[NDArray[np.integer[Any]]], system: Sequence[NDArray[np.integer[Any]]]
) -> tuple[Integers, Integers]:
    """Return the columns (n,) of the gold and (m,) of the system as codes (n,) and (m,) that can be compared.

    >>> coded_together([np.array([3, 4]), np.array([0, 1])], [np.array([4, 4]), np.array([0, 1])])
    (array([0, 3]), array([2, 3]))
    """
    code = coded(*(np.concatenate(both) for both in zip(gold, system, strict=True)))
    return code[: len(gold[0])], code[len(gold[0]) :]


def _from_zero(column: NDArray[np.integer[Any]]) -> tuple[Integers, int]:
    """Return the column (n,) as digits from 0 on, in the same order, and how many digits there are."""
    if not len(column):
        return np.zeros(0, dtype=np.int64), 1
    low, high = int(column.min()), int(column.max())
    if high - low >= _MOST_CODES:
        return _numbered(column)
    wide = column.astype(np.int64, copy=False)
    return (wide - low if low else wide), high - low + 1


def _numbered(column: NDArray[np.integer[Any]]) -> tuple[Integers, int]:
    """Return each value (n,) as its rank among the values that occur, and how many these are."""
    values, rank = np.unique(column, return_inverse=True)
    return rank.astype(np.int64, copy=False), len(values)


def starts_run(*columns: Array) -> Flags:
    """Return whether each row of columns (n,) sorted together differs from the one before it: a run begins there.

    `np.cumsum(starts_run(column)) - 1` numbers the runs.

    >>> starts_run(np.array([2, 2, 5, 5]), np.array([1, 1, 1, 3]))
    array([ True, False,  True,  True])
    """
    starts = np.zeros(len(columns[0]), dtype=bool)
    starts[:1] = True
    for column in columns:
        starts[1:] |= column[1:] != column[:-1]
    return starts


def is_first(code: Integers) -> Flags:
    """Return for a column (n,) in any order whether its value has not stood before it.

    >>> is_first(np.array([3, 1, 3, 2]))
    array([ True,  True, False,  True])
    """
    first = np.zeros(len(code), dtype=bool)
    first[np.unique(code, return_index=True)[1]] = True
    return first


def sums_by_cell(shape: tuple[int, ...], *indices: Array, number: Array | None = None) -> Integers:
    """Return an array of this shape in which `number` (n,) is added to the cells that the indices (n,) name.

    There is one column of indices for each axis of the shape. Without `number` each row counts once.

    >>> sums_by_cell((2, 3), np.array([0, 1, 1, 1]), np.array([2, 0, 0, 1]))
    array([[0, 0, 1],
           [2, 1, 0]])
    """
    cell = np.zeros(len(indices[0]), dtype=np.int64)
    n_cells = 1
    for size, index in zip(shape, indices, strict=True):
        cell = cell * size + index
        n_cells *= size
    # Given numbers, bincount adds in floating point, which is exact for whole sums up to 2**53.
    sums = np.bincount(cell, weights=number, minlength=n_cells)
    return sums.astype(np.int64, copy=False).reshape(shape)


def hashed(*columns: NDArray[np.integer[Any]]) -> Integers:
    """Return several columns (n,) as one: other rows have the same number with a chance of 2**-64.

    >>> one, same, other = hashed(np.array([1, 1, 2]), np.array([5, 5, 5]))
    >>> one == same, one == other
    (np.True_, np.False_)
    """
    words = np.zeros(len(columns[0]), dtype=np.uint64)
    for column in columns:
        words = mixed(words + mixed(column.astype(np.uint64)))
    return words.view(np.int64)


def summed(hashes: Integers, begins: Integers) -> Integers:
    """Return the hashes (m,) of each range's entries as one number (n,), in any order; no range is empty."""
    return np.add.reduceat(hashes.view(np.uint64), begins).view(np.int64) if len(begins) else begins


def mixed(words: Words) -> Words:
    """Map each word to another one, one to one: the end of SplitMix64 (Steele, Lea & Flood, OOPSLA 2014)."""
    words = words + np.uint64(0x9E3779B97F4A7C15)
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def sampled(n: int, most: int) -> Integers:
    """Return indices below n, all of them or `most` that are spread evenly.

    >>> sampled(3, most=9), sampled(9, most=3)
    (array([0, 1, 2]), array([0, 3, 6]))
    """
    return np.arange(n) if n <= most else np.arange(most) * n // most


def records(**columns: Any) -> list[dict[str, Any]]:
    """Return columns of equal length, arrays or lists, as one dictionary of plain Python values for each row.

    >>> records(label=["LOC", "PER"], count=np.array([3, 0]))
    [{'label': 'LOC', 'count': 3}, {'label': 'PER', 'count': 0}]
    """
    plain = [column.tolist() if isinstance(column, np.ndarray) else column for column in columns.values()]
    return [dict(zip(columns, row, strict=True)) for row in zip(*plain, strict=True)]
