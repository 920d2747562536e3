"""Texts in CSV files: what a spreadsheet program would calculate is marked as text."""

import csv
import io
import re
from collections.abc import Iterable

# Spreadsheet programs take a cell that begins so for a formula, or do once a blank or an apostrophe has been trimmed;
# some do for the full-width signs = + - @ of East Asian texts, too.
_FORMULA_LIKE = re.compile("[ ']*[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
_FIRST_OF_FORMULA_LIKE = frozenset(" '=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")


def harmless(text: str) -> str:
    """The text with an apostrophe in front if it is formula-like, so no spreadsheet program runs what it says.

    It can be undone: a text that begins with an apostrophe and is formula-like has exactly one to drop.

    >>> harmless("=1+2"), harmless("1+2")
    ("'=1+2", '1+2')
    """
    is_formula = text and text[0] in _FIRST_OF_FORMULA_LIKE and _FORMULA_LIKE.match(text)
    return f"'{text}" if is_formula else text


def csv_text(rows: Iterable[Iterable[object]], *, ends: str = "\n") -> str:
    r"""Rows of cells with commas between; numbers in full precision, and None as an empty cell.

    >>> csv_text([["a", None], [0.1, "b,c"]])
    'a,\n0.1,"b,c"\n'
    """
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator=ends).writerows(rows)
    return text.getvalue()


def csv_of(columns: Iterable[str], rows: Iterable[Iterable[object]], *, ends: str = "\n") -> bytes:
    """A table whose texts no spreadsheet program takes for formulas."""
    cells = ([harmless(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    return csv_text([columns, *cells], ends=ends).encode()
