"""One document with the spans of gold and system side by side: what its page on the site shows."""

from dataclasses import replace

import numpy as np

from scoring.columns import Integers
from scoring.families.mat.counting import Matches, match
from scoring.families.mat.details import TYPES, detail_rows
from scoring.families.mat.matching.corpus_spans import CorpusSpans, places
from scoring.families.mat.tables import detail_records
from scoring.family import Files, Options, Record
from scoring.readers.mat import Gold, Spans, System, Tokens, read_gold, read_system

# Of a span with several rows the page shows the type that comes first here.
_BEST_FIRST = ("match", "spanclash", "tagclash", "bothclash", "missing", "spurious")
# For each index into TYPES its rank among those.
_RANK = np.array([_BEST_FIRST.index(name) for name in TYPES])


def unit_record(gold_files: Files, system_files: Files, unit: str, options: Options) -> Record:
    """Return the document's text, the spans of both sides each with its type, and the rows of its details.

    `unit` is the name of the system's file. KeyError if there is no such document.
    """
    gold = read_gold(gold_files, options)
    system = read_system(system_files, gold, options)
    if unit not in system.names:
        raise KeyError(unit)
    gold, system = _alone(gold, system, system.names.index(unit))
    matches = match(gold, system, options)
    rows = detail_rows(matches.spans, matches.starts)
    return {
        "text": matches.gold.signals[0],
        "gold": _spans(matches, matches.spans.gold, rows.gold, rows.type),
        "system": _spans(matches, matches.spans.system, rows.system, rows.type),
        "pairs": detail_records(matches, options),
    }


def _alone(gold: Gold, system: System, document: int) -> tuple[Gold, System]:
    """Return both sides as if there were no other document; no span is ever compared across documents."""
    return (
        replace(
            gold,
            spans=_spans_of(gold.spans, document),
            tokens=_tokens_of(gold.tokens, document),
            documents=[gold.documents[document]],
            signals=[gold.signals[document]],
        ),
        replace(
            system,
            spans=_spans_of(system.spans, document),
            tokens=_tokens_of(system.tokens, document),
            names=[system.names[document]],
            missing=system.missing[document : document + 1],
        ),
    )


def _spans_of(spans: Spans, document: int) -> Spans:
    of_document = spans.at(spans.document == document)
    return replace(of_document, document=np.zeros_like(of_document.document))


def _tokens_of(tokens: Tokens, document: int) -> Tokens:
    of_document = tokens.document == document
    return Tokens(np.zeros_like(tokens.document[of_document]), tokens.start[of_document], tokens.end[of_document])


def _spans(matches: Matches, spans: CorpusSpans, index: Integers, type_: Integers) -> list[Record]:
    """Return the spans of one side in the order of the text.

    `index` and `type_` are columns of the detail rows (r,).
    """
    # The best rank of the rows of each span (spans,): minimum.at takes each row, also several of one span.
    best = np.full(len(spans), len(_BEST_FIRST))
    np.minimum.at(best, index[index >= 0], _RANK[type_[index >= 0]])
    start, end = places(spans, matches.starts)
    order = np.lexsort([end, start])
    columns = (column[order].tolist() for column in (start, end, spans.label, best))
    return [
        {"start": start, "end": end, "label": matches.labels[label], "match": _BEST_FIRST[rank]}
        for start, end, label, rank in zip(*columns, strict=True)
    ]
