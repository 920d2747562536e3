"""What became of every span: the table with a row for each match, clash and single span."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.families.mat.matching.corpus_spans import CorpusSpans, Integers, folded
from scoring.families.mat.matching.overlaps import (
    PAIRS_AT_A_TIME,
    blocks,
    n_overlaps,
    overlap,
    overlapping_pairs,
    overlaps_any,
)
from scoring.families.mat.matching.pairing import SpanMatches
from scoring.families.mat.scores import HYPCLASH, MISSING, REFCLASH, SPURIOUS
from scoring.family import Record

TYPES = ("bothclash", "match", "missing", "spanclash", "spurious", "tagclash")
_BOTHCLASH, _MATCH, _MISSING, _SPANCLASH, _SPURIOUS, _TAGCLASH = range(len(TYPES))

# An upload of thousands of spans all over one another would fill the memory with rows, or with their texts.
_MOST_CLASHES = 2**20
_MOST_CHARACTERS = 2**27

_Pairs = tuple[Integers, Integers]


@dataclass(frozen=True)
class Findings:
    """A row each: the index of a gold and of a system span, -1 for none, and the place of its type in TYPES."""

    gold: Integers
    system: Integers
    type: Integers


def details(
    spans: SpanMatches, *, names: list[str], labels: list[str], signals: list[str], starts: Integers
) -> list[Record]:
    """The rows by document and place, with the texts of the spans."""
    found = findings(spans)
    has_texts = not _has_too_long_texts(spans)
    documents = np.where(
        found.gold >= 0, _with_last(spans.gold.document)[found.gold], _with_last(spans.system.document)[found.system]
    )
    columns = (
        _objects(names)[documents].tolist(),
        _objects(TYPES)[found.type].tolist(),
        *_cells(spans.gold, found.gold, labels, signals if has_texts else None, starts),
        *_cells(spans.system, found.system, labels, signals if has_texts else None, starts),
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


def findings(spans: SpanMatches) -> Findings:
    """Each match, each span without partner, and of the clashes all that overlap, in the order of the table."""
    g, s = (np.concatenate(indices) for indices in zip(*_found(spans), strict=True))
    gold, system = spans.gold, spans.system
    at_gold, at_system = g >= 0, s >= 0
    first = [np.where(at_gold, a[g], b[s]) for a, b in _columns(gold, system)]
    second = [np.where(at_system, b[s], a[g]) for a, b in _columns(gold, system)]
    type_ = _types(at_gold & at_system, first, second)
    type_[~at_system], type_[~at_gold] = _MISSING, _SPURIOUS
    (start, end, label), (other_start, other_end, other_label) = first, second
    key = start
    for column in (end - start, other_start - start, other_end - other_start, label, other_label, type_):
        key = folded(key, column)
    order = np.argsort(key, kind="stable")
    return Findings(g[order], s[order], type_[order])


def warnings(spans: SpanMatches) -> list[str]:
    """What the table leaves out."""
    found = []
    if _n_clashes(spans) > _MOST_CLASHES:
        found.append("details: too many spans overlap one another: each clash is shown with its best partner alone")
    if _has_too_long_texts(spans):
        found.append("details: the spans are too long to show their texts")
    return found


def _found(spans: SpanMatches) -> Iterator[_Pairs]:
    yield spans.paired_gold, spans.paired_system
    missing, spurious = np.flatnonzero(spans.gold_kind == MISSING), np.flatnonzero(spans.system_kind == SPURIOUS)
    yield missing, np.full(len(missing), -1)
    yield np.full(len(spurious), -1), spurious
    gold, system = _clashing(spans)
    own, others = spans.gold.at(gold), spans.system.at(system)
    if _n_clashes(spans) > _MOST_CLASHES:
        g, s = _with_best_partner(spans, gold, system)
        both = folded(g, s)
        _, first = np.unique(both, return_index=True)
        yield g[first], s[first]
        return
    g, s = overlapping_pairs(own, others)
    yield gold[g], system[s]
    yield _with_best_partner(spans, gold[~overlaps_any(own, others)], system[~overlaps_any(others, own)])


def _clashing(spans: SpanMatches) -> _Pairs:
    """The spans that clash with all that they overlap, and not with one partner."""
    is_gold, is_system = spans.gold_kind == REFCLASH, spans.system_kind == HYPCLASH
    is_gold[spans.paired_gold] = is_system[spans.paired_system] = False
    return np.flatnonzero(is_gold), np.flatnonzero(is_system)


def _n_clashes(spans: SpanMatches) -> int:
    gold, system = _clashing(spans)
    return int(n_overlaps(spans.gold.at(gold), spans.system.at(system)).sum())


def _with_best_partner(spans: SpanMatches, gold: Integers, system: Integers) -> _Pairs:
    g, best = _best_partners(spans.gold.at(gold), spans.system)
    s, best_too = _best_partners(spans.system.at(system), spans.gold)
    return np.concatenate([gold[g], best_too]), np.concatenate([best, system[s]])


def _best_partners(spans: CorpusSpans, others: CorpusSpans) -> _Pairs:
    """For each span, all of which overlap one of the others, the one with the longest overlap, the first of several."""
    if int(n_overlaps(spans, others).sum()) <= PAIRS_AT_A_TIME:
        index, other = overlapping_pairs(spans, others)
        order = np.lexsort([other, -overlap(spans, index, others, other), index])
        first = order[np.flatnonzero(np.diff(index[order], prepend=-1))]
        return index[first], other[first]
    best = [
        columns[overlap(spans, rows[:, np.newaxis], others, columns).argmax(axis=1)]
        for rows, columns in blocks(spans, others)
    ]
    return np.arange(len(spans)), np.concatenate(best)


def _columns(gold: CorpusSpans, system: CorpusSpans) -> list[_Pairs]:
    """Start, end and label of both sides, each with a cell more for the index -1."""
    return [
        (_with_last(gold.start), _with_last(system.start)),
        (_with_last(gold.end), _with_last(system.end)),
        (_with_last(gold.label), _with_last(system.label)),
    ]


def _with_last(column: Integers) -> Integers:
    return np.append(column, 0)


def _types(is_pair: NDArray[np.bool_], first: list[Integers], second: list[Integers]) -> Integers:
    same_extent = (first[0] == second[0]) & (first[1] == second[1])
    same_label = first[2] == second[2]
    clash = np.where(same_label, _SPANCLASH, np.where(same_extent, _TAGCLASH, _BOTHCLASH))
    return np.where(is_pair & same_extent & same_label, _MATCH, clash)


def _has_too_long_texts(spans: SpanMatches) -> bool:
    return int(sum((side.end - side.start).sum() for side in (spans.gold, spans.system))) > _MOST_CHARACTERS


def _cells(
    spans: CorpusSpans, index: Integers, labels: list[str], signals: list[str] | None, starts: Integers
) -> list[list[Any]]:
    """Label, start, end and text of the spans with these indices; None for the index -1."""
    origin = starts[spans.document]
    start, end = spans.start - origin, spans.end - origin
    texts: list[str | None] = [None] * len(spans)
    if signals is not None:
        places = zip(spans.document.tolist(), start.tolist(), end.tolist(), strict=True)
        texts = [signals[document][a:b] for document, a, b in places]
    cells = [
        _objects(labels)[_with_last(spans.label)[index]].tolist(),
        _with_last(start)[index].tolist(),
        _with_last(end)[index].tolist(),
        _objects([*texts, None])[index].tolist(),
    ]
    # Of numbers a list with None would cost much more than to put it in afterwards.
    for row in np.flatnonzero(index < 0).tolist():
        for column in cells:
            column[row] = None
    return cells


def _objects(values: Sequence[Any]) -> NDArray[np.object_]:
    objects = np.empty(len(values), dtype=object)
    objects[:] = values
    return objects
