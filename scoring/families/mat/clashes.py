"""Which spans overlap, without a look at those that do not."""

from collections.abc import Iterator

import numpy as np

from scoring.families.mat.marks import Flags, Integers, Marks

PAIRS_AT_A_TIME = 2**22


def overlaps_any(marks: Marks, others: Marks) -> Flags:
    """Whether each span overlaps one of the others; spans that only touch do not."""
    before = np.searchsorted(others.start, marks.end)
    reach = np.concatenate([[-1], np.maximum.accumulate(others.end)])
    overlaps: Flags = reach[before] > marks.start
    return overlaps


def n_overlaps(marks: Marks, others: Marks) -> Integers:
    """How many of the others each span overlaps."""
    number: Integers = np.searchsorted(others.start, marks.end) - np.searchsorted(
        np.sort(others.end), marks.start, side="right"
    )
    return number


def overlapping_pairs(marks: Marks, others: Marks) -> Iterator[tuple[Integers, Integers]]:
    """The indices of all pairs that overlap, some millions at a time, in no order.

    Each piece holds all pairs of some neighbouring `marks`; a span with more pairs than that is one piece.
    """
    sizes = np.cumsum(n_overlaps(marks, others))
    start = 0
    while start < len(marks):
        before = int(sizes[start - 1]) if start else 0
        stop = int(np.searchsorted(sizes, before + PAIRS_AT_A_TIME, side="right"))
        stop = max(start + 1, stop)
        if sizes[stop - 1] > before:
            index, other = _pairs(marks.at(np.arange(start, stop)), others)
            yield start + index, other
        start = stop


def all_pairs(marks: Marks, others: Marks) -> tuple[Integers, Integers]:
    """The same in one piece, for a caller who knows how many they are."""
    pieces = [_NO_PAIRS, *overlapping_pairs(marks, others)]
    index, other = (np.concatenate(columns) for columns in zip(*pieces, strict=True))
    return index, other


def ranges(first: Integers, number: Integers) -> tuple[Integers, Integers]:
    """The numbers first, first + 1, … of each range one after the other, with the index of their range."""
    owner = np.repeat(np.arange(len(first)), number)
    position = np.arange(len(owner)) - np.repeat(np.cumsum(number) - number, number)
    return owner, first[owner] + position


_NO_PAIRS = (np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))


def _pairs(marks: Marks, others: Marks) -> tuple[Integers, Integers]:
    """Of two spans that overlap, one begins inside the other, and those that do lie side by side."""
    low = np.searchsorted(others.start, marks.start)
    index, other = ranges(low, np.searchsorted(others.start, marks.end) - low)
    low = np.searchsorted(marks.start, others.start, side="right")
    later_other, later = ranges(low, np.maximum(np.searchsorted(marks.start, others.end) - low, 0))
    return np.concatenate([index, later]), np.concatenate([other, later_other])
