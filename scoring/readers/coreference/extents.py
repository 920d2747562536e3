"""Finds where mentions of CorefUD lie, for matching that asks for less than the same words on both sides.

Words and empty nodes are both nodes. The nodes of gold and system are compared by where they stand, because one side
may have empty nodes that the other lacks.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

# Indices among the nodes of a document: the first one, and that behind the last one.
NodeRange = tuple[int, int]


class Node(NamedTuple):
    """Holds where a word or an empty node stands; nodes sort as in the text."""

    # From 1.
    sentence: int
    # The number of words of the sentence up to here.
    word: int
    # The number of the empty node behind the word, from 1; 0 for the word itself.
    empty: int

    @property
    def is_empty(self) -> bool:
        return self.empty > 0


class Dependency(NamedTuple):
    """An edge of the enhanced graph, as the column DEPS writes it."""

    # The ID of the parent.
    parent: str
    relation: str


@dataclass(frozen=True)
class Extent:
    """The nodes of one mention."""

    # In the order of the text; no two touch.
    ranges: tuple[NodeRange, ...]
    # The index of the node that heads the mention.
    head: int
    # Of a head that is an empty node, else none.
    dependencies: frozenset[Dependency]


def next_node(last: Node | None, sentence: int, word: int, id_: str) -> Node:
    """Return the node behind the `last` one; `word` counts it if it is a word.

    The ID is looked at for empty nodes only.

    >>> next_node(Node(1, 3, 0), 1, 3, "3.2"), next_node(None, 1, 1, "1")
    (Node(sentence=1, word=3, empty=2), Node(sentence=1, word=1, empty=0))
    """
    if "." not in id_:
        return Node(sentence, word, 0)
    # Nodes have to ascend, whatever the file calls them.
    before = last.empty if last and last[:2] == (sentence, word) else 0
    digits = id_.partition(".")[2]
    number = int(digits[:9]) if digits.isascii() and digits.isdigit() else 0
    return Node(sentence, word, max(number, before + 1))


def merged(parts: Iterable[NodeRange]) -> tuple[NodeRange, ...]:
    """Return the parts in the order of the text, those that touch or overlap as one.

    >>> merged([(4, 5), (0, 2), (2, 3)])
    ((0, 3), (4, 5))
    """
    ranges: list[NodeRange] = []
    for start, end in sorted(parts):
        if ranges and start <= ranges[-1][1]:
            ranges[-1] = (ranges[-1][0], max(ranges[-1][1], end))
        else:
            ranges.append((start, end))
    return tuple(ranges)


def head_of(ranges: tuple[NodeRange, ...], head: str) -> int | None:
    """Return the node of the head, whose number in the mention is given, from 1; None if there is none.

    Without any number it is the first node, as in the CorefUD scorer.

    >>> head_of(((0, 2), (5, 7)), "3"), head_of(((0, 2),), ""), head_of(((0, 2),), "3")
    (5, 0, None)
    """
    if not head:
        return ranges[0][0]
    # At most nine digits, so that the number stays small.
    if not (head.isascii() and head.isdigit() and len(head) <= 9):
        return None
    left = int(head) - 1
    for start, end in ranges:
        if 0 <= left < end - start:
            return start + left
        left -= end - start
    return None


def dependencies_of(column: str | None) -> frozenset[Dependency]:
    """Return what the column DEPS holds; None, or "_", is nothing.

    >>> sorted(dependencies_of("2:nsubj|4:conj:and"))
    [Dependency(parent='2', relation='nsubj'), Dependency(parent='4', relation='conj:and')]
    """
    if column is None or column == "_":
        return frozenset()
    edges = (edge.partition(":") for edge in column.split("|"))
    return frozenset(Dependency(parent, relation) for parent, _, relation in edges)
