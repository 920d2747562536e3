"""Entities as the scorer of the entity recogniser compares them: on gold tokens, without a look at the text."""

from dataclasses import dataclass
from functools import partial

import numpy as np

from scoring.families.spacy.parts import Errors, Part, Sides, absolute, annotates_ents, by_position
from scoring.families.spacy.prf_counts import Outcomes, Scores, prf, totals_of
from scoring.families.spacy.score_config import Item
from scoring.family import Array
from scoring.readers.spacy.documents.columns import Flags, Integers, Spans


@dataclass(frozen=True)
class Entities:
    """The entities of documents whose gold is annotated, by position; `low` and `high` count gold tokens.

    `system` are all of the system's, of which `kept` lie on gold tokens of known status; `dropped` lie on none,
    `ignored` on some of unknown status. `off_boundary` fit no tokens.
    """

    gold: Spans
    gold_low: Integers
    gold_high: Integers
    system: Spans
    low: Integers
    high: Integers
    kept: Flags
    dropped: Flags
    ignored: Flags
    off_boundary: Spans


def entities(sides: Sides) -> Entities:
    annotated = annotates_ents(sides.gold)
    gold = by_position(sides.gold.ents.where(annotated[sides.gold.ents.document]))
    system = by_position(sides.system.ents.where(annotated[sides.system.ents.document]))
    off = sides.system.off_boundary
    gold_low, gold_high = absolute(gold, sides.gold)
    low, high, dropped = on_gold_tokens(sides, system)
    missing_before = np.concatenate([[0], np.cumsum(sides.gold.missing)])
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
        off_boundary=off.where(annotated[off.document] & (off.key == 0)),
    )


def on_gold_tokens(sides: Sides, spans: Spans) -> tuple[Integers, Integers, Flags]:
    """The first gold token of each span of the system, the one after its last, and whether it lies on none."""
    alignment = sides.alignment
    start, end = absolute(spans, sides.system)
    first, last = alignment.pointer[start], alignment.pointer[end] - 1
    dropped = last < first
    low, high = np.zeros(len(spans), dtype=np.int64), np.zeros(len(spans), dtype=np.int64)
    there = ~dropped
    low[there], high[there] = alignment.links[first[there]], alignment.links[last[there]] + 1
    return low, high, dropped


def ner(sides: Sides, item: Item) -> Part:
    """tp, fp and fn: an entity of the gold can be found once."""
    found = entities(sides)
    right, matched = _matched(sides, found)
    wrong = found.kept & ~right
    off = found.off_boundary
    outcomes = Outcomes(
        (
            found.system.document[right],
            np.concatenate([found.system.document[wrong], off.document]),
            found.gold.document[~matched],
        ),
        (
            found.system.label[right],
            np.concatenate([found.system.label[wrong], off.label]),
            found.gold.label[~matched],
        ),
        sides.names,
        known=found.system.label,
    )
    rows = outcomes.rows(len(sides))
    totals = totals_of("ents", rows)
    tables = {"ents_per_type": partial(outcomes.table, len(sides))} if any(totals.values()) else {}
    marks = {"fp": wrong, "dropped": found.dropped, "ignored": found.ignored}
    errors = [errors_of("ents", kind, sides, found.system.where(marked)) for kind, marked in marks.items()]
    errors += [missed_of("ents", sides, found.gold.where(~matched)), off_boundary_of("ents", sides, off)]
    totals["ents_dropped"] = int(found.dropped.sum())
    totals["ents_ignored"] = int(found.ignored.sum())
    totals["ents_off_boundary"] = len(off)
    return Part(
        rows,
        totals,
        tables,
        warnings=lost_warnings("ents", totals),
        errors=errors,
        hedged=_hedged(found),
    )


def ner_scores(counts: Array, item: Item) -> Scores:
    return prf("ents", counts)


def errors_of(score: str, kind: str, sides: Sides, spans: Spans) -> Errors:
    return Errors(score, kind, sides.system, spans.document, spans.start, spans.end, spans.label)


def missed_of(score: str, sides: Sides, spans: Spans) -> Errors:
    return Errors(score, "fn", sides.gold, spans.document, spans.start, spans.end, spans.label)


def off_boundary_of(score: str, sides: Sides, spans: Spans) -> Errors:
    return Errors(
        score, "off_boundary", sides.gold, spans.document, spans.start, spans.end, spans.label, in_characters=True
    )


def lost_warnings(attr: str, totals: dict[str, int]) -> list[str]:
    """What the scores do not show, or show in another way than spaCy."""
    warnings = []
    if dropped := totals[f"{attr}_dropped"]:
        warnings.append(f"{attr}: {dropped} spans of the system have no gold tokens of their own and count as nothing")
    if off := totals.get(f"{attr}_off_boundary"):
        warnings.append(f"{attr}: {off} spans do not begin and end where gold tokens do and count as wrong")
    return warnings


def _matched(sides: Sides, found: Entities) -> tuple[Flags, Flags]:
    """Which entities of the system are right, the first of equal ones, and which of the gold are found."""
    at = np.full(len(sides.gold.blank) + 1, -1)
    at[found.gold_low] = np.arange(len(found.gold))
    candidate = np.where(found.kept, at[found.low], -1)
    fits = np.flatnonzero(candidate >= 0)
    gold = candidate[fits]
    equal = (found.gold_high[gold] == found.high[fits]) & (found.gold.label[gold] == found.system.label[fits])
    once, first = np.unique(gold[equal], return_index=True)
    right, matched = np.zeros(len(found.system), dtype=bool), np.zeros(len(found.gold), dtype=bool)
    right[fits[equal][first]] = True
    matched[once] = True
    return right, matched


def _hedged(found: Entities) -> Integers:
    """Gold tokens at which several entities of the system begin."""
    low = np.sort(found.low[found.kept])
    return np.unique(low[1:][low[1:] == low[:-1]])
