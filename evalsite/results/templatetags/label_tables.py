"""Tables of an evaluation as templates show them: by label, as a confusion matrix, unit by unit."""

import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import template
from django.utils.translation import gettext

from evalsite import wording
from evalsite.results.disclosure import FEW
from evalsite.results.page.headings import heading, row_name
from evalsite.results.page.missing_interval import absence_in_row
from evalsite.results.page.table_rows import Cell, Shaded, label_row, point_row, shaded_cells
from evalsite.results.units.lists import ListUrl, list_urls, no_links
from evalsite.wording import SHARE
from scoring.labels import NOT_IN_GOLD, OTHER
from scoring.scale import Scale
from scoring.significance.limits import FEW_ITEMS, FEWEST_ITEMS

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
class Column:
    name: str
    title: str
    is_number: bool
    scale: Scale = SHARE  # of scores


@register.inclusion_tag("results/_label_table.html", takes_context=True)
def label_table(
    context: template.Context,
    records: Sequence[Record],
    intervals: Sequence[Intervals] | None = None,
    columns: str = "",
    total: str = "",
    title: str = "",
    table: str = "",
) -> dict[str, Any]:
    """Return one row per label; scores with their intervals, or the reasons why they have none; both may be missing.

    `columns` names those to show, "tag, reftotal as gold"; all if it is empty. A warning tells of one that the table
    lacks. `total` is the label of the row that sums the others up: it comes last and is never left out. `title` is
    for those who cannot see the heading. With `table`, the name of the table in the result, counts lead to the units
    behind them.
    """
    found = intervals or [{} for _ in records]
    chosen = _columns(context, records, columns, found)
    behind = _behind(context, table) if table else no_links
    rows: list[list[Cell]] = []
    totals: list[list[Cell]] = []
    for record, own in zip(records, found, strict=True):
        cells = [_cell(column, record, own, behind) for column in chosen]
        (totals if total and cells[0].value == total else rows).append(cells)
    return {
        "columns": chosen,
        "rows": rows[:MOST_ROWS],
        "totals": totals,
        "n_left_out": max(0, len(rows) - MOST_ROWS),
        "title": heading(title),
        "fewest_items": FEWEST_ITEMS,
        "has_few_items": any(own.get(column.name) == FEW_ITEMS for own in found for column in chosen),
    }


def _columns(
    context: template.Context, records: Sequence[Record], chosen: str, intervals: Sequence[Intervals] = ()
) -> list[Column]:
    section = context.get("section")
    scenario = section.scenario if section else context.get("scenario")
    pairs = [part.strip().split(" as ") for part in chosen.split(",")]
    titles = {pair[0]: heading(pair[-1]) for pair in pairs} if chosen else {}
    # A score may be hidden, or not be there with these options; whatever else is missing is a slip of whoever named it.
    optional = {*scenario.score_titles, *scenario.engine_family.score_titles} if scenario else ()
    if strange := [name for name in titles if name not in records[0] and name not in optional]:
        warnings.warn(f"no column {', '.join(strange)} in a table with {', '.join(records[0])}", stacklevel=2)
    return [
        Column(
            name,
            titles.get(name) or wording.words(name),
            _has_numbers(records, name),
            _scale(scenario, name, records, intervals),
        )
        for name in (titles or records[0])
        if name in records[0] and any(record[name] is not None for record in records)
    ]


def _scale(scenario: Any, name: str, records: Sequence[Record], intervals: Sequence[Intervals]) -> Scale:
    """Return the scale with one number of decimals for the whole column."""
    scale: Scale = scenario.scale_of_column(name) if scenario else SHARE
    if scale.decimals is not None:
        return scale
    ends = [(each[0], each[1]) for own in intervals if not isinstance(each := own.get(name, ""), str)]
    return scale.fitted([record[name] for record in records], ends)


def _has_numbers(records: Sequence[Record], name: str) -> bool:
    return any(isinstance(record[name], int | float) and not isinstance(record[name], bool) for record in records)


def _cell(column: Column, record: Record, intervals: Intervals, behind: ListUrl) -> Cell:
    value, ends = record[column.name], intervals.get(column.name)
    absence = absence_in_row(ends) if isinstance(ends, str) else None
    interval = None if isinstance(ends, str) else ends
    if column.name in _IN_WORDS:
        value = heading(value)
    value, is_score = _yes_or_no(value), isinstance(value, float)
    url = behind(_label(record), column.name) if value and column.is_number and not is_score else ""
    return Cell(value, interval, column.is_number, is_score, column.scale, absence, url)


def _label(record: Record) -> str:
    """Return the label by which the units behind the row's counts are found."""
    label = next(iter(record.values()))
    return "" if label is None else str(label)


@register.simple_tag(takes_context=True)
def units_url(context: template.Context, table: str, row: str, column: str) -> str:
    """Return the units behind a count of the section's result, where this visitor may see them; else ""."""
    return _behind(context, table)(row, column)


def _behind(context: template.Context, table: str) -> ListUrl:
    """Return links to the units behind a count of a table, where this visitor may see them."""
    section = context.get("section")
    if not context.get("sees_against_gold") or section is None or section.result is None:
        return no_links
    return list_urls(section.result, table)


def _yes_or_no(value: Any) -> Any:
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
    found = [(each[gold], each[system], sum(each.get(name, 0) for name in counts.split())) for each in records]
    folded = _folding(found)
    cells: Counter[tuple[Any, Any]] = Counter()
    for of_gold, of_system, count in found:
        cells[folded.get(of_gold, OTHERS), folded.get(of_system, OTHERS)] += count
    golds = _labels(of_gold for of_gold, _ in cells)
    systems = _labels(of_system for _, of_system in cells)
    behind = _behind(context, table) if table else no_links
    rows = []
    for label in golds:
        total = sum(cells[label, other] for other in systems)
        rows.append((label, [_shaded(cells[label, other], total, label, other, behind) for other in systems], total))
    n_folded = len({label for pair in found for label in pair[:2]} - folded.keys())
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


def _folding(found: Sequence[tuple[Any, Any, int]]) -> dict[Any, Any]:
    """Return the labels that stand for themselves; the others fall together. None always stands for itself."""
    frequency: Counter[Any] = Counter()
    for of_gold, of_system, count in found:
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
    columns: str = "",
    beside: Sequence[Record] = (),
) -> dict[str, Any]:
    """Return units by rising score, those without one last; of equal ones the longer list of mistakes first.

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

    chosen = _columns(context, records, columns)
    ordered = sorted(records, key=order)
    section = context["section"]
    return {
        "columns": chosen,
        "rows": [[_cell(each, record, {}, no_links) for each in chosen] for record in ordered[:MOST_UNITS]],
        "n_left_out": max(0, len(ordered) - MOST_UNITS),
        "submission": context["submission"],
        "section": section,
    }
