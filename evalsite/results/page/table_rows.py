"""Renders rows of a result's tables as HTML: hundreds of cells, for which templates would take most of the time."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, NamedTuple

from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString

from evalsite.results.page.headings import row_name
from evalsite.results.page.points import PointBar
from evalsite.wording import NOTHING, SHARE, amount, exact, interval, score, signed
from scoring.scale import Scale

LONG_TEXT = 40  # characters, from which a cell may break its line


class Cell(NamedTuple):  # of which tables have hundreds: a frozen dataclass takes four times as long to make
    value: Any
    is_number: bool
    is_score: bool
    scale: Scale = SHARE
    interval: tuple[float, float] | list[float] | None = None
    absence: tuple[str, str] | None = None  # why there is no interval: what is shown, and the title that explains it
    url: str = ""  # of the units behind a count


@dataclass(frozen=True)
class Shaded:
    """A cell of a confusion."""

    count: int
    shade: int  # from 0, the share of the row
    is_diagonal: bool
    url: str = ""  # of the units behind the count


def label_row(cells: Sequence[Cell]) -> SafeString:
    """Render a row of a table by label; its first cell names it."""
    label, *others = cells
    name = _shown(row_name(label.value))
    return SafeString(
        f'<tr><th scope="row"><span class="name">{name}</span></th>{"".join(map(_of_label, others))}</tr>'
    )


def unit_row(cells: Sequence[Cell], name: str = "", address: str = "") -> SafeString:
    """Render a row of a list of units; where a unit has a page, its name leads there in place of the first cell."""
    if not address:
        return SafeString(f"<tr>{''.join(map(_of_unit, cells))}</tr>")
    named = f'<th scope="row"><a class="name" href="{escape(address)}">{escape(name)}</a></th>'
    return SafeString(f"<tr>{named}{''.join(map(_of_unit, cells[1:]))}</tr>")


def _of_unit(cell: Cell) -> str:
    value = cell.value
    if cell.is_score:
        return _of_score(cell)
    if cell.is_number:
        soft = "" if value else " soft"
        return f'<td class="num{soft}">{_shown(value)}</td>'
    text = "" if value is None else str(value)
    is_long = " is-long" if len(text) > LONG_TEXT else ""
    return f'<td class="text{is_long}">{conditional_escape(text)}</td>'


def _of_score(cell: Cell) -> str:
    """Render it with its interval; numbers need no escaping, of which there would be much."""
    shown = score(cell.value, cell.scale)
    return f'<td class="num" title="{exact(cell.value)}">{shown}{_interval(cell)}</td>'


def _of_label(cell: Cell) -> str:
    if cell.is_score:
        return _of_score(cell)
    if cell.is_number:
        return f'<td class="num">{_counted(cell.value, cell.url)}</td>'
    return f'<td><span class="name">{_shown(cell.value)}</span></td>'


def _interval(cell: Cell) -> str:
    if cell.interval:
        return f'<br><span class="interval small">{interval(cell.interval, cell.scale)}</span>'
    if not cell.absence:
        return ""
    shown, explained = cell.absence
    title = format_html(' title="{}"', explained) if explained else ""
    return format_html('<br><span class="interval small"{}>{}</span>', title, shown)


def _shown(value: Any) -> str:
    if type(value) is int:  # which most are, and which needs no escaping
        return str(value)
    return NOTHING if value is None else conditional_escape(value)


def shaded_cells(cells: Sequence[Shaded]) -> SafeString:
    """Render a row of a confusion matrix; where nothing is to be counted nothing stands."""
    return SafeString("".join(map(_of_confusion, cells)))


def _of_confusion(cell: Shaded) -> str:
    diagonal = " is-diagonal" if cell.is_diagonal else ""
    return f'<td class="num shade-{cell.shade}{diagonal}">{_counted(cell.count, cell.url) if cell.count else ""}</td>'


def _counted(count: Any, url: str) -> str:
    """Render a count with a link to the units behind it, where one may see them."""
    return f'<a class="behind" href="{escape(url)}">{_shown(count)}</a>' if url else _shown(count)


def point_row(bar: PointBar, scale: Scale) -> SafeString:
    """Render what would be gained if one kind of mistake, or one label, were mended."""
    n_items = f' <span class="small soft number">{amount(bar.n_items)}</span>' if bar.n_items else ""
    return SafeString(
        f'<tr><th scope="row"><span class="name">{_shown(bar.name)}</span>{n_items}</th>'
        f'<td class="num" title="{exact(bar.gain)}"><b>{signed(bar.change, scale)}</b></td>'
        '<td class="bar-cell"><svg aria-hidden="true">'
        f'<rect class="bar" y="25%" height="50%" width="{bar.share}%"/></svg></td>'
        f'<td class="num soft" title="{exact(bar.score)}">{score(bar.score, scale)}</td></tr>'
    )
