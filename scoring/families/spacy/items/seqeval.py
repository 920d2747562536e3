"""Item `seqeval` (an extension): the averages over types of seqeval 1.2.2, of entities that are exactly right.

The entities are those of item `ner`, or with a `scheme` those that tags in columns have by it (tag_schemes.py). Beside
the micro average of spaCy, seqeval has the mean over types (macro), the mean weighted by each type's number of gold
entities, its support (weighted), and the accuracy of tags.
"""

from dataclasses import replace
from functools import partial

import numpy as np

from scoring.columns import Array, Flags, Integers, coded_together, ranges
from scoring.families.f_beta import beta_of
from scoring.families.spacy.items.entities import Entities, entities
from scoring.families.spacy.items.item_counts import ItemCounts
from scoring.families.spacy.items.prf_counts import (
    Outcomes,
    Scores,
    compare_sets,
    per_document,
    prf,
    score_names,
    type_metrics,
)
from scoring.families.spacy.items.tag_schemes import strictly
from scoring.families.spacy.score_config import Item
from scoring.families.spacy.sides import Sides, annotates_ents
from scoring.family import Table
from scoring.prf import ratio


def seqeval(sides: Sides, item: Item) -> ItemCounts:
    """Count tp, fp and fn of entities; gold tokens with the same tag, all of them, documents with other tokens."""
    if (scheme := item.get("scheme")) is not None:
        gold, system = (strictly(side, scheme) for side in (sides.gold, sides.system))
        sides = replace(sides, gold=gold, system=system)
    both = entities(sides)
    kept = both.kept
    label = both.system.label[kept]
    codes = coded_together(
        (both.gold_low, both.gold_high, both.gold.label),
        (both.low[kept], both.high[kept], label),
    )
    right, wrong, missed = compare_sets(*codes)
    document = both.system.document[kept]
    outcomes = Outcomes(
        (document[right], document[wrong], both.gold.document[missed]),
        (label[right], label[wrong], both.gold.label[missed]),
        sides.names,
        beta=beta_of(item),
    )
    rows = np.hstack([outcomes.rows(len(sides)), _tag_rows(sides, both)])
    return ItemCounts(
        rows,
        {},
        {"seqeval_per_type": partial(_table, outcomes, len(sides))},
        weighted=partial(_averages, outcomes),
        invented=outcomes.invented_names,
        averages=partial(outcomes.averages, len(sides), _means(outcomes)),
    )


def seqeval_scores(counts: Array, item: Item) -> Scores:
    """Compute the micro average and the accuracy.

    The averages over types need to know which types a resample has.
    """
    equal, tokens, with_other_tokens = np.moveaxis(counts[..., 3:], -1, 0)
    # seqeval compares tag by tag, which means nothing as soon as one document has other tokens.
    accuracy = np.where(with_other_tokens > 0, np.nan, ratio(equal, tokens))
    micro = prf("seqeval_micro", counts[..., :3], beta_of(item), none_if_empty=False)
    return {**micro, "seqeval_accuracy": accuracy}


def _tag_rows(sides: Sides, both: Entities) -> Integers:
    """Count gold tokens with the same tag, all gold tokens, and 1 where the system has other tokens: (documents, 3).

    Only documents count in which the gold has entities annotated.
    """
    has_other_tokens = ~sides.alignment.identical
    if has_other_tokens.any():
        # The accuracy is undefined anyway.
        nothing = np.zeros(len(sides), dtype=np.int64)
        return np.stack([nothing, nothing, has_other_tokens.astype(np.int64)], axis=1)
    gold, system = _written_tags(sides) or _encoded_tags(sides, both)
    counts: Flags = annotates_ents(sides.gold)[sides.gold.document]
    equal = per_document((gold == system) & counts, sides.gold.first)
    return np.stack([equal, per_document(counts, sides.gold.first), np.zeros_like(equal)], axis=1)


def _written_tags(sides: Sides) -> tuple[Array, Array] | None:
    """Return the tags of both sides as their files have them, which seqeval and conlleval compare.

    None without tags.
    """
    gold, system = sides.gold.iob, sides.system.iob
    return (gold, system) if gold.any() and system.any() else None


def _encoded_tags(sides: Sides, both: Entities) -> tuple[Array, Array]:
    n_tokens, kept = len(sides.gold.blank), both.kept
    gold = _tags(n_tokens, both.gold_low, both.gold_high, both.gold.label)
    return gold, _tags(n_tokens, both.low[kept], both.high[kept], both.system.label[kept])


def _tags(n_tokens: int, low: Integers, high: Integers, label: Array) -> Integers:
    """Return the tag of each token in IOB2 as a number: 0 outside (O), odd where an entity begins (B), even inside (I).

    >>> _tags(5, np.array([0, 3]), np.array([2, 4]), np.array([0, 1]))
    array([1, 2, 0, 3, 0])
    """
    tags = np.zeros(n_tokens, dtype=np.int64)
    tags[ranges(low, high - low)] = np.repeat(2 * label.astype(np.int64) + 2, high - low)
    tags[low] = 2 * label.astype(np.int64) + 1
    return tags


def _averages(outcomes: Outcomes, weights: Integers) -> dict[str, Array]:
    """Average over types, plain and by support, for each row of weights (m, documents): {score: (m,)}."""
    names = score_names(outcomes.beta)
    averages = {f"seqeval_{mean}_{name}": np.zeros(len(weights)) for mean in ("macro", "weighted") for name in names}
    # A type that the gold lacks has 0 everywhere, so only their number matters; a system may invent thousands.
    n_invented = outcomes.n_invented(weights)
    for rows, sums in outcomes.of_gold_types().weighted_sums(weights):
        # A type that a resample lacks on both sides is no type of it, and adds no 0 to its mean.
        is_there = sums.sum(axis=-1) > 0
        support = sums[..., 0] + sums[..., 2]
        for name, values in type_metrics(sums, outcomes.beta).items():
            averages[f"seqeval_macro_{name}"][rows] = ratio(
                (values * is_there).sum(axis=1), is_there.sum(axis=1) + n_invented[rows]
            )
            averages[f"seqeval_weighted_{name}"][rows] = ratio((values * support).sum(axis=1), support.sum(axis=1))
    return averages


def _means(outcomes: Outcomes) -> dict[str, tuple[str, bool]]:
    """Return {score: (column, whether the gold's entities weigh)}."""
    names = score_names(outcomes.beta)
    return {f"seqeval_{mean}_{name}": (name, mean == "weighted") for mean in ("macro", "weighted") for name in names}


def _table(outcomes: Outcomes, n_documents: int, gold_labels_only: bool) -> Table:
    table = outcomes.table(n_documents, gold_labels_only)
    records = [record | {"support": record["tp"] + record["fn"]} for record in table.records]
    return replace(table, records=records)
