"""Categories of documents: the F of each label, and the area under its curve."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from scoring.families.spacy.parts import Part, Sides
from scoring.families.spacy.prf_counts import Outcomes, Scores, totals_of, type_metrics
from scoring.families.spacy.score_config import Item
from scoring.family import Array, Record, Table
from scoring.readers.spacy.documents import Categories, Documents
from scoring.readers.spacy.documents.columns import Integers, Numbers

# Weights of one label that are looked at together.
_MOST_WEIGHTS = 2**20


def cats(sides: Sides, item: Item) -> Part:
    """tp, fp and fn of each label, label by label; the rest needs weights."""
    labels: list[str] = item["labels"]
    gold, system = (_known(sides, side, labels) for side in (sides.gold, sides.system))
    compare = _compared if item["multi_label"] else _chosen
    outcomes = Outcomes(*compare(gold, system, item), names=labels, known=np.arange(len(labels)))
    curves = [_curve(sides, k, gold, system, item) for k in range(len(labels))]
    order = np.argsort(np.array(outcomes.codes(), dtype=np.int64))
    rows = outcomes.typed_rows(len(sides))[:, order]
    totals = totals_of("cats_micro", rows.sum(axis=1))
    main = _description(item)
    return Part(
        rows.reshape(len(sides), -1),
        totals,
        {
            "cats_f_per_type": partial(outcomes.table, len(sides)),
            "cats_auc_per_type": partial(_auc_table, labels, curves, len(sides)),
        },
        warnings=_warnings(gold, system, labels, curves),
        weighted=partial(_areas, curves, is_score=main == "macro AUC"),
        descriptions={"cats_score": main},
    )


def cats_scores(counts: Array, item: Item) -> Scores:
    """All but the areas. Counts (..., labels · 3); labels without any count add 0 to the means."""
    labels: list[str] = item["labels"]
    by_label = counts.reshape(*counts.shape[:-1], len(labels), 3)
    scores = type_metrics(by_label)
    micro = type_metrics(by_label.sum(axis=-2))
    macro = {name: values.sum(axis=-1) / max(1, len(labels)) for name, values in scores.items()}
    found: Scores = {}
    if _description(item) != "macro AUC":
        positive = item["positive_label"]
        is_binary = bool(positive) and len(labels) == 2
        found["cats_score"] = scores["f"][..., labels.index(positive)] if is_binary else macro["f"]
    found |= {f"cats_micro_{name}": values for name, values in micro.items()}
    return found | {f"cats_macro_{name}": values for name, values in macro.items()}


@dataclass(frozen=True)
class Curve:
    """The items of one label by falling score of the system.

    Each positive item lies above `after` and beside `beside` negative ones, both counted in places of
    `negative`, the documents of the negative items in the same order. Without two different gold values, or
    if none of them is 1, there is no curve.
    """

    positive: Integers
    negative: Integers
    above: Integers
    up_to: Integers
    is_binary: bool
    is_nan: bool

    def areas(self, weights: NDArray[np.int64]) -> Numbers:
        """The area for each row of weights (m, documents); NaN where one of the classes has no weight."""
        step = max(1, _MOST_WEIGHTS // max(1, len(self.positive) + len(self.negative)))
        parts = [self._areas(weights[start : start + step]) for start in range(0, len(weights), step)]
        return np.concatenate(parts) if parts else np.empty(0)

    def _areas(self, weights: NDArray[np.int64]) -> Numbers:
        before = np.zeros((len(weights), len(self.negative) + 1))
        np.cumsum(weights[:, self.negative], axis=1, out=before[:, 1:])
        positive = weights[:, self.positive].astype(np.float64)
        n_negative, n_positive = before[:, -1], positive.sum(axis=1)
        # Half of the negative items beside a positive one count as below it.
        beaten = n_negative[:, np.newaxis] - (before[:, self.above] + before[:, self.up_to]) / 2
        possible = n_negative * n_positive
        area = np.einsum("ij,ij->i", positive, beaten) / np.where(possible == 0, 1, possible)
        return np.where(possible == 0, np.nan, area)


def _known(sides: Sides, side: Documents, labels: Sequence[str]) -> Categories:
    """The values of these labels, labels as places in the list."""
    place = np.full(len(sides.names), -1)
    for k, label in enumerate(labels):
        if (code := sides.system.strings.get(label)) is not None and code < len(place):
            place[code] = k
    label_place = place[side.cats.label]
    kept = label_place >= 0
    return Categories(side.cats.document[kept], label_place[kept], side.cats.value[kept])


Columns = tuple[tuple[Integers, Integers, Integers], tuple[Integers, Integers, Integers]]


def _compared(gold: Categories, system: Categories, item: Item) -> Columns:
    """Each label by itself: is it above the threshold where the gold has it?"""
    claimed = _values(gold, system, len(item["labels"])) >= item["threshold"]
    marks = [claimed & (gold.value > 0), claimed & (gold.value == 0), ~claimed & (gold.value > 0)]
    documents = tuple(gold.document[mark].astype(np.int64) for mark in marks)
    return documents, tuple(gold.label[mark].astype(np.int64) for mark in marks)


def _values(gold: Categories, system: Categories, n_labels: int) -> Numbers:
    """The system's value for each value of the gold; 0 where it says nothing."""
    keys = system.document.astype(np.int64) * n_labels + system.label
    order = np.argsort(keys)
    wanted = gold.document.astype(np.int64) * n_labels + gold.label
    at = np.searchsorted(keys[order], wanted)
    found = np.zeros(len(wanted))
    inside = at < len(keys)
    inside[inside] = keys[order][at[inside]] == wanted[inside]
    found[inside] = system.value[order][at[inside]]
    return found


def _chosen(gold: Categories, system: Categories, item: Item) -> Columns:
    """The highest label of each side, the first of equal ones."""
    documents, labels = _highest(system)
    gold_documents, gold_labels = _highest(gold)
    _, own, other = np.intersect1d(documents, gold_documents, assume_unique=True, return_indices=True)
    only = np.setdiff1d(np.arange(len(documents)), own)
    right = labels[own] == gold_labels[other]
    wrong = np.concatenate([own[~right], only])
    return (
        (documents[own[right]], documents[wrong], gold_documents[other[~right]]),
        (labels[own[right]], labels[wrong], gold_labels[other[~right]]),
    )


def _highest(cats_: Categories) -> tuple[Integers, Integers]:
    order = np.lexsort((-cats_.value, cats_.document))
    documents, first = np.unique(cats_.document[order], return_index=True)
    return documents.astype(np.int64), cats_.label[order[first]].astype(np.int64)


def _curve(sides: Sides, label: int, gold: Categories, system: Categories, item: Item) -> Curve:
    gold, system = (_of_label(side, label) for side in (gold, system))
    if not item["multi_label"]:
        # Exclusive labels: the gold says 0 of all that it does not name.
        absent = np.setdiff1d(np.arange(len(sides)), gold.document)
        gold = Categories(
            np.concatenate([gold.document, absent]),
            np.zeros(len(sides), dtype=np.int32),
            np.append(gold.value, np.zeros(len(absent))),
        )
    score = _values(gold, system, 1)
    is_positive = gold.value == 1
    is_binary = len(np.unique(gold.value)) == 2
    order = np.argsort(-score, kind="stable")
    positive, negative = order[is_positive[order]], order[~is_positive[order]]
    negative_score = -score[negative]
    return Curve(
        gold.document[positive].astype(np.int64),
        gold.document[negative].astype(np.int64),
        above=np.searchsorted(negative_score, -score[positive], side="left"),
        up_to=np.searchsorted(negative_score, -score[positive], side="right"),
        is_binary=is_binary,
        is_nan=is_binary and not is_positive.any(),
    )


def _of_label(cats_: Categories, label: int) -> Categories:
    own = cats_.label == label
    return Categories(cats_.document[own], np.zeros(int(own.sum()), dtype=np.int32), cats_.value[own])


def _areas(curves: Sequence[Curve], weights: NDArray[np.int64], *, is_score: bool) -> dict[str, Array]:
    """The mean over all labels; a label that never had two classes adds 0, one that lost one makes it undefined."""
    areas = [curve.areas(weights) for curve in curves if curve.is_binary]
    mean = np.sum(areas, axis=0) / len(curves) if areas else np.zeros(len(weights))
    return {"cats_score": mean, "cats_macro_auc": mean} if is_score else {"cats_macro_auc": mean}


def _auc_table(labels: Sequence[str], curves: Sequence[Curve], n_documents: int) -> Table:
    pairs = sorted(zip(labels, curves, strict=True), key=lambda pair: pair[0])
    if not pairs:
        return Table([])
    ordered = [curve for _, curve in pairs]
    areas = _areas_by_label(ordered, np.ones((1, n_documents), dtype=np.int64))["auc"][0]
    records: list[Record] = [
        {
            "type": label,
            "auc": None if math.isnan(area) else float(area),
            "positives": len(curve.positive),
            "negatives": len(curve.negative),
        }
        for (label, curve), area in zip(pairs, areas, strict=True)
    ]
    sizes = np.array([len(curve.positive) + len(curve.negative) for _, curve in pairs])
    return Table(
        records,
        np.zeros((n_documents, len(curves), 1), dtype=np.int64),
        metrics=_nothing,
        gold_items=sizes,
        weighted=partial(_areas_by_label, ordered),
    )


def _areas_by_label(curves: Sequence[Curve], weights: NDArray[np.int64]) -> dict[str, Array]:
    """(m, labels); NaN for a label that never had two classes, or has lost one."""
    nothing = np.full(len(weights), np.nan)
    return {"auc": np.stack([curve.areas(weights) if curve.is_binary else nothing for curve in curves], axis=1)}


def _nothing(counts: Array) -> Scores:
    return {}


def _description(item: Item) -> str:
    if item["multi_label"]:
        return "macro AUC"
    if item["positive_label"] and len(item["labels"]) == 2:
        return f"F ({item['positive_label']})"
    return "macro F"


def _warnings(gold: Categories, system: Categories, labels: Sequence[str], curves: Sequence[Curve]) -> list[str]:
    warnings = []
    for label, curve in zip(labels, curves, strict=True):
        if not curve.is_binary:
            warnings.append(f"{label}: no area under the curve without two different gold values; 0 in cats_macro_auc")
        elif curve.is_nan:
            warnings.append(f"{label}: no area under the curve, as no gold value is 1; nor is there a cats_macro_auc")
    for side, cats_ in (("gold", gold), ("system", system)):
        if number := int(((cats_.value < 0) | (cats_.value > 1)).sum()):
            warnings.append(f"{side}: {number} values of categories lie outside 0..1")
    return warnings
