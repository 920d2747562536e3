"""Pairs with credit for partial matches, as in task 9 of SemEval-2013 (strict, exact, partial and type).

The pairs are made greedily by an order of our own: all pairs of distinct spans that overlap, the best first, and a
pair is taken if both of its spans are free. The best are, in this order,

    1. same label and same extent    2. same extent    3. same label    4. any other pair that overlaps

and among 3 and 4 the longest overlap, then the first gold span, then the first system span, each by start, end and
label. They are the same with either `pairing`, and make the tables `partial` and `confusion`. nervaluate counts by
the same scheme but pairs in another order, so its numbers may differ where a span overlaps several.

The four steps are done one after the other on all documents at once. Steps 3 and 4 sort the overlapping pairs, or if
these are too many to be listed, repeatedly the longest of them.
The same in plain Python: `count_partial` in tests/scoring/plain/mat.py.
"""

from dataclasses import dataclass, replace

import numpy as np

from scoring.columns import Flags, Integers, coded, coded_together
from scoring.families.mat.matching.corpus_spans import CorpusSpans, same_shape
from scoring.families.mat.matching.overlaps import (
    PAIRS_AT_A_TIME,
    blocks,
    n_overlaps,
    overlap_lengths,
    overlapping_pairs,
)

_Pairs = tuple[Integers, Integers]

# After so many rounds in which all pairs that must be taken are taken at once, hardly any pair is left for the loop.
_ROUNDS = 4
# Of too many pairs, so many of the longest are sorted at a time.
_KEPT_PAIRS = 2**18


@dataclass(frozen=True)
class PartialPairs:
    """p pairs of spans, each span in one pair at most."""

    gold: Integers  # (p,) index of the gold span, ascending
    system: Integers  # (p,) index of the system span
    same_extent: Flags  # (p,) whether both have the same start, end and parts
    same_label: Flags  # (p,) whether both have the same label


def partial_pairs(gold: CorpusSpans, system: CorpusSpans) -> PartialPairs:
    """Return the greedy pairs of distinct spans, best first.

    In the example the system's [0, 4) has the label of the gold's [0, 10); that goes before the longer overlap of
    [3, 10), which is left without a partner.

    >>> from scoring.families.mat.matching.corpus_spans import sorted_spans
    >>> gold, system = sorted_spans(
    ...     np.array([(0, 0, 0, 10), (0, 1, 20, 25)]).T,
    ...     np.array([(0, 0, 0, 4), (0, 1, 3, 10), (0, 0, 20, 25)]).T,
    ... )
    >>> pairs = partial_pairs(gold, system)
    >>> list(zip(pairs.gold.tolist(), pairs.system.tolist(), pairs.same_extent.tolist(), pairs.same_label.tolist()))
    [(0, 0, False, True), (1, 2, True, False)]
    """
    # The partner of each gold span, -1 for none; and whether each system span has one.
    partner = np.full(len(gold), -1)
    is_taken = np.zeros(len(system), dtype=bool)
    for pairs_of_step in (_identical, _same_extent, _same_label, _longest_first):
        free_golds, others = np.flatnonzero(partner < 0), np.flatnonzero(~is_taken)
        if len(free_golds) and len(others):
            g, s = pairs_of_step(gold.at(free_golds), system.at(others))
            partner[free_golds[g]] = others[s]
            is_taken[others[s]] = True
    paired = np.flatnonzero(partner >= 0)
    partners = partner[paired]
    return PartialPairs(
        gold=paired,
        system=partners,
        same_extent=(gold.start[paired] == system.start[partners])
        & (gold.end[paired] == system.end[partners])
        & same_shape(gold, paired, system, partners),
        same_label=gold.label[paired] == system.label[partners],
    )


def _identical(gold: CorpusSpans, system: CorpusSpans) -> _Pairs:
    """Return pairs of the same label and extent; on either side each key is there once, in ascending order."""
    rank = np.minimum(np.searchsorted(system.key, gold.key), len(system) - 1)
    g = np.flatnonzero(system.key[rank] == gold.key)
    return g, rank[g]


def _same_extent(gold: CorpusSpans, system: CorpusSpans) -> _Pairs:
    """Pair in each extent the first free span of the gold with the first of the system, the second with the second.

    That is the greedy order, because no label is on both sides any more: identical spans have been paired.
    """
    if gold.shape is None or system.shape is None:
        return _by_rank(*coded_together((gold.start, gold.end - gold.start), (system.start, system.end - system.start)))
    codes, others = coded_together(
        (gold.start, gold.end - gold.start, gold.shape), (system.start, system.end - system.start, system.shape)
    )
    # In the order of the spans labels come before parts.
    own_order, others_order = np.argsort(codes, kind="stable"), np.argsort(others, kind="stable")
    g, s = _by_rank(codes[own_order], others[others_order])
    return own_order[g], others_order[s]


def _by_rank(numbers: Integers, others: Integers) -> _Pairs:
    """Pair the k-th of each number (n,) with the k-th of the same number (m,); both ascend."""
    candidate = np.searchsorted(others, numbers) + np.arange(len(numbers)) - np.searchsorted(numbers, numbers)
    inside = np.minimum(candidate, len(others) - 1)
    g = np.flatnonzero((candidate == inside) & (others[inside] == numbers))
    return g, candidate[g]


def _same_label(gold: CorpusSpans, system: CorpusSpans) -> _Pairs:
    """Pair spans of the same label, longest overlap first: moved apart label by label, only those overlap."""
    length = max(int(gold.end.max()), int(system.end.max()))
    orders = [np.argsort(spans.label, kind="stable") for spans in (gold, system)]
    by_label = [_moved(spans.at(order), length) for spans, order in zip((gold, system), orders, strict=True)]
    g, s = _longest_first(*by_label)
    return orders[0][g], orders[1][s]


def _moved(spans: CorpusSpans, length: int) -> CorpusSpans:
    """Move the spans to an axis on which all of label 0 come first, then those of label 1; they are sorted by label."""
    origin = spans.label * length
    return replace(spans, start=origin + spans.start, end=origin + spans.end)


def _longest_first(gold: CorpusSpans, system: CorpusSpans) -> _Pairs:
    """Pair greedily by the length of the overlap, then by the order of the gold, then by that of the system."""
    if int(n_overlaps(gold, system).sum()) <= PAIRS_AT_A_TIME:
        return _greedy(gold, system, *overlapping_pairs(gold, system))
    return _longest_first_of_many(gold, system)


def _longest_first_of_many(gold: CorpusSpans, system: CorpusSpans) -> _Pairs:
    """Pair as `_longest_first` where pairs do not fit into memory: the longest, then the longest of what is free.

    Each round pairs at least one span, as its longest overlap is that of two free spans.
    """
    free_gold, free_system = np.arange(len(gold)), np.arange(len(system))
    taken: list[_Pairs] = []
    while True:
        golds, others = gold.at(free_gold), system.at(free_system)
        g, s, limit = _longest(golds, others)
        if len(g):
            pairs = _greedy(golds, others, g, s)
        elif limit:
            pairs = _greedy_of_one_length(golds, others, limit)
        else:
            break
        taken.append((free_gold[pairs[0]], free_system[pairs[1]]))
        free_gold, free_system = np.delete(free_gold, pairs[0]), np.delete(free_system, pairs[1])
    return _concatenated(taken)


def _longest(gold: CorpusSpans, system: CorpusSpans) -> tuple[Integers, Integers, int]:
    """Return all pairs whose overlap is longer than a limit, and this limit in characters; 0 if these are all pairs.

    If more than `_KEPT_PAIRS` are longest of all, there is no pair above the limit, which is their length then.
    """
    limit = 0
    # Columns of kept pairs: index of the gold span, of the system span, length of the overlap: (3, pairs).
    kept = np.empty((3, 0), dtype=np.int64)
    new: list[Integers] = []
    for rows, columns in blocks(gold, system):
        shared = overlap_lengths(gold, rows[:, np.newaxis], system, columns)
        row, column = np.nonzero(shared > limit)
        new.append(np.stack([rows[row], columns[column], shared[row, column]]))
        if sum(pairs.shape[1] for pairs in new) > _KEPT_PAIRS:
            kept = np.concatenate([kept, *new], axis=1)
            new = []
            if kept.shape[1] > _KEPT_PAIRS:
                # The limit is the length of the last pair that may stay. All pairs of that length go, because
                # keeping some of them would break the order among equals.
                limit = int(np.partition(kept[2], -_KEPT_PAIRS)[-_KEPT_PAIRS])
                kept = kept[:, kept[2] > limit]
    g, s, _ = np.concatenate([kept, *new], axis=1)
    return g, s, limit


def _greedy_of_one_length(gold: CorpusSpans, system: CorpusSpans, length: int) -> _Pairs:
    """Return the greedy pairs whose overlap has this length, if none is longer and too many are as long.

    Among equally long overlaps the order is that of the gold spans, in which the blocks come.
    """
    is_free = np.ones(len(system), dtype=bool)
    taken: list[_Pairs] = []
    for rows, columns in blocks(gold, system):
        shared = overlap_lengths(gold, rows[:, np.newaxis], system, columns)
        row, column = np.nonzero((shared == length) & is_free[columns])
        g, s = _greedy(gold, system, rows[row], columns[column])
        is_free[s] = False
        taken.append((g, s))
    return _concatenated(taken)


def _greedy(gold: CorpusSpans, system: CorpusSpans, g: Integers, s: Integers) -> _Pairs:
    """Return which of p pairs, given by their indices (p,) in any order, the greedy order takes.

    A pair that stands first among the pairs of either of its spans is taken whatever becomes of the others. So all
    such pairs are taken at once, the pairs of their spans are dropped, and after a few rounds hardly any are left.
    """
    shared = overlap_lengths(gold, g, system, s)
    # The longest overlap first: what a pair's overlap lacks of the longest one ascends.
    order = np.argsort(coded(shared.max(initial=0) - shared, g, s))
    g, s = g[order], s[order]
    taken: list[_Pairs] = []
    for _ in range(_ROUNDS):
        rank = np.arange(len(g))
        is_first = (_first_ranks(g, len(gold))[g] == rank) & (_first_ranks(s, len(system))[s] == rank)
        taken.append((g[is_first], s[is_first]))
        is_left = ~(_is_among(g, g[is_first], len(gold)) | _is_among(s, s[is_first], len(system)))
        g, s = g[is_left], s[is_left]
    taken.append(_greedy_one_by_one(g, s))
    return _concatenated(taken)


def _first_ranks(values: Integers, beyond: int) -> Integers:
    """Return where each number below `beyond` stands first among the values; 0 for numbers that are not there."""
    ranks = np.zeros(beyond, dtype=np.int64)
    # Of several assignments to one cell the last one stays: going backwards, that is the first rank.
    ranks[values[::-1]] = np.arange(len(values))[::-1]
    return ranks


def _is_among(values: Integers, some: Integers, beyond: int) -> Flags:
    """Return whether each value, all of them below `beyond`, is one of `some`."""
    is_some = np.zeros(beyond, dtype=bool)
    is_some[some] = True
    return is_some[values]


def _greedy_one_by_one(g: Integers, s: Integers) -> _Pairs:
    """Apply the rule itself: of sorted pairs, take those whose two spans are free."""
    partners: dict[int, int] = {}
    taken: set[int] = set()
    for one, other in zip(g.tolist(), s.tolist(), strict=True):
        if one not in partners and other not in taken:
            partners[one] = other
            taken.add(other)
    return np.array(list(partners), dtype=np.int64), np.array(list(partners.values()), dtype=np.int64)


def _concatenated(pairs: list[_Pairs]) -> _Pairs:
    return np.concatenate([g for g, _ in pairs]), np.concatenate([s for _, s in pairs])
