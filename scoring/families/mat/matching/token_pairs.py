"""Tokens of the pairs of the later scorer, and of what these pairs leave over."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from scoring.families.mat.matching.corpus_spans import Flags, Integers, folded
from scoring.families.mat.matching.overlaps import ranges
from scoring.families.mat.matching.tokens import Covered
from scoring.families.mat.scores import HYPCLASH, MATCH, MISSING, REFCLASH, SPURIOUS
from scoring.families.mat.tally import Tally

_AT_A_TIME = 2**22


def paired_token_counts(gold: Covered, system: Covered, g: Integers, s: Integers) -> Tally:
    """The tokens that a pair shares count for the pair.

    The others are remainders: cut at all their ends, and paired piece by piece, equal labels first.
    """
    start, stop = np.maximum(gold.start[g], system.start[s]), np.minimum(gold.stop[g], system.stop[s])
    number = np.maximum(stop - start, 0)
    match = gold.label[g] == system.label[s]
    shared = [
        Tally.of(side.document[index[chosen]], side.label[index[chosen]], kind, number[chosen])
        for side, index, chosen, kind in (
            (gold, g, match, MATCH),
            (gold, g, ~match, REFCLASH),
            (system, s, ~match, HYPCLASH),
        )
    ]
    left = _left_over(gold, system, g, s)
    return Tally.joined([*shared, *(tally for piece in _pieces(left) for tally in _counted(piece))])


@dataclass(frozen=True)
class _Pieces:
    """Stretches of tokens by side; with their numbers once they are cut."""

    is_gold: Flags
    document: Integers
    label: Integers
    start: Integers
    stop: Integers


def _left_over(gold: Covered, system: Covered, g: Integers, s: Integers) -> _Pieces:
    """What pairs do not share, before and behind, and all of the spans without a partner."""
    parts = []
    for is_gold, own, index, other, partner in ((True, gold, g, system, s), (False, system, s, gold, g)):
        alone = np.ones(len(own.start), dtype=bool)
        alone[index] = False
        before = np.minimum(own.stop[index], other.start[partner])
        behind = np.maximum(own.start[index], other.stop[partner])
        for which, start, stop in (
            (np.flatnonzero(alone), own.start[alone], own.stop[alone]),
            (index, own.start[index], before),
            (index, behind, own.stop[index]),
        ):
            some = start < stop
            which = which[some]
            sides = np.full(len(which), is_gold)
            parts.append((sides, own.document[which], own.label[which], start[some], stop[some]))
    return _Pieces(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _pieces(left: _Pieces) -> Iterator[_Pieces]:
    """The remainders cut at all their ends, those of neighbouring places together, some millions at a time."""
    bounds = np.unique(np.concatenate([left.start, left.stop]))
    first, last = np.searchsorted(bounds, left.start), np.searchsorted(bounds, left.stop)
    change = np.bincount(first, minlength=len(bounds)) - np.bincount(last, minlength=len(bounds))
    sizes = np.cumsum(np.cumsum(change))
    start = 0
    while start < len(bounds) - 1:
        before = sizes[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(sizes, before + _AT_A_TIME, side="right")))
        stop = min(stop, len(bounds) - 1)
        near = np.flatnonzero((first < stop) & (last > start))
        low = np.maximum(first[near], start)
        owner, place = ranges(low, np.minimum(last[near], stop) - low)
        owner = near[owner]
        yield _Pieces(left.is_gold[owner], left.document[owner], left.label[owner], bounds[place], bounds[place + 1])
        start = stop


def _counted(pieces: _Pieces) -> list[Tally]:
    """Which of several labels is the one that stays alone is free to choose: the last."""
    cell = folded(pieces.start, pieces.label)
    _, first, place = np.unique(cell, return_index=True, return_inverse=True)
    n_gold = np.bincount(place[pieces.is_gold], minlength=len(first))
    n_system = np.bincount(place[~pieces.is_gold], minlength=len(first))
    start, document, label = pieces.start[first], pieces.document[first], pieces.label[first]
    length = pieces.stop[first] - start
    match = np.minimum(n_gold, n_system)
    golds, systems = n_gold - match, n_system - match
    begins = np.flatnonzero(np.diff(start, prepend=-1))
    n_pairs = np.minimum(np.add.reduceat(golds, begins), np.add.reduceat(systems, begins)) if len(begins) else begins
    refclash, hypclash = (_first_ones(n_pairs, left, begins) for left in (golds, systems))
    return [
        Tally.of(document, label, kind, number * length)
        for kind, number in (
            (MATCH, match),
            (REFCLASH, refclash),
            (MISSING, golds - refclash),
            (HYPCLASH, hypclash),
            (SPURIOUS, systems - hypclash),
        )
    ]


def _first_ones(number: Integers, sizes: Integers, begins: Integers) -> Integers:
    """How many of each size are among the first `number` of their piece, which `begins` there."""
    lengths = np.diff(begins, append=len(sizes))
    before = np.cumsum(sizes) - sizes
    before -= np.repeat(before[begins], lengths)
    return np.clip(np.repeat(number, lengths) - before, 0, sizes)
