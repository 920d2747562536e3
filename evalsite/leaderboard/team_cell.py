"""Who a row of the board is: a team with its method, or a reference.

In Python, since a board has a hundred of them, and a template would take ten times as long.
"""

from functools import lru_cache

from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from evalsite.leaderboard.rows import Row


def team_cell(row: Row) -> SafeString:
    """What stands in the row's heading, in a line each."""
    lines = [_team(row), _method(row)] if row.is_of_team else [_reference(row), _kind(row)]
    notes = (_link, _reported, _late, _beyond, _twin)
    return SafeString("".join([*lines, *(note(row) for note in notes)]))


def _team(row: Row) -> SafeString:
    return _named("team-name", row.team, row.history_url)


def _method(row: Row) -> SafeString:
    method = row.method
    if not row.is_own:
        return _named("team-method", method, row.run_url) if method else SafeString()
    tag = format_html('<span class="tag tag-own">{}</span> ', _("your team"))
    return format_html('<span class="team-method" title="{}">{}{}</span>', method, tag, _leading(method, row.run_url))


def _reference(row: Row) -> SafeString:
    return _named("team-name", row.method, row.run_url)


def _kind(row: Row) -> SafeString:
    return _tag(row.reference_word, _unranked())


def _link(row: Row) -> SafeString:
    """To the paper or the code."""
    if not (link := row.link):
        return SafeString()
    return format_html(
        '<span class="team-method"><a class="name" href="{}" rel="nofollow noopener ugc" title="{}">{} {}'
        '<span class="visually-hidden">, {}</span></a></span>',
        link,
        link,
        render_to_string("includes/_icon.html", {"name": "link-45deg"}),
        _("Paper or code"),
        row.name,
    )


def _reported(row: Row) -> SafeString:
    return _tag(row.reference_word, _unranked()) if row.is_reported else SafeString()


def _late(row: Row) -> SafeString:
    if not row.is_late:
        return SafeString()
    return _tag(pgettext("run", "late"), _unranked() if row.reference else SafeString())


def _beyond(row: Row) -> SafeString:
    return _tag(row.reference_word, _unranked()) if row.is_beyond_limit else SafeString()


def _twin(row: Row) -> SafeString:
    if not (twin := row.twin):
        return SafeString()
    return _tag(_("identical to"), format_html(" <bdi>{}</bdi>", twin))


@lru_cache(maxsize=2000, typed=True)  # a text that is HTML already is another one than the same text
def _named(css: str, name: str, address: str) -> SafeString:
    return format_html('<span class="{}" title="{}">{}</span>', css, name, _leading(name, address))


def _leading(name: str, address: str) -> SafeString:
    if not address:
        return format_html("<bdi>{}</bdi>", name)
    return format_html('<a class="quiet" href="{}"><bdi>{}</bdi></a>', address, name)


def _tag(word: str, behind: SafeString) -> SafeString:
    return format_html('<span class="team-method"><span class="tag">{}</span>{}</span>', word, behind)


def _unranked() -> SafeString:
    return format_html('<span class="visually-hidden">, {}</span>', _("outside the ranks"))
