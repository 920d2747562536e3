"""Numbers that stand for what annotations say: equal where it is the same, and hardly ever where it is not."""

import numpy as np
from numpy.typing import NDArray

from scoring.columns import Integers
from scoring.describing.contents import Codes

_Words = NDArray[np.uint64]


def hashed(*columns: Codes) -> Integers:
    """Several columns (n,) as one: other rows have the same number with a chance of 2**-64.

    >>> one, same, other = hashed(np.array([1, 1, 2]), np.array([5, 5, 5]))
    >>> one == same, one == other
    (np.True_, np.False_)
    """
    mixed = np.zeros(len(columns[0]), dtype=np.uint64)
    for column in columns:
        mixed = _mixed(mixed + _mixed(column.astype(np.uint64)))
    return mixed.view(np.int64)


def summed(hashes: Integers, begins: Integers) -> Integers:
    """The hashes (m,) of each range's entries as one number (n,), in any order; no range is empty."""
    return np.add.reduceat(hashes.view(np.uint64), begins).view(np.int64) if len(begins) else begins


def _mixed(words: _Words) -> _Words:
    """The mixing of splitmix64 (Steele, Lea and Flood, OOPSLA 2014)."""
    words = words + np.uint64(0x9E3779B97F4A7C15)
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))
