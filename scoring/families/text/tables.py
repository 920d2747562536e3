"""The tables of segments and of documents, and sacreBLEU's own line for each of its scores."""

import numpy as np

from scoring.columns import Floats, records
from scoring.families.text.counting import Matches, by_document
from scoring.families.text.measures.by_sacrebleu import signatures
from scoring.families.text.scores import alone, metrics
from scoring.family import Evidence, Options, Record, Table

# A reference is a text of many words.
_BITS = 10.0
EVIDENCE = Evidence(
    items=lambda counts, tables: int(counts["segments"]),
    bits=lambda tables: _BITS,
    rows=lambda table: None,
    totals=frozenset({"reference length"}),
    gold_counts=frozenset({"segments", "references", "documents"}),
)


def tables(matches: Matches, options: Options) -> dict[str, Table]:
    """Return all tables; their columns and orders are public, and none has intervals."""
    return {
        "segments": Table(_segments(matches, options)),
        "documents": Table(_documents(matches, options)),
        "signatures": Table([{"score": score, "signature": line} for score, line in signatures(options).items()]),
    }


def _segments(matches: Matches, options: Options) -> list[Record]:
    """Make a row for each segment, with its scores as those of a corpus of one."""
    gold = matches.gold
    return records(
        segment=gold.ids,
        document=gold.documents or [None] * len(gold.ids),
        **alone(matches.rows, options),
    )


def _documents(matches: Matches, options: Options) -> list[Record]:
    """Make a row for each document, in the order of their first segments."""
    if not matches.gold.documents:
        return []
    names, of_segment = by_document(matches.gold.documents)
    sums: Floats = np.zeros((len(names), matches.rows.shape[1]))
    np.add.at(sums, of_segment, matches.rows)
    return records(document=names, segments=np.bincount(of_segment), **metrics(sums, options))
