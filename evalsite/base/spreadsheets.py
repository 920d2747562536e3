"""Writes tables that people open in a spreadsheet."""

from collections.abc import Iterable, Iterator

from scoring.display.tables import csv_text, harmless


def spreadsheet(headings: Iterable[object], rows: Iterable[Iterable[object]]) -> str:
    r"""Return a table as CSV; cells that a spreadsheet program would calculate begin with an apostrophe.

    Lines end as RFC 4180 has them, so that what looks like an end is quoted. None is an empty cell.

    >>> spreadsheet(["team", "score"], [["=1+2", -0.5], ["a,b", None]])
    'team,score\r\n\'=1+2,-0.5\r\n"a,b",\r\n'
    """
    return csv_text(_cells([headings, *rows]), ends="\r\n")


def tabbed(headings: Iterable[object], rows: Iterable[Iterable[object]]) -> str:
    """Return the same with tabs between, and line ends as programs expect them."""
    return csv_text(_cells([headings, *rows]), delimiter="\t")


def _cells(rows: Iterable[Iterable[object]]) -> Iterator[list[object]]:
    for row in rows:
        yield [harmless(cell) if isinstance(cell, str) else cell for cell in row]
