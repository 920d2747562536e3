"""Entities that are exactly right: the averages of seqeval, and which types are taken for which."""

from collections import Counter
from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from scoring.families.spacy.entities import Entities, entities
from scoring.families.spacy.nervaluate import Entity, pairs
from scoring.families.spacy.parts import Part, Sides, annotates_ents
from scoring.families.spacy.prf_counts import (
    Outcomes,
    Scores,
    codes_alike,
    compare_sets,
    per_document,
    prf,
    type_metrics,
)
from scoring.families.spacy.score_config import Item
from scoring.family import Array, Table
from scoring.prf import ratio
from scoring.readers.spacy.documents.columns import Flags, Integers, ranges


def seqeval(sides: Sides, item: Item) -> Part:
    """tp, fp and fn of entities; gold tokens with the same tag, all of them, documents with other tokens."""
    found = entities(sides)
    kept = found.kept
    label = found.system.label[kept]
    keys = codes_alike((found.gold_low, found.gold_high, found.gold.label), (found.low[kept], found.high[kept], label))
    right, wrong, missed = compare_sets(*keys)
    document = found.system.document[kept]
    outcomes = Outcomes(
        (document[right], document[wrong], found.gold.document[missed]),
        (label[right], label[wrong], found.gold.label[missed]),
        sides.names,
    )
    rows = np.hstack([outcomes.rows(len(sides)), _tag_rows(sides, found)])
    return Part(
        rows,
        {},
        {"seqeval_per_type": partial(_table, outcomes, len(sides))},
        weighted=partial(_averages, outcomes),
    )


def seqeval_scores(counts: Array, item: Item) -> Scores:
    """All but the averages over types."""
    equal, tokens, other = np.moveaxis(counts[..., 3:], -1, 0)
    accuracy = np.where(other > 0, np.nan, ratio(equal, tokens))
    return {**prf("seqeval_micro", counts[..., :3], none_if_empty=False), "seqeval_accuracy": accuracy}


def confusion(sides: Sides, item: Item) -> Part:
    """Only a table."""
    return Part(np.zeros((len(sides), 0), dtype=np.int64), {}, {"ents_confusion": partial(_confusion, sides)})


def confusion_scores(counts: Array, item: Item) -> Scores:
    return {}


def _tag_rows(sides: Sides, found: Entities) -> Integers:
    annotated = annotates_ents(sides.gold)
    other = ~sides.alignment.identical
    if other.any():
        nothing = np.zeros(len(sides), dtype=np.int64)
        return np.stack([nothing, nothing, other.astype(np.int64)], axis=1)
    size, kept = len(sides.gold.blank), found.kept
    gold = _tags(size, found.gold_low, found.gold_high, found.gold.label)
    system = _tags(size, found.low[kept], found.high[kept], found.system.label[kept])
    counts: Flags = annotated[sides.gold.document]
    equal = per_document((gold == system) & counts, sides.gold.first)
    return np.stack([equal, per_document(counts, sides.gold.first), np.zeros_like(equal)], axis=1)


def _tags(size: int, low: Integers, high: Integers, label: Array) -> Integers:
    """The tag of each token in IOB2: 0 outside, odd where an entity begins, even inside."""
    tags = np.zeros(size, dtype=np.int64)
    tags[ranges(low, high - low)] = np.repeat(2 * label.astype(np.int64) + 2, high - low)
    tags[low] = 2 * label.astype(np.int64) + 1
    return tags


def _averages(outcomes: Outcomes, weights: NDArray[np.int64]) -> dict[str, Array]:
    """Means over the types that the weighted documents have, plain and by the number of gold entities."""
    found = {f"seqeval_{mean}_{name}": np.zeros(len(weights)) for mean in ("macro", "weighted") for name in "prf"}
    for part, sums in outcomes.weighted_sums(weights):
        there = sums.sum(axis=-1) > 0
        support = sums[..., 0] + sums[..., 2]
        for name, values in type_metrics(sums).items():
            found[f"seqeval_macro_{name}"][part] = ratio((values * there).sum(axis=1), there.sum(axis=1))
            found[f"seqeval_weighted_{name}"][part] = ratio((values * support).sum(axis=1), support.sum(axis=1))
    return found


def _table(outcomes: Outcomes, n_documents: int) -> Table:
    table = outcomes.table(n_documents)
    records = [record | {"support": record["tp"] + record["fn"]} for record in table.records]
    return Table(records, table.rows, table.metrics, table.gold_items)


def _confusion(sides: Sides) -> Table:
    counts: Counter[tuple[str, str]] = Counter()
    for _, gold, system in pairs(sides, entities(sides)):
        if gold == system:
            counts.update((sides.names[label], sides.names[label]) for _, _, label in gold)
        else:
            counts.update(_paired(gold, system, sides.names))
    return Table([{"gold": own, "system": other, "count": n} for (own, other), n in sorted(counts.items())])


def _paired(gold: Sequence[Entity], system: Sequence[Entity], names: Sequence[str]) -> list[tuple[str, str]]:
    """First equal entities, then entities with the same boundaries; "" stands for nothing."""
    left = Counter(system)
    rest: list[Entity] = []
    found: list[tuple[str, str]] = []
    for entity in gold:
        if left[entity] > 0:
            left[entity] -= 1
            found.append((names[entity[2]], names[entity[2]]))
        else:
            rest.append(entity)
    others: dict[tuple[int, int], list[Entity]] = {}
    for entity in left.elements():
        others.setdefault(entity[:2], []).append(entity)
    for entity in rest:
        same = others.get(entity[:2])
        found.append((names[entity[2]], names[same.pop(0)[2]] if same else ""))
    return found + [("", names[entity[2]]) for same in others.values() for entity in same]
