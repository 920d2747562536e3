"""Item `nervaluate` (an extension): entities compared by the four schemas of nervaluate 1.2.1, after SemEval-2013.

nervaluate says *schema*; the tables call it `scheme`, and so does this module. Each scheme forgives something else:

    strict    nothing: boundaries and type must be right
    exact     the type: boundaries must be right
    partial   the type and, by half, the boundaries: an overlap is half right
    type      the boundaries: an overlap of the same type is right

In each scheme every entity of the system, in the order of the text, takes at most one entity of the gold that no
earlier one has taken, and becomes correct, incorrect or partial with it; with none to take it is spurious. Entities of
the gold that nobody has taken are missed. For example, with a gold 0..2 PER and a system 0..3 PER: in strict and exact
one incorrect, in partial one partial, in type one correct.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from scoring.columns import Array, Integers
from scoring.families.f_beta import beta_of
from scoring.families.spacy.items.entities import Entity, entities, entity_lists, row_names
from scoring.families.spacy.items.item_counts import ItemCounts
from scoring.families.spacy.items.prf_counts import Scores, last_if_not_in_gold, prf_with_beta
from scoring.families.spacy.score_config import SCHEMES, Item
from scoring.families.spacy.sides import Sides
from scoring.family import Record, Table
from scoring.prf import ratio

Numbered = tuple[int, Entity]  # an entity of the gold, with its index among those of the document

COUNTS = ("correct", "incorrect", "partial", "missed", "spurious")
CORRECT, INCORRECT, PARTIAL, MISSED, SPURIOUS = range(5)


def nervaluate(sides: Sides, item: Item) -> ItemCounts:
    """Count the five kinds of each scheme, scheme by scheme."""
    documents = list(entity_lists(sides, entities(sides)))
    rows = np.zeros((len(sides), len(SCHEMES), len(COUNTS)), dtype=np.int64)
    for document, gold, system in documents:
        rows[document] = _counts(gold, system, item["min_overlap"])
    totals: dict[str, int] = {}
    for scheme, counts in zip(SCHEMES, rows.sum(axis=0), strict=True):
        totals |= {f"nervaluate_{scheme}_{kind}": int(n) for kind, n in zip(COUNTS, counts, strict=True)}
        possible, actual = _possible_and_actual(counts)
        totals |= {f"nervaluate_{scheme}_possible": int(possible), f"nervaluate_{scheme}_actual": int(actual)}
    table = partial(_table, sides, documents, item["min_overlap"], beta_of(item))
    return ItemCounts(rows.reshape(len(sides), -1), totals, {"nervaluate_per_type": table})


def nervaluate_scores(counts: Array, item: Item) -> Scores:
    by_scheme = counts.reshape(*counts.shape[:-1], len(SCHEMES), len(COUNTS))
    scores = scheme_metrics(by_scheme, beta_of(item))
    return {
        f"nervaluate_{scheme}_{name}": values[..., k]
        for k, scheme in enumerate(SCHEMES)
        for name, values in scores.items()
    }


def scheme_metrics(counts: Array, beta: float | None = None) -> Scores:
    """Compute precision, recall, F and with a beta `fbeta` (...) of counts (..., 5).

    Each is 0 where there is nothing to divide by.
    """
    possible, actual = _possible_and_actual(counts)
    # nervaluate credits half a point for a partial match. Only the scheme `partial` has any.
    credit = counts[..., CORRECT] + 0.5 * counts[..., PARTIAL]
    p, r = ratio(credit, actual), ratio(credit, possible)
    return prf_with_beta(p, r, beta)


def _possible_and_actual(counts: Array) -> tuple[Array, Array]:
    """Return the entities of the gold and of the system: (...) of counts (..., 5)."""
    taken = counts[..., CORRECT] + counts[..., INCORRECT] + counts[..., PARTIAL]
    return taken + counts[..., MISSED], taken + counts[..., SPURIOUS]


def _counts(gold: Sequence[Entity], system: Sequence[Entity], min_overlap: float) -> Integers:
    """Count one document, or the entities of one type in it: (schemes, 5)."""
    if gold == system:
        same = np.zeros((len(SCHEMES), len(COUNTS)), dtype=np.int64)
        same[:, CORRECT] = len(gold)
        return same
    return np.array([_counts_of(scheme, gold, system, min_overlap) for scheme in SCHEMES])


def _counts_of(scheme: str, gold: Sequence[Entity], system: Sequence[Entity], min_overlap: float) -> list[int]:
    """Count the five kinds of one scheme; both sides are in the order of the text.

    >>> _counts_of("partial", [(0, 2, 0), (4, 5, 1)], [(0, 3, 0), (7, 8, 1)], min_overlap=1.0)
    [0, 0, 1, 1, 1]
    """
    counts = [0] * len(COUNTS)
    starts, ends = [entity[0] for entity in gold], [entity[1] for entity in gold]
    is_free = [True] * len(gold)
    for entity in system:
        # Entities of the gold never overlap, so those that share a token with this one are neighbours.
        met = range(bisect_right(ends, entity[0]), bisect_left(starts, entity[1]))
        taken, kind = _match(scheme, entity, [(k, gold[k]) for k in met if is_free[k]], min_overlap)
        counts[kind] += 1
        if taken is not None:
            is_free[taken] = False
    counts[MISSED] = sum(is_free)
    return counts


def _match(scheme: str, entity: Entity, met: Sequence[Numbered], min_overlap: float) -> tuple[int | None, int]:
    """Return the index of the gold entity that one of the system takes, None if there is none, and as what it counts.

    `met` are the free entities of the gold that share a token with it, in the order of the text.
    """
    overlapping = [(k, other) for k, other in met if _overlaps(entity, other, min_overlap)]
    if scheme == "type":
        same_type = [(_distance(entity, other), k) for k, other in overlapping if other[2] == entity[2]]
        if same_type:
            # The nearest in its boundaries, and of equally near ones the first.
            return min(same_type)[1], CORRECT
    else:
        # What must be equal: start, end and, in strict, the type.
        size = 3 if scheme == "strict" else 2
        same = next((k for k, other in met if other[:size] == entity[:size]), None)
        if same is not None:
            return same, CORRECT
    if overlapping:
        return overlapping[0][0], PARTIAL if scheme == "partial" else INCORRECT
    return None, SPURIOUS


def _distance(entity: Entity, gold: Entity) -> int:
    return abs(gold[0] - entity[0]) + abs(gold[1] - entity[1])


def _overlaps(entity: Entity, gold: Entity, min_overlap: float) -> bool:
    """Return whether they share tokens, and these are at least `min_overlap` per cent of the gold's entity."""
    shared = min(entity[1], gold[1]) - max(entity[0], gold[0])
    return shared > 0 and 100 * shared / (gold[1] - gold[0]) >= min_overlap


def _table(
    sides: Sides,
    documents: list[tuple[int, list[Entity], list[Entity]]],
    min_overlap: float,
    beta: float | None,
    gold_labels_only: bool,
) -> Table:
    """Make a row for each type and scheme, from the entities of that type alone, as nervaluate does it.

    Therefore the rows of all types need not add up to the counts of all entities: an entity of another type cannot
    be taken here.
    """
    counts: dict[str, Integers] = {}
    called = row_names(sides, documents) if gold_labels_only else sides.names
    for _, gold, system in documents:
        golds, other = _by_label(gold, called), _by_label(system, called)
        for label in golds.keys() | other.keys():
            counts[label] = counts.get(label, 0) + _counts(golds.get(label, []), other.get(label, []), min_overlap)
    records: list[Record] = []
    for label in sorted(counts, key=last_if_not_in_gold):
        scores = scheme_metrics(counts[label], beta)
        possible, actual = _possible_and_actual(counts[label])
        for k, scheme in enumerate(SCHEMES):
            records.append(
                {"type": label, "scheme": scheme}
                | {kind: int(n) for kind, n in zip(COUNTS, counts[label][k], strict=True)}
                | {"possible": int(possible[k]), "actual": int(actual[k])}
                | {name: float(values[k]) for name, values in scores.items()}
            )
    return Table(records)


def _by_label(entities_: Sequence[Entity], called: Sequence[str] | Mapping[int, str]) -> dict[str, list[Entity]]:
    """Sort entities into the rows of the table; `called` names that of each label's code."""
    by_label: dict[str, list[Entity]] = {}
    for entity in entities_:
        by_label.setdefault(called[entity[2]], []).append(entity)
    return by_label
