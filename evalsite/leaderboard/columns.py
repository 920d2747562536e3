"""The columns of the ranked table: what their cells say and by what they sort."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cached_property
from typing import Any

import django_tables2 as tables
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from evalsite.leaderboard.charts import Axis, Mark, mark
from evalsite.leaderboard.rows import Row, plain
from evalsite.leaderboard.team_cell import team_cell
from evalsite.results.missing_interval import absence
from evalsite.translating.kept import kept_by_language
from evalsite.wording import (
    SHARE,
    amount,
    better_low,
    bracketed,
    day,
    exact,
    interval,
    p_value,
    score,
    signed,
    signed_interval,
    utc,
)
from scoring.scale import Scale

Key = Callable[[Row], Any]
CELLS_KEPT = 2000  # of a kind, in a process: after a result most cells of a board say what they said before


class Column(tables.Column):
    """A column with the key by which it sorts and the class of its cells."""

    def __init__(self, title: str, key: Key, css: str, **options: Any) -> None:
        super().__init__(verbose_name=title, **options)
        self.key = key
        self.css = css

    def render(self, record: Row) -> SafeString | str:
        value = self.key(record)
        return "" if value is None else amount(value)

    def cell(self, row: Row) -> SafeString:
        """The label shows where the rows are laid out as blocks."""
        return SafeString(f"{self._start}{conditional_escape(self.render(row))}</td>")

    @cached_property
    def _start(self) -> SafeString:
        return format_html('<td role="cell" class="{}" data-label="{}">', self.css, self.verbose_name)


class NumberColumn(Column):
    """A column that shows its largest values first when one sorts by it."""

    def __init__(self, title: str, key: Key, css: str = "num further") -> None:
        super().__init__(title, key, css, initial_sort_descending=True)


class TeamColumn(Column):
    def __init__(self) -> None:
        super().__init__(_("Team"), lambda row: plain(row.name), "team")

    def render(self, record: Row) -> SafeString:
        return team_cell(record)

    def cell(self, row: Row) -> SafeString:
        return SafeString(f'<th scope="row" role="rowheader" class="team">{team_cell(row)}</th>')


class PlaceColumn(Column):
    """The range of places that the data leave open."""

    def __init__(self) -> None:
        super().__init__(_("Place"), lambda row: row.rank, "place")

    def render(self, record: Row) -> SafeString | str:
        places = record.places
        return _range(places, record.rank) if "–" in places else places


@kept_by_language(CELLS_KEPT)
def _range(places: str, rank: int | None) -> SafeString:
    explained = _("By its score alone: %(rank)s") % {"rank": rank}
    return format_html('<span title="{}">{}</span>', explained, places)


class GroupColumn(Column):
    """A letter, and a bracket round the rows of a group that stand together; none of them is told apart from the
    first of them."""

    def __init__(self) -> None:
        super().__init__(_("Group"), lambda row: row.group or None, "group")

    def render(self, record: Row) -> SafeString | str:
        return _group(record.group, record.head, record.head == record.name) if record.group else ""


@kept_by_language(CELLS_KEPT)
def _group(group: str, head: str, is_head: bool) -> SafeString:
    explained = _("First of its group") if is_head else _("Cannot be told apart from %(head)s") % {"head": head}
    return format_html('<span title="{}">{}</span>', explained, group)


class DifferenceColumn(Column):
    """To the leader, with the interval that holds for all differences at once."""

    def __init__(self) -> None:
        super().__init__(_("To the leader"), lambda row: row.rank, "difference further", orderable=False)

    def render(self, record: Row) -> SafeString | str:
        if record.difference is None:
            return ""
        return _difference(*record.difference, record.rough)


@kept_by_language(CELLS_KEPT)
def _difference(value: float, low: float | None, high: float | None, scale: Scale) -> SafeString:
    ends = low, high
    return SafeString(
        f'<span title="{_exactly(value, ends)}">{signed(value, scale)} '  # type: ignore[arg-type]
        f'<span class="interval">{signed_interval(ends, scale)}</span></span>'  # type: ignore[arg-type]
    )


class ScoredColumn(NumberColumn):
    """A score: its best values come first when one sorts by it, and its title says where those are the lowest."""

    def __init__(self, title: str, key: Key, css: str = "num further", *, lower_is_better: bool) -> None:
        super().__init__(better_low(title, lower_is_better=lower_is_better), key, css)
        self.lower_is_better = lower_is_better
        self.initial_sort_descending = not lower_is_better


class HeadlineColumn(ScoredColumn):
    def __init__(self, title: str, *, lower_is_better: bool) -> None:
        super().__init__(title, lambda row: row.headline, "headline", lower_is_better=lower_is_better)

    def render(self, record: Row) -> SafeString:
        value = record.headline
        if value is None:
            return format_html("<b>{}</b>", score(None))
        if ends := record.interval:
            return _with_interval(value, *ends, record.scale)
        return _headline(value, record.scale, *_absence(record, value))


@kept_by_language(CELLS_KEPT)
def _with_interval(value: float, low: float, high: float, scale: Scale) -> SafeString:
    return _headline(value, scale, interval((low, high), scale), _exactly(value, (low, high)))


def _headline(value: float, scale: Scale, shown: str, explained: str) -> SafeString:
    return format_html(
        '<span class="score" title="{}"><b>{}</b> <span class="interval">{}</span></span>',
        explained,
        score(value, scale),
        shown,
    )


class ScoreColumn(ScoredColumn):
    def __init__(self, title: str, name: str, scale: Scale, *, lower_is_better: bool) -> None:
        super().__init__(title, lambda row: row.score(name), lower_is_better=lower_is_better)
        self.name = name
        self.scale = scale

    def render(self, record: Row) -> SafeString | str:
        value = record.score(self.name)
        if value is None:
            return score(None)
        low, high = record.interval_of(self.name) or (None, None)
        return _score(value, low, high, self.scale)


@kept_by_language(4 * CELLS_KEPT)
def _score(value: float, low: float | None, high: float | None, scale: Scale) -> SafeString:
    # Numbers need no escaping, of which there would be much.
    ends = None if low is None or high is None else (low, high)
    return SafeString(f'<span title="{_exactly(value, ends)}">{score(value, scale)}</span>')


def _exactly(value: float, ends: Sequence[float] | None) -> str:
    """The full precision, for the title."""
    return f"{exact(value)} {bracketed([exact(end) for end in ends])}" if ends else exact(value)


class ChartColumn(Column):
    """Dot and whisker over the lines of the axis, which the heading defines once for all rows."""

    def __init__(self, axis: Axis | None) -> None:
        super().__init__(_("Interval"), lambda row: row.headline, "chart", orderable=False)
        self.axis = axis

    def render(self, record: Row) -> SafeString | str:
        if self.axis is None:
            return ""
        # The gold stands at the end of the scale, which would make the axis of all others short, and so may a score
        # that a team reports.
        value = record.headline if record.is_compared else None
        drawn = "" if value is None else _drawn(mark(self.axis, value, record.interval))
        return SafeString(f'<svg aria-hidden="true" focusable="false"><use href="#axis-lines"/>{drawn}</svg>')


def _drawn(mark: Mark) -> str:
    dot = f'<circle class="dot" cx="{mark.dot}%" cy="50%" r="4.5"/>'
    if mark.low is None:
        return dot
    return f'<line class="whisker" x1="{mark.low}%" x2="{mark.high}%" y1="50%" y2="50%"/>{dot}'


class DateColumn(NumberColumn):
    def render(self, record: Row) -> SafeString:
        return _date(record.date, record.around.sight.names)


@kept_by_language(CELLS_KEPT)
def _date(date: datetime, has_time: bool) -> SafeString:
    if not has_time:
        return format_html('<time datetime="{}">{}</time>', date.date().isoformat(), day(date))
    return format_html('<time datetime="{}" title="{}">{}</time>', date.isoformat(), utc(date), day(date))


class ShareColumn(NumberColumn):
    """A number that the comparison gave to the entry, such as a p-value."""

    def __init__(self, title: str, name: str) -> None:
        super().__init__(title, lambda row: row.entry.get(name))

    def render(self, record: Row) -> SafeString | str:
        value = self.key(record)
        return (
            ""
            if value is None
            else format_html('<span title="{}">{}</span>', exact(value), at_least(value, record.around.rough_share))
        )


def at_least(value: float, scale: Scale = SHARE) -> str:
    """0.012; what would be rounded to nothing as a bound."""
    return score(value, scale) if value >= 0.0005 or not value else p_value(value)


class RunsColumn(NumberColumn):
    """How many runs the team has scored, leading to them where the visitor may see them."""

    def __init__(self, opened: str, address: Callable[[str | None], str]) -> None:
        super().__init__(pgettext("column", "Runs"), lambda row: row.n_runs)
        self.opened = opened
        self.address = address

    def render(self, record: Row) -> SafeString | str:
        if not record.sees_runs:
            return _runs(record.n_runs, record.n_withdrawn)
        key = record.key
        opening = self.address(key)
        is_open = key == self.opened
        href = f"{self.address(None) if is_open else opening}#entry-{key}"
        return _runs_link(href, opening, is_open, record.n_runs, record.n_withdrawn, record.name)


@kept_by_language(CELLS_KEPT)
def _runs(number: int, n_withdrawn: int) -> SafeString:
    return format_html("{}{}", amount(number), _withdrawn(n_withdrawn))


@kept_by_language(CELLS_KEPT)
def _runs_link(href: str, opening: str, is_open: bool, number: int, n_withdrawn: int, team: str) -> SafeString:
    return format_html(
        '<a class="runs-link" href="{}" hx-get="{}" hx-target="closest tr" hx-swap="afterend" '
        'aria-expanded="{}"><span class="number">{}</span><span class="visually-hidden"> {}</span></a>{}',
        href,
        opening,
        "true" if is_open else "false",
        amount(number),
        ngettext("run of %(team)s", "runs of %(team)s", number) % {"team": team},
        _withdrawn(n_withdrawn),
    )


def _withdrawn(number: int) -> SafeString:
    if not number:
        return SafeString()
    said = ngettext("%(n)s withdrawn", "%(n)s withdrawn", number) % {"n": amount(number)}
    return format_html('<span class="small soft">, {}</span>', said)


def _absence(row: Row, headline: float) -> tuple[str, str]:
    facts = {name: row.entry[name] for name in ("n_units", "n_resamples", "confidence_level")}
    return absence(headline, row.scenario.unit, **facts)
