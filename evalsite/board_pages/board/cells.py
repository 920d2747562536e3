"""Renders the rows of a board as HTML: a board has thousands of cells, for which templates would take most of the time.

A cell is made of its row and of the row's value in the column; `more` of the column is added as arguments.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from html import escape
from typing import Any

from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from evalsite.board_pages.board.charts import Mark
from evalsite.board_pages.board.rows import Row
from evalsite.wording import amount, at_least, day, exact, exactly, leader_interval, score, signed, utc
from scoring.scale import Scale

Cell = Callable[..., str]
# What stands in each row is translated once for a board.
_BY_SCORE = gettext_noop("By its score alone: %(rank)s")
_FIRST_OF_GROUP = gettext_noop("First of its group")
_LIKE_FIRST = gettext_noop("Cannot be told apart from %(head)s")


def sort_link(title: SafeString, address: SafeString, direction: str, *, is_current: bool = False) -> SafeString:
    """Render the link that sorts a table by a column; `direction` is the one in which it is sorted by it now, or ""."""
    arrow = ""
    if direction:
        name = "arrow-down" if direction == "descending" else "arrow-up"
        icons = static("icons.svg")
        arrow = f' <svg class="icon" aria-hidden="true"><use href="{icons}#{name}"/></svg>'
    current = ' aria-current="true"' if is_current and direction else ""
    return SafeString(f'<a href="{address}"{current}>{title}{arrow}</a>')


def column_heading(css: str, title: SafeString, link: str, direction: str) -> SafeString:
    """Render the heading of a column, with the link that sorts by it, or without one."""
    facts = f' aria-label="{title}"' if link else ""
    facts += f' aria-sort="{direction}"' if direction else ""
    return SafeString(f'<th scope="col" role="columnheader" class="{css}"{facts}>{link or title}</th>')


def row_of(row: Row, cells: Iterable[tuple[str, str, str]], bracket: str, signs: str) -> SafeString:
    """Render a row with its cells, of which each comes with the class of its column and its heading.

    `bracket` is its class in a group, `signs` are against the rows of the page, for the script that says whom it beats.
    """
    facts = f' data-signs="{signs}" data-name="{escape(row.name)}"{_places(row)}' if signs else ""
    entry = f' data-entry="{escape(row.own_mark)}"' if row.own_mark else ""
    return SafeString(
        f'<tr role="row" id="entry-{escape(row.key)}" class="{row.css} {bracket}"{facts}{entry}>'
        f"{''.join([_cell_of(*cell) for cell in cells])}</tr>"
    )


def _places(row: Row) -> str:
    return f' data-places="{row.entry.get("rank_low") or ""} {row.entry.get("rank_high") or ""}"'


def _cell_of(css: str, heading: str, content: str) -> str:
    if css == "team":
        return f'<th scope="row" role="rowheader" class="team">{content}</th>'
    return f'<td role="cell" class="{css}" data-label="{heading}">{content}</td>'


def place(row: Row, value: Any) -> str:
    """Render the range of places that the data leave open, and in its title the place by the score alone."""
    places = row.rank_range
    if "–" not in places:
        return places
    title = row.context.words[_BY_SCORE] % {"rank": value}
    return f'<span title="{title}">{places}</span>'


def group(row: Row, value: str) -> str:
    """Render a letter; none of the entries with it is told apart from the first of them."""
    if not value:
        return ""
    words = row.context.words
    title = words[_FIRST_OF_GROUP] if row.is_head else words[_LIKE_FIRST] % {"head": row.head}
    return f'<span title="{escape(title)}">{value}</span>'


def team(row: Row, value: str = "") -> SafeString:
    """Render who a row is, in a line each: a team with its method, or a reference."""
    lines = [_named("team-name", row.team, row.history_url), _method(row)] if row.is_of_team else [_reference(row)]
    if row.link:
        lines.append(_link(row))
    outside = f'<span class="visually-hidden">, {_("outside the ranks")}</span>' if row.reference else ""
    lines += [f'<span class="team-method"><span class="tag">{word}</span>{outside}</span>' for word in row.tags]
    if twin := row.twin:
        same = f'<span class="tag">{_("identical to")}</span> <bdi>{escape(twin)}</bdi>'
        lines.append(f'<span class="team-method">{same}</span>')
    return SafeString("".join(lines))


def _named(css: str, name: str, address: str, before: str = "") -> str:
    """Render a name, which leads to an address where there is one."""
    shown = escape(name)
    linked = f'<a class="quiet" href="{address}"><bdi>{shown}</bdi></a>' if address else f"<bdi>{shown}</bdi>"
    return f'<span class="{css}" title="{shown}">{before}{linked}</span>'


def _method(row: Row) -> str:
    if row.is_own:
        tag = f'<span class="tag tag-own">{_("your team")}</span> '
        return _named("team-method", row.method, row.page_url, tag)
    return _named("team-method", row.method, row.page_url) if row.method else ""


def _reference(row: Row) -> str:
    return _named("team-name", row.method, row.page_url)


def _link(row: Row) -> str:
    return format_html(
        '<span class="team-method"><a class="name" href="{link}" rel="nofollow noopener ugc" title="{link}">'
        '<svg class="icon" aria-hidden="true"><use href="{icons}#link-45deg"/></svg> {words}'
        '<span class="visually-hidden">, {name}</span></a></span>',
        link=row.link,
        icons=static("icons.svg"),
        words=_("Paper or code"),
        name=row.name,
    )


def headline(row: Row, value: float | None) -> str:
    """Render the score that ranks, with its interval or why there is none."""
    if value is None:
        lacking = row.lacking
        return f'<span class="soft">{escape(lacking)}</span>' if lacking else f"<b>{score(value)}</b>"
    interval, title = map(escape, row.interval_told)
    shown = f'<b>{score(value, row.scale)}</b> <span class="interval">{interval}</span>'
    return f'<span class="score" title="{title}">{shown}</span>'


def further_score(row: Row, value: float | None, interval: Sequence[float] | None, scale: Scale) -> str:
    """Render a further score, with its interval in the title."""
    if value is None:
        return score(value)
    return f'<span title="{exactly(value, interval)}">{score(value, scale)}</span>'


def shown_part(row: Row, value: float | None) -> str:
    """Render what the run had on the shown part of the gold, before the ranked part decided."""
    return f'<span title="{exact(value)}">{score(value, row.scale)}</span>'


def chart(row: Row, value: Any, mark: Mark | None, *, has_axis: bool) -> str:
    """Render dot and whisker over the lines of the axis, which the heading defines once for all rows."""
    if not has_axis:
        return ""
    drawn = ""
    if mark and mark.low is not None:
        drawn = f'<line class="whisker" x1="{mark.low}%" x2="{mark.high}%" y1="50%" y2="50%"/>'
    if mark:
        drawn += f'<circle class="dot" cx="{mark.dot}%" cy="50%" r="4.5"/>'
    return f'<svg aria-hidden="true"><use href="#axis-lines"/>{drawn}</svg>'


def difference(row: Row, value: tuple[float, float | None, float | None] | None) -> str:
    """Render the difference to the leader, with the interval that holds for all differences at once."""
    if not value:
        return ""
    ends: Any = value[1:]
    shown = f'{signed(value[0], row.rough)} <span class="interval">{leader_interval(ends, row.rough)}</span>'
    return f'<span title="{exactly(value[0], ends)}">{shown}</span>'


def share(row: Row, value: float | None) -> str:
    """Render a number that the comparison gave to the entry, such as a p-value."""
    return "" if value is None else f'<span title="{exact(value)}">{at_least(value, row.context.rough_share)}</span>'


def runs(row: Row, value: int, opening: str, pressed: str, *, is_open: bool) -> str:
    """Render how many runs the team has scored, leading to them where the visitor may see them."""
    shown = amount(value)
    if row.sees_runs:
        whose = ngettext("run of %(team)s", "runs of %(team)s", value) % {"team": escape(row.name)}
        shown = (
            f'<a class="runs-link" href="{escape(pressed)}#entry-{escape(row.key)}"'
            f' hx-get="{escape(opening)}" hx-target="closest tr" hx-swap="afterend"'
            f' aria-expanded="{"true" if is_open else "false"}">'
            f'<span class="number">{shown}</span><span class="visually-hidden"> {whose}</span></a>'
        )
    if number := row.n_withdrawn:
        withdrawn = ngettext("%(n)s withdrawn", "%(n)s withdrawn", number) % {"n": amount(number)}
        shown += f'<span class="small soft">, {withdrawn}</span>'
    return shown


def date(row: Row, value: datetime) -> str:
    """Render a day, with the time in its title where the visitor may know when somebody uploads."""
    if row.context.visibility.shows_names:
        return f'<time datetime="{value.isoformat()}" title="{utc(value)}">{day(value)}</time>'
    return f'<time datetime="{value.date().isoformat()}">{day(value)}</time>'


def fact(row: Row, value: Any, words: str) -> str:
    """Render what a team tells of its run."""
    return f"<bdi>{escape(words)}</bdi>"
