"""What went wrong with entities and mentions, after the Berkeley coreference analyser (Kummerfeld and Klein 2013).

Simplified to what needs no text.
"""

from typing import NamedTuple

from scoring.families.coreference.overlap import Overlap


class Errors(NamedTuple):
    """Errors of one kind, and the mentions that they are about."""

    number: int
    mentions: int


def errors(overlap: Overlap) -> dict[str, Errors]:
    """Errors of each kind in one document."""
    gold, system = _of_side(overlap), _of_side(overlap.turned())
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


def _of_side(overlap: Overlap) -> _Side:
    """The entities of the first side: absent from the other, in it without some mentions, or in several of its."""
    cells: list[list[int]] = [[] for _ in overlap.gold]
    for k, _, n in overlap.cells:
        cells[k].append(n)
    met = [(size, own) for size, own in zip(overlap.gold, cells, strict=True) if own]
    absent = [size for size, own in zip(overlap.gold, cells, strict=True) if not own]
    lost = sum(size - sum(own) for size, own in met)
    return _Side(
        absent_entity=Errors(len(absent), sum(absent)),
        absent_mention=Errors(lost, lost),
        split=Errors(sum(len(own) - 1 for _, own in met), sum(sum(own) - max(own) for _, own in met)),
    )
