"""The area under the ROC curve: how often a row with the label has a higher probability of it than one without.

    items      (probability, gold)   .9 yes   .8 no   .8 yes   .3 no
    area       ((1 + ½·0) pairs won by each yes over the noes below and beside it) / (2 · 2) = (2 + 1.5) / 4 = 0.875

Probabilities are compared as they are written: divided by its sum, a row could lose or gain a tie by rounding alone.

Fawcett 2006, An introduction to ROC analysis; with more than two labels the mean over labels, each against the rest
(scikit-learn's multi_class="ovr", average="macro").
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from scoring.columns import Array, Floats, Integers, starts_run
from scoring.families.labels.scores import over_slices
from scoring.family import Options
from scoring.readers.labels import Gold, System

KEY = "roc_auc"


@dataclass(frozen=True)
class Ordered:
    """The items of a label by falling probability."""

    order: Integers  # (n,) items
    run_ends: Integers  # (runs,) index of the last item of each run of equal probabilities
    has_label: Array  # (n,) of the items in this order, as numbers


def area_under_curve(gold: Gold, system: System, options: Options) -> Callable[[Integers], Mapping[str, Floats]] | None:
    """Return a function of weights (m, units) that gives the area, also by slice; None without probabilities."""
    if system.probabilities is None:
        return None
    labels = _labels_to_rank(gold, options)
    ordered = [_ordered(system.probabilities[:, label], gold.code == label) for label in labels]
    return partial(_weighted, ordered, gold, options)


def _labels_to_rank(gold: Gold, options: Options) -> list[int]:
    """Return all labels; of two the positive one, or the last."""
    if len(gold.labels) != 2:
        return [*range(len(gold.labels))]
    positive = None if options["positive"] is None else gold.labels.code(options["positive"])
    return [1 if positive is None else positive]


def _ordered(probability: Floats, has_label: Array) -> Ordered:
    order = np.argsort(-probability, kind="stable")
    starts = np.flatnonzero(starts_run(probability[order]))
    return Ordered(order, np.append(starts[1:], len(order)) - 1, has_label[order].astype(np.float64))


def _weighted(ordered: list[Ordered], gold: Gold, options: Options, weights: Integers) -> dict[str, Floats]:
    of_item = weights[:, gold.units.code].astype(np.float64)
    scores = {KEY: _area(ordered, of_item)}
    if options["slices"] and options["slice_score"] == KEY and gold.slices is not None:
        slices = gold.slices
        areas = [_area(ordered, of_item * (slices.code == number)) for number in range(len(slices.names))]
        scores |= over_slices(np.stack(areas, axis=-1), options)
    return scores


def _area(ordered: list[Ordered], weights: Floats) -> Floats:
    """Average over the labels (m,) with weights of items (m, n); NaN where a label has no item, or all."""
    if not ordered:
        return np.full(len(weights), np.nan)
    return np.asarray(np.mean([_area_of_label(label, weights) for label in ordered], axis=0))


def _area_of_label(one: Ordered, weights: Floats) -> Floats:
    ordered = weights[:, one.order]
    positive = np.cumsum(ordered * one.has_label, axis=1)[:, one.run_ends]
    negative = np.cumsum(ordered * (1 - one.has_label), axis=1)[:, one.run_ends]
    # (m, runs): of each run its positive items, the negative ones behind it, and its own negative ones.
    in_run = np.diff(positive, axis=1, prepend=0)
    behind = negative[:, -1:] - negative
    beside = np.diff(negative, axis=1, prepend=0)
    pairs = positive[:, -1] * negative[:, -1]
    won = (in_run * (behind + beside / 2)).sum(axis=1)
    return np.where(pairs == 0, np.nan, won / np.where(pairs == 0, 1, pairs))
