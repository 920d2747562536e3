"""Numbers in cells: decimal digits with a point and an exponent, and nothing that only some programs take."""

import re
from collections.abc import Iterator

import numpy as np

from scoring.columns import Flags, Floats
from scoring.readers.tables.cells import Cells
from scoring.readers.tables.header import shown
from scoring.readers.tables.table import Table

_PATTERN = r"[+-]?(?:[0-9]++(?:\.[0-9]*+)?+|\.[0-9]++)(?:[eE][+-]?[0-9]++)?+"
_NUMBER = re.compile(_PATTERN)
_NUMBERS = re.compile(rf"(?:{_PATTERN}\n)*+".encode())
_WITH_COMMA = re.compile(r"[+-]?[0-9]*,[0-9]+")
_PARSED = 2**18  # cells at a time


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
    text = cells.joined(b"\n", rows)
    if _NUMBERS.fullmatch(text):
        return _floats(text)
    own = cells.taken(np.arange(*rows.indices(len(cells))))
    code, texts = own.values()
    return np.array([float(each) if _NUMBER.fullmatch(each) else np.nan for each in texts])[code]


def _floats(text: bytes) -> Floats:
    """Of numbers that each end at a line feed."""
    parts = text.split(b"\n")
    parts.pop()
    return np.fromiter(map(float, parts), np.float64, len(parts))
