"""Finds which mentions of the system are mentions of the gold: those of the same words, or of CorefUD less than that.

CorefUD's scorer, by which the shared tasks of CRAC rank, matches mentions one to one in these steps. Each takes what
the steps before have left over:

1. With zeros `dependent`, mentions whose heads are empty nodes, by what these depend on. Of one sentence those pairs
   are taken whose sum is the greatest of 10 F1(dependencies with their relations) + F1(parents).
2. Equal mentions: the same words; with match `head` their heads too.
3. With match `head`, mentions of the same head; with match `partial`, a mention of the system all of whose words are
   among those of the gold's, its head included. The pairs are taken whose sum of shared words / words of the gold's
   mention is the greatest.

Afterwards the system's mentions bear the names of those of the gold that they match, and all metrics compare names.

    gold   the old man in the house (head 3)     system   old man (head 2), the house (head 2), house
    `head`: "old man" matches, "man" being the head of both; so does `partial`. "the house" has no partner.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from heapq import nsmallest
from itertools import accumulate
from typing import Any

import numpy as np

from scoring.families.coreference.measures.assignment import best_pairs
from scoring.readers.coreference.documents import Document, Mention
from scoring.readers.coreference.extents import Dependency, Extent, Node, NodeRange
from scoring.readers.coreference.sides import is_exact

# How much more dependencies with their relations weigh than parents alone, in the CorefUD scorer.
_WITH_RELATION = 10

Pair = tuple[Document, Document | None]


def matched(pairs: Iterable[Pair], options: Mapping[str, Any]) -> list[Pair]:
    """Pair the documents of gold and system, the system's with the gold's names for the mentions that match."""
    if is_exact(options):
        return list(pairs)
    return [(gold, system and _renamed(gold, system, options)) for gold, system in pairs]


@dataclass(frozen=True)
class _Placed:
    """A mention among the nodes that both sides have."""

    mention: Mention
    # First and last node and the number of nodes, all by place: the order in which equally good pairs are taken.
    order: tuple[Node, Node, int]
    # In indices of the nodes that both sides have.
    ranges: tuple[NodeRange, ...]
    # Nodes, also those that the other side lacks.
    size: int
    head: Node
    # The index of the head among the nodes that both sides have; None if the other side lacks it.
    shared_head: int | None
    dependencies: frozenset[Dependency]

    @property
    def is_zero(self) -> bool:
        """Return whether an empty node heads it."""
        return self.head.is_empty


# (gold's, system's) to what the pair is worth, 0 if they do not match.
_Worth = Callable[[_Placed, _Placed], float]


def _renamed(gold: Document, system: Document, options: Mapping[str, Any]) -> Document:
    """Return the system's document, in which mentions that match have the gold's names, and no others do."""
    names = _matches(gold, system, options)
    # A name of the gold's may be free, or belong to a mention that another one matches.
    new = {mention: names.get(mention, ("unmatched", mention)) for mention in system.entity_of}
    return replace(
        system,
        entities=[[new[mention] for mention in mentions] for mentions in system.entities],
        entity_of={new[mention]: k for mention, k in system.entity_of.items()},
        word_ranges={new[mention]: ranges for mention, ranges in system.word_ranges.items() if mention in new},
    )


def _matches(gold: Document, system: Document, options: Mapping[str, Any]) -> dict[Mention, Mention]:
    """Match the mentions of a document: {system's mention: gold's mention}."""
    shared = set(gold.nodes) & set(system.nodes)
    left = _placed(gold, shared), _placed(system, shared)
    matches: dict[Mention, Mention] = {}
    if options["zeros"] == "dependent":
        gold_zeros, system_zeros = ([one for one in side if one.is_zero] for side in left)
        matches |= _best(_groups(gold_zeros, system_zeros, lambda one: one.head.sentence), _dependency_worth)
        left = _left(matches, *left)
    matches |= _equal(*left, with_heads=options["match"] == "head")
    left = _left(matches, *left)
    if options["match"] == "head":
        matches |= _best(_groups(*left, lambda one: one.head), _share)
    elif options["match"] == "partial":
        matches |= _best(_inside(*left), _share)
    return matches


def _placed(document: Document, shared: set[Node]) -> list[_Placed]:
    """Return the mentions of a document in the order of the text."""
    nodes = document.nodes
    # Entry i is the number of shared nodes before node i.
    before = list(accumulate((node in shared for node in nodes), initial=0))

    def place(mention: Mention, extent: Extent) -> _Placed:
        size = sum(end - start for start, end in extent.ranges)
        return _Placed(
            mention=mention,
            order=(nodes[extent.ranges[0][0]], nodes[extent.ranges[-1][1] - 1], size),
            ranges=tuple((before[start], before[end]) for start, end in extent.ranges),
            size=size,
            head=nodes[extent.head],
            shared_head=before[extent.head] if nodes[extent.head] in shared else None,
            dependencies=extent.dependencies,
        )

    mentions = (place(mention, document.extents[mention]) for mention in document.entity_of)
    return sorted(mentions, key=lambda one: one.order)


def _left(
    matches: dict[Mention, Mention], gold: list[_Placed], system: list[_Placed]
) -> tuple[list[_Placed], list[_Placed]]:
    """Return the mentions of both sides that have no partner yet."""
    taken = set(matches.values())
    return [one for one in gold if one.mention not in taken], [one for one in system if one.mention not in matches]


def _equal(gold: list[_Placed], system: list[_Placed], *, with_heads: bool) -> dict[Mention, Mention]:
    """Return the mentions of the same words; with_heads only those of the same head."""
    heads = {one.mention: one.head for one in gold}
    return {
        one.mention: one.mention
        for one in system
        if one.mention in heads and (not with_heads or one.head == heads[one.mention])
    }


# A mention of the gold with those of the system that may match it, in the order of the text.
_Candidates = tuple[_Placed, list[_Placed]]


def _groups(gold: list[_Placed], system: list[_Placed], key: Callable[[_Placed], object]) -> Iterator[_Candidates]:
    """Yield candidates of the same key."""
    by_key: dict[object, list[_Placed]] = defaultdict(list)
    for one in system:
        by_key[key(one)].append(one)
    return ((one, by_key[key(one)]) for one in gold if key(one) in by_key)


def _best(candidates: Iterable[_Candidates], worth: _Worth) -> dict[Mention, Mention]:
    """Return the one-to-one pairs whose sum is the greatest: {system's mention: gold's mention}.

    Of several best choices it is the one with mentions that begin, then end earlier.
    """
    rows = list(candidates)
    index_of: dict[Mention, int] = {}
    system: list[_Placed] = []
    edges: list[tuple[int, int, float]] = []
    for row, (one, others) in enumerate(rows):
        weighed = [(-worth(one, other), column, other) for column, other in enumerate(others)]
        # No mention needs more partners to choose from than there are mentions: each other one takes one at most.
        for negative, _, other in nsmallest(
            len(rows), (pair for pair in weighed if pair[0]), key=lambda pair: pair[:2]
        ):
            if other.mention not in index_of:
                index_of[other.mention] = len(system)
                system.append(other)
            edges.append((row, index_of[other.mention], -negative))
    return {system[column].mention: rows[row][0].mention for row, column in best_pairs(edges)}


def _inside(gold: list[_Placed], system: list[_Placed]) -> Iterator[_Candidates]:
    """Yield candidates that lie inside the gold's mention and hold its head."""
    # Ascending, as the mentions are in the order of the text.
    starts = np.array([one.ranges[0][0] for one in system], dtype=np.int64)
    ends = np.array([one.ranges[-1][1] for one in system], dtype=np.int64)
    for one in gold:
        if one.shared_head is None:
            continue
        first, last = np.searchsorted(starts, [one.ranges[0][0], one.shared_head + 1]).tolist()
        reaching = (ends[first:last] > one.shared_head) & (ends[first:last] <= one.ranges[-1][1])
        candidates = [system[k] for k in (first + np.flatnonzero(reaching)).tolist()]
        yield one, [other for other in candidates if _is_inside(other, one, one.shared_head)]


def _is_inside(part: _Placed, whole: _Placed, head: int) -> bool:
    has_head = any(start <= head < end for start, end in part.ranges)
    return has_head and _common(whole.ranges, part.ranges) == part.size


def _share(gold: _Placed, system: _Placed) -> float:
    return _common(gold.ranges, system.ranges) / gold.size


def _common(one: tuple[NodeRange, ...], other: tuple[NodeRange, ...]) -> int:
    """Count the nodes that are in both.

    >>> _common(((0, 3), (5, 9)), ((2, 6),))
    2
    """
    number = i = j = 0
    while i < len(one) and j < len(other):
        number += max(0, min(one[i][1], other[j][1]) - max(one[i][0], other[j][0]))
        # The range that ends first meets nothing further on.
        if one[i][1] < other[j][1]:
            i += 1
        else:
            j += 1
    return number


def _dependency_worth(gold: _Placed, system: _Placed) -> float:
    parents = [frozenset(edge.parent for edge in one.dependencies) for one in (gold, system)]
    return _WITH_RELATION * _f1(gold.dependencies, system.dependencies) + _f1(*parents)


def _f1(gold: frozenset[Any], system: frozenset[Any]) -> float:
    """Return the similarity of two sets, 0 if both are empty."""
    return 2 * len(gold & system) / max(1, len(gold) + len(system))
