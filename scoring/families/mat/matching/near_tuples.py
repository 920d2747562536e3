"""Scores by how near the numbers of tuples are to those of the gold's tuple of equal label and fields.

    gold      FOOD(soup, good) 7.5, 6.8
    system    FOOD(soup, good) 6.5, 6.8     FOOD(bread, good) 8, 7

Numbers from 1 to 9 are √128 apart at most, so that the first one of the system earns 1 − 1/√128 = .9116, and the other
one nothing: precision .9116/2, recall .9116/1.

A system that says a tuple more often than the gold has it earns nothing for that. Where the gold has one more than
once, a single one of the system goes with the nearest; several go with the gold's in the order of their numbers.

SemEval-2026 task 3 (DimABSA, subtasks 2 and 3), "continuous F1". Where the gold has a tuple more than once, its program
counts one of the system for each of them, so that precision may be 2, and several of the system for none.
"""

import math
from collections.abc import Callable

import numpy as np

from scoring.columns import Array, Floats, Integers, coded_together
from scoring.families.f_beta import prf_scores
from scoring.family import Options
from scoring.prf import share
from scoring.readers.mat import Gold, Side, System

KINDS = ("gold_tuples", "system_tuples", "credit")


def near_rows(
    gold: Gold, system: System, labels: list[str], group: Integers, shape: tuple[int, int], options: Options
) -> Floats:
    """Count the tuples of gold and system, repeated ones too: (documents, groups, KINDS)."""
    codes = {label: code for code, label in enumerate(labels)}
    of_gold, of_system = (_columns(side, codes) for side in (gold, system))
    keys = coded_together(of_gold, of_system)
    golds, other, credit = _pairs(*keys, _values(gold), _values(system), options)
    rows = np.zeros((*shape, len(KINDS)))
    cells, cells_of_system = (document * shape[1] + group[label] for document, label, *_ in (of_gold, of_system))
    for kind, cell, weights in ((0, cells, None), (1, cells_of_system, None), (2, cells[golds], credit)):
        rows[..., kind] = np.bincount(cell, weights, minlength=shape[0] * shape[1]).reshape(shape)
    return rows


def near_metrics(
    counts: Array, options: Options, divide: Callable[[Array, Array], Floats] = share
) -> dict[str, Floats]:
    """Return continuous precision, recall and F (...) from counts (..., KINDS); `divide` says what a part of 0 is."""
    gold, system, credit = np.moveaxis(np.asarray(counts), -1, 0)
    scores = prf_scores(divide(credit, system), divide(credit, gold), options)
    return {f"continuous_{name}": values for name, values in scores.items()}


def _columns(side: Side, codes: dict[str, int]) -> tuple[Integers, Integers, Integers, Integers]:
    """Return document, label, start and end of each tuple, which are equal where its fields are.

    Labels are the codes of both sides.
    """
    spans = side.spans
    label = np.array([codes[name] for name in side.labels], dtype=np.int64)
    return spans.document, label[spans.label], spans.start, spans.end


def _values(side: Side) -> Floats:
    return np.zeros((0, 1)) if side.spans.values is None else side.spans.values


def _pairs(
    gold_key: Integers, system_key: Integers, gold_values: Floats, system_values: Floats, options: Options
) -> tuple[Integers, Integers, Floats]:
    """Return the tuples (n,) of gold and system that go together, and what each pair earns.

    >>> keys, values = (np.array([0, 0, 1]), np.array([1, 2])), (np.array([[1], [9], [5]]), np.array([[3], [5]]))
    >>> _pairs(*keys, *values, {"value_range": (1, 9)})
    (array([2]), array([0]), array([0.75]))
    """
    _, key = np.unique(np.concatenate([gold_key, system_key]), return_inverse=True)
    gold_key, system_key = key[: len(gold_key)], key[len(gold_key) :]
    n_gold, n_system = (np.bincount(keys, minlength=len(key)) for keys in (gold_key, system_key))
    is_valid = (n_system > 0) & (n_system <= n_gold)
    gold, system = np.flatnonzero(is_valid[gold_key]), np.flatnonzero(is_valid[system_key])
    # Both by key, then by their numbers; but where the system has one, the gold's nearest comes first.
    one = np.zeros(len(key), dtype=np.int64)
    one[system_key] = np.arange(len(system_key))
    distance = _distance(gold_values[gold], system_values[one[gold_key[gold]]])
    distance[n_system[gold_key[gold]] > 1] = 0
    gold = gold[np.lexsort((*gold_values[gold].T[::-1], distance, gold_key[gold]))]
    system = system[np.lexsort((*system_values[system].T[::-1], system_key[system]))]
    # Of each key as many of the gold as the system has, so that the two columns go side by side.
    rank = np.arange(len(gold)) - np.searchsorted(gold_key[gold], gold_key[gold])
    gold = gold[rank < n_system[gold_key[gold]]]
    low, high = options["value_range"]
    greatest = (high - low) * math.sqrt(gold_values.shape[1])
    return gold, system, 1 - _distance(gold_values[gold], system_values[system]) / greatest


def _distance(one: Floats, other: Floats) -> Floats:
    """Return Euclid's distance (n,) of the numbers (n, values) of each pair."""
    return np.asarray(np.sqrt(np.square(one - other).sum(axis=1)))
