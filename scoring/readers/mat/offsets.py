"""Offsets that count UTF-16 code units, as places between code points."""

import numpy as np

from scoring.readers.mat.columns import Integers


def is_longer_in_utf16(text: str) -> bool:
    """Whether it has a character of two code units; only then the two ways to count differ."""
    return not text.isascii() and max(text) > "\uffff"


def to_code_points(text: str, offsets: Integers) -> Integers:
    """The same places counted in code points; -1 for one outside the text or inside a surrogate pair."""
    code_points = np.frombuffer(text.encode("utf-32-le"), "<u4")
    units_before = np.concatenate([[0], np.cumsum(1 + (code_points > 0xFFFF))])
    places = np.searchsorted(units_before, offsets)
    found = units_before[np.minimum(places, len(code_points))] == offsets
    return np.where(found, places, -1).astype(np.int64)
