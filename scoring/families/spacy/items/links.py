"""Item `links`: the entries of a knowledge base that entities are linked to.

Only entities at the same characters on both sides are compared, whatever their labels; each counts for the type of
the gold. Some ids stand for no entry (`negative_labels`, by default NIL): they are neither right nor missed. For
example, gold Q1 and system Q2 are an fp and an fn; gold Q1 and system NIL an fn; gold NIL and system Q2 an fp.

A system that submits only entities that it is sure of loses no recall in spaCy's scores. The extension nel_strict
divides by all entities with an entry instead, wherever they lie.
"""

from functools import partial

import numpy as np

from scoring.columns import Array, Integers, coded_together
from scoring.families.f_beta import beta_of
from scoring.families.spacy.items.item_counts import ItemCounts
from scoring.families.spacy.items.prf_counts import Outcomes, Scores, prf, score_names, totals_of, type_metrics
from scoring.families.spacy.score_config import Item
from scoring.families.spacy.sides import Sides, by_position, character_spans
from scoring.messages import Message
from scoring.prf import ratio
from scoring.readers.spacy.documents import Documents, Spans


def links(sides: Sides, item: Item) -> ItemCounts:
    """Count tp, fp and fn; then the strict counts: right links, the system's links, the gold's."""
    gold, system = by_position(sides.gold.ents), by_position(sides.system.ents)
    gold_row, system_row = _at_same_characters(sides, gold, system)
    # An id that is not set ("") is one as any other, unless it is among these: "" against "" is a tp, as in spaCy.
    negative_codes = [sides.system.strings[label] for label in item["negative_labels"]]
    # From here on one entry for each pair of entities at the same characters.
    gold_id, system_id = gold.kb[gold_row], system.kb[system_row]
    no_gold, no_system = np.isin(gold_id, negative_codes), np.isin(system_id, negative_codes)
    is_asked = ~(no_gold & no_system)
    equal = gold_id == system_id
    right = is_asked & equal
    wrong = is_asked & ~equal & ~no_system
    missed = is_asked & ~equal & ~no_gold
    document, label = gold.document[gold_row], gold.label[gold_row]
    outcomes = Outcomes(
        (document[right], document[wrong], document[missed]),
        (label[right], label[wrong], label[missed]),
        sides.names,
        # spaCy has a row for each type of such a pair, also where nothing counts.
        known=label,
        are_given=True,
        beta=beta_of(item),
    )
    rows = outcomes.rows(len(sides))
    # The document of each link that is right, of each of the system's and of each of the gold's.
    strict = [document[right & ~no_gold]]
    strict += [side.document[~np.isin(side.kb, negative_codes)] for side in (system, gold)]
    n = len(sides)
    return ItemCounts(
        np.hstack([rows, np.stack([np.bincount(documents, minlength=n) for documents in strict], axis=1)]),
        totals_of("nel_micro", rows),
        {"nel_f_per_type": partial(outcomes.table, n)},
        warnings=_warnings(len(gold), len(gold_row)),
        weighted=partial(_macro, outcomes, document, label),
        descriptions={"nel_score": "micro F"},
        averages=partial(
            outcomes.averages, n, {f"nel_macro_{name}": (name, False) for name in score_names(outcomes.beta)}
        ),
    )


def links_scores(counts: Array, item: Item) -> Scores:
    """Compute the micro average and the strict scores.

    The mean over types needs to know which types a resample has.
    """
    beta = beta_of(item)
    micro = prf("nel_micro", counts[..., :3], beta, none_if_empty=False)
    right, of_system, of_gold = np.moveaxis(counts[..., 3:], -1, 0)
    outcomes = np.stack([right, of_system - right, of_gold - right], axis=-1)
    strict = prf("nel_strict", outcomes, beta, none_if_empty=False)
    return {"nel_score": micro["nel_micro_f"], **micro, **strict}


def _at_same_characters(sides: Sides, gold: Spans, system: Spans) -> tuple[Integers, Integers]:
    """Pair entities at the same characters, each side in its own text: the rows of gold and system.

    Entities of one side never overlap, so an entity has at most one partner.
    """
    places = (
        (gold.document, *_characters(sides, sides.gold, gold)),
        (system.document, *_characters(sides, sides.system, system)),
    )
    _, gold_row, system_row = np.intersect1d(*coded_together(*places), assume_unique=True, return_indices=True)
    return gold_row, system_row


def _characters(sides: Sides, side: Documents, spans: Spans) -> tuple[Array, Array]:
    """Start and end of each span in the text of its document; in tokens, where both sides have the same ones."""
    if sides.are_identical and np.array_equal(sides.gold.space, sides.system.space):
        return spans.start, spans.end
    start, end = character_spans(side, np.arange(len(side)))
    first = side.first[spans.document]
    return start[first + spans.start], end[first + spans.end - 1]


def _macro(outcomes: Outcomes, document: Array, label: Array, weights: Integers) -> dict[str, Array]:
    """Average over types for each row of weights (m, documents): {score: (m,)}.

    `document` and `label` are those of each pair of entities. A type that a resample has no pair of adds no 0 to the
    mean, which is 0 without any type.
    """
    pairs = Outcomes((document, document[:0], document[:0]), (label, label[:0], label[:0]), outcomes.names)
    # Both have the same types, and so give the same rows of the weights at a time.
    means = {f"nel_macro_{name}": np.zeros(len(weights)) for name in score_names(outcomes.beta)}
    for (rows, sums), (_, n_pairs) in zip(outcomes.weighted_sums(weights), pairs.weighted_sums(weights), strict=True):
        is_there = n_pairs[..., 0] > 0
        for name, values in type_metrics(sums, outcomes.beta).items():
            means[f"nel_macro_{name}"][rows] = ratio((values * is_there).sum(axis=1), is_there.sum(axis=1))
    return means


def _warnings(n_gold: int, n_pairs: int) -> list[str]:
    if not n_gold or n_pairs == n_gold:
        return []
    share = 100 * n_pairs / n_gold
    return [
        Message(
            "links-of-boundaries",
            "links: only entities with the gold's boundaries count, {share:.1f} % of the gold's; "
            "{strict} counts the others too",
            share=float(share),
            strict="nel_strict",
        )
    ]
