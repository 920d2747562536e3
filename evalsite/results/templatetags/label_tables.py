"""Tables of an evaluation as templates show them: by label, as a confusion matrix, unit by unit."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import template

from evalsite import wording
from evalsite.results.missing_interval import FEW_ITEMS, absence_in_row
from scoring.significance.limits import FEWEST_ITEMS

register = template.Library()

Record = dict[str, Any]
Intervals = Mapping[str, Sequence[float] | str]  # {column: the ends of its interval, or the reason why it has none}
SHADES = 9
MOST_UNITS = 200
MOST_ROWS = 200
MOST_LABELS = 30


register.filter(wording.words)
register.filter(wording.amount)
register.filter(wording.percent)


@register.filter
def of(values: Mapping[str, Any], name: str) -> Any:
    return values.get(name)


@dataclass(frozen=True)
class Column:
    name: str
    title: str
    is_number: bool


@dataclass(frozen=True)
class Cell:
    value: Any
    interval: Sequence[float] | None
    is_number: bool
    is_score: bool
    absence: tuple[str, str] | None = None  # why there is no interval: what is shown, and the title that explains it


@register.inclusion_tag("results/_label_table.html")
def label_table(
    records: Sequence[Record],
    intervals: Sequence[Intervals] | None = None,
    columns: str = "",
    total: str = "",
    title: str = "",
) -> dict[str, Any]:
    """One row per label; scores with their intervals, or the reasons why they have none; both may be missing.

    `columns` names those to show, "tag, reftotal as gold"; all if it is empty. `total` is the label of the row
    that sums the others up: it comes last and is never left out. `title` is for those who cannot see the heading.
    """
    chosen = _columns(records, columns)
    found = intervals or [{} for _ in records]
    rows: list[list[Cell]] = []
    totals: list[list[Cell]] = []
    for record, own in zip(records, found, strict=True):
        cells = [_cell(column, record, own) for column in chosen]
        (totals if total and cells[0].value == total else rows).append(cells)
    return {
        "columns": chosen,
        "rows": rows[:MOST_ROWS],
        "totals": totals,
        "n_left_out": max(0, len(rows) - MOST_ROWS),
        "title": wording.words(title),
        "fewest_items": FEWEST_ITEMS,
        "has_few_items": any(cell.absence == FEW_ITEMS for row in rows + totals for cell in row),
    }


def _columns(records: Sequence[Record], chosen: str) -> list[Column]:
    pairs = [part.strip().split(" as ") for part in chosen.split(",")] if chosen else [[name] for name in records[0]]
    return [
        Column(pair[0], wording.words(pair[-1]), _has_numbers(records, pair[0]))
        for pair in pairs
        if pair[0] in records[0]
    ]


def _has_numbers(records: Sequence[Record], name: str) -> bool:
    return any(isinstance(record[name], int | float) and not isinstance(record[name], bool) for record in records)


def _cell(column: Column, record: Record, intervals: Intervals) -> Cell:
    value, ends = record[column.name], intervals.get(column.name)
    absence = absence_in_row(ends) if isinstance(ends, str) else None
    interval = None if isinstance(ends, str) else ends
    return Cell(_yes_or_no(value), interval, column.is_number, isinstance(value, float), absence)


def _yes_or_no(value: Any) -> Any:
    return ("no", "yes")[value] if isinstance(value, bool) else value


@dataclass(frozen=True)
class Shaded:
    count: int
    shade: int  # 0 to SHADES, the share of the row
    is_diagonal: bool


@register.inclusion_tag("results/_confusion.html")
def confusion(
    records: Sequence[Record],
    gold: str = "gold",
    system: str = "system",
    counts: str = "exact partial unmatched",
    what: str = "",
) -> dict[str, Any]:
    """Gold labels down, system labels across; None stands for spurious and missing, and comes last.

    `gold`, `system` and `counts` name the columns, `what` says what is counted. Of many labels the most frequent
    are shown, the others as one.
    """
    found = [(each[gold], each[system], sum(each[name] for name in counts.split())) for each in records]
    folded = _folding(found)
    cells: Counter[tuple[Any, Any]] = Counter()
    for of_gold, of_system, count in found:
        cells[folded.get(of_gold, OTHERS), folded.get(of_system, OTHERS)] += count
    golds = _labels(of_gold for of_gold, _ in cells)
    systems = _labels(of_system for _, of_system in cells)
    rows = []
    for label in golds:
        row = [cells[label, other] for other in systems]
        rows.append((label, [_shaded(cells[label, other], sum(row), label == other) for other in systems], sum(row)))
    n_folded = len({label for pair in found for label in pair[:2]} - folded.keys())
    return {"systems": systems, "rows": rows, "n_folded": n_folded, "others": OTHERS, "what": what}


OTHERS = "\N{HORIZONTAL ELLIPSIS}"


def _folding(found: Sequence[tuple[Any, Any, int]]) -> dict[Any, Any]:
    """The labels that stand for themselves; the others fall together. None always stands for itself."""
    frequency: Counter[Any] = Counter()
    for of_gold, of_system, count in found:
        frequency[of_gold] += count
        frequency[of_system] += count
    frequency.pop(None, None)
    return {None: None} | {label: label for label, _ in frequency.most_common(MOST_LABELS)}


def _shaded(count: int, total: int, is_diagonal: bool) -> Shaded:
    return Shaded(count, round(SHADES * count / (total or 1)), is_diagonal)


def _labels(labels: Iterable[str | None]) -> list[str | None]:
    return sorted(set(labels), key=lambda label: (label is None, label == OTHERS, label))


@register.inclusion_tag("results/_worst_units.html", takes_context=True)
def worst_units(
    context: template.Context,
    records: Sequence[Record],
    score: str = "f1",
    mistakes: str = "missing spurious incorrect",
    columns: str = "",
    beside: Sequence[Record] = (),
) -> dict[str, Any]:
    """Units by rising score, those without one last; of equal ones the longer list of mistakes first.

    `beside` is a second table with a row for each of the first's.

    The first column names the unit and leads to its page, if the family has such pages. `mistakes` are the
    columns to count, or what these begin with; `columns` are chosen as in `label_table`.
    """

    if beside:
        records = [record | other for record, other in zip(records, beside, strict=True)]
    wrong = [name for name in records[0] if name.startswith(tuple(mistakes.split()))]

    def order(record: Record) -> tuple[bool, float, float]:
        value = record[score]
        return value is None, value or 0.0, -sum(record[name] or 0 for name in wrong)

    chosen = _columns(records, columns)
    ordered = sorted(records, key=order)
    section = context["section"]
    return {
        "columns": chosen,
        "rows": [[_cell(each, record, {}) for each in chosen] for record in ordered[:MOST_UNITS]],
        "n_left_out": max(0, len(ordered) - MOST_UNITS),
        "submission": context["submission"],
        "section": section,
    }
