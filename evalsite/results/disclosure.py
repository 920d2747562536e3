"""Reduces a result to what a visitor may read: numbers rounded, and tables cut, as far as the gold may be known."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import compress
from typing import Any

from evalsite.challenges.precision import Precision
from evalsite.submissions.models import Result
from scoring.family import Family

Record = dict[str, Any]
FEWEST = 10  # items in a cell of a confusion: fewer could be put there to see what the gold calls them
FEW = f"(fewer than {FEWEST})"


def tell(result: Result, precision: Precision) -> Result:
    """Return the result, its fields changed in memory to what the visitor may read. It must not be saved afterwards."""
    if precision.is_full:
        return result
    tell_scores(result, precision)
    family, exact = result.scoring.scenario.engine_family, result.tables
    result.interval_methods = {name: how for name, how in result.interval_methods.items() if precision.shows(name)}
    result.warnings = precision.warnings(result.warnings)
    result.counts = precision.counts(
        {
            name: value
            for name, value in result.counts.items()
            if precision.hidden.isdisjoint(family.counts.count_scores(name))
        }
    )
    result.tables = told_tables(result, exact, precision)
    result.table_intervals = {
        name: _told_intervals(name, exact[name], rows, family, precision)
        for name, rows in result.table_intervals.items()
        if result.tables.get(name)
    }
    result.signature = precision.signature(result.signature)
    result.gold_digest = precision.digest(result.gold_digest)
    return result


def tell_scores(result: Result, precision: Precision) -> Result:
    """Round the fields that lists of results show."""
    result.headline = precision.of(result.headline, precision.headline)
    result.scores = precision.scores(result.scores)
    result.intervals = precision.intervals(result.intervals)
    return result


def told_tables(result: Result, tables: Mapping[str, list[Record]], precision: Precision) -> dict[str, list[Record]]:
    """Return the tables of a result, or of its evaluation, as far as they may be read.

    Older results list labels that a system invents: they are without tables by label until they are scored again.
    """
    if precision.is_full:
        return dict(tables)
    family = result.scoring.scenario.engine_family
    if not result.is_folded and family.table_notes.fold_labels is not None:
        tables = {name: [] for name in tables}
    tables = {
        name: [precision.columns(row) for row in compress(rows, _are_told(name, rows, family, precision))]
        for name, rows in tables.items()
    }
    told = precision.of({name: rows for name, rows in tables.items() if name not in family.table_notes.groups})
    told |= {
        name: without_small(rows, family.table_notes.groups[name])
        for name, rows in tables.items()
        if name in family.table_notes.groups
    }
    for name, (gold, system) in family.table_notes.confusions.items():
        if told.get(name):
            told[name] = without_few(told[name], gold, system)
    return told


def _are_told(name: str, rows: Sequence[Record], family: Family, precision: Precision) -> Iterator[bool]:
    """Yield for each row of a table whether it tells of no score that is hidden."""
    return (precision.hidden.isdisjoint(family.table_notes.row_scores(name, row)) for row in rows)


def _told_intervals(
    name: str, rows: Sequence[Record], intervals: Sequence[Record], family: Family, precision: Precision
) -> list[Record]:
    """Return the intervals of the rows that may be read; none of groups.

    Their ends tell as much of a group as its scores do, and are worth less than the board's.
    """
    told = compress(intervals, _are_told(name, rows, family, precision))
    if name in family.table_notes.groups:
        return [{} for _ in told]
    return [
        {column: ends if isinstance(ends, str) else precision.interval(ends, column) for column, ends in row.items()}
        for row in map(precision.columns, told)
    ]


def without_small(records: Sequence[Record], size: str) -> list[Record]:
    """Groups of items, those of few without their numbers; of the others shares have two digits.

    A group is scored as if it were a test of its own, so its numbers tell as much of its few items as those of the
    whole test tell of all.
    """
    names = frozenset(records[0]) if records else frozenset()
    coarse = Precision(is_full=False, tell_much=names)
    return [coarse.of(each if (each[size] or 0) >= FEWEST else _sized_alone(each, size)) for each in records]


def _sized_alone(record: Record, size: str) -> Record:
    first = next(iter(record))
    return {name: value if name in (first, size) else None for name, value in record.items()}


def without_few(records: Sequence[Record], gold: str, system: str) -> list[Record]:
    """Return a confusion whose cells of few items are one in each row, and whose rows of few items are one.

    `gold` and `system` name the columns of labels; all others are counts, of which one sum is left.
    """
    cells = {(each[gold], each[system]): _sum(each, (gold, system)) for each in records}
    rows: dict[Any, int] = {}
    for (own, _), count in cells.items():
        rows[own] = rows.get(own, 0) + count
    told: dict[tuple[Any, Any], int] = {}
    for (own, other), count in cells.items():
        key = (FEW, FEW) if rows[own] < FEWEST else (own, other if count >= FEWEST else FEW)
        told[key] = told.get(key, 0) + count
    return [{gold: own, system: other, "count": count} for (own, other), count in told.items()]


def _sum(record: Record, labels: tuple[str, str]) -> int:
    return sum(value for name, value in record.items() if name not in labels)
