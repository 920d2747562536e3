"""Which units stand behind a count: behind a cell of a table, or behind a total of the corpus."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from scoring.columns import Array, Integers
from scoring.comparing.two_runs import scores_of_units
from scoring.evaluation import Evaluation
from scoring.families import FAMILIES
from scoring.families.parts import for_part
from scoring.family import Family, Files, Options, Record, Table
from scoring.rows import Rows


@dataclass(frozen=True)
class Cell:
    """A count of a table: its record by the first column, and the column; of a confusion both labels.

    No label is "". Without a table the column is a total of the corpus.
    """

    table: str
    row: str
    column: str


def units_behind(family: str, gold: Files, system: Files, options: Options, cell: Cell, *, folds: bool) -> Integers:
    """How many items of the cell are in each unit: (units,) in the order of `Evaluation.units`.

    Both sides are read and matched again. `options` are those of the evaluation; `folds` says whether its tables have
    one row for all labels that the gold lacks. KeyError if there is no such cell, or if the table is too large for
    its units to be told apart.
    """
    record = for_part(FAMILIES[family], options)
    gold_side = record.read_gold(gold, options)
    counted = record.count(gold_side, record.read_system(system, gold_side, options), options)
    matches = record.fold_labels(counted.matches).matches if folds and record.fold_labels else counted.matches
    return _of_table(record, record.tables(matches, options)[cell.table], cell, len(counted.units))


def units_of_total(evaluation: Evaluation, name: str) -> Integers | None:
    """How much of a total of the corpus comes from each unit: (units,); None if it is no sum over them."""
    kinds = FAMILIES[evaluation.family].totals(evaluation.options).get(name)
    return None if kinds is None or not evaluation.rows.size else _sums(evaluation, kinds).astype(np.int64)


def worst_first(evaluation: Evaluation) -> Integers:
    """Indices of all units (units,) by the score of the unit alone, the worst first, those without a score last.

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
    """(units,)"""
    family = FAMILIES[evaluation.family]
    kinds = family.kinds_with(evaluation.options) if family.kinds_with else family.kinds
    return _sums(evaluation, [kinds.index(kind) for kind in family.mistakes if kind in kinds])


def _sums(evaluation: Evaluation, kinds: Sequence[int]) -> Array:
    """The counts of these kinds together, of all groups: (units,)."""
    rows = np.asarray(evaluation.rows)
    rows = rows.sum(axis=1) if rows.ndim == 3 else rows
    return np.asarray(rows[:, list(kinds)].sum(axis=-1))


def _of_table(family: Family, table: Table, cell: Cell, n_units: int) -> Integers:
    place = _place(family, table.records, cell)
    if table.placed is not None:
        unit, record = table.placed()
        return np.bincount(unit[record == place], minlength=n_units)
    kinds = family.behind(cell.table)[cell.column]
    if table.rows is None:
        raise KeyError(cell)
    rows = table.rows.of_groups(slice(place, place + 1)) if isinstance(table.rows, Rows) else table.rows[:, place]
    found: Integers = np.asarray(rows).reshape(n_units, -1)[:, list(kinds)].sum(axis=1).astype(np.int64)
    return found


def _place(family: Family, records: Sequence[Record], cell: Cell) -> int:
    """The index of the record."""
    columns = family.confusions.get(cell.table) or [next(iter(records[0]))] if records else []
    wanted: tuple[Any, ...] = (cell.row, cell.column)[: len(columns)]
    for place, record in enumerate(records):
        if tuple(record[column] or "" for column in columns) == wanted:
            return place
    raise KeyError(cell)
