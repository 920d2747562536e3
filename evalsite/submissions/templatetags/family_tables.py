"""Tables of an evaluation as templates show them: by label, as a confusion matrix, unit by unit."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import template

register = template.Library()

Record = dict[str, Any]
SHADES = 9
MOST_UNITS = 200


@register.filter
def words(name: str) -> str:
    """correct_A becomes "correct A"."""
    return name.replace("_", " ")


@register.filter
def percent(share: float) -> str:
    return f"{100 * share:.4g} %"


@dataclass(frozen=True)
class Cell:
    value: Any
    interval: Sequence[float] | None
    is_number: bool
    is_score: bool


@register.inclusion_tag("submissions/_label_table.html")
def label_table(records: list[Record], intervals: list[dict[str, Sequence[float]]] | None) -> dict[str, Any]:
    """One row per label; scores with their intervals, which may be missing altogether."""
    columns = list(records[0])
    found = intervals or [{} for _ in records]
    rows = [
        [_cell(record[name], own.get(name)) for name in columns] for record, own in zip(records, found, strict=True)
    ]
    return {"columns": [(name, isinstance(records[0][name], int | float)) for name in columns], "rows": rows}


def _cell(value: Any, interval: Sequence[float] | None) -> Cell:
    return Cell(value, interval, isinstance(value, int | float) or value is None, isinstance(value, float))


@dataclass(frozen=True)
class Shaded:
    count: int
    shade: int  # 0 to SHADES, the share of the row
    is_diagonal: bool


@register.inclusion_tag("submissions/_confusion.html")
def confusion(records: list[Record]) -> dict[str, Any]:
    """Gold labels down, system labels across; None stands for spurious and missing, and comes last."""
    golds = _labels(record["gold"] for record in records)
    systems = _labels(record["system"] for record in records)
    counts = {
        (record["gold"], record["system"]): record["exact"] + record["partial"] + record["unmatched"]
        for record in records
    }
    rows = []
    for gold in golds:
        row = [counts.get((gold, system), 0) for system in systems]
        cells = [
            Shaded(count, round(SHADES * count / (sum(row) or 1)), gold == system)
            for count, system in zip(row, systems, strict=True)
        ]
        rows.append((gold, cells, sum(row)))
    return {"systems": systems, "rows": rows}


def _labels(labels: Any) -> list[str | None]:
    return sorted(set(labels), key=lambda label: (label is None, label))


@register.inclusion_tag("submissions/_worst_units.html")
def worst_units(records: list[Record]) -> dict[str, Any]:
    """Units by rising f1; of equal ones the longer list of mistakes first."""
    ordered = sorted(records, key=lambda record: (record["f1"], -_mistakes(record)))
    columns = [name for name in records[0] if name not in ("sentence", "text", "precision", "recall")]
    rows = [(record["sentence"], record["text"], [record[name] for name in columns]) for record in ordered]
    return {"columns": columns, "rows": rows[:MOST_UNITS], "n_left_out": max(0, len(rows) - MOST_UNITS)}


def _mistakes(record: Record) -> int:
    return sum(record[name] for name in record if name.startswith(("missing", "spurious", "incorrect")))
