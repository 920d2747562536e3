"""Dependency trees of all documents at once.

A tree is the column of heads: the head of each token is an index in its own document, and a root is its own head.
`first` (documents + 1,) says where the tokens of each document begin.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.columns import Flags, Integers

_Codes = NDArray[np.integer[Any]]


def in_cycles(head: _Codes, first: Integers) -> Flags:
    """Return whether the way from each token to its heads ends in a cycle: (tokens,).

    >>> in_cycles(np.array([0, 0, 3, 2]), np.array([0, 4]))
    array([False, False,  True,  True])
    """
    ends = _tops(head, first)
    # Where a way ends at a root, the next step stays there.
    return np.asarray(_absolute(head, first)[ends] != ends)


def sentence_starts(head: _Codes, dep: _Codes, first: Integers) -> NDArray[np.int8]:
    """Return 1 at the leftmost token of the subtree of each root that has a label, -1 elsewhere: (tokens,).

    That is how spaCy derives sentences from trees: a root without a label is no tree to it.
    """
    starts = np.full(len(head), -1, dtype=np.int8)
    root, leftmost = np.unique(_tops(head, first), return_index=True)
    starts[leftmost[dep[root] != 0]] = 1
    return starts


def _tops(head: _Codes, first: Integers) -> Integers:
    """Find where each token's way up ends, over all documents: the root of its tree, or some token of a cycle.

    Each step doubles the way gone (the head of the head, then of these the same again), so that the longest way takes
    as many steps as its length has bits. Token 3 of this chain is done after two steps:

    >>> _tops(np.array([0, 0, 1, 2]), np.array([0, 4]))
    array([0, 0, 0, 0])
    """
    way = _absolute(head, first)
    longest = int(np.diff(first).max(initial=1))
    for _ in range(longest.bit_length()):
        further = way[way]
        if np.array_equal(further, way):
            break
        way = further
    return way


def _absolute(head: _Codes, first: Integers) -> Integers:
    """Return the heads, counted over all documents."""
    return np.asarray(head + np.repeat(first[:-1], np.diff(first)), dtype=np.int64)
