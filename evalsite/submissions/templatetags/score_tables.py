"""Scores of an evaluation as grids of rows and columns with their intervals drawn, and errors as bars."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import template

from evalsite.submissions.detail import Section
from evalsite.submissions.models import Result

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


@register.inclusion_tag("submissions/_score_grid.html")
def score_grid(
    section: Section,
    rows: str,
    columns: str,
    counts: str = "",
    total: str = "",
    title: str = "",
    head: str = "",
) -> dict[str, Any]:
    """A row for each group of scores of which there is one; the last column is drawn too.

    `rows` are beginnings of the names of scores, "muc_ as MUC, lea_ as LEA", `columns` their ends, and `counts` the
    ends of the names of counts to show beside them. `total` is a score that sums up the others.
    """
    result = section.result
    titled_columns, titled_counts = _titled(columns), _titled(counts)
    found = [_row(result, start, title, titled_columns, titled_counts) for start, title in _titled(rows)]
    return {
        "columns": [title for _, title in titled_columns],
        "counts": [title for _, title in titled_counts],
        "rows": [row for row in found if any(each.value is not None for each in row.values)],
        "total": next((_row(result, name, words, [("", "")], []) for name, words in _titled(total)), None),
        "title": title,
        "head": head,
    }


def _titled(names: str) -> list[tuple[str, str]]:
    """ "f as F1, p" becomes [("f", "F1"), ("p", "p")]; a name may be empty."""
    if not names:
        return []
    parts = [part.partition(" as ") for part in names.split(",")]
    return [(name.strip(), (title or name).strip()) for name, _, title in parts]


def _row(
    result: Result,
    start: str,
    title: str,
    columns: Sequence[tuple[str, str]],
    counts: Sequence[tuple[str, str]],
) -> Row:
    keys = [start + end for end, _ in columns]
    values = [Value(key, result.scores.get(key), result.intervals.get(key)) for key in keys]
    return Row(title, values, [result.counts.get(start + end) for end, _ in counts], _strip(values[-1]))


def _strip(value: Value) -> Strip | None:
    if value.value is None:
        return None
    low, high = value.interval or (None, None)
    return Strip(*(None if place is None else round(100 * place, 2) for place in (value.value, low, high)))


@dataclass(frozen=True)
class Bar:
    title: str
    explanation: str
    record: Record
    share: float  # of the longest bar, in per cent


@register.inclusion_tag("submissions/_error_bars.html")
def error_bars(records: Sequence[Record], titles: str, name: str = "error", size: str = "mentions") -> dict[str, Any]:
    """Errors by kind, as a bar each; `titles` put them in order and say in words what they are after a colon."""
    by_name = {record[name]: record for record in records}
    most = max((record[size] for record in records), default=0)
    bars = []
    for key, title in _titled(titles):
        word, _, explanation = title.partition(": ")
        if record := by_name.get(key):
            bars.append(Bar(word, explanation, record, round(100 * record[size] / (most or 1), 2)))
    worst = max(bars, key=lambda bar: bar.share, default=None)
    return {"bars": bars, "worst": worst if most else None}


@register.filter
def starting(scores: Mapping[str, Any], start: str) -> bool:
    """Whether there is a score of this beginning."""
    return any(name.startswith(start) and value is not None for name, value in scores.items())
