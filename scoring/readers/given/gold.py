"""The units of a task, with weights and groups where the table has them.

A table of scores may serve: each of its runs says the units anew, and all have to agree on weights and groups.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from scoring.columns import Flags, Floats, Integers
from scoring.errors import Problem, SubmissionError
from scoring.readers.tables import Cells, Column, Table, check_unique, layout_of, numbers_in, read_table, shown

UNIT = "unit"  # what messages call the id of a row


@dataclass(frozen=True)
class Groups:
    """Which units belong together."""

    names: list[str]  # in the order of first sight
    code: Integers  # (units,) index into `names`


@dataclass(frozen=True)
class Gold:
    """n units, in the order of first sight."""

    table: Table
    ids: Cells  # (n,)
    weights: Floats  # (n,), none negative, not all 0
    groups: Groups | None  # where a column says which units belong together

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def paths(self) -> list[str]:
        """The file that was read."""
        return self.table.paths


def read_gold(files: Mapping[str, bytes], options: Mapping[str, Any]) -> Gold:
    """The units; SubmissionError with all problems of their table."""
    wanted = [Column(options["weight"], "number", optional=True), Column(options["run_column"], optional=True)]
    group = options["group"]
    table = read_table(files, layout_of(options, "gold", UNIT), [*([Column(group)] if group else []), *wanted])
    first = table.ids.firsts()
    if options["run_column"] not in table.columns:
        check_unique(table, UNIT)
    is_first = np.ones(len(table), dtype=bool) if first is None else first == np.arange(len(table))
    weights = _weights(table, options["weight"])
    if first is not None:
        _check_agreement(table, "weight", first, weights != weights[first])
        if group:
            cells = table.columns[group]
            _check_agreement(table, "group", first, ~cells.equals(np.arange(len(cells)), cells, first))
    groups = _groups(table, group, is_first) if group else None
    if not len(table) and not table.problems:
        table.problems.add("no rows")
    table.problems.raise_all()
    own = weights[is_first]
    if not own.any():
        raise SubmissionError(Problem("all weights are 0", table.path))
    return Gold(table, table.ids.taken(is_first), own, groups)


def _weights(table: Table, column: str) -> Floats:
    """(rows,): 1 where the table has no such column."""
    if column not in table.columns:
        return np.ones(len(table))
    weights = numbers_in(table, column, "weight")
    negative = np.flatnonzero(weights < 0)
    table.add_each(((row, "a weight must not be negative") for row in negative.tolist()), len(negative))
    return weights


def _check_agreement(table: Table, noun: str, first: Integers, differs: Flags) -> None:
    """A problem for each row that says something else of its unit than the first one, and can be read."""
    rows = np.flatnonzero(differs & ~table.ids.is_blank())
    table.add_each(_other(table, noun, first, rows.tolist()), len(rows))


def _other(table: Table, noun: str, first: Integers, rows: list[int]) -> Iterator[tuple[int, str]]:
    for row in rows:
        line = table.line(int(first[row]))
        yield row, f"{UNIT} {shown(table.ids[row])} has another {noun} on line {line}"


def _groups(table: Table, column: str, is_first: Flags) -> Groups:
    cells = table.columns[column]
    blank = np.flatnonzero(cells.is_blank())
    table.add_each(((row, f"empty {column}") for row in blank.tolist()), len(blank))
    code, names = cells.taken(is_first).values()
    # Numbered in the order of first sight.
    _, seen = np.unique(code, return_index=True)
    order = np.argsort(seen, kind="stable")
    place = np.empty(len(names), dtype=np.int64)
    place[order] = np.arange(len(names))
    return Groups([names[number] for number in order.tolist()], place[code])
