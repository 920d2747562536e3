"""Numbers in cells: decimal digits with a point and an exponent, and nothing that only some programs take."""

import re
from collections.abc import Iterator

import numpy as np

from scoring.columns import Flags, Floats
from scoring.readers.tables.cells import WORD, Cells
from scoring.readers.tables.header import shown
from scoring.readers.tables.table import Table

_PATTERN = r"[+-]?(?:[0-9]++(?:\.[0-9]*+)?+|\.[0-9]++)(?:[eE][+-]?[0-9]++)?+"
_NUMBER = re.compile(_PATTERN)
_NUMBERS = re.compile(rf"(?:{_PATTERN}\n)*+".encode())
_WITH_COMMA = re.compile(r"[+-]?[0-9]*,[0-9]+")
_PARSED = 2**16  # cells at a time, whose columns stay in the processor's cache
_PLAIN = 2 * WORD  # bytes of a cell that is parsed with all others
_EXACT = 15  # digits that a double holds as a whole number, whatever they are
_TENS = 10.0 ** np.arange(_EXACT + 1)
_ZERO, _POINT, _PLUS, _MINUS = b"0.+-"


def numbers_of(cells: Cells) -> Floats:
    """(n,): the numbers in cells; NaN where a cell is no number, infinity where it is too large for one.

    >>> numbers_of(Cells.of(["0.5", "-1e1", ".5", "0,5", "nan", "", "1e999"]))
    array([  0.5, -10. ,   0.5,   nan,   nan,   nan,   inf])
    """
    found = [_parsed(cells, slice(start, start + _PARSED)) for start in range(0, len(cells), _PARSED)]
    return np.concatenate(found) if found else np.zeros(0)


def numbers_in(table: Table, column: str, noun: str, rows: Flags | None = None) -> Floats:
    """(n,): the numbers of a column; what is none is a problem of the table, and so is an empty cell.

    `noun` is what the number is called. With `rows` (n,) only the cells of those rows are looked at; the others are
    NaN where they are no number.
    """
    cells = table.columns[column]
    values = numbers_of(cells)
    is_wrong = ~np.isfinite(values)
    if rows is not None:
        is_wrong &= rows
    wrong = np.flatnonzero(is_wrong)
    table.add_each(_messages(cells, wrong.tolist(), noun), len(wrong))
    return values


def number_problem(text: str, noun: str = "value") -> str:
    """Why a cell is no number.

    >>> number_problem("0,75"), number_problem("", "credit")
    ("'0,75' is not a number; write a decimal point", 'empty credit')
    """
    if not text:
        return f"empty {noun}"
    if _NUMBER.fullmatch(text):
        return f"{text[:40]} is not a finite number"
    hint = "; write a decimal point" if _WITH_COMMA.fullmatch(text) else ""
    return f"{shown(text)} is not a number{hint}"


def _messages(cells: Cells, rows: list[int], noun: str) -> Iterator[tuple[int, str]]:
    for row in rows:
        yield row, number_problem(cells[row], noun)


def _parsed(cells: Cells, rows: slice) -> Floats:
    own = Cells(cells.buffer, cells.starts[rows], cells.sizes[rows])
    values, is_plain = _plain(own)
    others = np.flatnonzero(~is_plain)
    if len(others):
        values[others] = _by_text(own.taken(others))
    return values


def _plain(cells: Cells) -> tuple[Floats, Flags]:
    """The numbers of cells with up to 15 digits and no exponent, and (n,) which cells these are.

    The digits make a whole number below 2⁵³, and a power of ten up to 10²² is exact: so the quotient of both is the
    nearest double, which `float` gives as well.
    """
    sizes = cells.sizes
    width = min(int(sizes.max(initial=0)), _PLAIN)
    words = np.stack([cells.words(place) for place in range(-(-width // WORD))] or [np.zeros(len(cells), np.uint64)])
    signs = np.ascontiguousarray(words.astype("<u8").T).view(np.uint8).T  # (8 or 16, n)
    whole = np.zeros(len(cells), dtype=np.int64)
    n_digits, n_after, n_points = (np.zeros(len(cells), dtype=np.uint8) for _ in range(3))
    for sign in signs[:width]:
        digit = sign - np.uint8(_ZERO)
        is_digit = digit < 10
        whole *= np.where(is_digit, 10, 1)
        whole += np.where(is_digit, digit, 0)
        n_digits += is_digit
        n_after += is_digit & (n_points > 0)
        n_points += sign == _POINT
    is_negative = signs[0] == _MINUS
    is_plain = (n_digits > 0) & (n_digits <= _EXACT) & (n_points <= 1)
    is_plain &= n_digits + n_points + (is_negative | (signs[0] == _PLUS)) == sizes
    values = whole / _TENS[np.minimum(n_after, _EXACT)]
    return np.where(is_negative, -values, values), is_plain


def _by_text(cells: Cells) -> Floats:
    text = cells.joined(b"\n")
    if _NUMBERS.fullmatch(text):
        return _floats(text)
    code, texts = cells.values()
    return np.array([float(each) if _NUMBER.fullmatch(each) else np.nan for each in texts])[code]


def _floats(text: bytes) -> Floats:
    """Of numbers that each end at a line feed."""
    parts = text.split(b"\n")
    parts.pop()
    return np.fromiter(map(float, parts), np.float64, len(parts))
