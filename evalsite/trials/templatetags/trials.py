"""Names entries of a board in a sentence: with their score, and each in its own direction of writing."""

from collections.abc import Sequence

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from evalsite.board_pages.board.rows import Row
from evalsite.wording import amount, score

register = template.Library()
_NAMED = 5


@register.filter
def entry(row: Row) -> SafeString:
    return format_html(
        '<bdi class="name">{}</bdi> (<span class="number">{}</span>)', row.name, score(row.headline, row.scale)
    )


@register.filter
def entries(rows: Sequence[Row]) -> SafeString:
    """Return the names of the first ones, and how many more there are."""
    named = format_html_join(", ", '<bdi class="name">{}</bdi>', ((row.name,) for row in rows[:_NAMED]))
    if len(rows) <= _NAMED:
        return named
    return format_html(_("{names} and {n} more"), names=named, n=amount(len(rows) - _NAMED))
