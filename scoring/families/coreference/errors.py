"""Tells what went wrong with entities and mentions, after the Berkeley coreference analyser (Kummerfeld, Klein 2013).

Reduced to what needs no text: the analyser's errors of span and of type of mention are not told.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from scoring.families.coreference.measures.overlap import Cell, Overlap


class Errors(NamedTuple):
    """The errors of one kind in one document."""

    # How many errors there are.
    number: int
    # How many mentions they concern.
    mentions: int


def errors(overlap: Overlap) -> dict[str, Errors]:
    """Count the errors of each kind in one document, in the order of the table that shows them.

    In the example (see `overlap`) the system lacks e, has invented h and i, and divides both gold entities; R2, of c
    and d, has mentions of both.

    >>> found = errors(Overlap([3, 4], [2, 2, 4], [(0, 0, 2), (0, 1, 1), (1, 1, 1), (1, 2, 2)]))
    >>> {kind: tuple(own) for kind, own in found.items() if own.number}
    {'missing_mention': (1, 1), 'extra_mention': (2, 2), 'divided_entity': (2, 2), 'conflated_entities': (1, 1)}
    """
    gold = _of_side(overlap.gold_sizes, overlap.cells)
    system = _of_side(overlap.system_sizes, overlap.turned())
    return {
        "missing_entity": gold.absent_entity,
        "extra_entity": system.absent_entity,
        "missing_mention": gold.absent_mention,
        "extra_mention": system.absent_mention,
        "divided_entity": gold.split,
        "conflated_entities": system.split,
    }


class _SideErrors(NamedTuple):
    """The errors in the entities of one side, as the other side has them."""

    # Entities none of whose mentions the other side has.
    absent_entity: Errors
    # Mentions that the other side lacks, of entities that it has.
    absent_mention: Errors
    # Surplus entities of the other side among which an entity is divided, and the mentions outside the largest share.
    split: Errors


def _of_side(sizes: Sequence[int], cells: Iterable[Cell]) -> _SideErrors:
    """Count the errors in the entities of these sizes; in `cells` the own side's entity stands first."""
    # Of each entity the common mentions, and those in its largest cell.
    common, largest = [0] * len(sizes), [0] * len(sizes)
    n_cells = 0
    for k, _, n in cells:
        n_cells += 1
        common[k] += n
        if n > largest[k]:
            largest[k] = n
    absent = [size for size, n in zip(sizes, common, strict=True) if not n]
    lost = sum(sizes) - sum(absent) - sum(common)
    return _SideErrors(
        absent_entity=Errors(len(absent), sum(absent)),
        absent_mention=Errors(lost, lost),
        # Each entity that is found has one cell that is no error.
        split=Errors(n_cells - (len(sizes) - len(absent)), sum(common) - sum(largest)),
    )
