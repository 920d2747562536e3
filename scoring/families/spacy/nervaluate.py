"""Four ways to forgive: entities compared by the schemas of nervaluate."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from scoring.families.spacy.entities import Entities, entities
from scoring.families.spacy.parts import Part, Sides
from scoring.families.spacy.prf_counts import Scores
from scoring.families.spacy.score_config import SCHEMES, Item
from scoring.family import Array, Record, Table
from scoring.prf import harmonic_mean, ratio
from scoring.readers.spacy.documents.columns import Integers

Entity = tuple[int, int, int]  # first gold token, the one after the last, label
Placed = tuple[int, Entity]  # with its number among the entities of the document

COUNTS = ("correct", "incorrect", "partial", "missed", "spurious")
CORRECT, INCORRECT, PARTIAL, MISSED, SPURIOUS = range(5)


def nervaluate(sides: Sides, item: Item) -> Part:
    """The five counts of each schema."""
    documents = list(pairs(sides, entities(sides)))
    rows = np.zeros((len(sides), len(SCHEMES), len(COUNTS)), dtype=np.int64)
    for document, gold, system in documents:
        rows[document] = _counts(gold, system, item["min_overlap"])
    totals: dict[str, int] = {}
    for scheme, counts in zip(SCHEMES, rows.sum(axis=0), strict=True):
        totals |= {f"nervaluate_{scheme}_{kind}": int(n) for kind, n in zip(COUNTS, counts, strict=True)}
        possible, actual = _sizes(counts)
        totals |= {f"nervaluate_{scheme}_possible": int(possible), f"nervaluate_{scheme}_actual": int(actual)}
    table = partial(_table, sides, documents, item["min_overlap"])
    return Part(rows.reshape(len(sides), -1), totals, {"nervaluate_per_type": table})


def nervaluate_scores(counts: Array, item: Item) -> Scores:
    by_scheme = counts.reshape(*counts.shape[:-1], len(SCHEMES), len(COUNTS))
    scores = scheme_metrics(by_scheme)
    return {
        f"nervaluate_{scheme}_{name}": values[..., k]
        for k, scheme in enumerate(SCHEMES)
        for name, values in scores.items()
    }


def scheme_metrics(counts: Array) -> Scores:
    """Counts (..., 5) -> precision, recall and F with half a point for a partial match."""
    possible, actual = _sizes(counts)
    credit = counts[..., CORRECT] + 0.5 * counts[..., PARTIAL]
    p, r = ratio(credit, actual), ratio(credit, possible)
    return {"p": p, "r": r, "f": harmonic_mean(p, r)}


def pairs(sides: Sides, found: Entities) -> Iterator[tuple[int, list[Entity], list[Entity]]]:
    """The documents with entities that count, and those of both sides by start, end and label."""
    names = sides.names
    gold = _by_document(found.gold.document, found.gold_low, found.gold_high, found.gold.label, names)
    kept = found.kept
    system = _by_document(
        found.system.document[kept], found.low[kept], found.high[kept], found.system.label[kept], names
    )
    for document in sorted(gold.keys() | system.keys()):
        yield document, gold.get(document, []), system.get(document, [])


def _by_document(
    document: Array, low: Integers, high: Integers, label: Array, names: Sequence[str]
) -> dict[int, list[Entity]]:
    found: dict[int, list[Entity]] = {}
    for k, *entity in zip(document.tolist(), low.tolist(), high.tolist(), label.tolist(), strict=True):
        found.setdefault(k, []).append(tuple(entity))
    for own in found.values():
        own.sort(key=lambda entity: (entity[0], entity[1], names[entity[2]]))
    return found


def _counts(gold: Sequence[Entity], system: Sequence[Entity], min_overlap: float) -> Integers:
    """(schemas, 5)"""
    if gold == system:
        same = np.zeros((len(SCHEMES), len(COUNTS)), dtype=np.int64)
        same[:, CORRECT] = len(gold)
        return same
    return np.array([_counts_of(scheme, gold, system, min_overlap) for scheme in SCHEMES])


def _counts_of(scheme: str, gold: Sequence[Entity], system: Sequence[Entity], min_overlap: float) -> list[int]:
    counts = [0] * len(COUNTS)
    starts, ends = [entity[0] for entity in gold], [entity[1] for entity in gold]
    is_left = [True] * len(gold)
    for entity in system:
        # Nothing overlaps in the gold: what an entity meets stands side by side.
        met = range(bisect_right(ends, entity[0]), bisect_left(starts, entity[1]))
        match, kind = _match(scheme, entity, [(k, gold[k]) for k in met if is_left[k]], min_overlap)
        counts[kind] += 1
        if match is not None:
            is_left[match] = False
    counts[MISSED] = sum(is_left)
    return counts


def _match(scheme: str, entity: Entity, met: Sequence[Placed], min_overlap: float) -> tuple[int | None, int]:
    """The place of the gold entity that one of the system counts with, and as what."""
    near = [(k, other) for k, other in met if _overlaps(entity, other, min_overlap)]
    if scheme == "type":
        alike = [(_distance(entity, other), k) for k, other in near if other[2] == entity[2]]
        if alike:
            return min(alike)[1], CORRECT
    else:
        size = 3 if scheme == "strict" else 2
        same = next((k for k, other in met if other[:size] == entity[:size]), None)
        if same is not None:
            return same, CORRECT
    if near:
        return near[0][0], PARTIAL if scheme == "partial" else INCORRECT
    return None, SPURIOUS


def _distance(entity: Entity, gold: Entity) -> int:
    return abs(gold[0] - entity[0]) + abs(gold[1] - entity[1])


def _overlaps(entity: Entity, gold: Entity, min_overlap: float) -> bool:
    shared = min(entity[1], gold[1]) - max(entity[0], gold[0])
    return shared > 0 and 100 * shared / (gold[1] - gold[0]) >= min_overlap


def _sizes(counts: Array) -> tuple[Array, Array]:
    paired = counts[..., CORRECT] + counts[..., INCORRECT] + counts[..., PARTIAL]
    return paired + counts[..., MISSED], paired + counts[..., SPURIOUS]


def _table(sides: Sides, documents: list[tuple[int, list[Entity], list[Entity]]], min_overlap: float) -> Table:
    """A row for each type and schema, from the entities of that type alone."""
    counts: dict[int, Integers] = {}
    for _, gold, system in documents:
        own, other = _by_label(gold), _by_label(system)
        for label in own.keys() | other.keys():
            counts[label] = counts.get(label, 0) + _counts(own.get(label, []), other.get(label, []), min_overlap)
    records: list[Record] = []
    for label in sorted(counts, key=sides.names.__getitem__):
        scores = scheme_metrics(counts[label])
        possible, actual = _sizes(counts[label])
        for k, scheme in enumerate(SCHEMES):
            records.append(
                {"type": sides.names[label], "scheme": scheme}
                | {kind: int(n) for kind, n in zip(COUNTS, counts[label][k], strict=True)}
                | {"possible": int(possible[k]), "actual": int(actual[k])}
                | {name: float(values[k]) for name, values in scores.items()}
            )
    return Table(records)


def _by_label(entities_: Sequence[Entity]) -> dict[int, list[Entity]]:
    found: dict[int, list[Entity]] = {}
    for entity in entities_:
        found.setdefault(entity[2], []).append(entity)
    return found
