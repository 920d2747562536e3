"""Tells what became of every span: the table with a row for each match, each clash, and each span without a partner.

With pairing 1.2 a clash is no relation of two spans (see the head of counting.py), so the rows are our own choice:

* one row for every overlapping pair of a refclash and a hypclash;
* for a refclash all of whose partners are matched, one row with its best partner among all spans of the system;
  for such a hypclash likewise. Best is the longest overlap, then the first by start, end and label.

So each span has a row, and one may have several. With pairing 2.x the rows are the pairs, and the spans without one.

The type of a row says what two spans have in common: `match` label and extent, `spanclash` the label alone,
`tagclash` the extent alone, `bothclash` neither; `missing` and `spurious` have one span.
The same in plain Python: `count_tags` and `detail_rows` in tests/scoring/plain/mat.py.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.columns import Flags, Integers, coded, is_first, starts_run
from scoring.families.mat.matching.corpus_spans import CorpusSpans, places
from scoring.families.mat.matching.overlaps import (
    PAIRS_AT_A_TIME,
    blocks,
    n_overlaps,
    overlap_lengths,
    overlapping_pairs,
    overlaps_any,
)
from scoring.families.mat.matching.pairing import SpanMatches
from scoring.families.mat.scores import HYPCLASH, MISSING, REFCLASH, SPURIOUS
from scoring.family import Record
from scoring.messages import Message

# In alphabetical order, because the table is sorted by the type where all else is equal.
TYPES = ("bothclash", "match", "missing", "spanclash", "spurious", "tagclash")
_BOTHCLASH, _MATCH, _MISSING, _SPANCLASH, _SPURIOUS, _TAGCLASH = range(len(TYPES))

# An upload of thousands of spans all over one another would fill the memory with rows, or with their texts.
_MOST_CLASHES = 2**20
_MOST_CHARACTERS = 2**27

_Pairs = tuple[Integers, Integers]


@dataclass(frozen=True)
class DetailRows:
    """r rows of the table, in its order."""

    gold: Integers  # (r,) index of the gold span, -1 for none
    system: Integers  # (r,) index of the system span, -1 for none
    type: Integers  # (r,) index into TYPES


def details(
    spans: SpanMatches,
    *,
    names: list[str],
    labels: list[str],
    signals: list[str],
    starts: Integers,
    words_of: Callable[[str, int, int], str],
) -> list[Record]:
    """Make the rows with labels, offsets and texts of the spans.

    `names` are the documents' names, `signals` their texts, `labels` those of both sides; `starts` is where each
    document begins on the corpus axis, from which positions become offsets again. `words_of` is what is shown of a
    span in a text, from its start and end.
    """
    rows = detail_rows(spans, starts)
    shown_signals = None if _has_too_long_texts(spans) else signals
    documents = np.where(
        rows.gold >= 0, _with_last(spans.gold.document)[rows.gold], _with_last(spans.system.document)[rows.system]
    )
    columns = (
        _objects(names)[documents].tolist(),
        _objects(TYPES)[rows.type].tolist(),
        *_cells(spans.gold, rows.gold, labels, shown_signals, starts, words_of),
        *_cells(spans.system, rows.system, labels, shown_signals, starts, words_of),
    )
    return [
        {
            "file": file,
            "type": type_,
            "reflabel": gold_label,
            "refstart": gold_start,
            "refend": gold_end,
            "hyplabel": system_label,
            "hypstart": system_start,
            "hypend": system_end,
            "refcontent": gold_text,
            "hypcontent": system_text,
        }
        for (
            file,
            type_,
            gold_label,
            gold_start,
            gold_end,
            gold_text,
            system_label,
            system_start,
            system_end,
            system_text,
        ) in zip(*columns, strict=True)
    ]


def detail_rows(spans: SpanMatches, starts: Integers) -> DetailRows:
    """Return all rows in the order of the table: by the gold's span, then by the system's, then by type.

    Spans are ordered by start and end, then by label; a row with one span is sorted as if the other were the same.
    """
    g, s = (np.concatenate(indices) for indices in zip(*_rows(spans), strict=True))
    has_gold, has_system = g >= 0, s >= 0
    # Start, end, label, shape (r,) of the gold's span, or of the system's where there is none; and the other way round.
    gold_cells, system_cells = _cells_of(spans.gold, g, starts), _cells_of(spans.system, s, starts)
    first = [np.where(has_gold, of_gold, other) for of_gold, other in zip(gold_cells, system_cells, strict=True)]
    second = [np.where(has_system, other, of_gold) for of_gold, other in zip(gold_cells, system_cells, strict=True)]
    type_ = _types(first, second)
    type_[~has_system], type_[~has_gold] = _MISSING, _SPURIOUS
    (start, end, label, *_), (other_start, other_end, other_label, *_) = first, second
    # Differences in place of ends and of the second start: they order alike, and small numbers are coded faster.
    code = coded(start, end - start, other_start - start, other_end - other_start, label, other_label, type_)
    order = np.argsort(code, kind="stable")
    return DetailRows(g[order], s[order], type_[order])


def warnings(spans: SpanMatches) -> list[str]:
    """Return what the table leaves out because it would not fit into memory."""
    left_out: list[str] = []
    if _n_clashes(spans) > _MOST_CLASHES:
        left_out.append(
            Message(
                "details-too-many-clashes",
                "details: too many spans overlap one another: each clash is shown with its best partner alone",
            )
        )
    if _has_too_long_texts(spans):
        left_out.append(Message("details-too-long", "details: the spans are too long to show their texts"))
    return left_out


def _rows(spans: SpanMatches) -> Iterator[_Pairs]:
    """Yield the rows in no order, as indices of gold and system, -1 for none."""
    yield spans.paired_gold, spans.paired_system
    missing, spurious = np.flatnonzero(spans.gold_kind == MISSING), np.flatnonzero(spans.system_kind == SPURIOUS)
    yield missing, np.full(len(missing), -1)
    yield np.full(len(spurious), -1), spurious
    gold, system = _clashing(spans)
    golds, others = spans.gold.at(gold), spans.system.at(system)
    if _n_clashes(spans) > _MOST_CLASHES:
        g, s = _with_best_partner(spans, gold, system)
        # Two spans that are each other's best partner are one row.
        is_new = is_first(coded(g, s))
        yield g[is_new], s[is_new]
        return
    g, s = overlapping_pairs(golds, others)
    yield gold[g], system[s]
    yield _with_best_partner(spans, gold[~overlaps_any(golds, others)], system[~overlaps_any(others, golds)])


def _clashing(spans: SpanMatches) -> _Pairs:
    """Pair the spans that clash with all that they overlap.

    Pairing 2.x has none: there a clash is a pair.
    """
    is_gold, is_system = spans.gold_kind == REFCLASH, spans.system_kind == HYPCLASH
    is_gold[spans.paired_gold] = is_system[spans.paired_system] = False
    return np.flatnonzero(is_gold), np.flatnonzero(is_system)


def _n_clashes(spans: SpanMatches) -> int:
    gold, system = _clashing(spans)
    return int(n_overlaps(spans.gold.at(gold), spans.system.at(system)).sum())


def _with_best_partner(spans: SpanMatches, gold: Integers, system: Integers) -> _Pairs:
    """Make a row for each of these gold spans with its best partner of the system, and likewise for the system's."""
    g, best_system = _best_partners(spans.gold.at(gold), spans.system)
    s, best_gold = _best_partners(spans.system.at(system), spans.gold)
    return np.concatenate([gold[g], best_gold]), np.concatenate([best_system, system[s]])


def _best_partners(spans: CorpusSpans, others: CorpusSpans) -> _Pairs:
    """Return each span's other with the longest overlap, the first of several; each span overlaps at least one."""
    if int(n_overlaps(spans, others).sum()) <= PAIRS_AT_A_TIME:
        index, other = overlapping_pairs(spans, others)
        # By span, then the longest overlap first, then the order of the others: the first of each span is the best.
        order = np.lexsort([other, -overlap_lengths(spans, index, others, other), index])
        best = order[starts_run(index[order])]
        return index[best], other[best]
    # Block by block, as a matrix of overlaps; argmax takes the first of several.
    best_columns = [
        columns[overlap_lengths(spans, rows[:, np.newaxis], others, columns).argmax(axis=1)]
        for rows, columns in blocks(spans, others)
    ]
    return np.arange(len(spans)), np.concatenate(best_columns)


def _cells_of(spans: CorpusSpans, index: Integers, starts: Integers) -> list[Integers]:
    """Start, end, label and, if there is any, shape of the spans with these indices (r,); anything for the index -1."""
    start, end, shape = spans.start, spans.end, spans.shape
    if shape is None:
        return [_with_last(column)[index] for column in (start, end, spans.label)]
    # In the order of the text, structures too.
    start, end = start % starts[-1], start % starts[-1] + end - start
    return [_with_last(column)[index] for column in (start, end, spans.label, shape)]


def _with_last(column: Integers) -> Integers:
    """Add one cell to a column, so that the index -1 is allowed even if there is no span."""
    return np.append(column, 0)


def _types(first: list[Integers], second: list[Integers]) -> Integers:
    """Return the types (r,) of rows with two spans, from their starts, ends, labels and shapes."""
    same_extent: Flags = (first[0] == second[0]) & (first[1] == second[1])
    for one, other in zip(first[3:], second[3:], strict=True):
        same_extent &= one == other
    same_label: Flags = first[2] == second[2]
    clash = np.where(same_label, _SPANCLASH, np.where(same_extent, _TAGCLASH, _BOTHCLASH))
    return np.where(same_extent & same_label, _MATCH, clash)


def _has_too_long_texts(spans: SpanMatches) -> bool:
    """Return whether the texts of all spans together are too long; nested spans hold the same characters many times."""
    return int(sum((side.end - side.start).sum() for side in (spans.gold, spans.system))) > _MOST_CHARACTERS


def _cells(
    spans: CorpusSpans,
    index: Integers,
    labels: list[str],
    signals: list[str] | None,
    starts: Integers,
    words_of: Callable[[str, int, int], str],
) -> list[list[Any]]:
    """Label, start, end and text of the spans with these indices (r,); None for the index -1."""
    start, end = places(spans, starts)
    # Each text is cut out once, also where a span has several rows.
    texts: list[str | None] = [None] * len(spans)
    if signals is not None:
        extents = zip(spans.document.tolist(), start.tolist(), end.tolist(), strict=True)
        texts = [words_of(signals[document], first, beyond) for document, first, beyond in extents]
    cells = [
        _objects(labels)[_with_last(spans.label)[index]].tolist(),
        _with_last(start)[index].tolist(),
        _with_last(end)[index].tolist(),
        _objects([*texts, None])[index].tolist(),
    ]
    # A list of numbers and None made by NumPy would cost much more than to put the None in afterwards.
    for row in np.flatnonzero(index < 0).tolist():
        for column in cells:
            column[row] = None
    return cells


def _objects(values: Sequence[Any]) -> NDArray[np.object_]:
    """Make an array of Python objects; NumPy alone would make one of fixed-width texts."""
    objects = np.empty(len(values), dtype=object)
    objects[:] = values
    return objects
