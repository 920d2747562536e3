"""Entries of a knowledge base that entities are linked to."""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from scoring.families.spacy.parts import Part, Sides, by_position, character_spans
from scoring.families.spacy.prf_counts import Outcomes, Scores, prf, totals_of, type_metrics
from scoring.families.spacy.score_config import Item
from scoring.family import Array
from scoring.prf import ratio
from scoring.readers.spacy.documents import Documents, Spans
from scoring.readers.spacy.documents.columns import Integers


def links(sides: Sides, item: Item) -> Part:
    """tp, fp and fn; then the strict counts: right, the system's links, the gold's."""
    gold, system = by_position(sides.gold.ents), by_position(sides.system.ents)
    pairs_gold, pairs_system = _same_place(sides, gold, system)
    negative_codes = [sides.system.strings[label] for label in item["negative_labels"]]
    gold_id, system_id = gold.kb[pairs_gold], system.kb[pairs_system]
    no_gold, no_system = np.isin(gold_id, negative_codes), np.isin(system_id, negative_codes)
    equal = gold_id == system_id
    right = equal & ~(no_gold & no_system)
    wrong = ~equal & ~(no_gold & no_system) & ~no_system
    missed = ~equal & ~(no_gold & no_system) & ~no_gold
    document, label = gold.document[pairs_gold], gold.label[pairs_gold]
    outcomes = Outcomes(
        (document[right], document[wrong], document[missed]),
        (label[right], label[wrong], label[missed]),
        sides.names,
        known=label,
    )
    rows = outcomes.rows(len(sides))
    strict = [document[right & ~no_gold]]
    strict += [side.document[~np.isin(side.kb, negative_codes)] for side in (system, gold)]
    n = len(sides)
    return Part(
        np.hstack([rows, np.stack([np.bincount(own, minlength=n) for own in strict], axis=1)]),
        totals_of("nel_micro", rows),
        {"nel_f_per_type": partial(outcomes.table, n)},
        warnings=_warnings(len(gold), len(pairs_gold)),
        weighted=partial(_macro, outcomes, document, label),
        descriptions={"nel_score": "micro F"},
    )


def links_scores(counts: Array, item: Item) -> Scores:
    """All but the means over types."""
    micro = prf("nel_micro", counts[..., :3], none_if_empty=False)
    found, claimed, wanted = np.moveaxis(counts[..., 3:], -1, 0)
    strict = prf("nel_strict", np.stack([found, claimed - found, wanted - found], axis=-1), none_if_empty=False)
    return {"nel_score": micro["nel_micro_f"], **micro, **strict}


def _same_place(sides: Sides, gold: Spans, system: Spans) -> tuple[Integers, Integers]:
    """The pairs of entities at the same characters, each side in its own text; nothing overlaps on either side."""
    gold_start, gold_end = _characters(sides, sides.gold, gold)
    system_start, system_end = _characters(sides, sides.system, system)
    width = int(max(gold_start.max(initial=0), system_start.max(initial=0))) + 1
    keys = gold.document.astype(np.int64) * width + gold_start
    wanted = system.document.astype(np.int64) * width + system_start
    _, own, other = np.intersect1d(keys, wanted, assume_unique=True, return_indices=True)
    same = gold_end[own] == system_end[other]
    return own[same], other[same]


def _characters(sides: Sides, side: Documents, spans: Spans) -> tuple[Integers, Integers]:
    """Start and end of each span in the text of its document; in tokens, where these tell the same."""
    if sides.are_identical and np.array_equal(sides.gold.space, sides.system.space):
        return spans.start.astype(np.int64), spans.end.astype(np.int64)
    start, end = character_spans(side, np.arange(len(side)))
    first = side.first[spans.document]
    return start[first + spans.start], end[first + spans.end - 1]


def _macro(outcomes: Outcomes, document: Integers, label: Integers, weights: NDArray[np.int64]) -> dict[str, Array]:
    """Means over the types that the weighted documents have; 0 without any."""
    marks = Outcomes((document, document[:0], document[:0]), (label, label[:0], label[:0]), outcomes.names)
    found = {f"nel_macro_{name}": np.zeros(len(weights)) for name in "prf"}
    for (part, sums), (_, present) in zip(outcomes.weighted_sums(weights), marks.weighted_sums(weights), strict=True):
        there = present[..., 0] > 0
        for name, values in type_metrics(sums).items():
            found[f"nel_macro_{name}"][part] = ratio((values * there).sum(axis=1), there.sum(axis=1))
    return found


def _warnings(n_gold: int, n_matched: int) -> list[str]:
    if not n_gold or n_matched == n_gold:
        return []
    share = 100 * n_matched / n_gold
    return [
        f"links: only entities with the gold's boundaries count, {share:.1f} % of the gold's; "
        "nel_strict counts the others too"
    ]
