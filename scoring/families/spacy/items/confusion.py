"""Item `confusion` (an extension): which types of entities are taken for which, as a table without scores."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from scoring.columns import Array, Integers
from scoring.families.spacy.items.entities import Entity, entities, entity_lists, row_names
from scoring.families.spacy.items.item_counts import ItemCounts
from scoring.families.spacy.items.prf_counts import Scores, last_if_not_in_gold
from scoring.families.spacy.score_config import Item
from scoring.families.spacy.sides import Sides
from scoring.family import Table

# In the table, the other side's type of an entity that has none of the same boundaries there.
_NONE = ""


def confusion(sides: Sides, item: Item) -> ItemCounts:
    """Count nothing at all: (documents, 0)."""
    return ItemCounts(np.zeros((len(sides), 0), dtype=np.int64), {}, {"ents_confusion": partial(_table, sides)})


def confusion_scores(counts: Array, item: Item) -> Scores:
    return {}


def _table(sides: Sides, gold_labels_only: bool) -> Table:
    """Make a row for each pair of types that occurs, sorted by them."""
    counts: Counter[tuple[str, str]] = Counter()
    documents = list(entity_lists(sides, entities(sides)))
    called = row_names(sides, documents) if gold_labels_only else sides.names
    for _, gold, system in documents:
        counts.update(_pairs(gold, system, called))
    ordered = sorted(counts.items(), key=lambda cell: [last_if_not_in_gold(name) for name in cell[0]])
    place = {cell: number for number, (cell, _) in enumerate(ordered)}

    def placed() -> tuple[Integers, Integers]:
        items = [(k, place[pair]) for k, gold, system in documents for pair in _pairs(gold, system, called)]
        document, record = np.array(items, dtype=np.int64).reshape(-1, 2).T
        return document, record

    return Table([{"gold": label, "system": other, "count": n} for (label, other), n in ordered], placed=placed)


def _pairs(
    gold: Sequence[Entity], system: Sequence[Entity], names: Sequence[str] | Mapping[int, str]
) -> list[tuple[str, str]]:
    """Return the types of each pair in one document; most documents are the same on both sides."""
    return [(names[label], names[label]) for _, _, label in gold] if gold == system else _paired(gold, system, names)


def _paired(
    gold: Sequence[Entity], system: Sequence[Entity], names: Sequence[str] | Mapping[int, str]
) -> list[tuple[str, str]]:
    """Pair gold and system, and return their types: first equal entities, then those with the same boundaries.

    >>> _paired([(0, 2, 0), (4, 5, 1)], [(0, 2, 1), (6, 7, 0)], ["LOC", "PER"])
    [('LOC', 'PER'), ('PER', ''), ('', 'LOC')]
    """
    unpaired = Counter(system)
    pairs: list[tuple[str, str]] = []
    rest: list[Entity] = []
    for entity in gold:
        if unpaired[entity] > 0:
            unpaired[entity] -= 1
            pairs.append((names[entity[2]], names[entity[2]]))
        else:
            rest.append(entity)
    # Two tokens of the system in one of the gold may leave several entities with the same boundaries.
    by_boundaries: dict[tuple[int, int], list[Entity]] = {}
    for entity in unpaired.elements():
        by_boundaries.setdefault(entity[:2], []).append(entity)
    for entity in rest:
        same = by_boundaries.get(entity[:2])
        pairs.append((names[entity[2]], names[same.pop(0)[2]] if same else _NONE))
    return pairs + [(_NONE, names[entity[2]]) for same in by_boundaries.values() for entity in same]
