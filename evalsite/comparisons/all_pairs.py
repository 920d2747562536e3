"""Shows every pair of a board's entries: who is better than whom, as a matrix and in words.

Cells and items are made here: of some thousand on a page, templates would take most of the time.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Protocol

import numpy as np
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from numpy.typing import NDArray

from evalsite.board_pages.board.rows import Row
from evalsite.leaderboard.models import Edition
from evalsite.wording import amount, p_value, signed
from scoring.comparing.places import unpacked, unpacked_pairs
from scoring.scale import Scale

BLOCK = 40  # rows and columns on one page
BETTER, ALIKE, WORSE = 1, 0, -1
# What a cell shows, its class and its words: the row's entry against the column's.
SIGNS = {
    BETTER: ("+", "better", _("is better than %(other)s: %(numbers)s")),
    ALIKE: ("≈", "alike", _("cannot be told apart from %(other)s: %(numbers)s")),
    WORSE: ("\N{MINUS SIGN}", "worse", _("is worse than %(other)s: %(numbers)s")),
}


class Compared(Protocol):
    """What a matrix takes of an entry."""

    @property
    def name(self) -> str: ...
    @property
    def key(self) -> str: ...
    @property
    def headline(self) -> float | None: ...
    @property
    def rough(self) -> Scale: ...
    @property
    def rough_share(self) -> Scale: ...


@dataclass(frozen=True)
class Line:
    """An entry of the rows with its cells, and with the others that it is better than, like and worse than: those of
    the columns as items of a list, all of them by number."""

    row: Compared
    cells: SafeString
    better: SafeString
    alike: SafeString
    worse: SafeString
    n_better: int
    n_alike: int
    n_worse: int


@dataclass(frozen=True)
class Block:
    """Consecutive entries, by their place in the board."""

    number: int
    start: int
    stop: int
    is_here: bool
    query: str

    @property
    def title(self) -> str:
        return f"{self.start + 1}–{self.stop}"


@dataclass(frozen=True)
class Matrix:
    """Some rows against some columns; a page is no longer on a board of a thousand entries than on one of eighty."""

    columns: Sequence[Compared]
    lines: list[Line]
    references: list[Line]
    row_blocks: list[Block]
    column_blocks: list[Block]
    n_ranked: int
    n_separated: int
    n_pairs: int

    @property
    def is_part(self) -> bool:
        return len(self.columns) < self.n_ranked

    @property
    def finding(self) -> str:
        if self.n_separated == self.n_pairs:
            return str(_("All pairs can be told apart.") if self.n_pairs > 1 else _("The two can be told apart."))
        if not self.n_separated:
            return str(_("No pair can be told apart."))
        sentence = ngettext(
            "%(n)s of %(all)s pairs can be told apart.", "%(n)s of %(all)s pairs can be told apart.", self.n_separated
        )
        return sentence % {"n": amount(self.n_separated), "all": amount(self.n_pairs)}


def matrix_of(
    edition: Edition, rows: Sequence[Row], row_block: str, column_block: str, compare_url: str
) -> Matrix | None:
    """Return the matrix; None where the entries could not be compared, or where there are no two of them.

    A cell leads to its pair at `compare_url`, unless that is "".
    """
    ranked = [row for row in rows if row.rank is not None]
    if len(ranked) < 2 or not edition.comparison:
        return None
    n_ranked = len(ranked)
    separated = unpacked(edition.comparison["separated"], n_ranked, n_ranked)
    p_values = edition.comparison.get("p_values")
    p = unpacked_pairs(p_values, n_ranked) if p_values else None
    signs = separated.astype(np.int8) - separated.T.astype(np.int8)
    down, beside = (_chosen(text, n_ranked) for text in (row_block, column_block))
    row_blocks = _blocks(n_ranked, down, f"?rows={{}}&columns={beside}")
    column_blocks = _blocks(n_ranked, beside, f"?rows={down}&columns={{}}")
    across = _shown_slice(column_blocks)
    entries = [_entry(row) for row in ranked]
    lines = [
        _line(row, entries, signs[place], None if p is None else p[place], across, compare_url, place)
        for place, row in list(enumerate(ranked))[_shown_slice(row_blocks)]
    ]
    return Matrix(
        columns=ranked[across],
        lines=lines,
        references=[
            _reference(row, entries, edition.comparison, across, compare_url)
            for row in rows
            if row.reference and row.is_compared
        ],
        row_blocks=row_blocks,
        column_blocks=column_blocks,
        n_ranked=n_ranked,
        n_separated=int(separated.sum()),
        n_pairs=n_ranked * (n_ranked - 1) // 2,
    )


def matrix_among(rows: Sequence[Compared], separated: NDArray[np.bool_], p: NDArray[np.float64]) -> Matrix:
    """Return the best rows against each other, BLOCK at most, of entries (n,) that are on no stored board.

    `separated` (n, n) says whether the row is better than the column, `p` (rows, n) are adjusted p-values, of the best
    rows at least.
    """
    entries, shown = [*map(_entry, rows)], slice(0, BLOCK)
    signs = separated.astype(np.int8) - separated.T.astype(np.int8)
    return Matrix(
        columns=rows[shown],
        lines=[_line(row, entries, signs[place], p[place], shown, "", place) for place, row in enumerate(rows[shown])],
        references=[],
        row_blocks=[],
        column_blocks=[],
        n_ranked=len(rows),
        n_separated=int(separated.sum()),
        n_pairs=len(rows) * (len(rows) - 1) // 2,
    )


def _chosen(text: str, n_ranked: int) -> int:
    """Return the number of a block; the first one where `text` names none."""
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 5 else 1
    return number if 1 <= number <= -(-n_ranked // BLOCK) else 1


def _blocks(n_ranked: int, chosen: int, query: str) -> list[Block]:
    return [
        Block(number, start, min(start + BLOCK, n_ranked), number == chosen, query.format(number))
        for number, start in enumerate(range(0, n_ranked, BLOCK), start=1)
    ]


def _shown_slice(blocks: Sequence[Block]) -> slice:
    return next(slice(block.start, block.stop) for block in blocks if block.is_here)


@dataclass(frozen=True)
class _Entry:
    """What hundreds of cells show of an entry, looked up and escaped once."""

    name: str
    key: str
    score: float | None


def _entry(row: Compared) -> _Entry:
    return _Entry(escape(row.name), escape(row.key), row.headline)


def _line(
    row: Compared,
    ranked: Sequence[_Entry],
    signs: NDArray[np.int8],
    p: NDArray[np.float64] | None,
    across: slice,
    compare_url: str,
    place: int | None = None,
) -> Line:
    """Compare the row with each ranked entry; `place` is its own among them."""
    one, with_p = _entry(row), escape(gettext("%(difference)s, adjusted p %(p)s"))
    words = {sign: escape(str(text)) for sign, (_shown, _css, text) in SIGNS.items()}
    cells: list[str] = []
    items: dict[int, list[str]] = {BETTER: [], ALIKE: [], WORSE: []}
    for at in range(len(ranked))[across]:
        if at == place:
            cells.append(_SELF)
            continue
        other, sign = ranked[at], int(signs[at])
        numbers = _difference(row, other)
        if p is not None:
            shown_p = escape(p_value(float(p[at]), row.rough_share))
            numbers = with_p % {"difference": numbers, "p": shown_p}
        address = _address(compare_url, one, other)
        cells.append(_cell(one, sign, words[sign] % {"other": other.name, "numbers": numbers}, address))
        items[sign].append(_item(other, numbers, address))
    return Line(
        row,
        SafeString("".join(cells)),
        better=SafeString("".join(items[BETTER])),
        alike=SafeString("".join(items[ALIKE])),
        worse=SafeString("".join(items[WORSE])),
        n_better=int(np.count_nonzero(signs == BETTER)),
        n_alike=int(np.count_nonzero(signs == ALIKE)) - (place is not None),  # without itself
        n_worse=int(np.count_nonzero(signs == WORSE)),
    )


def _reference(row: Row, ranked: Sequence[_Entry], comparison: dict[str, Any], across: slice, compare_url: str) -> Line:
    """Compare a reference with each ranked entry, in tests of its own."""
    against = comparison["references"].get(row.entry["submission"])
    if not against:
        nothing = SafeString("")
        cells = format_html('<td colspan="{}"></td>', len(ranked[across]))
        return Line(row, cells, nothing, nothing, nothing, 0, 0, 0)
    better, worse = (unpacked(against[name], len(ranked)).astype(np.int8) for name in ("better", "worse"))
    return _line(row, ranked, better - worse, None, across, compare_url)


def _difference(row: Compared, other: _Entry) -> str:
    if row.headline is None or other.score is None:
        return ""
    return signed(row.headline - other.score, row.rough)


def _address(compare_url: str, one: _Entry, other: _Entry) -> str:
    """Return the address of the page of the two; "" where it cannot show them."""
    if not compare_url or one.score is None or other.score is None or not (one.key and other.key):
        return ""
    return f"{compare_url}?a={one.key}&b={other.key}"


_SELF = '<td class="self"></td>'


def _cell(one: _Entry, sign: int, text: str, address: str) -> str:
    shown, css, _words = SIGNS[sign]
    inside = f'<span aria-hidden="true">{shown}</span><span class="visually-hidden">{text}</span>'
    if address:
        inside = f'<a href="{address}">{inside}</a>'
    return f'<td class="is-{css}" title="{one.name} {text}">{inside}</td>'


def _item(other: _Entry, numbers: str, address: str) -> str:
    name = f'<bdi class="name">{other.name}</bdi>'
    if address:
        name = f'<a href="{address}">{name}</a>'
    return f'<li>{name} <span class="soft number">{numbers}</span></li>' if numbers else f"<li>{name}</li>"
