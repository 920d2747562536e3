"""Every pair of a board's entries: who is better than whom, as a matrix and in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from numpy.typing import NDArray

from evalsite.leaderboard.models import Edition
from evalsite.leaderboard.places import unpacked, unpacked_pairs
from evalsite.leaderboard.rows import Row
from evalsite.wording import p_value, signed

BLOCK = 40  # rows and columns on one page
BETTER, ALIKE, WORSE = 1, 0, -1
# What a cell shows, its class and its word: the row's entry against the column's.
SIGNS = {
    BETTER: ("+", "better", "is better than"),
    ALIKE: ("≈", "alike", "cannot be told apart from"),
    WORSE: ("\N{MINUS SIGN}", "worse", "is worse than"),
}

# What a reader who cannot see the signs hears.
SPOKEN = {BETTER: "better", ALIKE: "not told apart", WORSE: "worse"}


@dataclass(frozen=True)
class Line:
    """An entry of the rows with its cells, and with the names that it is better than, like and worse than."""

    row: Row
    cells: SafeString
    better: list[str]
    alike: list[str]
    worse: list[str]


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
    """Some rows against some columns; the lists are about all entries, whatever the columns."""

    columns: list[Row]
    lines: list[Line]
    references: list[Line]
    row_blocks: list[Block]
    column_blocks: list[Block]
    n_ranked: int
    n_separated: int
    n_pairs: int

    @property
    def finding(self) -> str:
        if self.n_separated == self.n_pairs:
            return "All pairs can be told apart." if self.n_pairs > 1 else "The two can be told apart."
        if not self.n_separated:
            return "No pair can be told apart."
        return f"{self.n_separated:,} of {self.n_pairs:,} pairs can be told apart."


def matrix_of(edition: Edition, rows: Sequence[Row], row_block: str, column_block: str) -> Matrix | None:
    """None where the entries could not be compared, or where there are no two of them."""
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
    lines = [_line(place, ranked, signs[place], p, across) for place in range(n_ranked)[_here(row_blocks)]]
    return Matrix(
        columns=ranked[across],
        lines=lines,
        references=[
            _reference(row, ranked, edition.comparison, across) for row in rows if row.reference and not row.is_gold
        ],
        row_blocks=row_blocks,
        column_blocks=column_blocks,
        n_ranked=n_ranked,
        n_separated=int(separated.sum()),
        n_pairs=n_ranked * (n_ranked - 1) // 2,
    )


def _chosen(text: str, n_ranked: int) -> int:
    """The number of a block; the first one where `text` names none."""
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
    place: int, ranked: Sequence[Row], signs: NDArray[np.int8], p: NDArray[np.float64] | None, across: slice
) -> Line:
    row = ranked[place]
    cells = []
    for other in range(len(ranked))[across]:
        if other == place:
            cells.append(_SELF)
        else:
            said = "" if p is None else f", adjusted p {p_value(p[place, other])}"
            cells.append(_cell(row, ranked[other], int(signs[other]), said))
    return _with_names(row, cells, ranked, signs, place)


def _reference(row: Row, ranked: Sequence[Row], comparison: dict[str, Any], across: slice) -> Line:
    """A reference is tested against each ranked entry, in tests of its own."""
    against = comparison["references"].get(row.entry["submission"])
    if not against:
        return Line(row, format_html('<td colspan="{}"></td>', len(ranked[across])), [], [], [])
    better, worse = (unpacked(against[name], len(ranked)).astype(np.int8) for name in ("better", "worse"))
    signs = better - worse
    cells = [_cell(row, ranked[other], int(signs[other]), "") for other in range(len(ranked))[across]]
    return _with_names(row, cells, ranked, signs, None)


def _with_names(
    row: Row, cells: list[SafeString], ranked: Sequence[Row], signs: NDArray[np.int8], place: int | None
) -> Line:
    named: dict[int, list[str]] = {BETTER: [], ALIKE: [], WORSE: []}
    for other, sign in enumerate(signs.tolist()):
        if other != place:
            named[sign].append(ranked[other].name)
    return Line(row, format_html_join("", "{}", ((cell,) for cell in cells)), *named.values())


_SELF = SafeString('<td class="self"></td>')


def _cell(row: Row, other: Row, sign: int, said: str) -> SafeString:
    shown, css, words = SIGNS[sign]
    difference = "" if row.headline is None or other.headline is None else signed(row.headline - other.headline)
    return format_html(
        '<td class="is-{}" title="{} {} {}: {}{}"><span aria-hidden="true">{}</span>'
        '<span class="visually-hidden">{}</span></td>',
        *(css, row.name, words, other.name, difference, said, shown, SPOKEN[sign]),
    )
