"""Gold and system: their numbers side by side in the gold's order, or every problem of either."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from scoring.columns import Flags, Floats
from scoring.messages import Message
from scoring.readers.tables import (
    VALUE,
    Column,
    Groups,
    Items,
    Pairing,
    Table,
    check_unique,
    groups_of,
    layout_of,
    numbers_in,
    pair,
    ratings_in,
    read_table,
    refuse_missing,
)

Options = Mapping[str, Any]
MOST_SYSTEMS = 200  # so that pairs of systems are no more than a hundred times the rows
_DIVIDING = ("group", "slices", "systems")  # options that name a column of the gold


@dataclass(frozen=True)
class Gold(Items):
    """n rows in the order of the file."""

    values: Floats  # (columns, n)
    tolerance: Floats | None  # (n,) how far off still counts as near
    slices: Groups | None
    systems: Groups | None = None  # whose work each row judges


@dataclass(frozen=True)
class Run:
    """The system's numbers for the gold's n rows."""

    table: Table
    pairing: Pairing
    values: Floats  # (columns, n); the number of option `missing` where there is none
    is_missing: Flags  # (columns, n) whether a number stands for one that the system lacks

    @property
    def n_missing(self) -> int:
        """Count rows of the gold that are not there."""
        return self.pairing.n_missing

    @property
    def n_empty(self) -> int:
        """Count cells without a number, of rows that are there."""
        return int(np.count_nonzero(self.is_missing[:, ~self.pairing.is_missing]))

    @property
    def is_constant(self) -> bool:
        """Return whether some column has but one number, for several rows."""
        return self.values.shape[1] > 1 and bool((self.values == self.values[:, :1]).all(axis=1).any())

    @property
    def n_ignored(self) -> int:
        """Count rows that the gold does not have."""
        return self.pairing.n_unknown


def read_gold(files: Mapping[str, bytes], options: Options) -> Gold:
    """Read the gold; SubmissionError with all its problems."""
    names, tolerance = options["gold_columns"], options["tolerance_column"]
    further = [options[key] for key in _DIVIDING if options.get(key) is not None] + [*(options["text"] or ())]
    numbers = [*names, *([] if tolerance is None else [tolerance])]
    wanted = [*(Column(name, "ratings") for name in numbers), *(Column(name) for name in further)]
    table = read_table(files, layout_of(options, "gold"), wanted)
    check_unique(table)
    values = np.array([ratings_in(table, name, VALUE, _mean) for name in names]).reshape(len(names), len(table))
    if options["kind"] == "binary":
        for name, of_column in zip(names, values, strict=True):
            table.add_where(
                np.isfinite(of_column) & (of_column != 0) & (of_column != 1),
                Message("column-not-binary", "column {name!r} must hold 0 or 1", name=name),
            )
    own_tolerance = None
    if tolerance is not None:
        own_tolerance = ratings_in(table, tolerance, Message.word("tolerance"), _deviation)
        table.add_where(own_tolerance < 0, Message("tolerance-must-not-negative", "a tolerance must not be negative"))
    groups, slices, systems = (groups_of(table, options.get(key)) for key in _DIVIDING)
    if groups and systems:
        _check_systems(table, groups, systems)
    if not len(table) and not table.problems:
        table.problems.add(Message("no-rows", "no rows"))
    table.problems.raise_all()
    own_tolerance = _tolerance(own_tolerance, options["tolerance"], len(table))
    return Gold(table, table.ids, groups, values, own_tolerance, slices, systems)


def read_system(files: Mapping[str, bytes], gold: Gold, options: Options) -> Run:
    """Read the system's numbers in the gold's order; SubmissionError with all its problems."""
    names = options["columns"]
    table = read_table(files, layout_of(options, "system"), [Column(name, "number") for name in names])
    pairing = pair(gold.table, table, refuse_unknown=options["unknown_ids"] == "refuse")
    fills = options["missing"] != "refuse"
    is_in_gold = pairing.in_gold >= 0
    values = np.full((len(names), len(gold)), np.nan)
    is_missing = np.ones((len(names), len(gold)), dtype=bool)
    for k, name in enumerate(names):
        is_empty = table.columns[name].is_blank() if fills else np.zeros(len(table), dtype=bool)
        numbers = numbers_in(table, name, VALUE, is_in_gold & ~is_empty)
        if options["kind"] == "binary" and options["range"] == "probability":
            is_outside = is_in_gold & np.isfinite(numbers) & ((numbers < 0) | (numbers > 1))
            table.add_where(
                is_outside, Message("probability-must-lie-between", "a probability must lie between 0 and 1")
            )
        rows = np.flatnonzero(is_in_gold & ~is_empty)
        values[k, pairing.in_gold[rows]] = numbers[rows]
        is_missing[k, pairing.in_gold[rows]] = False
    if fills:
        values[is_missing] = options["missing"]
    else:
        refuse_missing(gold.ids, table, np.flatnonzero(pairing.is_missing))
    table.problems.raise_all()
    return Run(table, pairing, values, is_missing)


def _check_systems(table: Table, groups: Groups, systems: Groups) -> None:
    if len(systems.names) > MOST_SYSTEMS:
        table.problems.add(Message("more-systems", "more than {most} systems", most=MOST_SYSTEMS))
    _, first = np.unique(groups.code * len(systems.names) + systems.code, return_index=True)
    is_first = np.isin(np.arange(len(table)), first)
    table.add_where(~is_first, Message("system-twice", "a system twice in its group"))


def _mean(ratings: Floats) -> float:
    return float(ratings.mean())


def _deviation(ratings: Floats) -> float:
    """Compute the standard deviation of several ratings, that of a sample; 0 of one."""
    return float(ratings.std(ddof=1)) if len(ratings) > 1 else 0.0


def _tolerance(of_rows: Floats | None, everywhere: float | None, n_rows: int) -> Floats | None:
    """Return the larger of the row's own and the one for all: (n,)."""
    if of_rows is None:
        return None if everywhere is None else np.full(n_rows, everywhere)
    return of_rows if everywhere is None else np.maximum(of_rows, everywhere)
