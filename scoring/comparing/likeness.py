"""Likeness of runs by their mistakes: a short fingerprint of each run, and groups of them found in n log n.

Two good systems agree on most units, because both are right there. What tells a copy are the units in which something
is wrong: each of them, with its counts, is one element of a run's *mistakes*, and two runs are as alike as the Jaccard
similarity of their mistakes. A fingerprint keeps the least of these under several random orders, and two runs have just
that part of them in common (A. Broder, On the resemblance and containment of documents, 1997).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.columns import Array, Flags, Floats, Integers, Words, mixed
from scoring.comparing.units import is_full
from scoring.rows import Rows
from scoring.scale import Scale

N_ORDERS = 64
LEAST_ALIKE = 0.9  # of the mistakes shared, from which on two runs are nearly the same
# Runs with fewer mistakes share them by chance: whoever is right everywhere but in two units, errs where all others do.
FEWEST_MISTAKES = 10
# Of eight orders each: of two runs that share 0.9 of their mistakes one band is equal in 99 of 100 cases, of two that
# share 0.95 in all but 2 of 10,000.
_N_BANDS = 8
_AT_ONCE = 2**14  # words that are mixed at a time, which stay in the processor's cache


@dataclass(frozen=True)
class Fingerprint:
    """The little that is kept of a run to find others that are like it."""

    same: bytes  # 8 bytes: equal for runs with the same counts in all units
    least: bytes  # 4 bytes for each order; empty with fewer mistakes than tell anything
    n_mistakes: int  # units in which something is wrong


def fingerprint_of(
    rows: Array | Rows, scores: Floats, scale: Scale | None = None, *, lower_is_better: bool = False
) -> Fingerprint:
    """Make it from the counts of each unit (units, ...) and the score of each alone (units,), NaN where it has none.

    `scores` may be empty, where the score that ranks is none of a single unit: then every unit may have a mistake.
    `scale` says which score a unit has in which everything is right.
    """
    elements = _elements_of(rows)
    is_wrong = ~is_full(scores, scale or Scale(), lower_is_better=lower_is_better) & ~np.isnan(scores)
    mistakes = elements[is_wrong] if len(scores) == len(elements) else elements
    return Fingerprint(
        same=mixed(elements.sum(dtype=np.uint64, keepdims=True)).astype("<u8").tobytes(),
        least=_least(mistakes).tobytes() if len(mistakes) >= FEWEST_MISTAKES else b"",
        n_mistakes=len(mistakes),
    )


def _elements_of(rows: Array | Rows) -> Words:
    """Do as `_elements` does, of rows that may be too many and too wide for a plain array."""
    pieces, first = [], 0
    for piece in rows.in_pieces() if isinstance(rows, Rows) else [rows]:
        pieces.append(_elements(piece, first))
        first += len(piece)
    return np.concatenate(pieces)


def _elements(rows: Array, first: int) -> Words:
    """Return a number for each unit and its counts, as good as a random one: (units,).

    `first` is the number of the first unit.
    """
    counts = np.ascontiguousarray(rows.reshape(len(rows), -1), dtype="<f8") + 0.0  # a zero has no sign
    words = counts.view(np.uint64)
    columns = mixed(np.arange(words.shape[1], dtype=np.uint64))
    units = mixed(~np.arange(first, first + len(words), dtype=np.uint64))
    return mixed(units + mixed(words ^ columns).sum(axis=1, dtype=np.uint64))


def _least(mistakes: Words) -> NDArray[np.uint32]:
    """Return the first of the mistakes in each order: (orders,)."""
    orders = mixed(np.arange(1, N_ORDERS + 1, dtype=np.uint64) << np.uint64(32))
    step = max(1, _AT_ONCE // len(mistakes))
    pieces = [mixed(mistakes ^ orders[k : k + step, np.newaxis]).min(axis=1) for k in range(0, N_ORDERS, step)]
    return (np.concatenate(pieces) & np.uint64(0xFFFFFFFF)).astype("<u4")


@dataclass(frozen=True)
class Group:
    """Runs that are alike, as indices in the order given."""

    members: list[int]
    share: float  # of its mistakes, that a run shares with one before it, at least; 1.0 where all are the same


def groups(fingerprints: Sequence[Fingerprint]) -> list[Group]:
    """Return groups of two or more runs that are the same, or nearly: each is like another one of its group.

    Within a band only neighbours are compared, so that however many runs are alike, it takes n log n.
    """
    if not fingerprints:
        return []
    same = np.array([int.from_bytes(fingerprint.same, "little") for fingerprint in fingerprints], dtype=np.uint64)
    _, firsts, owners = np.unique(same, return_index=True, return_inverse=True)
    pairs, shares = _near_pairs([fingerprints[first] for first in firsts])
    roots = _joined(len(firsts), pairs)
    return _as_groups(roots[owners], roots, pairs, shares)


def _near_pairs(fingerprints: Sequence[Fingerprint]) -> tuple[Integers, Floats]:
    """Return pairs (p, 2) of different runs that share enough of their mistakes, and how much of them (p,)."""
    usable = np.array([k for k, fingerprint in enumerate(fingerprints) if fingerprint.least], dtype=np.int64)
    if not len(usable):
        return np.empty((0, 2), np.int64), np.empty(0)
    least = np.frombuffer(b"".join(fingerprints[k].least for k in usable), dtype="<u4").reshape(len(usable), N_ORDERS)
    bands = least.view(np.uint64).reshape(len(usable), _N_BANDS, -1)
    beside = np.concatenate([_neighbours(_word_of(bands[:, band])) for band in range(_N_BANDS)])
    beside = np.unique(np.sort(beside, axis=1), axis=0)
    shares = (least[beside[:, 0]] == least[beside[:, 1]]).mean(axis=1)
    near = shares >= LEAST_ALIKE
    return usable[beside[near]], shares[near]


def _word_of(band: Words) -> Words:
    """Make one word of each run's, which is equal where all are: (runs, words) -> (runs,)."""
    word = mixed(band[:, 0])
    for k in range(1, band.shape[1]):
        word = mixed(word ^ band[:, k])
    return word


def _neighbours(words: Words) -> Integers:
    """Return pairs (p, 2) of indices with equal words that stand beside each other in their order."""
    order = np.argsort(words, kind="stable")
    equal: Flags = words[order[:-1]] == words[order[1:]]
    return np.stack([order[:-1][equal], order[1:][equal]], axis=1)


def _joined(n: int, pairs: Integers) -> Integers:
    """Return for each of n the least index that it is joined with, by one pair after the other: (n,)."""
    parents = list(range(n))

    def root(k: int) -> int:
        while parents[k] != k:
            parents[k] = k = parents[parents[k]]
        return k

    for one, other in pairs.tolist():
        low, high = sorted((root(one), root(other)))
        parents[high] = low
    return np.array([root(k) for k in range(n)], dtype=np.int64)


def _as_groups(root_of_run: Integers, roots: Integers, pairs: Integers, shares: Floats) -> list[Group]:
    """Return the runs by their root, in the order of their first; with the least share that joined them."""
    least = np.ones(len(roots))
    np.minimum.at(least, roots[pairs[:, 0]], shares)
    order = np.argsort(root_of_run, kind="stable")
    starts = np.flatnonzero(np.diff(root_of_run[order], prepend=-1))
    sizes = np.diff(starts, append=len(order))
    members = [order[start : start + size].tolist() for start, size in zip(starts, sizes, strict=True) if size > 1]
    return sorted(
        (Group(part, float(least[root_of_run[part[0]]])) for part in members), key=lambda group: group.members
    )
