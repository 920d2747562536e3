"""Reads another site's board as CSV or TSV, and tells every problem with its line and column."""

import csv
import io
import math
import re
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.utils.translation import gettext

from evalsite.accounts.forms import NameField
from evalsite.leaderboard.imported import MOST_ROWS, ImportedRow

MOST_PROBLEMS = 20  # that are told at once
MOST_SCORES = 20  # columns
# Headings by what stands under them, without case; each other column is a score.
HEADINGS = {
    "name": ("name", "system", "team", "model", "method", "nombre", "sistema", "equipo", "modelo", "método"),
    "date": ("date", "year", "fecha", "año"),
    "source": ("source", "url", "link", "fuente", "enlace"),
}
NO_SCORE = ("", "-", "–", "—")
_NAME, _HEADING = NameField(max_length=200), NameField(max_length=60)
_ADDRESS, _LONGEST_ADDRESS = URLValidator(schemes=["http", "https"]), 500
_LONGEST_NUMBER = 30
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d{1,3})?", re.ASCII | re.IGNORECASE)
_DATE = re.compile(r"(19|20)\d\d(-\d\d(-\d\d)?)?", re.ASCII)


@dataclass
class Table:
    """What was read; with a problem none of it should be used."""

    columns: list[str] = field(default_factory=list)
    rows: list[ImportedRow] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def read_table(text: str, taken: Collection[str] = ()) -> Table:
    """Return rows and problems; `taken` has the names, without case, of the rows that the board has already."""
    text = text.removeprefix("\ufeff").replace("\0", "")
    separator, table = separator_of(text), Table()
    lines = _lines(text, separator, table.problems)
    if (first := next(lines, None)) and (layout := _layout(*first, table)):
        _Rows(table, layout, first[1], has_decimal_commas=separator != ",").read(lines, taken)
    if not table.rows and not table.problems:
        table.problems.append(gettext("The table has no rows below its headings."))
    more = len(table.problems) - MOST_PROBLEMS
    if more > 0:
        table.problems[MOST_PROBLEMS:] = [gettext("And %(n)d further problems.") % {"n": more}]
    return table


def _lines(text: str, separator: str, problems: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the cells of each row that is not blank, and the line in which it begins."""
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    begins = 1
    try:
        for row in rows:
            cells = [cell.strip() for cell in row]
            if any(cells):
                yield begins, cells
            begins = rows.line_num + 1
    except csv.Error as error:
        problems.append(gettext("Line %(n)d: %(error)s.") % {"n": begins, "error": error})


def _layout(n: int, cells: list[str], table: Table) -> dict[str, int] | None:
    """Return the places of name, date and source, and set the table's columns; None if the headings have a problem."""
    heads = [cell.lower() for cell in cells]
    places = {
        key: next(place for place, head in enumerate(heads) if head in words)
        for key, words in HEADINGS.items()
        if any(head in words for head in heads)
    }
    if "name" not in places:
        words = gettext("Line %(n)d: no column is headed “name”. The first line has headings: name;F1;date;source")
        table.problems.append(words % {"n": n})
    if len(set(heads)) < len(heads):
        twice = next(cell for place, cell in enumerate(cells) if heads[place] in heads[:place])
        table.problems.append(
            gettext("Line %(n)d: two columns are headed “%(found)s”.") % {"n": n, "found": twice[:60]}
        )
    for place, cell in enumerate(cells, start=1):
        if place - 1 in places.values():
            continue
        try:
            table.columns.append(_HEADING.clean(cell))
        except ValidationError as error:
            table.problems.append(_at(n, gettext("column %(n)d") % {"n": place}, error))
    if not 1 <= len(cells) - len(places) <= MOST_SCORES:
        words = gettext("Line %(n)d: %(found)d columns of scores; 1 to %(most)d are possible.")
        table.problems.append(words % {"n": n, "found": len(cells) - len(places), "most": MOST_SCORES})
    return None if table.problems else places


@dataclass(frozen=True)
class _Rows:
    """Reads what stands below the headings."""

    table: Table
    places: dict[str, int]
    headings: list[str]
    has_decimal_commas: bool

    def read(self, lines: Iterator[tuple[int, list[str]]], taken: Collection[str]) -> None:
        seen: dict[str, int] = {}
        for count, (n, cells) in enumerate(lines, start=len(taken) + 1):
            if count > MOST_ROWS:
                words = gettext(
                    "Line %(n)d: a board has at most %(most)d imported rows; this one has %(taken)d so far."
                )
                self.table.problems.append(words % {"n": n, "most": MOST_ROWS, "taken": len(taken)})
                return
            if len(cells) != len(self.headings):
                words = gettext("Line %(n)d: %(found)d columns, where the headings have %(expected)d.")
                values = {"n": n, "found": len(cells), "expected": len(self.headings)}
                self.table.problems.append(words % values)
                continue
            if row := self._row(n, cells):
                self._check_name(n, row.name, seen, taken)
                self.table.rows.append(row)

    def _row(self, n: int, cells: list[str]) -> ImportedRow | None:
        before = len(self.table.problems)
        own = {key: self._value(n, place, cells[place], _PARSERS[key]) for key, place in self.places.items()}
        scores = [
            self._value(n, place, cell, self._score)
            for place, cell in enumerate(cells)
            if place not in self.places.values()
        ]
        if len(self.table.problems) > before:
            return None
        return ImportedRow(own["name"], scores, own.get("date", ""), own.get("source", ""))

    def _value(self, n: int, place: int, cell: str, parse: Callable[[str], str]) -> str:
        try:
            return parse(cell)
        except ValidationError as error:
            self.table.problems.append(_at(n, self.headings[place], error))
            return ""

    def _score(self, cell: str) -> str:
        if cell in NO_SCORE:
            return ""
        plain = cell.replace(",", ".") if self.has_decimal_commas else cell
        if len(cell) > _LONGEST_NUMBER or not _NUMBER.fullmatch(plain) or not math.isfinite(float(plain)):
            raise ValidationError(
                gettext("“%(found)s” is no number such as 71.3; a score that is missing stays empty.")
                % {"found": cell[:60]}
            )
        return cell

    def _check_name(self, n: int, name: str, seen: dict[str, int], taken: Collection[str]) -> None:
        key = name.casefold()
        if key in taken:
            words = gettext("Line %(n)d: “%(name)s” is among the rows that were imported before.")
            self.table.problems.append(words % {"n": n, "name": name})
        elif seen.setdefault(key, n) != n:
            words = gettext("Line %(n)d: “%(name)s” stands in line %(first)d already.")
            self.table.problems.append(words % {"n": n, "name": name, "first": seen[key]})


def _date(cell: str) -> str:
    if cell and _DATE.fullmatch(cell):
        with suppress(ValueError):
            date.fromisoformat(cell + "-01-01"[len(cell) - 4 :])
            return cell
    if cell:
        words = gettext("“%(found)s” is no date such as 2019-05-31, 2019-05 or 2019.")
        raise ValidationError(words % {"found": cell[:60]})
    return ""


def _source(cell: str) -> str:
    if not cell:
        return ""
    words = gettext("“%(found)s” is no address that begins with https:// or http://, of at most %(most)d characters.")
    with suppress(ValidationError):
        if len(cell) <= _LONGEST_ADDRESS:
            _ADDRESS(cell)
            return cell
    raise ValidationError(words % {"found": cell[:60], "most": _LONGEST_ADDRESS})


_PARSERS: dict[str, Callable[[str], str]] = {"name": _NAME.clean, "date": _date, "source": _source}


def _at(n: int, column: str, error: ValidationError) -> str:
    words = gettext("Line %(n)d, %(column)s: %(problem)s")
    return words % {"n": n, "column": column[:60], "problem": " ".join(error.messages)}


def separator_of(text: str) -> str:
    """Return the separator that the first line has most of, outside of quotes."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    bare = "".join(first.split('"')[::2])
    return max(";\t,", key=bare.count)
