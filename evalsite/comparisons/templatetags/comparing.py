"""Lists the runs that can be compared, for the page of two."""

from collections.abc import Iterable
from itertools import groupby
from operator import attrgetter

from django import template
from django.utils.safestring import SafeString

from evalsite.comparisons.compare_two.pairs import ComparableRun

register = template.Library()


@register.filter
def by_board(runs: Iterable[ComparableRun]) -> list[tuple[bool, list[ComparableRun]]]:
    """Group the runs by whether they stand on the board, as `regroup` does, which looks up a variable for each."""
    return [(is_on_board, list(group)) for is_on_board, group in groupby(runs, attrgetter("is_on_board"))]


@register.filter
def options(runs: Iterable[ComparableRun], chosen: ComparableRun | None) -> SafeString:
    """Return an option for each run: some hundred twice on a page, for which a loop would take a fifth of its time."""
    key = chosen.key if chosen else None
    return SafeString("".join([run.selected_option if run.key == key else run.option for run in runs]))
