"""Item `spans`: groups of spans, entities or sentences, as spaCy's scorer of spans compares them.

Unlike `ner`, a span of the system counts only if its text is that of the gold tokens that it lies on; a span that
lies on none, or on others, is *dropped*: it is no false positive, as in spaCy, but it is shown and warned of. Without
`allow_overlap` spans of one document compete for gold tokens: each takes those that earlier ones have left, in the
order of the file, and is compared with these. For example, with gold tokens "New", "York" and a system's spans
0..2 and 1..2 on the same tokens, the second finds its token taken and is dropped.
"""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import accumulate, groupby

import numpy as np

from scoring.columns import Array, Flags, Integers, coded_together
from scoring.families.f_beta import beta_of
from scoring.families.spacy.items.entities import (
    error_rows,
    lost_warnings,
    missed_rows,
    off_boundary_rows,
    on_gold_tokens,
)
from scoring.families.spacy.items.item_counts import ItemCounts
from scoring.families.spacy.items.prf_counts import Outcomes, Scores, compare_sets, prf, totals_of
from scoring.families.spacy.score_config import Item
from scoring.families.spacy.sides import Sides, absolute, annotates_ents, by_position
from scoring.readers.spacy.documents import Documents, Spans, text_of

# The one letter whose lower case depends on what stands beside it: at the end of a word it is another one.
_SIGMA = "Σ"

# From the first token of a span and the one after its last, in the document, to its text as it is compared.
_TextOf = Callable[[int, int], str]


def spans(sides: Sides, item: Item) -> ItemCounts:
    """Count tp, fp and fn of the different spans on gold tokens."""
    attr, is_labeled = item["attr"], item["labeled"]
    gold, system, off = _compared(sides, item)
    low, high, dropped = _aligned(sides, system, allow_overlap=item["allow_overlap"])
    kept = system.where(~dropped)
    gold_low, gold_high = absolute(gold, sides.gold)
    labels = (gold.label, kept.label) if is_labeled else (np.zeros_like(gold.label), np.zeros_like(kept.label))
    codes = coded_together((gold_low, gold_high, labels[0]), (low[~dropped], high[~dropped], labels[1]))
    right, wrong, missed = compare_sets(*codes)
    outcomes = Outcomes(
        (
            kept.document[right],
            # An extension: such spans cannot be right. spaCy would not take them over into a document at all.
            np.concatenate([kept.document[wrong], off.document]),
            gold.document[missed],
        ),
        (kept.label[right], np.concatenate([kept.label[wrong], off.label]), gold.label[missed]),
        sides.names,
        # spaCy has a row for each label of both sides, also where all spans were dropped.
        known=np.concatenate([gold.label, system.label]),
        beta=beta_of(item),
    )
    rows = outcomes.rows(len(sides))
    totals = totals_of(attr, rows)
    has_table = is_labeled and attr != "sents" and any(totals.values())
    totals[f"{attr}_dropped"] = int(dropped.sum())
    if attr != "sents":
        totals[f"{attr}_off_boundary"] = len(off)
    return ItemCounts(
        rows,
        totals,
        {f"{attr}_per_type": partial(outcomes.table, len(sides))} if has_table else {},
        invented=outcomes.invented_names if has_table else list,
        warnings=lost_warnings(attr, totals),
        errors=[
            error_rows(attr, "fp", sides, kept.where(wrong)),
            error_rows(attr, "dropped", sides, system.where(dropped)),
            missed_rows(attr, sides, gold.where(missed)),
            off_boundary_rows(attr, sides, off),
        ],
    )


def spans_scores(counts: Array, item: Item) -> Scores:
    return prf(item["attr"], counts, beta_of(item))


def _compared(sides: Sides, item: Item) -> tuple[Spans, Spans, Spans]:
    """Return the spans of the gold and of the system that are compared, and the system's that fit no tokens.

    With `has_annotation`, documents whose gold is not annotated are left out, and in the others a system without
    annotation has no spans. Otherwise missing annotation counts as no spans on either side.
    """
    attr = item["attr"]
    key = sides.system.strings[attr.removeprefix("spans_")] if attr.startswith("spans_") else 0
    gold, gold_annotated = _spans_of(sides.gold, attr, key)
    system, system_annotated = _spans_of(sides.system, attr, key)
    gold_counts = gold_annotated if item["has_annotation"] else np.ones(len(sides), dtype=bool)
    system_counts = gold_counts & system_annotated if item["has_annotation"] else gold_counts
    off = sides.system.off_boundary
    of_group = (off.key == key) if attr != "sents" else np.zeros(len(off), dtype=bool)
    return (
        gold.where(gold_counts[gold.document]),
        system.where(system_counts[system.document]),
        off.where(of_group & system_counts[off.document]),
    )


def _spans_of(side: Documents, attr: str, key: int) -> tuple[Spans, Flags]:
    """Return the spans of one side, and which of its documents have them annotated."""
    if attr == "ents":
        return by_position(side.ents), annotates_ents(side)
    if attr == "sents":
        return _sentences(side)
    annotated = np.zeros(len(side), dtype=bool)
    annotated[side.groups[side.groups[:, 1] == key, 0]] = True
    return side.spans.where(side.spans.key == key), annotated


def _sentences(side: Documents) -> tuple[Spans, Flags]:
    """Return the sentences as spans without labels, and which documents have them annotated.

    A document of one token is one sentence in any case; another one has them annotated if the start or not-start of
    any later token is known.
    """
    # All first tokens of sentences, over all documents: with the first token of each document, whatever it says.
    begins = np.flatnonzero((side.index == 0) | (side.starts == 1))
    ends = np.append(begins[1:], len(side.index))
    document = side.document[begins]
    unset = np.zeros(len(begins), dtype=np.int32)
    first = side.first[document]
    annotated = side.lengths <= 1
    annotated[side.document[(side.index > 0) & (side.starts != 0)]] = True
    return Spans(document, unset, begins - first, ends - first, unset, unset), annotated


def _aligned(sides: Sides, spans_: Spans, *, allow_overlap: bool) -> tuple[Integers, Integers, Flags]:
    """Return for each span of the system its first gold token, the one after its last, and whether it is dropped."""
    low, high, dropped = on_gold_tokens(sides, spans_)
    # Only documents in which spans share gold tokens need to go span by span; all others are done at once.
    is_alone = ~_in_conflict(sides, spans_, low, high, dropped) | allow_overlap
    # Equal tokens have equal texts: only spans on other tokens need to be compared.
    to_compare = np.flatnonzero(~dropped & is_alone & ~_has_same_text(sides)[spans_.document])
    for k, is_same in zip(to_compare.tolist(), _text_is_same(sides, spans_, low, high, to_compare), strict=True):
        dropped[k] = not is_same
    _resolve_overlaps(sides, spans_, low, high, dropped, np.flatnonzero(~is_alone))
    return low, high, dropped


def _in_conflict(sides: Sides, spans_: Spans, low: Integers, high: Integers, dropped: Flags) -> Flags:
    """Return whether each span is of a document in which two of the spans share a gold token."""
    order = np.flatnonzero(~dropped)
    order = order[np.argsort(low[order], kind="stable")]
    # By their first tokens, a span crosses an earlier one if it begins before the furthest end so far.
    furthest = np.maximum.accumulate(high[order]) if len(order) else high[order]
    has_conflict = np.zeros(len(sides), dtype=bool)
    has_conflict[spans_.document[order[1:][low[order[1:]] < furthest[:-1]]]] = True
    return np.asarray(has_conflict[spans_.document])


def _has_same_text(sides: Sides) -> Flags:
    """Return whether in each document equal spans of tokens have equal texts, whatever blanks stand between them.

    The exception is a text with Σ, whose lower case depends on the letters beside it, and so on the blanks.
    """
    same = sides.alignment.identical.copy()
    with_sigma = [k for k in np.flatnonzero(same).tolist() if _SIGMA in sides.gold.texts[k]]
    same[with_sigma] = False
    return same


def _text_is_same(sides: Sides, spans_: Spans, low: Integers, high: Integers, chosen: Integers) -> Iterator[bool]:
    """Return whether each chosen span has the text of its gold tokens, blanks and capitals aside."""
    for document, of_document in groupby(chosen.tolist(), key=spans_.document.tolist().__getitem__):
        gold, system = _texts(sides.gold, document), _texts(sides.system, document)
        first = int(sides.gold.first[document])
        for k in of_document:
            yield gold(low[k] - first, high[k] - first) == system(spans_.start[k], spans_.end[k])


def _texts(side: Documents, document: int) -> _TextOf:
    """Return the texts of spans in lower case, without blanks and without white space at their ends.

    That is what spaCy compares; white space inside that is no blank, such as a line feed, stays.
    """
    words, spaces = side.words(document), side.spaces(document)
    if _SIGMA in side.texts[document]:
        # Lower-cased as a whole, because each Σ may become σ or ς.
        return lambda start, end: text_of(words[start:end], spaces[start:end]).lower().strip().replace(" ", "")
    # Each span is a piece of one text: many long spans must not be put together word by word.
    pieces = [word.lower().replace(" ", "") for word in words]
    whole, offsets = "".join(pieces), [0, *accumulate(map(len, pieces))]
    return lambda start, end: whole[offsets[start] : offsets[end]].strip()


def _resolve_overlaps(
    sides: Sides, spans_: Spans, low: Integers, high: Integers, dropped: Flags, chosen: Integers
) -> None:
    """Set `low`, `high` and `dropped` of the chosen spans, which compete for gold tokens.

    In the order of the file each span takes of its gold tokens those that no earlier one has taken, if its text is
    that from the first to the last of these; otherwise it is dropped and takes none.
    """
    links, pointer = sides.alignment.links, sides.alignment.pointer
    start, end = absolute(spans_, sides.system)
    for document, of_document in groupby(chosen.tolist(), key=spans_.document.tolist().__getitem__):
        gold, system = _texts(sides.gold, document), _texts(sides.system, document)
        first = int(sides.gold.first[document])
        taken: set[int] = set()
        for k in of_document:
            tokens = [token for token in links[pointer[start[k]] : pointer[end[k]]].tolist() if token not in taken]
            dropped[k] = not tokens or gold(tokens[0] - first, tokens[-1] + 1 - first) != system(
                spans_.start[k], spans_.end[k]
            )
            if not dropped[k]:
                low[k], high[k] = tokens[0], tokens[-1] + 1
                taken.update(tokens)
