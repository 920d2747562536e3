"""Counts by token of pairing 2.x: the tokens of pairs, and those of what the pairs leave over.

The tokens that the two spans of a pair share count for the pair: a match for equal labels, else a refclash for the
gold's label and a hypclash for the system's. What a pair does not share, before and behind, and all of a span
without a partner are *remainders*. These are cut at all their ends into *pieces*, in which each remainder covers all
tokens or none, and paired one-to-one in each piece, equal labels first:

    gold      |----- A -----|--- A left over ---|            words 0 to 3: match for A (the pair)
    system    |----- A -----|         |- B left over -|      words 4, 5: missing A;  6, 7: refclash A, hypclash B;
    word       0   1   2   3 | 4   5  | 6   7 | 8   9        words 8, 9: spurious B

Whatever is left in a piece is missing or spurious. Other than in pairing 1.2, a token counts once for each span, so
duplicates and nested spans of one label count again.
The same in plain Python: `count_assigned_tokens` in tests/scoring/plain/mat.py.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from scoring.columns import Flags, Integers, coded, owners, pieces, ranges, starts_run
from scoring.families.mat.matching.tally import Tally
from scoring.families.mat.matching.tokens import Covered
from scoring.families.mat.scores import HYPCLASH, MATCH, MISSING, REFCLASH, SPURIOUS

# Nested remainders make far more pieces than there are spans; so many are held at a time, about 200 MB.
_AT_A_TIME = 2**22


@dataclass(frozen=True)
class _Remainders:
    """n ranges [start, stop) of tokens, not empty, that no pair shares; or pieces of them."""

    is_gold: Flags  # (n,) whose span it belongs to
    document: Integers  # (n,) index of the document
    label: Integers  # (n,) label of that span
    start: Integers  # (n,) number of tokens in the corpus before the first one
    stop: Integers  # (n,) number of tokens in the corpus up to the last one


def paired_token_counts(gold: Covered, system: Covered, g: Integers, s: Integers) -> Tally:
    """Count by token; `g` and `s` (p,) are the indices of the paired spans.

    The example of the head of this module, with A and B as the labels 0 and 1; the spans A are a pair:

    >>> def cover(*ranges):
    ...     label, start, stop = np.array(ranges).T
    ...     return Covered(np.zeros_like(label), label, start, stop, np.ones_like(label, bool))
    >>> tally = paired_token_counts(cover((0, 0, 8)), cover((0, 0, 4), (1, 6, 10)), np.array([0]), np.array([0]))
    >>> tally.by_label(2)
    array([[4, 2, 2, 0, 0],
           [0, 0, 0, 2, 2]])
    """
    # What the spans of each pair share (p,); none if they touch only where no token lies.
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
    remainders = _remainders(gold, system, g, s)
    return Tally.joined([*shared, *(tally for part in _cut(remainders) for tally in _counted(part))])


def _remainders(gold: Covered, system: Covered, g: Integers, s: Integers) -> _Remainders:
    """Return what pairs do not share, before and behind, and all of the spans without a partner."""
    parts = []
    for is_gold, spans, index, other, partner in ((True, gold, g, system, s), (False, system, s, gold, g)):
        is_alone = np.ones(len(spans.start), dtype=bool)
        is_alone[index] = False
        before = np.minimum(spans.stop[index], other.start[partner])
        behind = np.maximum(spans.start[index], other.stop[partner])
        for which, start, stop in (
            (np.flatnonzero(is_alone), spans.start[is_alone], spans.stop[is_alone]),
            (index, spans.start[index], before),
            (index, behind, spans.stop[index]),
        ):
            has_tokens = start < stop
            which = which[has_tokens]
            sides = np.full(len(which), is_gold)
            parts.append((sides, spans.document[which], spans.label[which], start[has_tokens], stop[has_tokens]))
    return _Remainders(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _cut(remainders: _Remainders) -> Iterator[_Remainders]:
    """Cut the remainders at all their ends; the pieces of one stretch stand in one part, some millions in each.

    A remainder that reaches over k ends of others becomes k + 1 pieces.
    """
    # All ends, ascending; piece i lies between the ends i and i + 1, and a remainder holds the pieces [first, last).
    ends = np.unique(np.concatenate([remainders.start, remainders.stop]))
    first, last = np.searchsorted(ends, remainders.start), np.searchsorted(ends, remainders.stop)
    # How many remainders begin at each end less those that stop there, and summed up how many hold each piece.
    change = np.bincount(first, minlength=len(ends)) - np.bincount(last, minlength=len(ends))
    for part in pieces(np.cumsum(change)[:-1], _AT_A_TIME):
        inside = np.flatnonzero((first < part.stop) & (last > part.start))
        low = np.maximum(first[inside], part.start)
        sizes = np.minimum(last[inside], part.stop) - low
        owner, piece = inside[owners(sizes)], ranges(low, sizes)
        yield _Remainders(
            is_gold=remainders.is_gold[owner],
            document=remainders.document[owner],
            label=remainders.label[owner],
            start=ends[piece],
            stop=ends[piece + 1],
        )


def _counted(cut: _Remainders) -> list[Tally]:
    """Count the tokens of remainders that are cut, paired one-to-one in each piece.

    Of several labels that could stay alone in a piece, the rule leaves open which one does; here it is the last.
    """
    # One cell for each label in each piece, sorted by piece, then label; how many remainders of either side it has.
    _, first, cell = np.unique(coded(cut.start, cut.label), return_index=True, return_inverse=True)
    n_gold = np.bincount(cell[cut.is_gold], minlength=len(first))
    n_system = np.bincount(cell[~cut.is_gold], minlength=len(first))
    start, document, label = cut.start[first], cut.document[first], cut.label[first]
    n_tokens = cut.stop[first] - start
    # Equal labels first: then only one side of a cell is left.
    match = np.minimum(n_gold, n_system)
    left_gold, left_system = n_gold - match, n_system - match
    # Then any with any, as many as both sides have in the piece; `begins` is where the cells of each piece begin.
    begins = np.flatnonzero(starts_run(start))
    n_pairs = np.minimum(_sums(left_gold, begins), _sums(left_system, begins))
    refclash, hypclash = (_first_ones(n_pairs, left, begins) for left in (left_gold, left_system))
    return [
        Tally.of(document, label, kind, number * n_tokens)
        for kind, number in (
            (MATCH, match),
            (REFCLASH, refclash),
            (MISSING, left_gold - refclash),
            (HYPCLASH, hypclash),
            (SPURIOUS, left_system - hypclash),
        )
    ]


def _sums(values: Integers, begins: Integers) -> Integers:
    """Sum each range of values; `begins` is where the ranges begin, and reduceat wants one at least."""
    sums: Integers = np.add.reduceat(values, begins) if len(begins) else begins
    return sums


def _first_ones(number: Integers, sizes: Integers, begins: Integers) -> Integers:
    """Return how many of each size belong to the first `number` of their range; `begins` is where the ranges begin.

    >>> _first_ones(np.array([3, 1]), np.array([2, 2, 2, 5]), np.array([0, 3]))
    array([2, 1, 0, 1])
    """
    lengths = np.diff(begins, append=len(sizes))
    n_before = np.cumsum(sizes) - sizes
    n_before -= np.repeat(n_before[begins], lengths)
    return np.clip(np.repeat(number, lengths) - n_before, 0, sizes)
