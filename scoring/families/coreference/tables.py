"""Tables by metric, by document and by kind of error. None of their scores has intervals."""

import numpy as np

from scoring.columns import Array, Integers, records
from scoring.families.coreference import scorch
from scoring.families.coreference.counting import Matches
from scoring.families.coreference.scores import ALL_METRICS, KINDS, PARTS, metrics
from scoring.family import Evidence, Options, Record, RowEvidence, Table
from scoring.significance.resampling import totals
from scoring.table_columns import Column, Columns

# The columns of the table of errors, and their places in its rows.
BEHIND = {"errors": {"count": (0,), "mentions": (1,)}}
# The counts that stand before the scores of a document.
_SIZES = ("gold_mentions", "system_mentions", "gold_entities", "system_entities")

COLUMNS: Columns = {
    "documents": (
        Column("document"),
        Column("conll_f1", "CoNLL average"),
        Column("muc_f1", "MUC"),
        Column("b_cubed_f1", "B³"),
        Column("ceaf_e_f1", "CEAF_e"),
        Column("ceaf_m_f1", "CEAF_m"),
        Column("blanc_f1", "BLANC"),
        Column("lea_f1", "LEA"),
        Column("mention_f1", "mentions F1"),
        Column("gold_mentions"),
        Column("system_mentions"),
        Column("gold_entities"),
        Column("system_entities"),
    ),
}

# Of a mention it is told whether it is one, and to which it belongs. The table of metrics has scores that are told.
EVIDENCE = Evidence(
    items=lambda counts, tables: int(counts["gold_mentions"]),
    bits=lambda tables: 2.0,
    rows=lambda table: RowEvidence(numbers=2) if table == "errors" else None,
    totals=frozenset({"common_mentions"}),
    gold_counts=frozenset({"gold_mentions", "gold_entities", "gold_singletons", "documents"}),
)


def tables(matches: Matches, options: Options) -> dict[str, Table]:
    """Return the tables of a result by name."""
    return {
        "metrics": Table(_metrics(matches, options)),
        "documents": Table(_documents(matches, options)),
        "errors": Table(_errors(matches), _errors_by_document(matches)),
    }


def row_scores(table: str, row: Record) -> list[str]:
    """Return the scores that stand in a row: the three parts of a metric."""
    return [f"{row['metric']}_{part}" for part in PARTS] if table == "metrics" else []


def _metrics(matches: Matches, options: Options) -> list[Record]:
    """Make a row for each metric, with its three parts."""
    scores = metrics(totals(matches.rows), options)
    return [{"metric": metric, **{part: float(scores[f"{metric}_{part}"]) for part in PARTS}} for metric in ALL_METRICS]


def _documents(matches: Matches, options: Options) -> list[Record]:
    """Make a row for each document, with its own scores under the protocol, not multiplied by its weight."""
    columns: dict[str, Array] = {kind: matches.rows[:, KINDS.index(kind)].astype(int) for kind in _SIZES}
    scores = metrics(matches.rows, options)
    columns |= {f"{metric}_f1": scores[f"{metric}_f1"] for metric in (*ALL_METRICS, "conll")}
    rows = records(document=matches.units, **columns)
    # From the counts a document without mentions, whose weight in scorch's averages is 0, would have 0 everywhere; and
    # multiplying others by their weights and dividing again could change a last digit.
    for row, of_document in zip(rows, matches.document_scores, strict=False):
        row |= {f"{metric}_f1": score.f1 for metric, score in of_document.scores.items()}
        row["conll_f1"] = scorch.conll_f1(of_document.scores)
    return rows


def _errors(matches: Matches) -> list[Record]:
    """Make a row for each kind of error, summed over the documents."""
    kinds = matches.errors[0]
    return [
        {
            "error": kind,
            "count": sum(one[kind].number for one in matches.errors),
            "mentions": sum(one[kind].mentions for one in matches.errors),
        }
        for kind in kinds
    ]


def _errors_by_document(matches: Matches) -> Integers:
    """Count the errors and the mentions that they concern: (documents, kinds of error, 2)."""
    n_kinds = len(matches.errors[0])
    return np.array([[*of_document.values()] for of_document in matches.errors], dtype=np.int64).reshape(-1, n_kinds, 2)
