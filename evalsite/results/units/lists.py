"""Selects and orders lists of units, and carries the choice in addresses from one unit to the next."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import quote_plus

from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy

from evalsite.results.page.headings import heading
from evalsite.submissions.models import Result
from evalsite.translating.engine import from_engine
from scoring.comparing.units import Cell
from scoring.family import Family

BY_NAME = "name"
LONGEST = 300  # characters of a part of an address; no label of a table is longer
# What the page of a unit is to show of the items behind a count, by the beginning of the column's name.
_SHOWN = {
    "missing": "missing",
    "spurious": "spurious",
    "incorrect": "tagclash",
    "partial": "errors",
    "refclash": "errors",
    "hypclash": "errors",
    "refonly": "errors",
    "hyponly": "errors",
    "fp": "errors",
    "fn": "errors",
}

_quoted = lru_cache(1024)(quote_plus)  # a table has hundreds of addresses of few words


@dataclass(frozen=True)
class UnitQuery:
    """The units behind a count, all of them where it is empty; the worst first, or by name."""

    cell: Cell
    by_name: bool = False

    @property
    def query(self) -> str:
        """Return the query that an address needs for it; "" for all units, the worst first."""
        given = {"of": self.cell.table, "row": self.cell.row, "column": self.cell.column}
        if self.by_name:
            given["order"] = BY_NAME
        query = "&".join(f"{name}={_quoted(value)}" for name, value in given.items() if value)
        return f"?{query}" if query else ""

    @property
    def is_of_all(self) -> bool:
        return self.cell == ALL.cell


ALL = UnitQuery(Cell("", "", ""))


@dataclass(frozen=True)
class ListedUnit:
    """A unit of a list: its score by itself, and how many items of the count it has, None where all are listed."""

    name: str
    score: float | None
    number: int | None


@dataclass(frozen=True)
class Unit:
    """One unit of a result: what its page shows of it, and the units before and after; None at the ends."""

    name: str
    number: int
    n_units: int
    previous: str | None
    next: str | None
    record: dict[str, Any]
    query: UnitQuery  # the list in which it stands


def parse_unit_query(query: Mapping[str, str]) -> UnitQuery:
    """Read the selection from an address."""
    table, row, column = (query.get(name, "")[:LONGEST] for name in ("of", "row", "column"))
    return UnitQuery(Cell(table, row, column), by_name=query.get("order") == BY_NAME)


ListUrl = Callable[[str, str], str]


def no_links(row: str, column: str) -> str:
    return ""


def list_urls(result: Result, table: str) -> ListUrl:
    """Return links from row and column of a table to the page of the units behind that count; "" where there is
    none."""
    scenario = result.scoring.scenario
    family = scenario.engine_family
    if not family.views.unit_record:
        return no_links
    counted = family.table_notes.behind(table) if table else family.counts.totals(scenario.configured)
    address = reverse("submission_units", args=[result.scoring.submission_id, scenario.number])

    def url(row: str, column: str) -> str:
        leads = column in counted or table in family.table_notes.confusions
        return address + UnitQuery(Cell(table, row, column)).query if leads else ""

    return url


def page_filters(cell: Cell, family: Family) -> dict[str, str]:
    """Return the filters of a unit's page that show the items behind the count: `show` and `label`."""
    if cell.table in family.table_notes.confusions:
        if cell.row and cell.column:
            return {"label": cell.row, "show": "" if cell.row == cell.column else "errors"}
        return {"label": cell.row or cell.column, "show": "missing" if cell.row else "spurious"}
    kind = cell.column.removeprefix("token_").partition("_")[0]
    shown = next((shown for start, shown in _SHOWN.items() if kind == start), "")
    return {"label": cell.row if cell.table else "", "show": shown}


_WORDS = {
    "tp": gettext_lazy("right"),
    "fp": gettext_lazy("wrong"),
    "fn": gettext_lazy("missed"),
    "support": gettext_lazy("in the gold"),
    "gold": gettext_lazy("in the gold"),
    "system": gettext_lazy("in the system"),
    "reftotal": gettext_lazy("in the gold"),
    "hyptotal": gettext_lazy("in the system"),
    "refclash": gettext_lazy("clash, gold"),
    "hypclash": gettext_lazy("clash, system"),
    "<all>": gettext_lazy("All labels"),
}


def _column_title(cell: Cell, family: Family) -> str:
    declared = {column.key: column.heading for column in family.columns(cell.table)}
    return from_engine(declared[cell.column]) if cell.column in declared else heading(cell.column)


# Tables whose rows are words, and whose name says what became of them.
_WORDS_BY_FATE = ("deletions", "insertions")


def count_in_words(cell: Cell, family: Family) -> str:
    """Name a count: "Concept taken for Action", "Concept: missing"."""
    if cell.table in family.table_notes.confusions:
        gold, system = (label or None for label in (cell.row, cell.column))
        if gold is None:
            return gettext("%(label)s: spurious") % {"label": system}
        if system is None:
            return gettext("%(label)s: missing") % {"label": gold}
        if gold == system:
            return gettext("%(label)s found as %(label)s") % {"label": gold}
        return gettext("%(gold)s taken for %(system)s") % {"gold": gold, "system": system}
    if cell.table in _WORDS_BY_FATE:
        return gettext("%(label)s: %(what)s") % {"label": cell.row, "what": heading(cell.table)}
    row = str(_WORDS.get(cell.row) or heading(cell.row))
    column = str(_WORDS.get(cell.column) or _column_title(cell, family))
    if not cell.row:
        return column
    # Of a row that is a kind of error its number is all that there is to say.
    return row if cell.column == "count" else gettext("%(label)s: %(what)s") % {"label": row, "what": column}
