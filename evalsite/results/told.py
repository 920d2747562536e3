"""A result as a visitor may read it: numbers as exactly, and tables as far, as the gold may be known."""

from collections.abc import Mapping, Sequence
from typing import Any

from evalsite.challenges.precision import Precision
from evalsite.submissions.models import Result

Record = dict[str, Any]
FEWEST = 10  # items in a cell of a confusion: fewer could be put there to see what the gold calls them
FEW = f"(fewer than {FEWEST})"


def tell(result: Result, precision: Precision) -> Result:
    """The result, its fields changed in memory to what the visitor may read. It must not be saved afterwards."""
    if precision.is_full:
        return result
    tell_scores(result, precision)
    result.counts = precision.counts(result.counts)
    result.tables = told_tables(result, result.tables, precision)
    # Ends of the intervals of a group tell as much of it as its scores do, and are worth less than the board's.
    groups = result.scoring.scenario.engine_family.groups
    result.table_intervals = precision.of(
        {
            name: [{} for _ in rows] if name in groups else rows
            for name, rows in result.table_intervals.items()
            if name in result.tables
        }
    )
    result.signature = precision.signature(result.signature)
    result.gold_digest = precision.digest(result.gold_digest)
    return result


def tell_scores(result: Result, precision: Precision) -> Result:
    """The fields that lists of results show."""
    result.headline = precision.of(result.headline, precision.headline)
    result.scores = precision.of(result.scores)
    result.intervals = precision.of(result.intervals)
    return result


def told_tables(result: Result, tables: Mapping[str, list[Record]], precision: Precision) -> dict[str, list[Record]]:
    """The tables of a result, or of its evaluation. Older results list labels that a system invents: they are without
    tables by label until they are scored again."""
    if precision.is_full:
        return dict(tables)
    family = result.scoring.scenario.engine_family
    if not result.is_folded and family.fold_labels is not None:
        tables = {name: [] for name in tables}
    told = precision.of({name: rows for name, rows in tables.items() if name not in family.groups})
    told |= {name: without_small(rows, family.groups[name]) for name, rows in tables.items() if name in family.groups}
    for name, (gold, system) in family.confusions.items():
        if told.get(name):
            told[name] = without_few(told[name], gold, system)
    return told


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
    """A confusion whose cells of few items are one in each row, and whose rows of few items are one.

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
