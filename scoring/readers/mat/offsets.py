"""Offsets that count UTF-16 code units, as Java and JavaScript do, turned into offsets that count code points."""

import numpy as np

from scoring.columns import Integers, starts_from_sizes


def is_longer_in_utf16(text: str) -> bool:
    """Return whether it has a character of two code units; only then the two ways to count differ."""
    return not text.isascii() and max(text) > "\uffff"


def utf16_length(text: str) -> int:
    """Return how many UTF-16 code units it takes."""
    return len(text.encode("utf-16-le")) // 2


class Utf16:
    """A text whose offsets count UTF-16 code units; looking through it once does for any number of offsets."""

    def __init__(self, text: str) -> None:
        code_points = np.frombuffer(text.encode("utf-32-le"), "<u4")
        # Code units before each code point, and last of the whole text: characters beyond 0xffff take two.
        self._units_before = starts_from_sizes(1 + (code_points > 0xFFFF))

    def to_code_points(self, offsets: Integers) -> Integers:
        """Count offsets (n,) in code points; -1 for one outside the text or inside a surrogate pair.

        >>> Utf16("a🙂b").to_code_points(np.array([0, 1, 2, 3, 4, 5]))
        array([ 0,  1, -1,  2,  3, -1])
        """
        before = self._units_before
        indices = np.searchsorted(before, offsets)
        # An offset is a border of code points if it is one of these numbers, else inside a pair or outside the text.
        is_border = before[np.minimum(indices, len(before) - 1)] == offsets
        return np.where(is_border, indices, -1).astype(np.int64)
