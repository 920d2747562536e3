"""The ranked table: its columns are those of the scenario's scores that are asked for; it sorts by what they show."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import django_tables2 as tables
from django.template.loader import get_template
from django.utils.functional import Promise
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django_tables2.data import TableListData
from django_tables2.utils import OrderBy, OrderByTuple

from evalsite.challenges.models import Scenario
from evalsite.leaderboard.charts import Axis
from evalsite.leaderboard.columns import (
    ChartColumn,
    Column,
    DateColumn,
    DifferenceColumn,
    GroupColumn,
    HeadlineColumn,
    Key,
    PlaceColumn,
    RunsColumn,
    ScoreColumn,
    ShareColumn,
    TeamColumn,
)
from evalsite.leaderboard.rows import Row, scale_among
from evalsite.leaderboard.runs import Run
from evalsite.translating.engine import from_engine


class Rows(TableListData):
    """Rows that sort by the key of their column: the library's own way would take most of the page's time."""

    def order_by(self, aliases: OrderByTuple) -> None:
        for alias in reversed(aliases):
            key: Key = self.table.columns[OrderBy(alias).bare].column.key
            with_value = [row for row in self.data if key(row) is not None]
            without = [row for row in self.data if key(row) is None]
            with_value.sort(key=key, reverse=OrderBy(alias).is_descending)
            self.data = with_value + without


@dataclass(frozen=True)
class Shown:
    """What the table is asked to show beside place, name and score."""

    columns: Sequence[str]  # names of further columns, in any order
    opened: Row | None = None  # whose runs are shown
    runs: Sequence[Run] = ()
    address: Callable[[str | None], str] = str  # of this page with the runs of another row, or of none


class RankingTable(tables.Table):
    def __init__(self, rows: list[Row], scenario: Scenario, axis: Axis | None, shown: Shown, **options: Any) -> None:
        self.axis = axis if "chart" in shown.columns else None
        self.shown = shown
        super().__init__(Rows(rows), extra_columns=_columns(scenario, self.axis, shown, rows), **options)

    @property
    def on_page(self) -> list[Row]:
        first = self.page.start_index() - 1 if self.page.paginator.count else 0
        return self.data.data[first : first + self.page.paginator.per_page]

    def lines(self, contrasts: Sequence[str] = ()) -> Iterator[SafeString]:
        """The rows of the page. `contrasts` has a sign for each row of the page against each other one."""
        rows = self.on_page
        signs = contrasts or [""] * len(rows)
        for row, bracket, sign in zip(rows, _brackets(rows), signs, strict=True):
            yield self._line(row, bracket, sign)
            if self.shown.opened == row:
                yield self.runs_line()

    def _line(self, row: Row, bracket: str, signs: str) -> SafeString:
        """The columns are called directly, since the library looks up the arguments of their functions for each cell
        anew."""
        cells = "".join([cell(row) for cell in self._cells])
        facts = _facts(row, signs) if signs else ""
        kinds = f"{row.css} {bracket}"
        own = f' data-entry="{row.own_mark}"' if row.own_mark else ""
        return SafeString(f'<tr role="row" id="entry-{row.key}" class="{kinds}"{facts}{own}>{cells}</tr>')

    @cached_property
    def _cells(self) -> list[Callable[[Row], SafeString]]:
        """By column; the library goes through them slowly."""
        return [bound.column.cell for bound in self.columns]

    def runs_line(self) -> SafeString:
        """The runs of the opened row, as a row of their own."""
        context = {"row": self.shown.opened, "runs": self.shown.runs, "n_columns": len(self.columns)}
        return get_template("leaderboard/_runs.html").render(context)


def _facts(row: Row, signs: str) -> SafeString:
    """For the script that says whom a row beats."""
    low, high = row.entry.get("rank_low"), row.entry.get("rank_high")
    return SafeString(f' data-signs="{signs}" data-name="{escape(row.name)}" data-places="{low or ""} {high or ""}"')


def _brackets(rows: Sequence[Row]) -> list[str]:
    """A class for each row: whether a bracket opens, closes, does both, goes on, or passes by an unranked row."""
    groups = [row.group for row in rows]
    before, after = _carried(groups), _carried(groups[::-1])[::-1]
    found = []
    for number, group in enumerate(groups):
        last = before[number - 1] if number else ""
        following = after[number + 1] if number + 1 < len(groups) else ""
        if not group:
            found.append("passes" if last and last == following else "")
            continue
        ends = ("" if last == group else "opens ") + ("" if following == group else "closes ")
        found.append(f"in-group {ends}".strip())
    return found


def _carried(groups: Sequence[str]) -> list[str]:
    """The last group so far, from above."""
    found: list[str] = []
    for group in groups:
        found.append(group or (found[-1] if found else ""))
    return found


# What one can choose to see, beside the scores.
FURTHER: dict[str, Promise] = {
    "group": _("Group"),
    "chart": _("Interval as a chart"),
    "difference": _("Difference to the leader"),
    "p": _("p-value against the leader"),
    "best": _("Chance to be the best"),
    "runs": _("Number of runs"),
    "date": _("Date of the upload"),
}
COMPARED = {"group", "difference", "p", "best"}


def usual(scenario: Scenario) -> list[str]:
    """The columns that a board shows unless others are chosen."""
    return ["group", "chart", "difference", *scenario.scores[1:], "runs", "date"]


def choices(scenario: Scenario) -> dict[str, str]:
    """All columns that can be chosen, with their titles: the scores, then the others."""
    scores = {name: from_engine(title) for name, title in scenario.score_titles.items() if name != scenario.headline}
    return scores | {name: str(title) for name, title in FURTHER.items()}


def _columns(scenario: Scenario, axis: Axis | None, shown: Shown, rows: Sequence[Row]) -> list[tuple[str, Column]]:
    titles = {name: from_engine(title) for name, title in scenario.score_titles.items()}
    further = [name for name in (*scenario.scores[1:], *titles) if name in shown.columns and name != scenario.headline]
    lower, entries = scenario.lower_scores, [row.entry for row in rows]
    columns: dict[str, Column] = {
        "place": PlaceColumn(),
        "group": GroupColumn(),
        "team": TeamColumn(),
        scenario.headline: HeadlineColumn(titles[scenario.headline], lower_is_better=scenario.lower_is_better),
        "chart": ChartColumn(axis),
        "difference": DifferenceColumn(),
        "p": ShareColumn(gettext("p, to the leader"), "p_to_leader"),
        "best": ShareColumn(gettext("Best, share of resamples"), "probability_best"),
        **{
            name: ScoreColumn(titles[name], name, scale_among(scenario, name, entries), lower_is_better=name in lower)
            for name in further
        },
        "runs": RunsColumn(shown.opened.key if shown.opened else "", shown.address),
        "date": DateColumn(gettext("Uploaded"), lambda row: row.date, "date further"),
    }
    always = {"place", "team", scenario.headline}
    return [(name, column) for name, column in columns.items() if name in always or name in shown.columns]
