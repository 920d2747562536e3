"""Finds for each of some closed intervals the first one of a list that it touches."""

import numpy as np

from scoring.columns import Flags, Integers


def first_touching(starts: Integers, ends: Integers, list_starts: Integers, list_ends: Integers) -> Integers:
    """The least index into the list of an interval that has a point with each of (n,) others in common, or -1: (n,).

    Intervals are closed, so that those that only meet have one; an empty or reversed one has no point.

    >>> first_touching(np.array([0, 5, 9]), np.array([4, 6, 9]), np.array([6, 2, 4]), np.array([8, 3, 9]))
    array([ 1,  0, -1])
    """
    found = np.full(len(starts), -1)
    proper = np.flatnonzero(list_starts < list_ends)
    asking = np.flatnonzero(starts < ends)
    if len(proper) and len(asking):
        index = _first(starts[asking], ends[asking], list_starts[proper], list_ends[proper])
        found[asking] = np.where(index >= 0, proper[index], -1)
    return found


def _first(starts: Integers, ends: Integers, list_starts: Integers, list_ends: Integers) -> Integers:
    """Halve the list: how many intervals of a stretch are touched follows from its sorted starts and ends.

    These are the ones that begin at or before the end, less those that end before the start. Stretches have 1, 2, 4, …
    intervals; the sorted starts and ends of all stretches of one size are one array each.
    """
    n_levels = int(len(list_starts) - 1).bit_length()
    lowest = min(int(list_starts.min()), int(starts.min()))
    width = max(int(list_ends.max()), int(ends.max())) - lowest + 2
    place = np.arange(len(list_starts))

    def n_touched(size: int, stretch: Integers) -> Integers:
        of_place = place // size * width - lowest
        begun = np.sort(of_place + list_starts)
        ended = np.sort(of_place + list_ends)
        own = stretch * width - lowest
        n_begun = np.searchsorted(begun, own + ends, side="right")
        n_ended = np.searchsorted(ended, own + starts, side="left")
        return n_begun - n_ended

    stretch = np.zeros(len(starts), dtype=np.int64)
    is_found: Flags = n_touched(2**n_levels, stretch) > 0
    for level in range(n_levels - 1, -1, -1):
        stretch *= 2
        stretch += n_touched(2**level, stretch) == 0
    return np.where(is_found, stretch, -1)
