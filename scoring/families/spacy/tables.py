"""The tables of all items, what was chosen as a score, and the list of errors."""

import math
from collections.abc import Mapping, Sequence
from itertools import groupby

from scoring.families.spacy.counting import Matches
from scoring.families.spacy.items.item_counts import ErrorRows, ItemCounts
from scoring.families.spacy.items.prf_counts import BY_TYPE
from scoring.families.spacy.score_config import UD_NAMES
from scoring.families.spacy.sides import Sides
from scoring.family import Evidence, Options, Record, RowEvidence, Table
from scoring.readers.spacy.documents import text_of
from scoring.table_columns import Column, Columns, unshown

# Tables with a row for each entity or span.
ITEM_TABLES = ("errors",)

# Tables by type whose rows of counts are not kept by document.
_NOT_BY_DOCUMENT = ("nervaluate_per_type", "cats_auc_per_type")

_UD_METRICS = {title: metric for metric, title in UD_NAMES.items()}

# Rows of the table of errors: enough to read, and a result of bounded size.
_MOST_ERRORS = 1000


_AREAS, _OUTCOMES = "cats_auc_per_type", ("correct", "incorrect", "partial")
# Scores that follow from the rows of a table by type, since the run tells how often it gives each.
_IN_ROWS = ("ents_", "dep_las", "ud_las", "cats_", "morph_micro", "nel_micro", "seqeval_macro", "seqeval_micro")


def _row_evidence(table: str) -> RowEvidence | None:
    if table == _AREAS:
        return RowEvidence(("positives", "negatives"), numbers=0, by_run=("auc",))  # an area compares single documents
    if table == "nervaluate_per_type":
        return RowEvidence((*_OUTCOMES, "missed"), numbers=3, run=(*_OUTCOMES, "spurious"))
    if table.endswith(("_per_type", "_per_feat")):
        return RowEvidence(("tp", "fn"), run=("tp", "fp"))
    return None


def _n_items(counts: Mapping[str, int | float], tables: Mapping[str, Sequence[Record]]) -> int:
    """Return the items of the kind of annotation that has most, such as all tokens where each has a tag."""
    decisions = sum(row["positives"] + row["negatives"] for row in tables.get(_AREAS, ()))
    right = (number for name, number in counts.items() if name.endswith(("_tp", "_correct")))
    return int(max(decisions, *right, 0))


def _bits(tables: Mapping[str, Sequence[Record]]) -> float:
    """Return 2 bits, whether there is something and of which type; of categories those of a yes or no for each."""
    rows = tables.get(_AREAS, ())
    n = sum(row["positives"] + row["negatives"] for row in rows)
    share = sum(row["positives"] for row in rows) / n if n else 0.0
    return 2.0 if not 0 < share < 1 else -(share * math.log2(share) + (1 - share) * math.log2(1 - share))


def _count_behind(score: str) -> str:
    """Return of precision, recall and F the count of right ones; of means over types none."""
    is_mean = any(word in score for word in ("macro", "weighted", "auc", "score"))
    return "" if is_mean else score.rpartition("_")[0]


EVIDENCE = Evidence(
    items=_n_items,
    bits=_bits,
    rows=_row_evidence,
    gold_counts=frozenset({"documents"}),
    count_behind=_count_behind,
    in_rows=lambda score: score.startswith(_IN_ROWS),
)

_PRF = (
    Column("p", "precision", is_share=True),
    Column("r", "recall", is_share=True),
    Column("f", "F1", is_share=True, is_main=True),
    Column("fbeta", "Fβ", is_share=True),
)
_COUNTS = (Column("tp", "right"), Column("fp", "wrong"), Column("fn", "missed"))
COLUMNS: Columns = {
    "morph_per_feat": (Column("type", "feature"), *_PRF, *_COUNTS),
    "ud_metrics": (
        Column("metric"),
        *_PRF[:3],
        Column("accuracy", "on aligned words"),
        Column("correct", "right"),
        Column("gold"),
        Column("system"),
        *unshown("aligned"),
    ),
    "seqeval_per_type": (Column("type", "label"), *_PRF, Column("support", "gold"), *_COUNTS),
    "nervaluate_per_type": (
        Column("type", "label"),
        Column("scheme"),
        *_PRF,
        Column("correct", "right"),
        Column("incorrect", "wrong"),
        Column("partial"),
        Column("missed"),
        Column("spurious"),
        *unshown("possible", "actual"),
    ),
    "cats_auc_per_type": (Column("type", "label"), Column("auc", "area"), Column("positives"), Column("negatives")),
    "*_per_type": (Column("type", "label"), *_PRF, *_COUNTS),
}


def tables(matches: Matches, options: Options) -> dict[str, Table]:
    folds = matches.gold_labels_only
    all_tables = {name: make(folds) for counted in matches.items for name, make in counted.tables.items()}
    descriptions = [
        {"score": score, "description": text} for one in matches.items for score, text in one.descriptions.items()
    ]
    if descriptions:
        all_tables["descriptions"] = Table(descriptions)
    all_tables["errors"] = Table(_errors(matches.items, matches.sides))
    return all_tables


def row_scores(table: str, row: Record) -> list[str]:
    """Return the score that a row of a table without labels, or of one of several schemes, is made for."""
    if table == "nervaluate_per_type":
        return [f"nervaluate_{row['scheme']}_f"]
    return [f"ud_{_UD_METRICS[row['metric']]}"] if table == "ud_metrics" else []


def count_scores(count: str) -> list[str]:
    """Return the scores that a total is made for: those that are called as it is, but for what it counts.

    >>> count_scores("nervaluate_type_missed")
    ['nervaluate_type', 'nervaluate_type_f', 'nervaluate_type_fbeta', 'nervaluate_type_acc']
    """
    counted = count.rpartition("_")[0]
    return [counted, f"{counted}_f", f"{counted}_fbeta", f"{counted}_acc"]


def behind(table: str) -> Mapping[str, tuple[int, ...]]:
    """Return the columns of a table that count items, and the kinds of its rows that each adds up."""
    if table in _NOT_BY_DOCUMENT or not table.endswith(("_per_type", "_per_feat")):
        return {}
    tp, fn = BY_TYPE["tp"], BY_TYPE["fn"]
    return {**BY_TYPE, "support": tp + fn} if table.startswith("seqeval") else BY_TYPE


def _errors(counted: Sequence[ItemCounts], sides: Sides) -> list[Record]:
    """Make a row for each error: item by item, kind by kind, and within these by document."""
    records: list[Record] = []
    for errors in (errors for one in counted for errors in one.errors):
        rows = range(min(_MOST_ERRORS - len(records), len(errors.document)))
        # Documents rise, so the words of each are looked up once.
        for document, of_document in groupby(rows, key=errors.document.tolist().__getitem__):
            words, spaces = errors.side.words(document), errors.side.spaces(document)
            records += (_error(errors, k, words, spaces, sides) for k in of_document)
    return records


def _error(errors: ErrorRows, k: int, words: list[str], spaces: list[bool], sides: Sides) -> Record:
    start, end = int(errors.start[k]), int(errors.end[k])
    whole, piece = slice(None), slice(start, end)
    tokens, characters = (whole, piece) if errors.in_characters else (piece, whole)
    return {
        "id": errors.side.ids[errors.document[k]],
        "score": errors.score,
        "kind": errors.kind,
        "start": start,
        "end": end,
        "label": sides.names[errors.label[k]],
        "text": text_of(words[tokens], spaces[tokens])[characters],
    }
