"""What went wrong with entities and mentions, after the Berkeley coreference analyser (Kummerfeld and Klein 2013).

Simplified to what needs no text.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from scoring.families.coreference.overlap import Cell, Overlap


class Errors(NamedTuple):
    """Errors of one kind, and the mentions that they are about."""

    number: int
    mentions: int


def errors(overlap: Overlap) -> dict[str, Errors]:
    """Errors of each kind in one document."""
    gold, system = _of_side(overlap.gold, overlap.cells), _of_side(overlap.system, overlap.turned())
    return {
        "missing_entity": gold.absent_entity,
        "extra_entity": system.absent_entity,
        "missing_mention": gold.absent_mention,
        "extra_mention": system.absent_mention,
        "divided_entity": gold.split,
        "conflated_entities": system.split,
    }


class _Side(NamedTuple):
    absent_entity: Errors
    absent_mention: Errors
    split: Errors


def _of_side(sizes: Sequence[int], cells: Iterable[Cell]) -> _Side:
    """Entities that are absent from the other side, in it without some mentions, or in several of its."""
    found, largest = [0] * len(sizes), [0] * len(sizes)
    n_cells = 0
    for k, _, n in cells:
        n_cells += 1
        found[k] += n
        if n > largest[k]:
            largest[k] = n
    absent = [size for size, own in zip(sizes, found, strict=True) if not own]
    lost = sum(sizes) - sum(absent) - sum(found)
    return _Side(
        absent_entity=Errors(len(absent), sum(absent)),
        absent_mention=Errors(lost, lost),
        split=Errors(n_cells - (len(sizes) - len(absent)), sum(found) - sum(largest)),
    )
