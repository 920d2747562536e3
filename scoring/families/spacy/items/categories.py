"""Item `cats`: the categories of documents, by the F of each label and by the area under its curve.

With `multi_label` each label is a question of its own: the system says yes where its value reaches the threshold, the
gold where its value is above 0. Without it labels exclude each other: on each side the highest value of a document
wins, and one answer is compared with one. For example, gold {A: 1, B: 0} and system {A: 0.6, B: 0.7} at a threshold of
0.5 give a tp of A and an fp of B with `multi_label`; otherwise B was chosen, which is an fp of B and an fn of A.

The area under the curve (AUC) of a label is the share of pairs of a positive and a negative document in which the
system's value is higher for the positive one; ties count half. It is no function of summed counts, so it is made from
weights of documents (see `Curve`).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from scoring.columns import Array, Floats, Integers
from scoring.errors import about
from scoring.families.f_beta import beta_of
from scoring.families.spacy.items.item_counts import ItemCounts
from scoring.families.spacy.items.prf_counts import Outcomes, Scores, score_names, totals_of, type_metrics
from scoring.families.spacy.score_config import Item
from scoring.families.spacy.sides import Sides
from scoring.family import Options, Record, Table, about_gold
from scoring.messages import Message
from scoring.readers.spacy.documents import Categories, Documents

# Weights of one label that are looked at together.
_MOST_WEIGHTS = 2**20

_MACRO_AUC = "macro AUC"

# The documents and the labels of tp, fp and fn, as `Outcomes` takes them.
_Columns = tuple[tuple[Integers, Integers, Integers], tuple[Integers, Integers, Integers]]


def cats(sides: Sides, item: Item) -> ItemCounts:
    """Count tp, fp and fn of each label, label by label in the order of the item."""
    labels: list[str] = item["labels"]
    gold, system = (_of_labels(sides, side, labels) for side in (sides.gold, sides.system))
    compare = _each_label if item["multi_label"] else _highest_label
    codes = np.arange(len(labels))
    outcomes = Outcomes(*compare(gold, system, item), names=labels, known=codes, are_given=True, beta=beta_of(item))
    curves = [_curve(sides, k, gold, system, item) for k in range(len(labels))]
    # Outcomes are sorted by name, the scores below take them in the order of `labels`.
    order = np.argsort(np.array(outcomes.codes(), dtype=np.int64))
    rows = outcomes.typed_rows(len(sides))[:, order]
    totals = totals_of("cats_micro", rows.sum(axis=1))
    description = _description(item)
    return ItemCounts(
        rows.reshape(len(sides), -1),
        totals,
        {
            "cats_f_per_type": partial(outcomes.table, len(sides)),
            "cats_auc_per_type": partial(_auc_table, labels, curves, len(sides)),
        },
        warnings=_warnings(gold, system, labels, curves),
        weighted=partial(_mean_areas, curves, is_score=description == _MACRO_AUC),
        descriptions={"cats_score": description},
        averages=partial(outcomes.averages, len(sides), _means(outcomes, item, description)),
    )


def _means(outcomes: Outcomes, item: Item, description: str) -> dict[str, tuple[str, bool]]:
    """Return {score: (column, False)} of the means over labels, none of which weighs more."""
    names = {f"cats_macro_{name}": (name, False) for name in score_names(outcomes.beta)}
    is_mean = description == "macro F"
    return names | ({"cats_score": ("f", False)} if is_mean else {})


def cats_scores(counts: Array, item: Item) -> Scores:
    """Compute all scores but the areas, from counts (..., 3 · labels)."""
    labels: list[str] = item["labels"]
    by_label = counts.reshape(*counts.shape[:-1], len(labels), 3)
    by_label_scores = type_metrics(by_label, beta_of(item))
    micro = type_metrics(by_label.sum(axis=-2), beta_of(item))
    # spaCy divides by all labels: one without any count adds 0, and without labels the mean is 0.
    macro = {name: values.sum(axis=-1) / max(1, len(labels)) for name, values in by_label_scores.items()}
    scores: Scores = {}
    if _description(item) != _MACRO_AUC:
        positive = item["positive_label"]
        is_binary = bool(positive) and len(labels) == 2
        scores["cats_score"] = by_label_scores["f"][..., labels.index(positive)] if is_binary else macro["f"]
    scores |= {f"cats_micro_{name}": values for name, values in micro.items()}
    return scores | {f"cats_macro_{name}": values for name, values in macro.items()}


def areas(options: Options) -> frozenset[str]:
    """Return the scores, and the column of a table, that are areas under curves or means of them."""
    if options["scores"] is None:  # the gold will tell
        return frozenset(("auc", "cats_macro_auc", "cats_score"))
    kinds = [item["multi_label"] for item in options["scores"] if item["name"] == "cats"]
    named = ("auc", "cats_macro_auc") if kinds else ()
    return frozenset((*named, *(["cats_score"] if any(kinds) else [])))


@dataclass(frozen=True)
class Curve:
    """The documents of one label by the system's value, ready for the area under its curve.

    The area does not need the curve itself. Sorted by falling value, each positive document beats the negative ones
    below it and ties with those beside it; cumulative sums over the negative documents tell how many these are, in
    every resample without sorting again. For example, documents 0 and 2 are positive with the values 0.9 and 0.5,
    documents 1 and 3 negative with 0.8 and 0.5. The first positive one beats both, the second ties with one:

    >>> curve = Curve(np.array([0, 2]), np.array([1, 3]), np.array([0, 1]), np.array([0, 2]), True, False)
    >>> curve.areas(np.ones((1, 4), dtype=np.int64))  # (2 + 0.5) of 4 pairs
    array([0.625])
    """

    positive: Integers  # the document of each positive value of the gold, by falling value of the system
    negative: Integers  # likewise of each other value of the gold
    above: Integers  # for each of `positive` how many of `negative` have a higher value of the system
    up_to: Integers  # for each of `positive` how many of `negative` have a higher or the same value
    is_binary: bool  # whether the gold has exactly two different values; otherwise there is no curve
    is_nan: bool  # whether it has two, but neither is 1; spaCy's area is NaN then

    def n_items(self, n_documents: int) -> Integers:
        """Return how many values of the gold each document has for the label: (n_documents,)."""
        return np.bincount(np.concatenate([self.positive, self.negative]), minlength=n_documents)

    def areas(self, weights: Integers) -> Floats:
        """Return the area (m,) for each row of weights (m, documents); NaN where one of the classes has no weight."""
        step = max(1, _MOST_WEIGHTS // max(1, len(self.positive) + len(self.negative)))
        pieces = [self._areas(weights[start : start + step]) for start in range(0, len(weights), step)]
        return np.concatenate(pieces) if pieces else np.empty(0)

    def _areas(self, weights: Integers) -> Floats:
        # before[:, i] is the weight of the first i negative documents: (m, negative + 1).
        before = np.zeros((len(weights), len(self.negative) + 1))
        np.cumsum(weights[:, self.negative], axis=1, out=before[:, 1:])
        positive = weights[:, self.positive].astype(np.float64)
        n_negative, n_positive = before[:, -1], positive.sum(axis=1)
        # (m, positive): the weight below each positive document, to which half of the weight beside it counts.
        beaten = n_negative[:, np.newaxis] - (before[:, self.above] + before[:, self.up_to]) / 2
        n_pairs = n_negative * n_positive
        area = np.einsum("ij,ij->i", positive, beaten) / np.where(n_pairs == 0, 1, n_pairs)
        return np.where(n_pairs == 0, np.nan, area)


def _of_labels(sides: Sides, side: Documents, labels: Sequence[str]) -> Categories:
    """Return these labels' values on one side; in place of its code each label is its index in `labels`."""
    index = np.full(len(sides.names), -1)
    for k, label in enumerate(labels):
        code = sides.system.strings.get(label)
        if code is not None and code < len(index):
            index[code] = k
    label_index = index[side.cats.label]
    kept = label_index >= 0
    return Categories(side.cats.document[kept], label_index[kept], side.cats.value[kept])


def _each_label(gold: Categories, system: Categories, item: Item) -> _Columns:
    """Set each value of the gold against the system's for the same document and label."""
    # Reaching the threshold is enough.
    is_claimed = _system_values(gold, system, len(item["labels"])) >= item["threshold"]
    # A gold value below 0 counts as nothing: spaCy asks for `> 0` in two of these cases and for `== 0` in the third.
    flags = [is_claimed & (gold.value > 0), is_claimed & (gold.value == 0), ~is_claimed & (gold.value > 0)]
    tp, fp, fn = (gold.document[flag].astype(np.int64) for flag in flags)
    tp_label, fp_label, fn_label = (gold.label[flag].astype(np.int64) for flag in flags)
    return (tp, fp, fn), (tp_label, fp_label, fn_label)


def _system_values(gold: Categories, system: Categories, n_labels: int) -> Floats:
    """Return for each value of the gold the system's for the same document and label; 0 where it says nothing.

    >>> gold = Categories(np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([1.0, 0.0, 1.0]))
    >>> system = Categories(np.array([1, 0]), np.array([0, 1]), np.array([0.7, 0.2]))
    >>> _system_values(gold, system, 2)
    array([0. , 0.2, 0.7])
    """
    keys = system.document.astype(np.int64) * n_labels + system.label
    order = np.argsort(keys)
    wanted = gold.document.astype(np.int64) * n_labels + gold.label
    at = np.searchsorted(keys[order], wanted)
    values = np.zeros(len(wanted))
    # A key beyond the last one is nowhere; another one is there if it stands where it would be inserted.
    is_there = at < len(keys)
    is_there[is_there] = keys[order][at[is_there]] == wanted[is_there]
    values[is_there] = system.value[order][at[is_there]]
    return values


def _highest_label(gold: Categories, system: Categories, item: Item) -> _Columns:
    """Set the highest label of each document against the gold's.

    A document with values on the system's side alone has a false positive; one with values in the gold alone was
    refused by the reader, because spaCy cannot score it.
    """
    documents, labels = _highest(system)
    gold_documents, gold_labels = _highest(gold)
    # Indices into both of the documents that have values on both sides, then into those of the system alone.
    _, at_system, other = np.intersect1d(documents, gold_documents, assume_unique=True, return_indices=True)
    only = np.setdiff1d(np.arange(len(documents)), at_system)
    right = labels[at_system] == gold_labels[other]
    wrong = np.concatenate([at_system[~right], only])
    return (
        (documents[at_system[right]], documents[wrong], gold_documents[other[~right]]),
        (labels[at_system[right]], labels[wrong], gold_labels[other[~right]]),
    )


def _highest(cats_: Categories) -> tuple[Integers, Integers]:
    """Return the documents that have values, and the label of the highest one of each.

    >>> _highest(Categories(np.array([0, 0, 2, 2]), np.array([0, 1, 1, 0]), np.array([0.3, 0.6, 0.5, 0.5])))
    (array([0, 2]), array([1, 1]))
    """
    # The sort is stable: of equally high labels the first in the file wins, as with Python's max.
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
    score = _system_values(gold, system, 1)
    # spaCy takes exactly 1 for positive here, while its F takes everything above 0.
    is_positive = gold.value == 1
    is_binary = len(np.unique(gold.value)) == 2
    order = np.argsort(-score, kind="stable")
    positive, negative = order[is_positive[order]], order[~is_positive[order]]
    # Falling values, negated so that searchsorted finds them rising.
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
    """Return the values of one label, which becomes label 0."""
    has_label = cats_.label == label
    return Categories(cats_.document[has_label], np.zeros(int(has_label.sum()), dtype=np.int32), cats_.value[has_label])


def _mean_areas(curves: Sequence[Curve], weights: Integers, *, is_score: bool) -> dict[str, Array]:
    """Return the mean area over all labels, for each row of weights (m, documents).

    A label without a curve adds 0, because spaCy counts its None so; one whose classes are not both in a resample makes
    the mean undefined there.
    """
    areas = [curve.areas(weights) for curve in curves if curve.is_binary]
    mean = np.sum(areas, axis=0) / len(curves) if areas else np.zeros(len(weights))
    return {"cats_score": mean, "cats_macro_auc": mean} if is_score else {"cats_macro_auc": mean}


def _auc_table(labels: Sequence[str], curves: Sequence[Curve], n_documents: int, gold_labels_only: bool) -> Table:
    """Make a row for each label, by name; all of them are the gold's, or chosen with the options."""
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
        # The only score of this table comes from weights; the sums tell whether a resample has items of a label.
        np.stack([curve.n_items(n_documents) for curve in ordered], axis=1)[..., np.newaxis],
        metrics=_no_scores,
        gold_items=sizes,
        weighted=partial(_areas_by_label, ordered),
    )


def _areas_by_label(curves: Sequence[Curve], weights: Integers) -> dict[str, Array]:
    """Return the area of each label: (m, labels).

    NaN for a label that has no curve, or whose classes are not both in a resample.
    """
    undefined = np.full(len(weights), np.nan)
    return {"auc": np.stack([curve.areas(weights) if curve.is_binary else undefined for curve in curves], axis=1)}


def _no_scores(counts: Array) -> Scores:
    return {}


def _description(item: Item) -> str:
    """Return what spaCy chooses as `cats_score`, in its words."""
    if item["multi_label"]:
        return _MACRO_AUC
    if item["positive_label"] and len(item["labels"]) == 2:
        return f"F ({item['positive_label']})"
    return "macro F"


def _warnings(gold: Categories, system: Categories, labels: Sequence[str], curves: Sequence[Curve]) -> list[str]:
    warnings: list[str] = []
    for label, curve in zip(labels, curves, strict=True):
        if not curve.is_binary:
            warnings += about_gold(
                [
                    Message(
                        "no-area-one-value",
                        "{label}: no area under the curve without two different gold values; 0 in {score}",
                        label=label,
                        score="cats_macro_auc",
                    )
                ]
            )
        elif curve.is_nan:
            warnings += about_gold(
                [
                    Message(
                        "no-area-no-one",
                        "{label}: no area under the curve, as no gold value is 1; nor is there a {score}",
                        label=label,
                        score="cats_macro_auc",
                    )
                ]
            )
    for side, cats_ in (("gold", gold), ("system", system)):
        if number := int(((cats_.value < 0) | (cats_.value > 1)).sum()):
            message = Message("categories-outside", "{n} values of categories lie outside 0..1", n=number)
            warnings += about(side, [message])
    return warnings
