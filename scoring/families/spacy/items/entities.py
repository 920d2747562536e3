"""Entities (item `ner`), as spaCy's entity recogniser is scored: on gold tokens, without a look at the text.

An entity of the system is carried over to the gold tokens from the first to the last that its own tokens lie on. It
is *dropped* if there is none, and *ignored* if the gold leaves the status of one of them open ("ents_missing"): in
both cases it is no false positive. nervaluate, seqeval and confusion compare the same entities in other ways.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from scoring.columns import Array, Flags, Integers, coded_together, starts_from_sizes
from scoring.families.f_beta import beta_of
from scoring.families.spacy.items.item_counts import ErrorRows, ItemCounts
from scoring.families.spacy.items.prf_counts import Outcomes, Scores, compare_sets, prf, totals_of
from scoring.families.spacy.score_config import Item
from scoring.families.spacy.sides import Sides, absolute, annotates_ents, by_position
from scoring.labels import NOT_IN_GOLD
from scoring.messages import Message
from scoring.readers.spacy.documents import Spans

Entity = tuple[int, int, int]  # first gold token, the one after the last, code of the label


@dataclass(frozen=True)
class Entities:
    """The entities of documents that the gold annotates, by position; gold tokens are counted over all documents."""

    gold: Spans
    gold_low: Integers  # the first gold token of each entity of the gold
    gold_high: Integers  # the gold token after its last
    system: Spans
    low: Integers  # the first gold token that an entity of the system lies on; 0 where it is dropped
    high: Integers  # the gold token after the last one that it lies on; 0 where it is dropped
    kept: Flags  # entities of the system that count: neither dropped nor ignored
    dropped: Flags  # those that lie on no gold token
    ignored: Flags  # those that lie on a gold token of unknown entity status
    off_boundary: Spans  # those of the system, in characters, whose ends are no ends of gold tokens


def entities(sides: Sides) -> Entities:
    annotated = annotates_ents(sides.gold)
    gold = by_position(sides.gold.ents.where(annotated[sides.gold.ents.document]))
    system = by_position(sides.system.ents.where(annotated[sides.system.ents.document]))
    off = sides.system.off_boundary
    gold_low, gold_high = absolute(gold, sides.gold)
    low, high, dropped = on_gold_tokens(sides, system)
    missing_before = starts_from_sizes(sides.gold.missing)
    ignored = ~dropped & (missing_before[high] > missing_before[low])
    return Entities(
        gold,
        gold_low,
        gold_high,
        system,
        low,
        high,
        kept=~dropped & ~ignored,
        dropped=dropped,
        ignored=ignored,
        # The key of a span group is set, that of entities is not.
        off_boundary=off.where(annotated[off.document] & (off.key == 0)),
    )


def on_gold_tokens(sides: Sides, spans: Spans) -> tuple[Integers, Integers, Flags]:
    """Return the first gold token of each span of the system, the one after its last, and whether it lies on none."""
    alignment = sides.alignment
    start, end = absolute(spans, sides.system)
    # The gold tokens of a span are neighbours in `links`: those of its first token come first, of its last token last.
    first, last = alignment.pointer[start], alignment.pointer[end] - 1
    dropped = last < first
    low, high = np.zeros(len(spans), dtype=np.int64), np.zeros(len(spans), dtype=np.int64)
    low[~dropped], high[~dropped] = alignment.links[first[~dropped]], alignment.links[last[~dropped]] + 1
    return low, high, dropped


def entity_lists(sides: Sides, both: Entities) -> Iterator[tuple[int, list[Entity], list[Entity]]]:
    """Yield each document with entities that count: its index, both sides' entities by start, end and label."""
    kept = both.kept
    gold = _by_document(both.gold.document, both.gold_low, both.gold_high, both.gold.label, sides.names)
    system = _by_document(
        both.system.document[kept], both.low[kept], both.high[kept], both.system.label[kept], sides.names
    )
    for document in sorted(gold.keys() | system.keys()):
        yield document, gold.get(document, []), system.get(document, [])


def row_names(sides: Sides, documents: Collection[tuple[int, list[Entity], list[Entity]]]) -> dict[int, str]:
    """Return for each label's code the row that it counts in where labels that the gold lacks are one row."""
    labels = {entity[2] for _, gold, _ in documents for entity in gold}
    everywhere = labels.union(entity[2] for _, _, system in documents for entity in system)
    return {label: sides.names[label] if label in labels else NOT_IN_GOLD for label in everywhere}


def ner(sides: Sides, item: Item) -> ItemCounts:
    """Count tp, fp and fn: each entity of the gold can be found once."""
    both = entities(sides)
    is_right, is_found = _right(both)
    is_wrong = both.kept & ~is_right
    off = both.off_boundary
    outcomes = Outcomes(
        (
            both.system.document[is_right],
            # An extension: such spans cannot be right. spaCy would not take them over into a document at all.
            np.concatenate([both.system.document[is_wrong], off.document]),
            both.gold.document[~is_found],
        ),
        (
            both.system.label[is_right],
            np.concatenate([both.system.label[is_wrong], off.label]),
            both.gold.label[~is_found],
        ),
        sides.names,
        # spaCy has a row for each type of the system, also where all its entities were dropped or ignored.
        known=both.system.label,
        beta=beta_of(item),
    )
    rows = outcomes.rows(len(sides))
    totals = totals_of("ents", rows)
    tables = {"ents_per_type": partial(outcomes.table, len(sides))} if any(totals.values()) else {}
    errors = [
        error_rows("ents", "fp", sides, both.system.where(is_wrong)),
        error_rows("ents", "dropped", sides, both.system.where(both.dropped)),
        error_rows("ents", "ignored", sides, both.system.where(both.ignored)),
        missed_rows("ents", sides, both.gold.where(~is_found)),
        off_boundary_rows("ents", sides, off),
    ]
    totals["ents_dropped"] = int(both.dropped.sum())
    totals["ents_ignored"] = int(both.ignored.sum())
    totals["ents_off_boundary"] = len(off)
    return ItemCounts(
        rows,
        totals,
        tables,
        warnings=lost_warnings("ents", totals),
        errors=errors,
        invented=outcomes.invented_names,
        hedged=_hedged(both),
    )


def ner_scores(counts: Array, item: Item) -> Scores:
    return prf("ents", counts, beta_of(item))


def error_rows(score: str, kind: str, sides: Sides, spans: Spans) -> ErrorRows:
    """Return errors that are spans of the system."""
    return ErrorRows(score, kind, sides.system, spans.document, spans.start, spans.end, spans.label)


def missed_rows(score: str, sides: Sides, spans: Spans) -> ErrorRows:
    """Return errors that are spans of the gold."""
    return ErrorRows(score, "fn", sides.gold, spans.document, spans.start, spans.end, spans.label)


def off_boundary_rows(score: str, sides: Sides, spans: Spans) -> ErrorRows:
    """Return errors that are spans of the system by characters.

    As the system has no tokens then, these are the gold's.
    """
    return ErrorRows(
        score, "off_boundary", sides.gold, spans.document, spans.start, spans.end, spans.label, in_characters=True
    )


def lost_warnings(attr: str, totals: dict[str, int]) -> list[str]:
    """Return what the scores do not show, or show in another way than spaCy."""
    warnings: list[str] = []
    if dropped := totals[f"{attr}_dropped"]:
        warnings.append(
            Message(
                "spans-without-tokens",
                "{attr}: {n} spans of the system have no gold tokens of their own and count as nothing",
                attr=attr,
                n=dropped,
            )
        )
    if off := totals.get(f"{attr}_off_boundary"):
        warnings.append(
            Message(
                "spans-off-tokens",
                "{attr}: {n} spans do not begin and end where gold tokens do and count as wrong",
                attr=attr,
                n=off,
            )
        )
    return warnings


def _right(both: Entities) -> tuple[Flags, Flags]:
    """Return which entities of the system are true positives, and which of the gold are found.

    Of several equal entities of the system only the first is right, because an entity of the gold can be found once.
    Unlike in `compare_sets`, the others are not the same false positive as any other: each of them counts.
    """
    kept = np.flatnonzero(both.kept)
    gold = (both.gold_low, both.gold_high, both.gold.label)
    system = (both.low[kept], both.high[kept], both.system.label[kept])
    right, _, missed = compare_sets(*coded_together(gold, system))
    is_right, is_found = np.zeros(len(both.system), dtype=bool), np.ones(len(both.gold), dtype=bool)
    is_right[kept[right]] = True
    is_found[missed] = False
    return is_right, is_found


def _hedged(both: Entities) -> Integers:
    """Return gold tokens at which several entities of the system begin."""
    low = np.sort(both.low[both.kept])
    return np.unique(low[1:][low[1:] == low[:-1]])


def _by_document(
    document: Array, low: Integers, high: Integers, label: Array, names: Sequence[str]
) -> dict[int, list[Entity]]:
    lists: dict[int, list[Entity]] = {}
    for k, *entity in zip(document.tolist(), low.tolist(), high.tolist(), label.tolist(), strict=True):
        lists.setdefault(k, []).append(tuple(entity))
    for entities in lists.values():
        entities.sort(key=lambda entity: (entity[0], entity[1], names[entity[2]]))
    return lists
