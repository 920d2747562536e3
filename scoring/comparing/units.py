"""Single units: their scores, which are perfect and which are the worst, and which of them stand behind a count."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np

from scoring.columns import Array, Flags, Floats, Integers
from scoring.evaluation import Evaluation, plain
from scoring.families import FAMILIES
from scoring.families.parts import for_part
from scoring.family import Family, Files, Options, Record, Table
from scoring.rows import Rows
from scoring.scale import Scale
from scoring.significance.limits import TIE


def scores_of_units(result: Evaluation) -> Floats | None:
    """Return the headline made from the counts of each unit alone: (units,), NaN where a unit has none.

    A unit in which the score counts nothing has none, though the formula says 0: in a document without spans on both
    sides nothing is wrong. None in place of all where the score is not made from the counts of one unit, as an area
    under a curve or a correlation is not.
    """
    if not result.rows.size:
        return None
    metrics = FAMILIES[result.family].metrics_with(result.options)

    def headline(rows: Array) -> Floats | None:
        values = metrics(rows).get(result.headline)
        return None if values is None else np.atleast_1d(np.asarray(values))

    is_error = result.headline in result.lower_is_better
    pieces = [headline(rows) if is_error else _of_counted(rows, headline) for rows in result.rows_in_pieces()]
    scores = np.concatenate([piece for piece in pieces if piece is not None]) if pieces[0] is not None else None
    # A single item has no correlation: where no unit has a score by itself, there is nothing to tell of units.
    has_some = scores is not None and scores.shape == (len(result.units),) and not np.isnan(scores).all()
    return scores if has_some else None


def _of_counted(rows: Array, headline: Callable[[Array], Floats | None]) -> Floats | None:
    """Return the scores of rows (units, ...), NaN for a 0 of a unit in which the score counts nothing.

    Such a unit changes no score when it is added to others: here to one that has 1 of everything.

        (c, t, p) of a unit   F1   added to (1, 1, 1)
        (0, 0, 0)              0   2 · 1 / (1 + 1) = 1, as without it: nothing to count
        (0, 1, 0)              0   2 · 1 / (2 + 1) = 2/3: a miss
    """
    scores = headline(rows)
    if scores is None or scores.shape != rows.shape[:1] or not (lowest := np.flatnonzero(scores == 0)).size:
        return scores
    with np.errstate(invalid="ignore", divide="ignore"):  # what has 1 of everything need not be possible
        alone, together = headline(np.ones((1, *rows.shape[1:]))), headline(rows[lowest] + 1)
    assert alone is not None
    assert together is not None
    return np.where(np.isin(np.arange(len(scores)), lowest[(together == alone) & (alone > 0)]), np.nan, scores)


def are_paired(one: Evaluation, other: Evaluation) -> bool:
    """Return whether both were scored on the same units with the same options, and so have resamples in common."""
    first, second = (
        # Tuples among the options of a fresh evaluation are lists in a stored one.
        (result.family, plain(result.options), result.headline, result.gold_digest, result.units)
        for result in (one, other)
    )
    return first == second and one.rows.shape == other.rows.shape


def is_full(scores: Floats, scale: Scale, *, lower_is_better: bool) -> Flags:
    """Return whether a unit has full marks, of scores of any shape; False where it has no score (NaN).

    >>> is_full(np.array([1.0, 0.5, np.nan]), Scale(), lower_is_better=False)
    array([ True, False, False])
    >>> is_full(np.array([0.2, 0.0]), Scale(), lower_is_better=True)
    array([False,  True])
    """
    full = scale.perfect(lower_is_better=lower_is_better)
    slack = TIE * max(1.0, abs(full)) if isfinite(full) else 0.0
    return np.asarray(scores <= full + slack if lower_is_better else scores >= full - slack)


@dataclass(frozen=True)
class Cell:
    """A count of a table: its record by the first column, and the column; of a confusion both labels.

    No label is "". Without a table the column is a total of the corpus.
    """

    table: str
    row: str
    column: str


def units_behind(family: str, gold: Files, system: Files, options: Options, cell: Cell, *, folds: bool) -> Integers:
    """Return how many items of the cell are in each unit: (units,) in the order of `Evaluation.units`.

    Both sides are read and matched again. `options` are those of the evaluation; `folds` says whether its tables have
    one row for all labels that the gold lacks. KeyError if there is no such cell, or if the table is too large for
    its units to be told apart.
    """
    record = for_part(FAMILIES[family], options)
    gold_side = record.read_gold(gold, options)
    counted = record.count(gold_side, record.read_system(system, gold_side, options), options)
    fold = record.table_notes.fold_labels if folds else None
    matches = fold(counted.matches).matches if fold else counted.matches
    return _of_table(record, record.tables(matches, options)[cell.table], cell, len(counted.units))


def units_of_total(evaluation: Evaluation, name: str) -> Integers | None:
    """Return how much of a total of the corpus comes from each unit: (units,); None if it is no sum over them."""
    kinds = FAMILIES[evaluation.family].counts.totals(evaluation.options).get(name)
    return None if kinds is None or not evaluation.rows.size else _sums(evaluation, kinds).astype(np.int64)


def worst_first(evaluation: Evaluation) -> Integers:
    """Return indices of all units (units,) by the score of the unit alone, the worst first, those without a score last.

    Of equal ones the unit with more of the family's `mistakes` comes first, then the one that comes first in the
    gold. Where the score is none of a unit's counts, the mistakes alone decide.
    """
    scores = scores_of_units(evaluation)
    values = np.zeros(len(evaluation.units)) if scores is None else scores
    if evaluation.headline in evaluation.lower_is_better:
        values = -values
    # NumPy sorts NaN behind all numbers.
    return np.lexsort([-_mistakes(evaluation), values])


def _mistakes(evaluation: Evaluation) -> Array:
    """Return how many mistakes each unit has: (units,)."""
    family = FAMILIES[evaluation.family]
    kinds = family.counts.kinds_with(evaluation.options) if family.counts.kinds_with else family.kinds
    return _sums(evaluation, [kinds.index(kind) for kind in family.counts.mistakes if kind in kinds])


def _sums(evaluation: Evaluation, kinds: Sequence[int]) -> Array:
    """Return the counts of these kinds together, of all groups: (units,)."""
    rows = np.asarray(evaluation.rows)
    rows = rows.sum(axis=1) if rows.ndim == 3 else rows
    return np.asarray(rows[:, list(kinds)].sum(axis=-1))


def _of_table(family: Family, table: Table, cell: Cell, n_units: int) -> Integers:
    place = _place(family, table.records, cell)
    if table.placed is not None:
        unit, record = table.placed()
        return np.bincount(unit[record == place], minlength=n_units)
    kinds = family.table_notes.behind(cell.table)[cell.column]
    if table.rows is None:
        raise KeyError(cell)
    rows = table.rows.of_groups(slice(place, place + 1)) if isinstance(table.rows, Rows) else table.rows[:, place]
    numbers: Integers = np.asarray(rows).reshape(n_units, -1)[:, list(kinds)].sum(axis=1).astype(np.int64)
    return numbers


def _place(family: Family, records: Sequence[Record], cell: Cell) -> int:
    """Return the index of the record."""
    columns = family.table_notes.confusions.get(cell.table) or [next(iter(records[0]))] if records else []
    wanted: tuple[Any, ...] = (cell.row, cell.column)[: len(columns)]
    for place, record in enumerate(records):
        if tuple(record[column] or "" for column in columns) == wanted:
            return place
    raise KeyError(cell)
