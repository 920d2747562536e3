"""Groups of spans, entities and sentences as the scorer of spans compares them: where the texts are equal."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import accumulate, groupby

import numpy as np

from scoring.families.spacy.entities import errors_of, lost_warnings, missed_of, off_boundary_of, on_gold_tokens
from scoring.families.spacy.parts import Part, Sides, absolute, annotates_ents, by_position
from scoring.families.spacy.prf_counts import Outcomes, Scores, codes_alike, compare_sets, prf, totals_of
from scoring.families.spacy.score_config import Item
from scoring.family import Array
from scoring.readers.spacy.documents import Documents, Spans, text_of
from scoring.readers.spacy.documents.columns import Codes, Flags, Integers

_SIGMA = "Σ"  # the one letter whose lower case depends on what stands beside it


def spans(sides: Sides, item: Item) -> Part:
    """tp, fp and fn of the different spans on gold tokens."""
    attr, is_labeled = item["attr"], item["labeled"]
    gold, system, off = _scored(sides, item)
    low, high, dropped = _aligned(sides, system, allow_overlap=item["allow_overlap"])
    kept = system.where(~dropped)
    gold_low, gold_high = absolute(gold, sides.gold)
    labels = (gold.label, kept.label) if is_labeled else (np.zeros_like(gold.label), np.zeros_like(kept.label))
    keys = codes_alike((gold_low, gold_high, labels[0]), (low[~dropped], high[~dropped], labels[1]))
    right, wrong, missed = compare_sets(*keys)
    outcomes = Outcomes(
        (kept.document[right], np.concatenate([kept.document[wrong], off.document]), gold.document[missed]),
        (kept.label[right], np.concatenate([kept.label[wrong], off.label]), gold.label[missed]),
        sides.names,
        known=np.concatenate([gold.label, system.label]),
    )
    rows = outcomes.rows(len(sides))
    totals = totals_of(attr, rows)
    has_table = is_labeled and attr != "sents" and any(totals.values())
    totals[f"{attr}_dropped"] = int(dropped.sum())
    if attr != "sents":
        totals[f"{attr}_off_boundary"] = len(off)
    return Part(
        rows,
        totals,
        {f"{attr}_per_type": partial(outcomes.table, len(sides))} if has_table else {},
        warnings=lost_warnings(attr, totals),
        errors=[
            errors_of(attr, "fp", sides, kept.where(wrong)),
            errors_of(attr, "dropped", sides, system.where(dropped)),
            missed_of(attr, sides, gold.where(missed)),
            off_boundary_of(attr, sides, off),
        ],
    )


def spans_scores(counts: Array, item: Item) -> Scores:
    return prf(item["attr"], counts)


def _scored(sides: Sides, item: Item) -> tuple[Spans, Spans, Spans]:
    """The spans of both sides that are compared, and those of the system that fit no tokens."""
    attr = item["attr"]
    key = sides.system.strings[attr.removeprefix("spans_")] if attr.startswith("spans_") else 0
    found, annotated = zip(*(_spans_of(sides, k, attr, key) for k in range(2)), strict=True)
    gold_counts = annotated[0] if item["has_annotation"] else np.ones(len(sides), dtype=bool)
    system_counts = gold_counts & annotated[1] if item["has_annotation"] else gold_counts
    off = sides.system.off_boundary
    of_group = (off.key == key) if attr != "sents" else np.zeros(len(off), dtype=bool)
    return (
        found[0].where(gold_counts[found[0].document]),
        found[1].where(system_counts[found[1].document]),
        off.where(of_group & system_counts[off.document]),
    )


def _spans_of(sides: Sides, number: int, attr: str, key: int) -> tuple[Spans, Flags]:
    """The spans of the gold (0) or the system (1), and which documents have them annotated."""
    side = (sides.gold, sides.system)[number]
    if attr == "ents":
        return by_position(side.ents), annotates_ents(side)
    if attr == "sents":
        return _sentences(side, sides.starts[number])
    annotated = np.zeros(len(side), dtype=bool)
    annotated[side.groups[side.groups[:, 1] == key, 0]] = True
    return side.spans.where(side.spans.key == key), annotated


def _sentences(side: Documents, starts: Array) -> tuple[Spans, Flags]:
    place = side.place
    begins = np.flatnonzero((place == 0) | (starts == 1))
    ends = np.append(begins[1:], len(place))
    document = side.document[begins]
    nothing = np.zeros(len(begins), dtype=np.int32)
    first = side.first[document]
    found = Spans(document, nothing, begins - first, ends - first, nothing, nothing)
    annotated = side.lengths <= 1
    annotated[side.document[(place > 0) & (starts != 0)]] = True
    return found, annotated


def _aligned(sides: Sides, spans_: Spans, *, allow_overlap: bool) -> tuple[Integers, Integers, Flags]:
    """The gold tokens of each span, and which spans are dropped: their gold text is another, or taken."""
    low, high, dropped = on_gold_tokens(sides, spans_)
    alone = ~_in_conflict(sides, spans_, low, high, dropped) | allow_overlap
    to_compare = ~dropped & alone & ~_has_same_text(sides)[spans_.document]
    compared = np.flatnonzero(to_compare)
    for k, is_same in zip(compared.tolist(), _compared(sides, spans_, low, high, compared), strict=True):
        dropped[k] = not is_same
    _resolve(sides, spans_, low, high, dropped, np.flatnonzero(~alone))
    return low, high, dropped


def _has_same_text(sides: Sides) -> Flags:
    """Documents in which equal tokens have equal texts, whatever blanks stand between them."""
    same = sides.alignment.identical.copy()
    suspicious = [k for k in np.flatnonzero(same).tolist() if _SIGMA in sides.gold.texts[k]]
    same[suspicious] = False
    return same


def _in_conflict(sides: Sides, spans_: Spans, low: Integers, high: Integers, dropped: Flags) -> Flags:
    """The spans of documents in which two of them share a gold token."""
    order = np.flatnonzero(~dropped)
    order = order[np.argsort(low[order], kind="stable")]
    reached = np.maximum.accumulate(high[order]) if len(order) else high[order]
    crossing = np.zeros(len(sides), dtype=bool)
    crossing[spans_.document[order[1:][low[order[1:]] < reached[:-1]]]] = True
    return np.asarray(crossing[spans_.document])


Texts = Callable[[int, int], str]


def _texts(side: Documents, document: int) -> Texts:
    """From a span to its text in lower case, without blanks and without white space at its ends."""
    words, spaces = side.words(document), side.spaces(document)
    if _SIGMA in side.texts[document]:
        return lambda start, end: text_of(words[start:end], spaces[start:end]).lower().strip().replace(" ", "")
    # Each span is a piece of one text: many long spans must not be put together word by word.
    pieces = [word.lower().replace(" ", "") for word in words]
    whole, at = "".join(pieces), [0, *accumulate(map(len, pieces))]
    return lambda start, end: whole[at[start] : at[end]].strip()


def _compared(sides: Sides, spans_: Spans, low: Integers, high: Integers, chosen: Integers) -> Iterator[bool]:
    """Whether each chosen span has the text of its gold tokens, blanks and capitals aside."""
    for document, own in groupby(chosen.tolist(), key=spans_.document.tolist().__getitem__):
        gold, system = _texts(sides.gold, document), _texts(sides.system, document)
        first = int(sides.gold.first[document])
        for k in own:
            yield gold(low[k] - first, high[k] - first) == system(spans_.start[k], spans_.end[k])


def _resolve(sides: Sides, spans_: Spans, low: Integers, high: Integers, dropped: Flags, chosen: Integers) -> None:
    """Spans that share gold tokens: each takes what earlier ones have left, if its text is that of what is left."""
    links, pointer = sides.alignment.links, sides.alignment.pointer
    start, end = absolute(spans_, sides.system)
    documents: Codes = spans_.document
    for document, own in groupby(chosen.tolist(), key=documents.tolist().__getitem__):
        gold, system = _texts(sides.gold, document), _texts(sides.system, document)
        first = int(sides.gold.first[document])
        seen: set[int] = set()
        for k in own:
            found = [token for token in links[pointer[start[k]] : pointer[end[k]]].tolist() if token not in seen]
            dropped[k] = not found or gold(found[0] - first, found[-1] + 1 - first) != system(
                spans_.start[k], spans_.end[k]
            )
            if not dropped[k]:
                low[k], high[k] = found[0], found[-1] + 1
                seen.update(found)
