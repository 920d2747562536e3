"""Tables as text, as LaTeX for the package booktabs, and as CSV that no spreadsheet program calculates from."""

import csv
import io
import re
from collections.abc import Iterable, Sequence

from scoring.display.printable import one_line

# Signs that mean something to LaTeX, and those of ours that its fonts lack.
_SIGNS = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "−": "$-$",
    "–": "--",
    "↓": r"$\downarrow$",
    "\N{NO-BREAK SPACE}": "~",
} | {sign: "\\" + sign for sign in "&%$#_{}"}


def aligned(rows: Iterable[Sequence[str]]) -> str:
    """Return a line for each row, with the cells of each column below each other.

    >>> print(aligned([["system", "f1"], ["A", "0.5"]]))
    system  f1
    A       0.5
    """
    rows = [[*map(one_line, row)] for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)


def tabular(comments: Sequence[str], alignment: str, headings: Sequence[str], *parts: Sequence[Sequence[str]]) -> str:
    """Return a tabular environment with its comments above it and a rule before each of the parts (rows of cells)."""
    lines = [*map(comment, comments), rf"\begin{{tabular}}{{{alignment}}}", r"\toprule", _row(headings)]
    for rows in parts:
        if rows:
            lines += [r"\midrule", *map(_row, rows)]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"]) + "\n"


def comment(text: str) -> str:
    """Put the comment on one line whatever a name in it holds, since the next line would be LaTeX."""
    return "% " + " ".join(text.split())


def escaped(text: str) -> str:
    r"""Return the text as LaTeX prints it.

    >>> print(escaped("A&B_1 −0.5"))
    A\&B\_1 $-$0.5
    """
    return re.sub(r"[\\~^−–↓\u00a0&%$#_{}]", lambda match: _SIGNS[match[0]], text)


def _row(cells: Sequence[str]) -> str:
    return " & ".join(map(escaped, cells)) + r" \\"


# Spreadsheet programs take a cell that begins so for a formula, or do once a blank or an apostrophe has been trimmed;
# some do for the full-width signs = + - @ of East Asian texts, too.
_FORMULA_LIKE = re.compile("[ ']*[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
_FIRST_OF_FORMULA_LIKE = frozenset(" '=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")


def harmless(text: str) -> str:
    """Return the text with an apostrophe in front if it is formula-like, so no spreadsheet program runs what it says.

    It can be undone: a text that begins with an apostrophe and is formula-like has exactly one to drop.

    >>> harmless("=1+2"), harmless("1+2")
    ("'=1+2", '1+2')
    """
    is_formula = text and text[0] in _FIRST_OF_FORMULA_LIKE and _FORMULA_LIKE.match(text)
    return f"'{text}" if is_formula else text


def csv_text(rows: Iterable[Iterable[object]], *, ends: str = "\n", delimiter: str = ",") -> str:
    r"""Return rows of cells with commas between, or another delimiter; numbers in full precision, None as an empty one.

    >>> csv_text([["a", None], [0.1, "b,c"]])
    'a,\n0.1,"b,c"\n'
    """
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator=ends, delimiter=delimiter).writerows(rows)
    return text.getvalue()


def csv_of(columns: Iterable[str], rows: Iterable[Iterable[object]], *, ends: str = "\n") -> bytes:
    """Return a table whose texts no spreadsheet program takes for formulas."""
    cells = ([harmless(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    return csv_text([columns, *cells], ends=ends).encode()
