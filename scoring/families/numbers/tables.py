"""The scores of each column and of each slice, and the items one by one."""

import math
from functools import partial

import numpy as np

from scoring.columns import Array, Floats, records
from scoring.families.numbers.counting import Matches
from scoring.families.numbers.names import column_keys, column_scores
from scoring.families.numbers.scorer import MOST_FOR_KENDALL, Scorer
from scoring.family import Evidence, Options, Record, RowEvidence, Table
from scoring.table_columns import Column, Columns

# Cells of the array that says how many rows of each slice are in each unit; beyond it slices go without intervals.
_MOST_CELLS = 2**24
# BCa leaves out one unit after the other, which takes too long for a slice of few items among very many units.
_ENOUGH_ITEMS = 30


# A value is known by its first two digits. Columns of a table have scores of their own, in four decimals.
_BITS = math.log2(100)
EVIDENCE = Evidence(
    bits=lambda tables: _BITS,
    rows=lambda table: RowEvidence(numbers=None) if table == "columns" else None,
    gold_counts=frozenset({"items"}),
)

_SCORES = (
    Column("pearson"),
    Column("spearman"),
    Column("kendall"),
    Column("ccc", "CCC"),
    Column("r2", "R²"),
    Column("mae", "MAE"),
    Column("mse", "MSE"),
    Column("rmse", "RMSE"),
    Column("within", "within tolerance"),
    Column("roc_auc", "ROC AUC"),
    Column("average_precision"),
    Column("eer", "EER"),
    Column("brier"),
    Column("log_loss"),
)
COLUMNS: Columns = {"columns": (Column("column"), *_SCORES), "slices": (Column("slice"), Column("items"), *_SCORES)}


def tables(matches: Matches, options: Options) -> dict[str, Table]:
    """Return the columns where there are several, the slices where these are asked for, and the items."""
    made = {}
    if len(options["columns"]) > 1:
        made["columns"] = _columns(matches, options)
    if matches.slices:
        made["slices"] = _slices(matches, matches.slices, options)
    return made


def _columns(matches: Matches, options: Options) -> Table:
    names, rows = column_scores(options), matches.rows
    n_columns = len(options["columns"])
    weighted = partial(_of_columns, matches.whole, names)
    items = np.bincount(rows.unit, minlength=rows.n_units)
    return Table(
        _records({"column": [*column_keys(options)]}, weighted, rows.n_units),
        np.repeat(items[:, np.newaxis, np.newaxis], n_columns, axis=1),
        metrics=_no_scores,
        weighted=weighted,
    )


def _slices(matches: Matches, scorer: Scorer, options: Options) -> Table:
    names, rows = column_scores(options), matches.rows
    assert rows.slice is not None
    weighted = partial(_of_slices, scorer, names)
    items = np.bincount(rows.slice, minlength=len(rows.slices))
    slices = _records({"slice": list(rows.slices), "items": items.tolist()}, weighted, rows.n_units)
    n_cells = rows.n_units * len(rows.slices)
    if n_cells > _MOST_CELLS:
        return Table(slices)
    cells = np.bincount(rows.unit * len(rows.slices) + rows.slice, minlength=n_cells)
    is_large = rows.n_units > MOST_FOR_KENDALL
    return Table(
        slices,
        cells.reshape(rows.n_units, len(rows.slices), 1),
        metrics=_no_scores,
        gold_items=np.where(items >= 5, np.maximum(items, _ENOUGH_ITEMS), items) if is_large else items,
        weighted=weighted,
    )


def _of_columns(scorer: Scorer, names: tuple[str, ...], weights: Array) -> dict[str, Floats]:
    """Return {score: (m, columns)}."""
    by_column = scorer.by_column(weights)
    return {
        name: np.concatenate([scores[name] for scores in by_column], axis=1) for name in names if name in by_column[0]
    }


def _of_slices(scorer: Scorer, names: tuple[str, ...], weights: Array) -> dict[str, Floats]:
    """Return {score: (m, slices)}."""
    scores = scorer.scores(weights)
    return {name: scores[name] for name in names if name in scores}


def _records(first: dict[str, list[object]], weighted: partial[dict[str, Floats]], n_units: int) -> list[Record]:
    """Return the records of a table whose scores are those of the corpus itself."""
    by_score = weighted(np.ones((1, n_units), dtype=np.int64))
    scores = {name: [_plain(value) for value in values[0].tolist()] for name, values in by_score.items()}
    return records(**first, **scores)


def _plain(value: float) -> float | None:
    return None if math.isnan(value) else value


def _no_scores(counts: Array) -> dict[str, Floats]:
    """Return nothing: these tables have no score that is made of sums alone."""
    return {}
