"""Relations of gold and system matched, on the gold phrases that carry them.

A relation is a triple (label, source, target). A system's triple is read on the gold phrases that its ends are matched
to, so that it can be compared with the gold's; an end without one makes it spurious. Gold phrases that the gold joins
by same-as form a *class*, and any phrase of a class may stand for another one. The same in plain Python:
`count_relations` of tests/scoring/plain/ehealthkd.py.
"""

from dataclasses import dataclass

import numpy as np

from scoring.columns import Array, Floats, Integers, coded
from scoring.prf import harmonic_mean, ratio
from scoring.readers.ehealthkd import Relations
from scoring.significance.proportions import Proportion, prf_proportions

SAME_AS = "same-as"
RELATION_KINDS = ("correct", "missing", "spurious")
_CORRECT, _MISSING, _SPURIOUS = range(3)


@dataclass(frozen=True)
class Triples:
    """The distinct relations of one side in scored sentences, in file order: n relations."""

    index: Integers  # (n,) index of the relation in the side's `Relations`
    label: Integers  # (n,) code of the label; both sides share the codes
    sentence: Integers  # (n,) index of the sentence
    source: Integers  # (n,) index of a gold phrase, -1 where none carries this end
    target: Integers  # (n,) index of a gold phrase, -1 likewise


@dataclass(frozen=True)
class RelationCounts:
    """Counts that are to be added up: n terms, of which several may belong to one sentence, label and kind."""

    sentence: Integers  # (n,) index of the sentence
    label: Integers  # (n,) code of the label
    kind: Integers  # (n,) index into RELATION_KINDS
    number: Integers  # (n,) how many relations; negative where correct ones are taken off the spurious


def phrase_classes(gold: Relations, n_phrases: int) -> Integers:
    """Return the class of each gold phrase (n_phrases,), named by one of its members.

    The gold's same-as relations join phrases in both directions and across several steps; those of a system do not
    count. A phrase without same-as is a class of its own.

    >>> same_as = Relations(["same-as"], np.zeros(2, dtype=int), np.array([0, 3]), np.array([1, 1]), *[None] * 3)
    >>> phrase_classes(same_as, 5)
    array([1, 1, 2, 1, 4])
    """
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
    """Return how many relations are correct, missing and spurious, which follows from the classes alone.

    The challenge's program pairs one relation after the other (`pair_relations`). A system relation takes a free
    gold relation of its own *group*: same label, source in the same class and target in the same class. Which one
    it takes changes no number, so in each group min(gold, system) are correct. A reversed same-as is no exception:
    both its ends are in one class.

    >>> sentence, label = np.zeros(3, dtype=int), np.zeros(3, dtype=int)
    >>> gold = Triples(np.arange(3), label, sentence, source=np.array([0, 0, 2]), target=np.array([1, 3, 1]))
    >>> system = Triples(np.arange(3), label, sentence, source=np.array([0, 2, -1]), target=np.array([3, 2, 1]))
    >>> counts = count_relations(gold, system, classes=np.array([0, 1, 2, 1]))  # phrases 1 and 3 are the same
    >>> counts.kind, counts.number  # 1 correct, 1 and 1 missing, 3 spurious less the correct one
    (array([0, 1, 1, 2, 2, 2, 2]), array([ 1,  1,  1, -1,  1,  1,  1]))
    """
    gold_code, carried_code = _group_codes(gold, system, classes)
    # One entry per group of the gold: its code, the index of one of its relations, and its number of relations.
    codes, example, n_gold = np.unique(gold_code, return_index=True, return_counts=True)
    n_correct = np.minimum(n_gold, _occurrences(carried_code, codes))
    n_missing = n_gold - n_correct
    correct, missing = np.flatnonzero(n_correct), np.flatnonzero(n_missing)
    # The terms of the sum: correct and missing by group, then the correct ones off the spurious, which are to begin
    # with all relations of the system.
    groups = example[np.concatenate([correct, missing, correct])]
    n_terms = [len(correct), len(missing), len(correct) + len(system.label)]
    return RelationCounts(
        sentence=np.concatenate([gold.sentence[groups], system.sentence]),
        label=np.concatenate([gold.label[groups], system.label]),
        kind=np.repeat([_CORRECT, _MISSING, _SPURIOUS], n_terms),
        number=np.concatenate(
            [n_correct[correct], n_missing[missing], -n_correct[correct], np.ones_like(system.label)]
        ),
    )


def pair_relations(gold: Triples, system: Triples, classes: Integers, same_as: int) -> Integers:
    """Return for each system relation the gold relation that it takes, an index into `gold`, or -1.

    It is one with its very ends if that is free, for same-as also the reverse, else the first free one of its group,
    as `count_relations` explains it. `same_as` is the code of that label. Only the table of single relations asks
    which of them it is.
    """
    exact: dict[tuple[int, int, int], list[int]] = {}
    groups: dict[tuple[int, int, int], list[int]] = {}
    rows = zip(gold.label.tolist(), gold.source.tolist(), gold.target.tolist(), strict=True)
    for k, (label, source, target) in enumerate(rows):
        exact.setdefault((label, source, target), []).append(k)
        groups.setdefault((label, int(classes[source]), int(classes[target])), []).append(k)
    free = np.ones(len(gold.label), dtype=bool)
    partner = np.full(len(system.label), -1)
    rows = zip(system.label.tolist(), system.source.tolist(), system.target.tolist(), strict=True)
    for k, (label, source, target) in enumerate(rows):
        if source < 0 or target < 0:
            continue
        candidates = exact.get((label, source, target), [])
        if label == same_as:
            candidates = candidates + exact.get((label, target, source), [])
        candidates = candidates + groups.get((label, int(classes[source]), int(classes[target])), [])
        taken = next((candidate for candidate in candidates if free[candidate]), None)
        if taken is not None:
            free[taken] = False
            partner[k] = taken
    return partner


def _group_codes(gold: Triples, system: Triples, classes: Integers) -> tuple[Integers, Integers]:
    """Code the gold's relations, and the system's with both ends carried: equal where their groups are.

    Phrases of a class lie in one sentence, so that a group does as well.
    """
    carried = np.flatnonzero((system.source >= 0) & (system.target >= 0))
    codes = coded(
        classes[np.concatenate([gold.source, system.source[carried]])],
        classes[np.concatenate([gold.target, system.target[carried]])],
        np.concatenate([gold.label, system.label[carried]]),
    )
    return codes[: len(gold.label)], codes[len(gold.label) :]


def _occurrences(values: Integers, keys: Integers) -> Integers:
    """Return how often each of the sorted keys is among the values."""
    ordered = np.sort(values)
    return np.searchsorted(ordered, keys, side="right") - np.searchsorted(ordered, keys, side="left")


def _root(parent: dict[int, int], k: int) -> int:
    """Return the member that names the class of k (union-find); chains of parents are shortened on the way."""
    while (above := parent.setdefault(k, k)) != k:
        parent[k] = parent[above]
        k = above
    return k


def relation_metrics(counts: Array) -> dict[str, Floats]:
    """Return the scores of a label's relations, from counts (..., 3) in the order of RELATION_KINDS."""
    correct, missing, spurious = np.moveaxis(counts, -1, 0)
    precision, recall = ratio(correct, correct + spurious), ratio(correct, correct + missing)
    return {"precision": precision, "recall": recall, "f1": harmonic_mean(precision, recall)}


def relation_proportions(counts: Array) -> dict[str, Proportion]:
    """Return the same scores as shares of decisions."""
    correct, missing, spurious = np.moveaxis(counts, -1, 0)
    return prf_proportions(correct, gold=correct + missing, system=correct + spurious)
