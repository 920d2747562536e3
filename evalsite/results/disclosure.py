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


def disclose(result: Result, precision: Precision) -> Result:
    """Return the result, its fields changed in memory to what the visitor may read. It must not be saved afterwards."""
    if precision.is_full:
        return result
    disclose_scores(result, precision)
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
    result.tables = disclosed_tables(result, exact, precision)
    result.table_intervals = {
        name: _disclosed_intervals(name, exact[name], rows, family, precision)
        for name, rows in result.table_intervals.items()
        if result.tables.get(name)
    }
    result.signature = precision.signature(result.signature)
    result.gold_digest = precision.digest(result.gold_digest)
    return result


def disclose_scores(result: Result, precision: Precision) -> Result:
    """Round the fields that lists of results show."""
    result.headline = precision.of(result.headline, precision.headline)
    result.scores = precision.scores(result.scores)
    result.intervals = precision.intervals(result.intervals)
    return result


def disclosed_tables(
    result: Result, tables: Mapping[str, list[Record]], precision: Precision
) -> dict[str, list[Record]]:
    """Return the tables of a result, or of its evaluation, as far as they may be read.

    Older results list labels that a system invents: they are without tables by label until they are scored again.
    """
    if precision.is_full:
        return dict(tables)
    family = result.scoring.scenario.engine_family
    if not result.is_folded and family.table_notes.fold_labels is not None:
        tables = {name: [] for name in tables}
    tables = {
        name: [precision.columns(row) for row in compress(rows, _are_disclosed(name, rows, family, precision))]
        for name, rows in tables.items()
    }
    disclosed = precision.of({name: rows for name, rows in tables.items() if name not in family.table_notes.groups})
    disclosed |= {
        name: without_small(rows, family.table_notes.groups[name])
        for name, rows in tables.items()
        if name in family.table_notes.groups
    }
    for name, (gold, system) in family.table_notes.confusions.items():
        if disclosed.get(name):
            disclosed[name] = without_few(disclosed[name], gold, system)
    return disclosed


def _are_disclosed(name: str, rows: Sequence[Record], family: Family, precision: Precision) -> Iterator[bool]:
    """Yield for each row of a table whether it tells of no score that is hidden."""
    return (precision.hidden.isdisjoint(family.table_notes.row_scores(name, row)) for row in rows)


def _disclosed_intervals(
    name: str, rows: Sequence[Record], intervals: Sequence[Record], family: Family, precision: Precision
) -> list[Record]:
    """Return the intervals of the rows that may be read; none of groups.

    Their ends tell as much of a group as its scores do, and are worth less than the board's.
    """
    disclosed = compress(intervals, _are_disclosed(name, rows, family, precision))
    if name in family.table_notes.groups:
        return [{} for _ in disclosed]
    return [
        {column: ends if isinstance(ends, str) else precision.interval(ends, column) for column, ends in row.items()}
        for row in map(precision.columns, disclosed)
    ]


def without_small(records: Sequence[Record], size: str) -> list[Record]:
    """Return groups of items, those of few without their numbers; of the others shares have two digits.

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
    disclosed: dict[tuple[Any, Any], int] = {}
    for (own, other), count in cells.items():
        key = (FEW, FEW) if rows[own] < FEWEST else (own, other if count >= FEWEST else FEW)
        disclosed[key] = disclosed.get(key, 0) + count
    return [{gold: own, system: other, "count": count} for (own, other), count in disclosed.items()]


def _sum(record: Record, labels: tuple[str, str]) -> int:
    return sum(value for name, value in record.items() if name not in labels)
