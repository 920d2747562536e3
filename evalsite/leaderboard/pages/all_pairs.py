"""Shows every pair of a board's entries: who is better than whom, as a matrix and in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from numpy.typing import NDArray

from evalsite.leaderboard.board.rows import Row
from evalsite.leaderboard.making.comparison import unpacked, unpacked_pairs
from evalsite.leaderboard.models import Edition
from evalsite.wording import amount, p_value, signed

BLOCK = 40  # rows and columns on one page
BETTER, ALIKE, WORSE = 1, 0, -1
# What a cell shows, its class and its words: the row's entry against the column's.
SIGNS = {
    BETTER: ("+", "better", _("is better than %(other)s: %(numbers)s")),
    ALIKE: ("≈", "alike", _("cannot be told apart from %(other)s: %(numbers)s")),
    WORSE: ("\N{MINUS SIGN}", "worse", _("is worse than %(other)s: %(numbers)s")),
}


@dataclass(frozen=True)
class Other:
    """The entry that a line is compared with, the numbers of the comparison, and the query that opens it."""

    name: str
    numbers: str
    query: SafeString

    @property
    def is_open(self) -> bool:
        """Return whether the page of two runs can show the pair."""
        return bool(self.query)


@dataclass(frozen=True)
class Line:
    """An entry of the rows with its cells, and with the others that it is better than, like and worse than: those of
    the columns by name, all of them by number."""

    row: Row
    cells: SafeString
    better: list[Other]
    alike: list[Other]
    worse: list[Other]
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

    columns: list[Row]
    lines: list[Line]
    references: list[Line]
    row_blocks: list[Block]
    column_blocks: list[Block]
    n_ranked: int
    n_separated: int
    n_pairs: int

    @property
    def is_part(self) -> bool:
        return len(self.row_blocks) > 1

    @property
    def finding(self) -> str:
        if self.n_separated == self.n_pairs:
            return str(_("All pairs can be told apart.") if self.n_pairs > 1 else _("The two can be told apart."))
        if not self.n_separated:
            return str(_("No pair can be told apart."))
        said = ngettext(
            "%(n)s of %(all)s pairs can be told apart.", "%(n)s of %(all)s pairs can be told apart.", self.n_separated
        )
        return said % {"n": amount(self.n_separated), "all": amount(self.n_pairs)}


def matrix_of(
    edition: Edition, rows: Sequence[Row], row_block: str, column_block: str, compare_url: str
) -> Matrix | None:
    """Return the matrix; None where the entries could not be compared, or where there are no two of them.

    A cell leads to its pair at `compare_url`.
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
    across = _here(column_blocks)
    lines = [
        _line(row, ranked, signs[place], None if p is None else p[place], across, compare_url, place)
        for place, row in list(enumerate(ranked))[_here(row_blocks)]
    ]
    return Matrix(
        columns=ranked[across],
        lines=lines,
        references=[
            _reference(row, ranked, edition.comparison, across, compare_url)
            for row in rows
            if row.reference and row.is_compared
        ],
        row_blocks=row_blocks,
        column_blocks=column_blocks,
        n_ranked=n_ranked,
        n_separated=int(separated.sum()),
        n_pairs=n_ranked * (n_ranked - 1) // 2,
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


def _here(blocks: Sequence[Block]) -> slice:
    return next(slice(block.start, block.stop) for block in blocks if block.is_here)


def _line(
    row: Row,
    ranked: Sequence[Row],
    signs: NDArray[np.int8],
    p: NDArray[np.float64] | None,
    across: slice,
    compare_url: str,
    place: int | None = None,
) -> Line:
    """Compare the row with each ranked entry; `place` is its own among them."""
    shown = [at for at in range(len(ranked))[across] if at != place]
    others = {at: _other(row, ranked[at], None if p is None else float(p[at])) for at in shown}
    cells = [
        _SELF if at == place else _cell(row, others[at], int(signs[at]), compare_url)
        for at in range(len(ranked))[across]
    ]
    found: dict[int, list[Other]] = {BETTER: [], ALIKE: [], WORSE: []}
    for at, other in others.items():
        found[int(signs[at])].append(other)
    return Line(
        row,
        format_html_join("", "{}", ((cell,) for cell in cells)),
        better=found[BETTER],
        alike=found[ALIKE],
        worse=found[WORSE],
        n_better=int(np.count_nonzero(signs == BETTER)),
        n_alike=int(np.count_nonzero(signs == ALIKE)) - (place is not None),  # without itself
        n_worse=int(np.count_nonzero(signs == WORSE)),
    )


def _reference(row: Row, ranked: Sequence[Row], comparison: dict[str, Any], across: slice, compare_url: str) -> Line:
    """Compare a reference with each ranked entry, in tests of its own."""
    against = comparison["references"].get(row.entry["submission"])
    if not against:
        return Line(row, format_html('<td colspan="{}"></td>', len(ranked[across])), [], [], [], 0, 0, 0)
    better, worse = (unpacked(against[name], len(ranked)).astype(np.int8) for name in ("better", "worse"))
    return _line(row, ranked, better - worse, None, across, compare_url)


def _other(row: Row, other: Row, p: float | None) -> Other:
    has_scores = row.headline is not None and other.headline is not None
    difference = signed(row.headline - other.headline, row.rough) if has_scores else ""  # type: ignore[operator]
    numbers = difference
    if p is not None:
        numbers = gettext("%(difference)s, adjusted p %(p)s") % {
            "difference": difference,
            "p": p_value(p, row.context.rough_share),
        }
    is_open = has_scores and row.key and other.key
    return Other(other.name, numbers, format_html("?a={}&b={}", row.key, other.key) if is_open else SafeString())


_SELF = SafeString('<td class="self"></td>')


def _cell(row: Row, other: Other, sign: int, compare_url: str) -> SafeString:
    shown, css, words = SIGNS[sign]
    said = words % {"other": other.name, "numbers": other.numbers}
    inside = format_html('<span aria-hidden="true">{}</span><span class="visually-hidden">{}</span>', shown, said)
    if other.is_open:
        inside = format_html('<a href="{}{}">{}</a>', compare_url, other.query, inside)
    return format_html('<td class="is-{}" title="{} {}">{}</td>', css, row.name, said, inside)
