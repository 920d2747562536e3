"""The tables of an evaluation laid out as in MATScore: plain text, and CSV for spreadsheet programs.

In CSV, what follows from other cells can be a formula of them, as MATScore writes it, so that somebody who corrects a
count in the spreadsheet sees the scores follow. Texts of documents never become formulas: see
`scoring.display.tables`.
"""

import codecs
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scoring.display.tables import csv_text, harmless
from scoring.families.mat.tables import ALL, COLUMNS
from scoring.family import Export, Options, Record
from scoring.table_columns import formulas

DETAILS = (
    "file",
    "type",
    "reflabel",
    "refstart",
    "refend",
    "hyplabel",
    "hypstart",
    "hypend",
    "refcontent",
    "hypcontent",
)

# MATScore writes these two columns with a blank.
_HEADERS = {"test_docs": "test docs", "test_toks": "test toks"}
# Columns of text, which may hold anything; all other columns are numbers.
_TEXTS = frozenset({"tag", "file", "reflabel", "hyplabel", "refcontent", "hypcontent"})
# Texts of spans; for a terminal they are quoted and kept on one line.
_CONTENTS = frozenset({"refcontent", "hypcontent"})
_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"})

# The columns that the last row sums, and formulas in terms of the columns of the same row.
_BASIC_COUNTS = frozenset({"match", "refclash", "missing", "hypclash", "spurious"})
_FORMULAS = formulas(COLUMNS["by_token"])

_Columns = dict[str, Sequence[Any]]


def counts_as_text(records: Sequence[Record]) -> str:
    """Write the table `by_tag` or `by_token` for a terminal; it always has a row, that of all labels."""
    return _text(_columns(records, list(records[0])))


def details_as_text(records: Sequence[Record]) -> str:
    """Write the table `details` for a terminal."""
    return _text(_columns(records, DETAILS))


def counts_as_csv(records: Sequence[Record], separator: str | None = None) -> bytes:
    """Write the table `by_tag` or `by_token`, whose last row sums the others.

    Not where columns or that row are not told.

    With the `separator` that the spreadsheet program wants inside formulas, what follows from other cells
    is written as a formula of them.
    """
    columns = _columns(records, list(records[0]))
    return _csv(columns if separator is None else _with_formulas(columns, separator))


def details_as_csv(records: Sequence[Record]) -> bytes:
    """Write the table `details`, which may have no row at all."""
    return _csv(_columns(records, DETAILS))


def _columns(records: Sequence[Record], names: Sequence[str]) -> _Columns:
    return {name: [record[name] for record in records] for name in names}


def _text(columns: _Columns) -> str:
    """Justify every column right, by code points, to its widest cell; the dashes below the header widen none."""
    shown = {_HEADERS.get(name, name): _shown(name, cells) for name, cells in columns.items()}
    widths = (max(len(str(cell)) for cell in {header, *cells}) for header, cells in shown.items())
    row = " ".join(f"%{width}s" for width in widths) + "\n"
    rows = [tuple(shown), ("-----",) * len(shown), *zip(*shown.values(), strict=True)]
    return "".join(row % cells for cells in rows)


def _shown(name: str, cells: Sequence[Any]) -> list[Any]:
    """Return the cells as text, or numbers that are shown as they are."""
    if name in _CONTENTS:
        return ["" if cell is None else f'"{cell.translate(_ESCAPES)}"' for cell in cells]
    return ["" if cell is None else f"{cell:.3f}" if isinstance(cell, float) else cell for cell in cells]


def _with_formulas(columns: _Columns, separator: str) -> _Columns:
    """Put formulas into the columns that have some; columns of means and variances shift the letters."""
    letters = dict(zip(columns, map(_letters, range(len(columns))), strict=True))
    has_sum = columns["tag"][-1] == ALL
    return {name: _formulas(name, cells, letters, separator, has_sum=has_sum) for name, cells in columns.items()}


def _letters(column: int) -> str:
    """Return the letters of a column: A, B, …, Z, AA, AB, …"""
    before, last = divmod(column, 26)
    return (_letters(before - 1) if before else "") + chr(ord("A") + last)


def _formulas(
    name: str, cells: Sequence[Any], letters: Mapping[str, str], separator: str, *, has_sum: bool
) -> Sequence[Any]:
    """Write the cells of a column as formulas: of their own row, or in the last row of the rows above."""
    if name in _FORMULAS and letters.keys() >= set(re.findall(r"{(\w+)}", _FORMULAS[name])):
        references = {other: f"{letter}{{row}}" for other, letter in letters.items()}
        formula = _FORMULAS[name].replace(",", separator).format_map(references)
        # Row 1 is the header.
        return [formula.format(row=row) for row in range(2, len(cells) + 2)]
    if name in _BASIC_COUNTS and has_sum and len(cells) > 1:
        return [*cells[:-1], f"=SUM({letters[name]}2:{letters[name]}{len(cells)})"]
    return cells


def _csv(columns: _Columns) -> bytes:
    """Write comma, doubled quotes and CRLF, as RFC 4180 has it.

    Numbers stand in full precision, and None as an empty cell.
    """
    header = [_HEADERS.get(name, name) for name in columns]
    rows = zip(*(_guarded(cells) if name in _TEXTS else cells for name, cells in columns.items()), strict=True)
    # The name of a file may hold bytes that are no UTF-8, which Python keeps as surrogates; they are written back.
    return csv_text([header, *rows], ends="\r\n").encode("utf-8", "surrogateescape")


def _guarded(cells: Iterable[str | None]) -> list[str | None]:
    return [cell and harmless(cell) for cell in cells]


def _export_by_tag(tables: Mapping[str, list[Record]], options: Options) -> bytes:
    return codecs.BOM_UTF8 + counts_as_csv(tables["by_tag"], separator=",")


def _export_by_token(tables: Mapping[str, list[Record]], options: Options) -> bytes:
    return codecs.BOM_UTF8 + counts_as_csv(tables["by_token"], separator=",")


def _export_details(tables: Mapping[str, list[Record]], options: Options) -> bytes:
    return codecs.BOM_UTF8 + details_as_csv(tables["details"])


# Excel reads UTF-8 only behind a byte order mark.
EXPORTS = (
    Export("bytag.csv", "By tag, as a spreadsheet", tells_gold=False, make=_export_by_tag, table="by_tag"),
    Export("bytoken.csv", "By token, as a spreadsheet", tells_gold=False, make=_export_by_token, table="by_token"),
    Export("details.csv", "Details, as a spreadsheet", tells_gold=True, make=_export_details, table="details"),
)
