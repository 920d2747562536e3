"""Scores of an evaluation as grids of rows and columns with their intervals drawn, and errors as bars."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any

import numpy as np
from django import template
from django.utils.translation import gettext

from evalsite.results.page.detail import Section
from evalsite.results.page.headings import heading
from evalsite.results.stored import FileMissing, evaluation_of
from evalsite.results.templatetags.label_tables import Intervals
from evalsite.submissions.models import Result
from scoring.table_columns import Column

register = template.Library()

Record = dict[str, Any]


@dataclass(frozen=True)
class Value:
    """A score; `key` is its name."""

    key: str
    value: float | None
    interval: Sequence[float] | None


@dataclass(frozen=True)
class Strip:
    """A score drawn on an axis from 0 to 1: places in per cent."""

    dot: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Row:
    title: str
    values: list[Value]
    counts: list[Any]
    strip: Strip | None  # of the last value


@register.inclusion_tag("results/_score_grid.html")
def score_grid(
    section: Section,
    rows: str | Sequence[tuple[str, str]],
    columns: str,
    counts: str = "",
    total: str = "",
    title: str = "",
    head: str = "",
) -> dict[str, Any]:
    """Return a row for each group of scores of which there is one; the last column is drawn too.

    `rows` are beginnings of the names of scores, "muc_ as MUC, lea_ as LEA", also as pairs, `columns` their ends,
    and `counts` the ends of the names of counts to show beside them. `total` is a score that sums up the others.
    """
    result = _result(section)
    groups = _titled(rows) if isinstance(rows, str) else rows
    titled_columns = [(end, title) for end, title in _titled(columns) if _any(result.scores, groups, end)]
    titled_counts = [(end, title) for end, title in _titled(counts) if _any(result.counts, groups, end)]
    grid = [_row(result, start, words, titled_columns, titled_counts) for start, words in groups]
    return {
        "columns": [title for _, title in titled_columns],
        "counts": [title for _, title in titled_counts],
        "rows": [row for row in grid if any(cell.value is not None for cell in row.values)],
        "total": next((_row(result, name, words, [("", "")], []) for name, words in _titled(total)), None),
        "title": title,
        "head": head or gettext("Score"),
    }


def _result(section: Section) -> Result:
    assert section.result is not None  # only scored sections are shown by a family's template
    return section.result


def _any(values: Mapping[str, Any], groups: Sequence[tuple[str, str]], end: str) -> bool:
    """Return whether a row has something in the column: few of the scores, and of the counts, may be shown."""
    return any(values.get(start + end) is not None for start, _ in groups)


def _titled(names: str) -> list[tuple[str, str]]:
    """Split "f as F1, p" into [("f", "F1"), ("p", "p")]; a name may be empty."""
    if not names:
        return []
    parts = [part.partition(" as ") for part in names.split(",")]
    return [(name.strip(), heading((title or name).strip())) for name, _, title in parts]


def _row(
    result: Result,
    start: str,
    title: str,
    columns: Sequence[tuple[str, str]],
    counts: Sequence[tuple[str, str]],
) -> Row:
    keys = [start + end for end, _ in columns]
    values = [Value(key, result.scores.get(key), result.intervals.get(key)) for key in keys]
    return Row(
        title, values, [result.counts.get(start + end) for end, _ in counts], _strip(values[-1]) if values else None
    )


def _strip(value: Value) -> Strip | None:
    if value.value is None:
        return None
    low, high = (round(100 * end, 2) for end in value.interval) if value.interval else (None, None)
    return Strip(round(100 * value.value, 2), low, high)


@dataclass(frozen=True)
class Table:
    records: list[Record]
    intervals: list[Intervals]


@dataclass(frozen=True)
class SpanGroup:
    """`rows` are for `score_grid`; `table` is by label, None where labels do not count."""

    key: str
    rows: list[tuple[str, str]]
    table: list[Record] | None
    intervals: list[Intervals] | None


@dataclass(frozen=True)
class UnitScores:
    """The arguments of `worst_units`: a record for each unit, the score to sort by, and the columns to show."""

    records: list[Record]
    score: str
    columns: list[Column]


@dataclass(frozen=True)
class Bar:
    title: str
    explanation: str
    record: Record
    key: str
    share: float  # of the longest bar, in per cent


def error_bars(records: Sequence[Record], titles: str, name: str = "error", size: str = "mentions") -> dict[str, Any]:
    """Return errors by kind, as a bar each; `titles` put them in order and say in words what they are after a colon."""
    by_name = {record[name]: record for record in records}
    most = max((record[size] for record in records), default=0)
    bars = []
    for key, title in _titled(titles):
        word, _, explanation = title.partition(": ")
        if record := by_name.get(key):
            bars.append(Bar(word, explanation, record, key, round(100 * record[size] / (most or 1), 2)))
    worst = max(bars, key=lambda bar: bar.share, default=None)
    return {"bars": bars, "worst": worst if most else None}


@register.inclusion_tag("results/_folded_table.html", takes_context=True)
def folded_table(
    context: template.Context,
    records: Sequence[Record] | None,
    intervals: Sequence[Intervals] | None = None,
    columns: Sequence[Column] = (),
    title: str = "",
    *,
    table: str = "",
) -> dict[str, Any]:
    """Fold what `label_table` shows; nothing if it has no rows."""
    return {
        "records": records,
        "intervals": intervals,
        "columns": columns,
        "title": title,
        "table": table,
        "section": context.get("section"),
        "sees_against_gold": context.get("sees_against_gold"),
    }


@register.filter
def starting(scores: Mapping[str, Any], starts: str) -> bool:
    """Return whether a score begins like this, or like one of several separated by blanks."""
    beginnings = tuple(starts.split())
    return any(name.startswith(beginnings) and value is not None for name, value in scores.items())


@register.filter
def beside(section: Section, names: str) -> Table | None:
    """Return two tables "a b" of the result as one, row by row by their first columns; None without the first."""
    first, second = names.split()
    tables, intervals = _result(section).tables, _result(section).table_intervals
    if not tables.get(first):
        return None
    key = next(iter(tables[first][0]))
    further = {
        row[key]: (row, ends)
        for row, ends in zip(tables.get(second, []), intervals.get(second, repeat({})), strict=False)
    }
    none = dict.fromkeys(next(iter(further.values()))[0]) if further else {}
    records: list[Record] = []
    ends: list[Intervals] = []
    for row, row_ends in zip(tables[first], intervals.get(first, repeat({})), strict=False):
        other, others_ends = further.get(row[key], (none, {}))
        records.append({**other, **row})
        ends.append({**others_ends, **row_ends})
    return Table(records, ends)


@register.filter
def blank_as_none(records: Sequence[Record], names: str) -> list[Record]:
    """Return records whose empty texts in these columns stand for nothing."""
    return [record | {name: record[name] or None for name in names.split()} for record in records]


@register.filter
def span_groups(result: Result) -> list[SpanGroup]:
    """Return all groups of spans that were scored, by their names."""
    keys = [name[len("spans_") : -len("_f")] for name in result.scores if re.fullmatch(r"spans_.*_f", name, re.DOTALL)]
    tables = [f"spans_{key}_per_type" for key in keys]
    return [
        SpanGroup(key, [(f"spans_{key}_", key)], result.tables.get(name), result.table_intervals.get(name))
        for key, name in zip(keys, tables, strict=True)
    ]


@register.simple_tag
def scores_by_unit(section: Section) -> UnitScores | None:
    """Return the scores that the board shows, for each unit alone, as far as they are made of its counts."""
    try:
        evaluation = evaluation_of(_result(section))
    except FileMissing:
        return None
    family = section.scenario.engine_family
    by_unit = family.metrics(np.asarray(evaluation.rows), evaluation.options)
    names = [name for name in dict.fromkeys([evaluation.headline, *section.scenario.scores]) if name in by_unit]
    if not names or not evaluation.units:
        return None
    unit = section.unit[0]
    # Columns of equal length, so that each unit takes one of each.
    columns = {unit: evaluation.units} | {name: _without_nan(by_unit[name]) for name in names}
    records = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    shown = [name for name in names if any(record[name] is not None for record in records)]
    titles = family.titles(evaluation.options)
    return UnitScores(records, names[0], [Column(unit), *(Column(name, titles.get(name, name)) for name in shown)])


def _without_nan(values: Any) -> list[float | None]:
    return [None if value != value else value for value in values.tolist()]  # noqa: PLR0124 - NaN
