"""Numbers in cells: decimal digits with a point and an exponent, and nothing that only some programs take."""

import re
import unicodedata
from collections.abc import Callable

import numpy as np

from scoring.columns import Flags, Floats
from scoring.messages import Message
from scoring.readers.tables.cells import Cells
from scoring.readers.tables.header import shown
from scoring.readers.tables.table import Table

_NUMBER = re.compile(r"[+-]?(?:[0-9]++(?:\.[0-9]*+)?+|\.[0-9]++)(?:[eE][+-]?[0-9]++)?+")
VALUE = Message.word("value")
_LONGEST = 200  # characters of a cell in which a number is looked for
_DATE = re.compile(r"(?i)\d{1,2}[-. /](?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z.]*(?:[-. /]\d+)?")
_INSIDE = re.compile(r"(?<![\w.,])([-+]*\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)(?![\w.,]*\d|[a-zA-Z])")
_THOUSANDS = re.compile(r"[-+]?[1-9]\d{0,2}(?:,\d{3})+")
_BETWEEN_THOUSANDS = re.compile(r"(?<=\d)[\s'](?=\d{3}\b)")
_WITH_COMMA = re.compile(r"[+-]?[0-9]*,[0-9]+")


def numbers_of(cells: Cells) -> Floats:
    """Return the numbers in cells, (n,); NaN where a cell is no number, infinity where it is too large for one.

    >>> numbers_of(Cells(["0.5", "-1e1", ".5", "0,5", "nan", "", "1e999"]))
    array([  0.5, -10. ,   0.5,   nan,   nan,   nan,   inf])
    """
    values = (float(text) if text and _NUMBER.fullmatch(text) else np.nan for text in cells)
    return np.fromiter(values, np.float64, len(cells))


def numbers_in(table: Table, column: str, noun: str, rows: Flags | None = None) -> Floats:
    """Return the numbers of a column, (n,); what is none is a problem of the table, and so is an empty cell.

    `noun` is what the number is called. With `rows` (n,) only the cells of those rows are looked at; the others are
    NaN where they are no number.
    """
    cells = table.columns[column]
    values = numbers_of(cells)
    is_wrong = ~np.isfinite(values)
    if rows is not None:
        is_wrong &= rows
    table.add_where(is_wrong, lambda row: number_problem(cells[row], noun))
    return values


def ratings_in(table: Table, column: str, noun: str, summary: Callable[[Floats], float]) -> Floats:
    """Return the numbers of a column, (n,), and of a cell that is a list of numbers its summary, such as the mean.

    A list is JSON, also in a field of a CSV; what is no number is a problem of the table.
    """
    cells = table.columns[column]
    lists = {row: cell[1:-1].split(",") for row, cell in enumerate(cells) if cell[:1] == "[" and cell[-1:] == "]"}
    is_list = np.zeros(len(cells), dtype=bool)
    is_list[[*lists]] = True
    values = numbers_in(table, column, noun, ~is_list)
    for row, texts in lists.items():
        parts = Cells(text.strip(' "') for text in texts)
        ratings = numbers_of(parts)
        values[row] = summary(ratings)
        wrong = np.flatnonzero(~np.isfinite(ratings))
        if len(wrong):
            table.add(number_problem(parts[int(wrong[0])], noun), row)
    return values


def number_problem(text: str, noun: str = VALUE) -> str:
    """Return why a cell is no number.

    >>> number_problem("0,75"), number_problem("", "credit")
    ("'0,75' is not a number; write a decimal point", 'empty credit')
    """
    if not text:
        return Message("column-empty", "empty {column}", column=noun)
    if _NUMBER.fullmatch(text):
        return Message("not-finite-number", "{text} is not a finite number", text=text[:40])
    return Message("cell-not-number", "{text} is not a number{hint}", text=shown(text), hint=number_hint(text))


def number_hint(text: str) -> str:
    """Return how the number is to be written that a text seems to mean; "" where it seems to mean none.

    >>> print(number_hint("tensor(3.1)"), number_hint("3.1 of 5"))
    ; write 3.1 alone ; write one number alone
    """
    text = text[:_LONGEST]
    if _THOUSANDS.fullmatch(text):
        return Message("write-thousands", "; write no commas between thousands, and a point for decimals")
    if _WITH_COMMA.fullmatch(text):
        return Message("write-decimal-point", "; write a decimal point")
    plain = unicodedata.normalize("NFKC", text.replace("\N{MINUS SIGN}", "-"))
    if plain != text and _NUMBER.fullmatch(plain):
        return Message("number-otherwise", "; it only looks like {plain}: write plain digits and a hyphen", plain=plain)
    if _DATE.fullmatch(text):
        return Message("number-as-date", "; it looks like a date, which spreadsheets make of numbers")
    numbers = _INSIDE.findall(_BETWEEN_THOUSANDS.sub("", plain))
    if len(numbers) > 1:
        return Message("one-number-alone", "; write one number alone")
    is_one = len(numbers) == 1 and numbers[0] != text and _NUMBER.fullmatch(numbers[0])
    return Message("number-alone", "; write {number} alone", number=numbers[0]) if is_one else ""
