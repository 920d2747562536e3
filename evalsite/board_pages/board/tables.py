"""The ranked table: what its columns show, by what they sort, and which of them a visitor asks for."""

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import django_tables2 as tables
from django.utils.functional import Promise
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from django_tables2.data import TableListData
from django_tables2.utils import OrderBy, OrderByTuple

from evalsite.board_pages.board import cells
from evalsite.board_pages.board.charts import Axis, Mark, mark
from evalsite.board_pages.board.filtered import Fact
from evalsite.board_pages.board.rows import Row, scale_among
from evalsite.board_pages.board.runs import Run
from evalsite.leaderboard.combined_score import Scored
from evalsite.translating.engine import from_engine
from evalsite.wording import better_low
from scoring.scale import Scale


class Column(tables.Column):
    """Makes its cells by a function of evalsite.board_pages.board.cells, of a row and a value of it.

    By that value the column sorts: an attribute of the row with the column's name, or its `accessor`. `more` returns
    what else the function is given of a row.
    """

    def __init__(
        self,
        title: str | Promise,
        render: cells.Cell,
        css: str = "num further",
        more: Callable[[Row, "RankingTable"], dict[str, Any]] | None = None,
        **options: Any,
    ) -> None:
        self.choice = options.pop("choice", "")  # what the column is called where one can choose to see it
        super().__init__(verbose_name=title, **options)
        self.render_cell = render
        self.css = css
        self.more = more

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Copy the column alone: the library copies all for each table, which changes nothing that they hold."""
        return copy(self)

    def of(self, row: Row, name: str) -> Any:
        """Return the row's value in this column, which the table calls `name`."""
        return getattr(row, self.accessor or name)

    def cell(self, row: Row, name: str, table: "RankingTable") -> str:
        """Render the cell directly: the library looks up anew for each which arguments its function takes."""
        return self.render_cell(row, self.of(row, name), **self.facts(row, table))

    def facts(self, row: Row, table: "RankingTable") -> dict[str, Any]:
        return self.more(row, table) if self.more else {}


class ScoreColumn(Column):
    """A further score. Its name may be of any kind, so that no accessor can lead to it."""

    def __init__(self, title: str, name: str, scale: Scale, *, lower_is_better: bool) -> None:
        shown = better_low(title, lower_is_better=lower_is_better)
        super().__init__(shown, cells.further_score, accessor="entry", initial_sort_descending=not lower_is_better)
        self.name = name
        self.scale = scale

    def of(self, row: Row, name: str) -> float | None:
        return row.score(self.name)

    def facts(self, row: Row, table: "RankingTable") -> dict[str, Any]:
        return {"interval": row.interval_of(self.name), "scale": self.scale}


class FactColumn(Column):
    """What teams tell of their runs in one field, which may have a name of any kind."""

    def __init__(self, fact: Fact) -> None:
        css = "num further" if fact.is_number else "further"
        super().__init__(fact.title, cells.fact, css, accessor="entry")
        self.fact = fact

    def of(self, row: Row, name: str) -> Any:
        return self.fact.value_of(row.entry["submission"])

    def facts(self, row: Row, table: "RankingTable") -> dict[str, Any]:
        return {"words": self.fact.of(row.entry["submission"])}


class Rows(TableListData):
    """Rows of which those without a value stand last, whichever way they are sorted."""

    def order_by(self, aliases: OrderByTuple) -> None:
        for alias in reversed(aliases):
            bound = self.table.columns[OrderBy(alias).bare]
            values = [(bound.column.of(row, bound.name), row) for row in self.data]
            with_value = [pair for pair in values if pair[0] not in (None, "")]
            with_value.sort(key=lambda pair: pair[0], reverse=OrderBy(alias).is_descending)
            without = [row for value, row in values if value in (None, "")]
            self.data = [row for _value, row in with_value] + without


@dataclass(frozen=True)
class TableChoices:
    """The choices of the visitor for the table, beside place, name and score."""

    columns: Sequence[str]  # names of further columns, in any order
    opened: Row | None = None  # whose runs are shown
    runs: Sequence[Run] = ()
    facts: Sequence[Fact] = ()  # that teams tell of their runs
    address: Callable[[str | None], str] = str  # of this page with the runs of another row, or of none


@dataclass(frozen=True)
class Heading:
    """The heading of a column, as HTML; `link` sorts by it from elsewhere, "" where nothing can."""

    name: str
    cell: SafeString
    link: SafeString | str = ""


class RankingTable(tables.Table):
    """All columns but those of the scores, which differ between scenarios."""

    place = Column(_("Place"), cells.place, "place", accessor="rank")
    group = Column(_("Group"), cells.group, "group", choice=_("Group"))
    team = Column(_("Team"), cells.team, "team", accessor="plain_name")
    chart = Column(
        _("Interval"),
        cells.chart,
        "chart",
        accessor="headline",
        orderable=False,
        more=lambda row, table: {"mark": table.mark_of(row), "has_axis": table.axis is not None},
        choice=_("Interval as a chart"),
    )
    shown = Column(_("On the shown part"), cells.shown_part, initial_sort_descending=True)
    difference = Column(
        _("To the leader"),
        cells.difference,
        "difference further",
        orderable=False,
        choice=_("Difference to the leader"),
    )
    p = Column(
        _("p, to the leader"),
        cells.share,
        accessor="p_to_leader",
        initial_sort_descending=True,
        choice=_("p-value against the leader"),
    )
    best = Column(
        _("Best, share of resamples"),
        cells.share,
        accessor="probability_best",
        initial_sort_descending=True,
        choice=_("Chance to be the best"),
    )
    runs = Column(
        pgettext_lazy("column", "Runs"),
        cells.runs,
        accessor="n_runs",
        initial_sort_descending=True,
        more=lambda row, table: table.link_to_runs(row),
        choice=_("Number of runs"),
    )
    date = Column(
        _("Uploaded"), cells.date, "date further", initial_sort_descending=True, choice=_("Date of the upload")
    )

    def __init__(
        self, rows: list[Row], scenario: Scored, axis: Axis | None, chosen: TableChoices, **options: Any
    ) -> None:
        self.axis = axis if "chart" in chosen.columns else None
        self.chosen = chosen
        scores = dict(_score_columns(scenario, chosen.columns, rows))
        first, *further = scores
        facts = {fact.name: FactColumn(fact) for fact in chosen.facts}
        options |= {
            "extra_columns": (scores | facts).items(),
            "exclude": [
                *(name for name in FURTHER if name not in {*chosen.columns, *scores}),
                *([] if any("shown" in row.entry for row in rows) else ["shown"]),
            ],
            "sequence": ["place", "group", "team", first, "shown", "chart", "difference", "p", "best", *further, "..."],
        }
        super().__init__(Rows(rows), **options)

    @cached_property
    def titles(self) -> dict[str, SafeString]:
        """Return the titles of the columns in the visitor's language, as HTML."""
        return {bound.name: conditional_escape(bound.header) for bound in self.columns}

    def headings(self, address: Callable[[str], str]) -> list[Heading]:
        """Return the headings; `address` is that of the page sorted by a column of this name."""
        return [self._heading(bound, address) for bound in self.columns]

    def _heading(self, bound: Any, address: Callable[[str], str]) -> Heading:
        title, css = self.titles[bound.name], bound.column.css
        if not bound.orderable:
            return Heading(bound.name, cells.column_heading(css, title, "", ""))
        order = bound.order_by_alias
        direction = ("descending" if order.is_descending else "ascending") if bound.is_ordered else ""
        to = conditional_escape(address(order.next))
        sorts = cells.sort_link(title, to, direction)
        return Heading(
            bound.name,
            cells.column_heading(css, title, sorts, direction),
            cells.sort_link(title, to, direction, is_current=True),
        )

    @cached_property
    def on_page(self) -> list[Row]:
        return [row.record for row in self.paginated_rows]

    def lines(self, signs: Sequence[str] = ()) -> Iterator[tuple[Row, SafeString]]:
        """Go through the page: each row, and its HTML, which has the row's signs against all others."""
        rows = self.on_page
        columns = [(bound.column, bound.name, bound.column.css, self.titles[bound.name]) for bound in self.columns]
        for row, bracket, of_row in zip(rows, _brackets(rows), signs or [""] * len(rows), strict=True):
            made = [(css, heading, column.cell(row, name, self)) for column, name, css, heading in columns]
            yield row, cells.row_of(row, made, bracket, of_row)

    def mark_of(self, row: Row) -> Mark | None:
        """Return the row's place on the axis.

        The gold stands at the end of the scale, which would make the axis of all others short, and so may a score that
        a team reports.
        """
        if self.axis is None or row.headline is None or not row.is_compared:
            return None
        return mark(self.axis, row.headline, row.interval)

    def link_to_runs(self, row: Row) -> dict[str, Any]:
        """Return the address that shows the row's runs, and the one without JavaScript, which hides them again too."""
        is_open, opening = row == self.chosen.opened, self.chosen.address(row.key)
        return {"is_open": is_open, "opening": opening, "pressed": self.chosen.address(None) if is_open else opening}


def _brackets(rows: Sequence[Row]) -> list[str]:
    """Return a class for each row: whether a bracket opens, closes, does both, goes on, or passes by an unranked
    row."""
    groups = [row.group for row in rows]
    before, after = _carried(groups), _carried(groups[::-1])[::-1]
    classes = []
    for number, group in enumerate(groups):
        last = before[number - 1] if number else ""
        following = after[number + 1] if number + 1 < len(groups) else ""
        if not group:
            classes.append("passes" if last and last == following else "")
            continue
        ends = ("" if last == group else "opens ") + ("" if following == group else "closes ")
        classes.append(f"in-group {ends}".strip())
    return classes


def _carried(groups: Sequence[str]) -> list[str]:
    """Return the last group so far, from above."""
    carried: list[str] = []
    for group in groups:
        carried.append(group or (carried[-1] if carried else ""))
    return carried


COMPARED = {"group", "difference", "p", "best"}  # those that a comparison fills
# What one can choose to see, beside the scores: column -> title.
FURTHER = {name: column.choice for name, column in RankingTable.base_columns.items() if column.choice}


def usual_columns(scenario: Scored) -> list[str]:
    """Return the columns that a board shows unless others are chosen."""
    return ["group", "chart", "difference", *scenario.scores[1:], "runs", "date"]


def choices(scenario: Scored) -> dict[str, str]:
    """Return all columns that can be chosen, with their titles: the scores, then the others."""
    scores = {name: from_engine(title) for name, title in scenario.score_titles.items() if name != scenario.headline}
    return scores | {name: str(title) for name, title in FURTHER.items()}


def _score_columns(scenario: Scored, shown: Sequence[str], rows: Sequence[Row]) -> Iterator[tuple[str, Column]]:
    """Yield the column of the score that ranks and those of the further ones that are shown."""
    titles, headline = scenario.score_titles, scenario.headline
    entries, lower = [row.entry for row in rows], scenario.lower_scores
    disclosed = set().union(*(entry["scores"] for entry in entries)) if entries else titles
    names = dict.fromkeys((*scenario.scores[1:], *titles))
    further = [name for name in names if name in shown and name in disclosed and name != headline]
    title = better_low(from_engine(titles[headline]), lower_is_better=scenario.lower_is_better)
    descends = not scenario.lower_is_better
    yield headline, Column(title, cells.headline, "headline", accessor="headline", initial_sort_descending=descends)
    for name in further:
        scale = scale_among(scenario, name, entries)
        yield name, ScoreColumn(from_engine(titles[name]), name, scale, lower_is_better=name in lower)
