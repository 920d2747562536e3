"""Tables of an evaluation as templates show them: by label, as a confusion matrix, unit by unit."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from uuid import UUID

from django import template
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from evalsite import wording
from evalsite.results.disclosure import FEW
from evalsite.results.page.headings import heading, row_name
from evalsite.results.page.missing_interval import absence_in_row
from evalsite.results.page.table_rows import Cell, Shaded, label_row, point_row, shaded_cells, unit_row
from evalsite.results.units.lists import ListUrl, list_urls, no_links
from evalsite.results.units.wording import unit_name
from evalsite.translating.engine import from_engine
from evalsite.wording import SHARE
from scoring.labels import NOT_IN_GOLD, OTHER
from scoring.scale import Scale
from scoring.significance.limits import FEW_ITEMS, FEWEST_ITEMS
from scoring.table_columns import Column

register = template.Library()

Record = dict[str, Any]
Ends = tuple[float, float] | list[float]
Intervals = Mapping[str, Ends | str]  # {column: the ends of its interval, or the reason why it has none}
SHADES = 9
MOST_UNITS = 200
MOST_ROWS = 200
MOST_LABELS = 30
_IN_WORDS = ("schema", "scheme")  # columns whose values are words, and no labels


register.filter(wording.words)
register.filter(heading)
register.filter(row_name)
register.filter(label_row)
register.filter(shaded_cells)
register.filter(point_row)
register.filter(wording.amount)
register.filter(wording.percent)


@register.filter
def of(values: Mapping[str, Any], name: str) -> Any:
    return values.get(name)


@dataclass(frozen=True)
class ShownColumn:
    key: str
    title: str
    is_number: bool
    scale: Scale = SHARE  # of scores


@register.inclusion_tag("results/_label_table.html", takes_context=True)
def label_table(
    context: template.Context,
    records: Sequence[Record],
    intervals: Sequence[Intervals] | None = None,
    columns: Sequence[Column] = (),
    total: str = "",
    title: str = "",
    table: str = "",
    *,
    has_links: bool = True,
    is_whole: bool = False,
) -> dict[str, Any]:
    """Return one row per label; scores with their intervals, or the reasons why they have none; both may be missing.

    With `table`, the name of the table in the result, the columns are those that the family declares for it, and counts
    lead to the units behind them. Without it, and without `columns`, or where the table `is_whole`, all are shown under
    their keys. `total` is the label of the row that sums the others up: it comes last and is never left out. `title` is
    for those who cannot see the heading.
    """
    row_intervals = intervals or [{} for _ in records]
    declared = _declared(context, table)
    shown = _under_their_keys(declared, records) if is_whole else columns or declared
    chosen = _columns(context, records, shown, row_intervals)
    behind = _unit_links(context, table) if table and has_links else no_links
    rows: list[list[Cell]] = []
    totals: list[list[Cell]] = []
    for record, ends in zip(records, row_intervals, strict=True):
        label = _label(record)
        cells = [_cell(column, record, ends, behind, label) for column in chosen]
        (totals if total and cells[0].value == total else rows).append(cells)
    return {
        "columns": chosen,
        "rows": rows[:MOST_ROWS],
        "totals": totals,
        "n_left_out": max(0, len(rows) - MOST_ROWS),
        "title": heading(title),
        "fewest_items": FEWEST_ITEMS,
        "has_few_items": any(ends.get(column.key) == FEW_ITEMS for ends in row_intervals for column in chosen),
    }


def _columns(
    context: template.Context, records: Sequence[Record], chosen: Sequence[Column], intervals: Sequence[Intervals] = ()
) -> list[ShownColumn]:
    """Return the columns to show: of those that the table has, and that have a value somewhere."""
    section = context.get("section")
    scenario = section.scenario if section else context.get("scenario")
    return [
        ShownColumn(
            column.key,
            from_engine(column.heading),
            _has_numbers(records, column.key),
            _scale(scenario, column, records, intervals),
        )
        for column in chosen or map(Column, records[0])
        if column.is_shown and _has_values(records, column.key) and _is_scored(section, column.of)
    ]


def _declared(context: template.Context, table: str) -> Sequence[Column]:
    """Return the columns that the family declares for a table of this name."""
    section = context.get("section")
    return section.scenario.engine_family.columns(table) if section and section.scenario else ()


def _under_their_keys(declared: Sequence[Column], records: Sequence[Record]) -> list[Column]:
    by_key = {column.key: replace(column, title="", is_shown=True) for column in declared}
    return [by_key.get(key, Column(key)) for key in records[0]]


def _is_scored(section: Any, score: str) -> bool:
    """Return whether the run has the score without which a column tells nothing; it need not be disclosed."""
    return not score or section.exact.scores.get(score) is not None


def _scale(scenario: Any, column: Column, records: Sequence[Record], intervals: Sequence[Intervals]) -> Scale:
    """Return the scale with one number of decimals for the whole column."""
    scale: Scale = scenario.scale_of_column(column) if scenario else SHARE
    if scale.decimals is not None:
        return scale
    ends = [(pair[0], pair[1]) for row in intervals if not isinstance(pair := row.get(column.key, ""), str)]
    return scale.fitted([record[column.key] for record in records], ends)


def _has_values(records: Sequence[Record], key: str) -> bool:
    return key in records[0] and any(record[key] is not None for record in records)


def _has_numbers(records: Sequence[Record], name: str) -> bool:
    return any(isinstance(record[name], int | float) and not isinstance(record[name], bool) for record in records)


def _cell(column: ShownColumn, record: Record, intervals: Intervals, behind: ListUrl, label: str) -> Cell:
    value, ends = _value(column, record), intervals.get(column.key)
    is_score = isinstance(value, float)
    url = behind(label, column.key) if value and column.is_number and not is_score else ""
    if isinstance(ends, str):
        return Cell(value, column.is_number, is_score, column.scale, None, absence_in_row(ends), url)
    return Cell(value, column.is_number, is_score, column.scale, ends, None, url)


def _value(column: ShownColumn, record: Record) -> Any:
    value = record[column.key]
    return _in_words(heading(value) if column.key in _IN_WORDS else value)


def _label(record: Record) -> str:
    """Return the label by which the units behind the row's counts are found."""
    label = next(iter(record.values()))
    return "" if label is None else str(label)


@register.simple_tag(takes_context=True)
def units_url(context: template.Context, table: str, row: str, column: str) -> str:
    """Return the units behind a count of the section's result, where this visitor may see them; else ""."""
    return _unit_links(context, table)(row, column)


def _unit_links(context: template.Context, table: str) -> ListUrl:
    """Return links to the units behind a count of a table, where this visitor may see them."""
    section = context.get("section")
    if not context.get("sees_against_gold") or section is None or section.result is None:
        return no_links
    return list_urls(section.result, table)


def _in_words(value: Any) -> Any:
    """Return yes or no for a boolean, and a list as one text."""
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return (gettext("yes") if value else gettext("no")) if isinstance(value, bool) else value


@register.inclusion_tag("results/_confusion.html", takes_context=True)
def confusion(
    context: template.Context,
    records: Sequence[Record],
    gold: str = "gold",
    system: str = "system",
    counts: str = "exact partial unmatched count",
    what: str = "",
    table: str = "",
) -> dict[str, Any]:
    """Arrange gold labels down, system labels across; None stands for spurious and missing, and comes last."""
    pairs = [(record[gold], record[system], sum(record.get(name, 0) for name in counts.split())) for record in records]
    folded = _folding(pairs)
    cells: Counter[tuple[Any, Any]] = Counter()
    for of_gold, of_system, count in pairs:
        cells[folded.get(of_gold, OTHERS), folded.get(of_system, OTHERS)] += count
    golds = _labels(of_gold for of_gold, _ in cells)
    systems = _labels(of_system for _, of_system in cells)
    behind = _unit_links(context, table) if table else no_links
    rows = []
    for label in golds:
        total = sum(cells[label, other] for other in systems)
        rows.append((label, [_shaded(cells[label, other], total, label, other, behind) for other in systems], total))
    n_folded = len({label for pair in pairs for label in pair[:2]} - folded.keys())
    has_few = FEW in systems
    return {
        "systems": systems,
        "rows": rows,
        "n_folded": n_folded,
        "others": OTHERS,
        "what": what,
        "has_few": has_few,
    }


OTHERS = "\N{HORIZONTAL ELLIPSIS}"
LAST = (OTHERS, NOT_IN_GOLD, OTHER, FEW)  # behind the labels, in this order


def _folding(pairs: Sequence[tuple[Any, Any, int]]) -> dict[Any, Any]:
    """Return the labels that stand for themselves; the others fall together. None always stands for itself."""
    frequency: Counter[Any] = Counter()
    for of_gold, of_system, count in pairs:
        frequency[of_gold] += count
        frequency[of_system] += count
    frequency.pop(None, None)
    return {None: None} | {label: label for label, _ in frequency.most_common(MOST_LABELS)}


def _shaded(count: int, total: int, label: str | None, other: str | None, behind: ListUrl) -> Shaded:
    url = behind(label or "", other or "") if count and OTHERS not in (label, other) else ""
    return Shaded(count, round(SHADES * count / (total or 1)), label == other, url)


def _labels(labels: Iterable[str | None]) -> list[str | None]:
    return sorted(set(labels), key=lambda label: (label is None, label in LAST and LAST.index(label) + 1, label))


@register.inclusion_tag("results/_worst_units.html", takes_context=True)
def worst_units(
    context: template.Context,
    records: Sequence[Record],
    score: str = "f1",
    mistakes: str = "missing spurious incorrect",
    columns: Sequence[Column] = (),
    beside: Sequence[Record] = (),
    table: str = "",
) -> dict[str, Any]:
    """Return units by rising score, those without one last; of equal ones the longer list of mistakes first.

    `beside` is a second table with a row for each of the first's.

    The first column names the unit and leads to its page, if the family has such pages. `mistakes` are the
    columns to count, or what these begin with; `columns` and `table` are as in `label_table`.
    """

    if beside:
        records = [record | other for record, other in zip(records, beside, strict=True)]
    wrong = [name for name in records[0] if name.startswith(tuple(mistakes.split()))]

    def order(record: Record) -> tuple[bool, float, float]:
        value = record[score]
        return value is None, value or 0.0, -sum(record[name] or 0 for name in wrong)

    chosen = _columns(context, records, columns or _declared(context, table))
    section = context["section"]
    has_pages = section.has_unit_pages
    page_of = partial(_unit_page, context["submission"].pk, section.scenario.number) if has_pages else None
    ordered = sorted(records, key=order)
    return {
        "columns": chosen,
        "rows": [_unit_row(chosen, record, page_of) for record in ordered[:MOST_UNITS]],
        "n_left_out": max(0, len(ordered) - MOST_UNITS),
        "section": section,
    }


def _unit_row(columns: Sequence[ShownColumn], record: Record, page_of: Callable[[str], str] | None) -> SafeString:
    cells = [
        Cell(value := _value(column, record), column.is_number, isinstance(value, float), column.scale)
        for column in columns
    ]
    unit = cells[0].value
    return unit_row(cells, unit_name(unit), page_of(unit)) if page_of else unit_row(cells)


def _unit_page(submission: UUID, scenario: int, unit: str) -> str:
    return reverse("submission_unit", args=[submission, scenario, unit])
