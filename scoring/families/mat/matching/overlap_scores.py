"""Scores by how much spans overlap: of characters, of documents, and of spans by their parts.

Spans of one side and label that share a character count as one stretch. For the example

    gold      PER[0, 8)   LOC[20, 30)
    system    PER[0, 4)   PER[2, 10)   LOC[25, 35)

the system has the stretches PER[0, 10) and LOC[25, 35), and both sides share 8 + 5 characters of their labels:

    characters     precision 13/20    recall 13/18    F1 26/38
    document       IoU 13/25
    proportional   precision (8/10 + 5/10)/2    recall (8/8 + 5/10)/2

IoU is that of SemEval-2025 task 3 (Mu-SHROOM, `score_iou`), the mean of F1 that of SemEval-2021 task 5 (toxic spans),
proportional is that of SemEval-2020 task 11 (propaganda, `compute_score_pr`).
"""

from dataclasses import dataclass

import numpy as np

from scoring.columns import Array, Floats, Integers
from scoring.families.f_beta import prf_scores
from scoring.families.mat.matching.corpus_spans import CorpusSpans
from scoring.family import Options
from scoring.prf import ratio, share

CHARACTERS = ("gold_characters", "system_characters", "shared_characters")
STRETCHES = ("gold_stretches", "system_stretches", "found_of_gold", "right_of_system")
DOCUMENTS = ("overlap_documents", "iou", "document_f1")
KINDS = CHARACTERS + STRETCHES + DOCUMENTS
N_BY_LABEL = len(CHARACTERS + STRETCHES)


@dataclass(frozen=True)
class Stretches:
    """n stretches of one side, in order of label and place, none of which overlaps another one of its label."""

    document: Integers  # (n,)
    label: Integers  # (n,)
    start: Integers  # (n,) on an axis that has the corpus axis once for each label
    end: Integers  # (n,)
    place: Integers  # (n,) when the first of its spans was read

    @property
    def length(self) -> Integers:
        return self.end - self.start

    def within(self, other: "Stretches") -> Integers:
        """Count the characters of each that lie in a stretch of the other side: (n,)."""
        before = np.append(0, np.cumsum(other.length))

        def covered(position: Integers) -> Integers:
            last = np.searchsorted(other.start, position, side="right") - 1
            inside = np.minimum(position - other.start[last], other.length[last]) if len(other.start) else 0
            return np.where(last >= 0, before[last] + inside, 0)

        return covered(self.end) - covered(self.start)


def stretches(spans: CorpusSpans, axis_end: int) -> Stretches:
    """Return the spans, those of one label that share a character made one.

    `axis_end` is where the corpus axis ends.
    """
    origin = spans.label * axis_end
    order = np.argsort(origin + spans.start, kind="stable")
    start, end = (origin + spans.start)[order], (origin + spans.end)[order]
    reach = np.maximum.accumulate(end)
    first = np.flatnonzero(np.append(True, start[1:] >= reach[:-1])[: len(start)])
    first_of_stretch = order[first]
    last = np.append(first[1:], len(start))[: len(first)] - 1
    place = np.minimum.reduceat(spans.place[order], first) if len(first) else spans.place
    return Stretches(spans.document[first_of_stretch], spans.label[first_of_stretch], start[first], reach[last], place)


def overlap_rows(
    spans: tuple[CorpusSpans, CorpusSpans], axis_end: int, group: Integers, shape: tuple[int, int]
) -> Floats:
    """Count spans of gold and system: (documents, groups, KINDS); what belongs to no label is in the last group.

    `shape` is (documents, groups); `group` (labels,) is the index of the group that each label belongs to.
    """
    gold, system = (stretches(side, axis_end) for side in spans)
    shared_gold, shared_system = gold.within(system), system.within(gold)
    rows = np.zeros((*shape, len(KINDS)))
    for kind, (side, values) in {
        "gold_characters": (gold, gold.length),
        "system_characters": (system, system.length),
        "shared_characters": (gold, shared_gold),
        "gold_stretches": (gold, np.ones(len(gold.label))),
        "system_stretches": (system, np.ones(len(system.label))),
        "found_of_gold": (gold, shared_gold / gold.length),
        "right_of_system": (system, shared_system / system.length),
    }.items():
        cell = side.document * shape[1] + group[side.label]
        rows[..., KINDS.index(kind)] = np.bincount(cell, weights=values, minlength=shape[0] * shape[1]).reshape(shape)
    n_gold, n_system, n_shared = np.moveaxis(rows[..., : len(CHARACTERS)].sum(axis=1), -1, 0)
    rows[:, -1, KINDS.index("overlap_documents")] = 1
    # Nothing on either side is full agreement.
    rows[:, -1, KINDS.index("iou")] = share(n_shared, n_gold + n_system - n_shared)
    rows[:, -1, KINDS.index("document_f1")] = share(2 * n_shared, n_gold + n_system)
    return rows


def overlap_metrics(sums: Array, options: Options) -> dict[str, Floats]:
    """Compute all scores (...) from sums (..., KINDS) over documents and groups."""
    _, iou, f1 = np.moveaxis(np.asarray(sums)[..., N_BY_LABEL:], -1, 0)
    return of_labels(sums, options=options) | {
        "iou": mean_of_documents(sums, iou),
        "document_f1": mean_of_documents(sums, f1),
    }


def mean_of_documents(sums: Array, values: Array) -> Floats:
    """Return the mean (...) over the documents of a sum of values, from sums (..., KINDS); NaN without documents."""
    n_documents = np.asarray(sums)[..., KINDS.index("overlap_documents")]
    return np.where(n_documents > 0, ratio(values, n_documents), np.nan)


def of_labels(counts: Array, *, options: Options) -> dict[str, Floats]:
    """Return those of the scores (...) that single labels have, from counts (..., at least N_BY_LABEL)."""
    n_gold, n_system, n_shared, gold, system, n_covered, right = np.moveaxis(
        np.asarray(counts)[..., :N_BY_LABEL], -1, 0
    )
    characters = prf_scores(share(n_shared, n_system), share(n_shared, n_gold), options)
    proportional = prf_scores(share(right, system), share(n_covered, gold), options)
    return {f"character_{name}": values for name, values in characters.items()} | {
        f"proportional_{name}": values for name, values in proportional.items()
    }
