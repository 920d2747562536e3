"""The ranked table: its columns are made from the scenario's scores, and sort by what they show."""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any

import django_tables2 as tables
from django.template.loader import get_template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django_tables2.data import TableListData
from django_tables2.utils import OrderBy, OrderByTuple

from evalsite.challenges.models import Scenario
from evalsite.challenges.templatetags.evalsite_tags import interval, score, signed, utc
from evalsite.leaderboard.charts import Axis, Mark, mark
from evalsite.leaderboard.rows import Row, plain
from evalsite.submissions.absence import absence

Key = Callable[[Row], Any]


class Rows(TableListData):
    """Rows that sort by the key of their column: the library's own way would take most of the page's time."""

    def order_by(self, aliases: OrderByTuple) -> None:
        for alias in reversed(aliases):
            key: Key = self.table.columns[OrderBy(alias).bare].column.key
            with_value = [row for row in self.data if key(row) is not None]
            without = [row for row in self.data if key(row) is None]
            with_value.sort(key=key, reverse=OrderBy(alias).is_descending)
            self.data = with_value + without


class Column(tables.Column):
    """A column with the key by which it sorts and the class of its cells."""

    def __init__(self, title: str, key: Key, css: str, **options: Any) -> None:
        super().__init__(verbose_name=title, **options)
        self.key = key
        self.css = css

    def render(self, record: Row) -> SafeString | str:
        value = self.key(record)
        return "" if value is None else f"{value:,}"

    def cell(self, row: Row) -> SafeString:
        """The label shows where the rows are laid out as blocks."""
        return format_html(
            '<td role="cell" class="{}" data-label="{}">{}</td>', self.css, self.verbose_name, self.render(row)
        )


class NumberColumn(Column):
    """A column that shows its largest values first when one sorts by it."""

    def __init__(self, title: str, key: Key, css: str = "num further") -> None:
        super().__init__(title, key, css, initial_sort_descending=True)


class TeamColumn(Column):
    def __init__(self) -> None:
        super().__init__("Team", lambda row: plain(row.name), "team")

    def render(self, record: Row) -> SafeString:
        return self._template.render({"row": record})

    def cell(self, row: Row) -> SafeString:
        return format_html('<th scope="row" role="rowheader" class="team">{}</th>', self.render(row))

    @cached_property
    def _template(self) -> Any:
        return get_template("leaderboard/_team.html")


class PlaceColumn(Column):
    """The range of places that the data leave open."""

    def __init__(self) -> None:
        super().__init__("Place", lambda row: row.rank, "place")

    def render(self, record: Row) -> SafeString | str:
        if not record.places or record.places == f"{record.rank:,}":
            return record.places
        return format_html('<span title="By its score alone: {}">{}</span>', record.rank, record.places)


class GroupColumn(Column):
    """A letter and a band; of entries with one letter none is told apart from the first of them."""

    def __init__(self) -> None:
        super().__init__("Group", lambda row: row.rank, "group", orderable=False)

    def render(self, record: Row) -> SafeString | str:
        if not record.group:
            return ""
        explained = "First of its group" if record.head == record.name else f"Not separable from {record.head}"
        band = "odd" if len(record.group) == 1 and ord(record.group) % 2 else "even"
        return format_html('<span class="band is-{}" title="{}">{}</span>', band, explained, record.group)


class DifferenceColumn(Column):
    """To the leader, with the interval that holds for all differences at once."""

    def __init__(self) -> None:
        super().__init__("To the leader", lambda row: row.rank, "difference further", orderable=False)

    def render(self, record: Row) -> SafeString | str:
        if record.difference is None:
            return ""
        value, low, high = record.difference
        return format_html(
            '<span title="{} [{}, {}]">{} <span class="interval">[{}, {}]</span></span>',
            value,
            low,
            high,
            *map(signed, (value, low, high)),
        )


class HeadlineColumn(NumberColumn):
    def __init__(self, title: str) -> None:
        super().__init__(title, lambda row: row.headline, "headline")

    def render(self, record: Row) -> SafeString:
        if record.headline is None:
            return format_html("<b>{}</b>", score(None))
        ends = record.interval
        shown, explained = (interval(ends), _exactly(record.headline, ends)) if ends else _absence(record)
        return format_html(
            '<span class="score" title="{}"><b>{}</b> <span class="interval">{}</span></span>',
            explained,
            score(record.headline),
            shown,
        )


class ScoreColumn(NumberColumn):
    def __init__(self, title: str, name: str) -> None:
        super().__init__(title, lambda row: row.score(name))
        self.name = name

    def render(self, record: Row) -> SafeString | str:
        value = record.score(self.name)
        if value is None:
            return score(None)
        return format_html('<span title="{}">{}</span>', _exactly(value, record.interval_of(self.name)), score(value))


def _exactly(value: float, ends: Sequence[float] | None) -> str:
    """The full precision, for the title."""
    return f"{value} [{ends[0]}, {ends[1]}]" if ends else str(value)


class ChartColumn(Column):
    """Dot and whisker over the lines of the axis, which the heading defines once for all rows."""

    def __init__(self, axis: Axis | None) -> None:
        super().__init__("Interval", lambda row: row.headline, "chart", orderable=False)
        self.axis = axis

    def render(self, record: Row) -> SafeString | str:
        if self.axis is None:
            return ""
        drawn = SafeString() if record.headline is None else _drawn(mark(self.axis, record.headline, record.interval))
        return format_html('<svg aria-hidden="true" focusable="false"><use href="#axis-lines"/>{}</svg>', drawn)


def _drawn(mark: Mark) -> SafeString:
    dot = format_html('<circle class="dot" cx="{}%" cy="50%" r="4.5"/>', mark.dot)
    if mark.low is None:
        return dot
    return format_html('<line class="whisker" x1="{}%" x2="{}%" y1="50%" y2="50%"/>{}', mark.low, mark.high, dot)


class DateColumn(NumberColumn):
    def render(self, record: Row) -> SafeString:
        date = record.date
        day = f"{date.day} {date:%b %Y}"
        return format_html('<time datetime="{}" title="{}">{}</time>', date.isoformat(), utc(date), day)


class RankingTable(tables.Table):
    def __init__(self, rows: list[Row], scenario: Scenario, axis: Axis | None, **options: Any) -> None:
        self.axis = axis
        super().__init__(Rows(rows), extra_columns=_columns(scenario, axis, any(row.group for row in rows)), **options)

    def lines(self) -> Iterator[tuple[Row, SafeString]]:
        """The rows of the page with their cells. The columns are called directly, since the library looks up the
        arguments of their functions for each cell anew."""
        columns = [bound.column for bound in self.columns]
        for bound in self.paginated_rows:
            yield bound.record, format_html_join("", "{}", ((column.cell(bound.record),) for column in columns))


def _columns(scenario: Scenario, axis: Axis | None, is_compared: bool) -> list[tuple[str, Column]]:
    titles = scenario.engine_family.score_titles
    headline, *further = scenario.scores
    return [
        ("place", PlaceColumn()),
        *([("group", GroupColumn())] if is_compared else []),
        ("team", TeamColumn()),
        (headline, HeadlineColumn(titles[headline])),
        ("chart", ChartColumn(axis)),
        *([("difference", DifferenceColumn())] if is_compared else []),
        *((name, ScoreColumn(titles.get(name, name), name)) for name in further),
        ("runs", NumberColumn("Runs", lambda row: row.n_runs)),
        ("date", DateColumn("Uploaded", lambda row: row.date, "date further")),
    ]


def _absence(row: Row) -> tuple[str, str]:
    facts = {name: row.entry[name] for name in ("n_units", "n_resamples", "confidence_level")}
    return absence(row.headline, row.scenario.unit, **facts)
