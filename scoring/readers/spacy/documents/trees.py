"""Dependency trees over all documents at once."""

import numpy as np
from numpy.typing import NDArray

from scoring.readers.spacy.documents.columns import Flags, Integers


def in_cycles(head: NDArray[np.integer], first: Integers) -> Flags:
    """Whether the way from each token to its heads ends in a cycle; heads count inside the document.

    `first` (documents + 1,) says where the tokens of each document begin.
    """
    ends = tops(head, first)
    return np.asarray(_absolute(head, first)[ends] != ends)


def tops(head: NDArray[np.integer], first: Integers) -> Integers:
    """Where each token's way up ends: the root of its tree, or some token of a cycle.

    Each step doubles the way gone, so that the longest one takes as many steps as its length has bits.
    """
    way = _absolute(head, first)
    longest = int(np.diff(first).max(initial=1))
    for _ in range(longest.bit_length()):
        further = way[way]
        if np.array_equal(further, way):
            break
        way = further
    return way


def sentence_starts(head: NDArray[np.integer], dep: NDArray[np.integer], first: Integers) -> NDArray[np.int8]:
    """1 at the leftmost token of the subtree of each root that has a label, -1 elsewhere."""
    starts = np.full(len(head), -1, dtype=np.int8)
    root, leftmost = np.unique(tops(head, first), return_index=True)
    starts[leftmost[dep[root] != 0]] = 1
    return starts


def _absolute(head: NDArray[np.integer], first: Integers) -> Integers:
    return np.asarray(head + np.repeat(first[:-1], np.diff(first)), dtype=np.int64)
