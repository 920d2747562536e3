"""Offsets that count UTF-16 code units, as Java and JavaScript do, turned into offsets that count code points."""

import numpy as np

from scoring.columns import Integers, starts_from_sizes


def is_longer_in_utf16(text: str) -> bool:
    """Whether it has a character of two code units; only then the two ways to count differ."""
    return not text.isascii() and max(text) > "\uffff"


def to_code_points(text: str, offsets: Integers) -> Integers:
    """The offsets (n,) counted in code points; -1 for one outside the text or inside a surrogate pair.

    >>> to_code_points("a🙂b", np.array([0, 1, 2, 3, 4, 5]))
    array([ 0,  1, -1,  2,  3, -1])
    """
    code_points = np.frombuffer(text.encode("utf-32-le"), "<u4")
    # Code units before each code point, and last of the whole text: characters beyond 0xffff take two.
    units_before = starts_from_sizes(1 + (code_points > 0xFFFF))
    indices = np.searchsorted(units_before, offsets)
    # An offset is a border of code points if it is one of these numbers, and else inside a pair or outside the text.
    is_border = units_before[np.minimum(indices, len(code_points))] == offsets
    return np.where(is_border, indices, -1).astype(np.int64)
