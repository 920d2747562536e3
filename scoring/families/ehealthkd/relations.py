"""Relations of gold and system matched, on the phrases that carry them."""

from dataclasses import dataclass

import numpy as np

from scoring.columns import Integers
from scoring.families.ehealthkd.phrases import CORRECT, MISSING, SPURIOUS
from scoring.families.ehealthkd.spans import folded
from scoring.readers.ehealthkd import Relations

SAME_AS = "same-as"


@dataclass(frozen=True)
class Triples:
    """Distinct relations in scored sentences; ends are gold phrases, -1 where no gold phrase carries one."""

    index: Integers
    label: Integers
    sentence: Integers
    source: Integers
    target: Integers


@dataclass(frozen=True)
class RelationCounts:
    """`number` relations of a sentence and label, each CORRECT, MISSING or SPURIOUS."""

    sentence: Integers
    label: Integers
    kind: Integers
    number: Integers


def phrase_classes(gold: Relations, n_phrases: int) -> Integers:
    """Each gold phrase's class: phrases that the gold joins by same-as share one."""
    classes = np.arange(n_phrases)
    if SAME_AS not in gold.labels:
        return classes
    joins = gold.label == gold.labels.index(SAME_AS)
    parent: dict[int, int] = {}
    for a, b in zip(gold.source[joins].tolist(), gold.target[joins].tolist(), strict=True):
        parent[_root(parent, a)] = _root(parent, b)
    for k in list(parent):
        classes[k] = _root(parent, k)
    return classes


def count_relations(gold: Triples, system: Triples, classes: Integers) -> RelationCounts:
    """How many are correct follows from the classes alone.

    Of the relations with one label between two classes as many are correct as both sides have; which of
    them a system relation uses up changes no number.
    """
    key = _keys(gold, system, classes)
    keys, first, n_gold = np.unique(key[: len(gold.label)], return_index=True, return_counts=True)
    n_correct = np.minimum(n_gold, _occurrences(key[len(gold.label) :], keys))
    correct, missing = np.flatnonzero(n_correct), np.flatnonzero(n_gold - n_correct)
    known = [first[correct], first[missing], first[correct]]
    # Spurious are all of the system's but the correct ones.
    parts = [len(correct), len(missing), len(correct) + len(system.label)]
    return RelationCounts(
        sentence=np.concatenate([*(gold.sentence[k] for k in known), system.sentence]),
        label=np.concatenate([*(gold.label[k] for k in known), system.label]),
        kind=np.repeat([CORRECT, MISSING, SPURIOUS], parts),
        number=np.concatenate(
            [n_correct[correct], (n_gold - n_correct)[missing], -n_correct[correct], np.ones_like(system.label)]
        ),
    )


def pair_relations(gold: Triples, system: Triples, classes: Integers, same_as: int) -> Integers:
    """For each system relation the gold relation that it uses up, an index into `gold`, or -1.

    One with its very ends if it is free, for same-as also the reverse, else the first free one with its
    label between the classes of its ends.
    """
    exact: dict[tuple[int, int, int], list[int]] = {}
    alike: dict[tuple[int, int, int], list[int]] = {}
    rows = zip(gold.label.tolist(), gold.source.tolist(), gold.target.tolist(), strict=True)
    for k, (label, source, target) in enumerate(rows):
        exact.setdefault((label, source, target), []).append(k)
        alike.setdefault((label, int(classes[source]), int(classes[target])), []).append(k)
    free = np.ones(len(gold.label), dtype=bool)
    partner = np.full(len(system.label), -1)
    rows = zip(system.label.tolist(), system.source.tolist(), system.target.tolist(), strict=True)
    for k, (label, source, target) in enumerate(rows):
        if source < 0 or target < 0:
            continue
        candidates = exact.get((label, source, target), [])
        if label == same_as:
            candidates = candidates + exact.get((label, target, source), [])
        candidates = candidates + alike.get((label, int(classes[source]), int(classes[target])), [])
        found = next((candidate for candidate in candidates if free[candidate]), None)
        if found is not None:
            free[found] = False
            partner[k] = found
    return partner


def _keys(gold: Triples, system: Triples, classes: Integers) -> Integers:
    """Codes of the gold's relations and then of the system's that are carried: equal where label and classes are."""
    carried = np.flatnonzero((system.source >= 0) & (system.target >= 0))
    source = classes[np.concatenate([gold.source, system.source[carried]])]
    target = classes[np.concatenate([gold.target, system.target[carried]])]
    return folded(folded(source, target), np.concatenate([gold.label, system.label[carried]]))


def _occurrences(values: Integers, keys: Integers) -> Integers:
    """How often each of the sorted keys is among the values."""
    ordered = np.sort(values)
    return np.searchsorted(ordered, keys, side="right") - np.searchsorted(ordered, keys, side="left")


def _root(parent: dict[int, int], k: int) -> int:
    while (above := parent.setdefault(k, k)) != k:
        parent[k] = parent[above]
        k = above
    return k
