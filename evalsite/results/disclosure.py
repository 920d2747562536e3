"""Reduces a result to what a visitor may read: numbers rounded, and tables cut, as far as the gold may be known."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import compress
from typing import Any

from evalsite.challenges.precision import Precision
from evalsite.submissions.models import Result
from scoring.budget import FEWEST, row_sum
from scoring.family import Family, RowEvidence

Record = dict[str, Any]
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
        {name: value for name, value in result.counts.items() if _is_count_disclosed(name, family, precision)}
    )
    if not precision.has_tables:
        result.distribution = []
    result.tables = disclosed_tables(result, exact, precision)
    result.table_intervals = {
        name: _disclosed_intervals(name, exact[name], rows, family, precision)
        for name, rows in result.table_intervals.items()
        if result.tables.get(name)
    }
    if precision.detail is not None:
        result.table_intervals = {
            name: [*map(_of_told, rows, result.tables[name])] for name, rows in result.table_intervals.items()
        }
    result.signature = precision.signature(result.signature)
    result.gold_digest = precision.digest(result.gold_digest)
    return result


def _is_count_disclosed(name: str, family: Family, precision: Precision) -> bool:
    """Tell whether a total tells of no score that is hidden; of scores alone, whether it is the gold's own."""
    if not precision.has_tables:
        return name in family.evidence.gold_counts
    return precision.hidden.isdisjoint(family.counts.count_scores(name))


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
    if not precision.has_tables:
        return {name: list(rows) if _are_words(rows) else [] for name, rows in tables.items()}
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
    if precision.detail is not None:
        disclosed = {name: without_run_labels(name, rows, family) for name, rows in disclosed.items()}
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


def _of_told(intervals: Record, row: Record) -> Record:
    """Return the intervals of a row but those of scores that it does not tell."""
    return {column: ends for column, ends in intervals.items() if isinstance(ends, str) or row[column] is not None}


def _are_words(rows: Sequence[Record]) -> bool:
    """Tell whether a table has no number of the run, such as the signatures of other programs."""
    return all(isinstance(value, str) for row in rows for value in row.values())


def without_run_labels(name: str, rows: Sequence[Record], family: Family) -> list[Record]:
    """Return a table without what a run could choose the items of, while uploads may still ask for them.

    A run gives its own labels, so that a count by these is a test of whatever items it wants to know of. Rows of few of
    the run's own items lose their numbers but the gold's; groups lose their counts, from which follow exact shares.
    """
    if name in family.table_notes.groups:
        size = family.table_notes.groups[name]
        return [{column: _without_count(value, column == size) for column, value in row.items()} for row in rows]
    evidence = family.evidence.rows(name) if family.evidence.rows else None
    return [_without_run_labels(row, evidence) for row in rows] if evidence else list(rows)


def _without_count(value: Any, is_size: bool) -> Any:
    return value if is_size or type(value) is not int else None


def _without_run_labels(row: Record, evidence: RowEvidence) -> Record:
    if evidence.run and row_sum(row, evidence.run) < FEWEST:
        kept = evidence.size if len(evidence.size) == 1 else ()
        return {name: value if isinstance(value, str) or name in kept else None for name, value in row.items()}
    return {name: None if name in evidence.by_run else value for name, value in row.items()}


def without_small(records: Sequence[Record], size: str) -> list[Record]:
    """Return groups of items, those of few without their numbers; of the others shares have two digits.

    A group is scored as if it were a test of its own, so its numbers tell as much of its few items as those of the
    whole test tell of all.
    """
    names = frozenset(records[0]) if records else frozenset()
    coarse = Precision(is_full=False, tell_much=names)
    return [coarse.of(record if (record[size] or 0) >= FEWEST else _sized_alone(record, size)) for record in records]


def _sized_alone(record: Record, size: str) -> Record:
    first = next(iter(record))
    return {name: value if name in (first, size) else None for name, value in record.items()}


def without_few(records: Sequence[Record], gold: str, system: str) -> list[Record]:
    """Return a confusion whose cells of few items are one in each row, and whose rows of few items are one.

    `gold` and `system` name the columns of labels; all others are counts, of which one sum is left.
    """
    cells = {(record[gold], record[system]): _sum(record, (gold, system)) for record in records}
    rows: dict[Any, int] = {}
    for (label, _), count in cells.items():
        rows[label] = rows.get(label, 0) + count
    disclosed: dict[tuple[Any, Any], int] = {}
    for (label, other), count in cells.items():
        key = (FEW, FEW) if rows[label] < FEWEST else (label, other if count >= FEWEST else FEW)
        disclosed[key] = disclosed.get(key, 0) + count
    return [{gold: label, system: other, "count": count} for (label, other), count in disclosed.items()]


def _sum(record: Record, labels: tuple[str, str]) -> int:
    return sum(value for name, value in record.items() if name not in labels)
