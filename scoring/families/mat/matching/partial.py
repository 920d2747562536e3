"""Pairs with credit for partial matches: the scheme of SemEval-2013 task 9, by a greedy order of our own."""

from dataclasses import dataclass, replace

import numpy as np

from scoring.families.mat.matching.corpus_spans import CorpusSpans, Flags, Integers, folded
from scoring.families.mat.matching.overlaps import PAIRS_AT_A_TIME, blocks, n_overlaps, overlap, overlapping_pairs

_Pairs = tuple[Integers, Integers]
_ROUNDS = 4
_KEPT_PAIRS = 2**18


@dataclass(frozen=True)
class PartialPairs:
    """The indices of paired spans, and what the two have in common."""

    gold: Integers
    system: Integers
    same_extent: Flags
    same_label: Flags


def partial_pairs(gold: CorpusSpans, system: CorpusSpans) -> PartialPairs:
    """One-to-one pairs of distinct spans that overlap: the best pair first, then the best of what is free.

    Best are pairs with equal label and extent, then those with equal extent, then with equal label, then
    any; among these the longest overlap, then the gold span and then the system span that comes first.
    """
    partner = np.full(len(gold), -1)
    taken = np.zeros(len(system), dtype=bool)
    for step in (_identical, _same_extent, _same_label, _longest_first):
        own, others = np.flatnonzero(partner < 0), np.flatnonzero(~taken)
        if len(own) and len(others):
            g, s = step(gold.at(own), system.at(others))
            partner[own[g]] = others[s]
            taken[others[s]] = True
    paired = np.flatnonzero(partner >= 0)
    partners = partner[paired]
    return PartialPairs(
        gold=paired,
        system=partners,
        same_extent=(gold.start[paired] == system.start[partners]) & (gold.end[paired] == system.end[partners]),
        same_label=gold.label[paired] == system.label[partners],
    )


def _identical(gold: CorpusSpans, system: CorpusSpans) -> _Pairs:
    place = np.minimum(np.searchsorted(system.key, gold.key), len(system) - 1)
    found = np.flatnonzero(system.key[place] == gold.key)
    return found, place[found]


def _same_extent(gold: CorpusSpans, system: CorpusSpans) -> _Pairs:
    """The first of the gold with the first of the system, the second with the second: no label is on both sides."""
    start = np.concatenate([gold.start, system.start])
    extent = folded(start, np.concatenate([gold.end, system.end]) - start)
    own, others = extent[: len(gold)], extent[len(gold) :]
    place = np.searchsorted(others, own) + np.arange(len(own)) - np.searchsorted(own, own)
    inside = np.minimum(place, len(others) - 1)
    found = np.flatnonzero((place == inside) & (others[inside] == own))
    return found, place[found]


def _same_label(gold: CorpusSpans, system: CorpusSpans) -> _Pairs:
    """On an axis where the labels follow each other, only spans of one label overlap."""
    length = max(int(gold.end.max()), int(system.end.max()))
    orders = [np.argsort(spans.label, kind="stable") for spans in (gold, system)]
    by_label = [_moved(spans.at(order), length) for spans, order in zip((gold, system), orders, strict=True)]
    g, s = _longest_first(*by_label)
    return orders[0][g], orders[1][s]


def _moved(spans: CorpusSpans, length: int) -> CorpusSpans:
    origin = spans.label * length
    return replace(spans, start=origin + spans.start, end=origin + spans.end)


def _longest_first(gold: CorpusSpans, system: CorpusSpans) -> _Pairs:
    if int(n_overlaps(gold, system).sum()) <= PAIRS_AT_A_TIME:
        return _settled(gold, system, *overlapping_pairs(gold, system))
    return _crowd_settled(gold, system)


def _crowd_settled(gold: CorpusSpans, system: CorpusSpans) -> _Pairs:
    """The same for more pairs than fit in memory: the longest overlaps first, then the longest of what is free."""
    free, others = np.arange(len(gold)), np.arange(len(system))
    found: list[_Pairs] = []
    while True:
        own, theirs = gold.at(free), system.at(others)
        g, s, limit = _longest(own, theirs)
        if len(g):
            pairs = _settled(own, theirs, g, s)
        elif limit:
            pairs = _settled_in_order(own, theirs, limit)
        else:
            break
        found.append((free[pairs[0]], others[pairs[1]]))
        free, others = np.delete(free, pairs[0]), np.delete(others, pairs[1])
    return np.concatenate([g for g, _ in found]), np.concatenate([s for _, s in found])


def _longest(gold: CorpusSpans, system: CorpusSpans) -> tuple[Integers, Integers, int]:
    """All pairs whose overlap is longer than a limit, which is 0 if these are all pairs."""
    limit = 0
    kept = np.empty((3, 0), dtype=np.int64)
    found: list[Integers] = []
    for rows, columns in blocks(gold, system):
        shared = overlap(gold, rows[:, np.newaxis], system, columns)
        row, column = np.nonzero(shared > limit)
        found.append(np.stack([rows[row], columns[column], shared[row, column]]))
        if sum(piece.shape[1] for piece in found) > _KEPT_PAIRS:
            kept = np.concatenate([kept, *found], axis=1)
            found = []
            if kept.shape[1] > _KEPT_PAIRS:
                limit = int(np.partition(kept[2], -_KEPT_PAIRS)[-_KEPT_PAIRS])
                kept = kept[:, kept[2] > limit]
    g, s, _ = np.concatenate([kept, *found], axis=1)
    return g, s, limit


def _settled_in_order(gold: CorpusSpans, system: CorpusSpans, length: int) -> _Pairs:
    """The longest overlap is that of too many pairs at once: they are settled as they come, by gold span."""
    free = np.ones(len(system), dtype=bool)
    pairs: list[_Pairs] = []
    for rows, columns in blocks(gold, system):
        shared = overlap(gold, rows[:, np.newaxis], system, columns)
        row, column = np.nonzero((shared == length) & free[columns])
        g, s = _settled(gold, system, rows[row], columns[column])
        free[s] = False
        pairs.append((g, s))
    return np.concatenate([g for g, _ in pairs]), np.concatenate([s for _, s in pairs])


def _settled(gold: CorpusSpans, system: CorpusSpans, g: Integers, s: Integers) -> _Pairs:
    """Which of the pairs are taken.

    A pair that comes first for both its spans is taken whatever the others are, and after a few rounds of
    that hardly any pair is left.
    """
    shared = overlap(gold, g, system, s)
    order = np.argsort(folded(folded(shared.max(initial=0) - shared, g), s))
    g, s = g[order], s[order]
    found: list[_Pairs] = []
    for _ in range(_ROUNDS):
        place = np.arange(len(g))
        first = (_first_places(g, len(gold))[g] == place) & (_first_places(s, len(system))[s] == place)
        found.append((g[first], s[first]))
        left = ~(_among(g, g[first], len(gold)) | _among(s, s[first], len(system)))
        g, s = g[left], s[left]
    found.append(_settled_one_by_one(g, s))
    return np.concatenate([g for g, _ in found]), np.concatenate([s for _, s in found])


def _first_places(values: Integers, beyond: int) -> Integers:
    places = np.zeros(beyond, dtype=np.int64)
    # The last assignment stays: backwards, that is the first place.
    places[values[::-1]] = np.arange(len(values))[::-1]
    return places


def _among(values: Integers, some: Integers, beyond: int) -> Flags:
    is_some = np.zeros(beyond, dtype=bool)
    is_some[some] = True
    return is_some[values]


def _settled_one_by_one(g: Integers, s: Integers) -> _Pairs:
    partners: dict[int, int] = {}
    taken: set[int] = set()
    for own, other in zip(g.tolist(), s.tolist(), strict=True):
        if own not in partners and other not in taken:
            partners[own] = other
            taken.add(other)
    return np.array(list(partners), dtype=np.int64), np.array(list(partners.values()), dtype=np.int64)
