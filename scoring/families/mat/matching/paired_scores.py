"""Scores by the places that tuples share with the gold's tuple that each covers best.

    gold      joy | 3 | 1 [0, 8)   [10, 14)
    system    joy | 3 | 1 [0, 4)   [2, 12)

A tuple of the system goes with the one of the gold, of its fields and label, of which it covers the largest part; of
equal parts with the longest, then the first of the file. Several may go with one:

    [0, 4)    with [0, 8), 4 of 8          [2, 12)    with [0, 8), 6 of 8, and not with [10, 14), 2 of 4
    precision (4 + 6) / (4 + 10)           recall (4 + 6) / (8 + 8 + 4), as [10, 14) went with none

SemEval-2024 task 3 (emotion causes), `cal_prf_span_pair_emocate_proportional`. There the gold's own tuples may overlap;
here those that do are one stretch.
"""

import numpy as np

from scoring.columns import Array, Floats, Integers
from scoring.families.f_beta import prf_scores
from scoring.families.mat.matching.corpus_spans import CorpusSpans
from scoring.families.mat.matching.overlap_scores import stretches
from scoring.family import Options
from scoring.prf import share

KINDS = ("paired_gold", "paired_system", "paired_shared")


def paired_rows(
    spans: tuple[CorpusSpans, CorpusSpans], axis_end: int, group: Integers, shape: tuple[int, int]
) -> Floats:
    """Count distinct spans of gold and system, as `overlap_rows` does: (documents, groups, KINDS)."""
    gold, system = stretches(spans[0], axis_end), spans[1]
    start, end = (system.label * axis_end + edge for edge in (system.start, system.end))
    best = _best(gold.start, gold.end, gold.place, start, end)
    has_best = best >= 0
    chosen = best[has_best]
    shared = np.minimum(gold.end[chosen], end[has_best]) - np.maximum(gold.start[chosen], start[has_best])
    is_left = np.ones(len(gold.start), dtype=bool)
    is_left[chosen] = False
    rows = np.zeros((*shape, len(KINDS)))
    cells_of_gold, cells = (side.document * shape[1] + group[side.label] for side in (gold, system))
    for kind, cell, values in (
        (0, cells_of_gold[chosen], gold.length[chosen]),
        (0, cells_of_gold[is_left], gold.length[is_left]),
        (1, cells, end - start),
        (2, cells[has_best], shared),
    ):
        rows[..., kind] += np.bincount(cell, weights=values, minlength=shape[0] * shape[1]).reshape(shape)
    return rows


def prf_of_paired(counts: Array, options: Options) -> dict[str, Floats]:
    """Return precision, recall and F (...) from counts (..., KINDS)."""
    gold, system, shared = np.moveaxis(np.asarray(counts), -1, 0)
    return prf_scores(share(shared, system), share(shared, gold), options)


def _best(gold_start: Integers, gold_end: Integers, place: Integers, start: Integers, end: Integers) -> Integers:
    """Return which of m stretches each of n spans covers best, -1 for none: (n,). The stretches do not overlap.

    `place` (m,) tells which of equally long ones was read first.

    >>> gold = np.array([0, 10, 20]), np.array([8, 14, 26]), np.array([0, 1, 2])
    >>> _best(*gold, np.array([2, 9, 30]), np.array([12, 30, 40]))
    array([ 0,  2, -1])
    """
    # Of the stretches [first, last] that a span overlaps, only the two at the ends may reach beyond it.
    first = np.searchsorted(gold_end, start, side="right")
    last = np.searchsorted(gold_start, end) - 1
    has_any = first <= last
    best = np.full(len(start), -1)
    if not has_any.any():
        return best
    first, last, start, end = (column[has_any] for column in (first, last, start, end))
    # Higher for a longer one, and of equally long ones for the first that was read.
    rank = np.empty(len(place), dtype=np.int64)
    rank[np.lexsort((-place, gold_end - gold_start))] = np.arange(len(place))
    candidates = np.stack([first, _highest_between(rank, first + 1, last - 1), last])
    shared = np.minimum(gold_end[candidates], end) - np.maximum(gold_start[candidates], start)
    parts = shared / (gold_end - gold_start)[candidates]
    # The best part, the longest of these, the first of these: lexsort has its first key last.
    order = np.lexsort((-rank[candidates], -shared, -parts), axis=0)
    best[has_any] = candidates[order[0], np.arange(len(first))]
    return best


def _highest_between(rank: Integers, first: Integers, last: Integers) -> Integers:
    """Return which of m ranks from `first` to `last` (n,) is the highest; `first` − 1 where there is none.

    >>> _highest_between(np.array([0, 2, 1, 3]), np.array([0, 2, 2]), np.array([2, 3, 1]))
    array([1, 3, 1])
    """
    # best[k] has the highest of 2^k neighbours from each place on.
    best = [np.arange(len(rank))]
    while 2 ** len(best) <= len(rank):
        level, half = best[-1], 2 ** (len(best) - 1)
        left, right = level[:-half], level[half:]
        best.append(np.where(rank[right] > rank[left], right, left))
    highest = first - 1
    size = last - first + 1
    for power, level in enumerate(best):
        chosen = np.flatnonzero((size >> power == 1) & (size > 0))
        left, right = level[first[chosen]], level[last[chosen] - 2**power + 1]
        highest[chosen] = np.where(rank[right] > rank[left], right, left)
    return highest
