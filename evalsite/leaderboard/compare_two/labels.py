"""The tables by label of two runs, side by side."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from evalsite.challenges.models import Scenario
from evalsite.challenges.precision import Precision
from evalsite.results.told import told_tables
from evalsite.submissions.models import Result
from scoring.scale import Scale


@dataclass(frozen=True)
class LabelRow:
    """A label with, for each score, both values and their difference; None where one of them has none."""

    label: str
    values: list[tuple[float | None, float | None, float | None, Scale]]


@dataclass(frozen=True)
class LabelTable:
    name: str
    scores: list[str]
    rows: list[LabelRow]


MOST_LABELS = 100
MOST_LABEL_SCORES = 4


def label_tables(first: Result, second: Result, precision: Precision) -> list[LabelTable]:
    """The tables of both whose rows are labels with intervals: sums over the gold's labels, no single unit of it."""
    scores = {
        name: [column for column in _with_interval(name, first, second) if column not in precision.hidden]
        for name, records in first.tables.items()
        if records
    }
    shown = [name for name in scores if scores[name] and second.tables.get(name)]
    # Not the others, of which one has a row for each unit.
    one, other = (
        told_tables(result, {name: result.tables[name] for name in shown}, precision) for result in (first, second)
    )
    found = [
        _label_table(
            name, one[name], other[name], _scales(scores[name][:MOST_LABEL_SCORES], first.scoring.scenario), precision
        )
        for name in shown
        if one[name] and other[name]
    ]
    return [table for table in found if table.rows]


def _with_interval(name: str, *results: Result) -> list[str]:
    """Columns that have an interval somewhere, in their order."""
    with_one = {column for result in results for row in result.table_intervals.get(name, ()) for column in row}
    return [column for column in results[0].tables[name][0] if column in with_one]


def _label_table(
    name: str,
    records: Sequence[dict[str, Any]],
    others: Sequence[dict[str, Any]],
    scales: dict[str, Scale],
    precision: Precision,
) -> LabelTable:
    one, other = _by_label(records), _by_label(others)
    rows = [
        LabelRow(
            label,
            [
                (*precision.of(_values(one.get(label, {}).get(score), other.get(label, {}).get(score)), score), scale)
                for score, scale in scales.items()
            ],
        )
        for label in list(dict.fromkeys([*one, *other]))[:MOST_LABELS]
    ]
    return LabelTable(name, list(scales), rows)


def _scales(scores: Sequence[str], scenario: Scenario) -> dict[str, Scale]:
    return {score: scenario.scale_of_column(score) for score in scores}


def _by_label(records: Sequence[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """By what stands in front of a record's first number; nothing where a number comes first."""
    return {label: record for record in records if (label := _label(record))}


def _label(record: dict[str, Any]) -> str:
    words = []
    for value in record.values():
        if not isinstance(value, str):
            break
        words.append(value)
    return " · ".join(words)


def _values(first: float | None, second: float | None) -> tuple[float | None, float | None, float | None]:
    return first, second, None if first is None or second is None else first - second
