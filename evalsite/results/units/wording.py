"""Names a unit, and says where it stands among the others."""

import re
from collections.abc import Sequence

from django.contrib.humanize.templatetags.humanize import ordinal
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from evalsite.results.units.lists import Unit
from evalsite.translating.engine import from_engine
from evalsite.wording import number

_NUMBERED = re.compile(r"sentence ([0-9]+)")


def unit_name(name: str) -> str:
    """Name a unit: by the task, or by the engine where it only has a number."""
    numbered = _NUMBERED.fullmatch(name)
    return gettext("sentence {n}").format(n=numbered[1]) if numbered else name


def unit_place(unit: Unit, nouns: Sequence[str], behind: str = "") -> SafeString:
    """Say where a unit stands in the list that its page goes through; `behind` is the count whose units these are."""
    place = number(unit.number) if unit.query.by_name else ordinal(unit.number)
    facts = {"place": place, "n": number(unit.n_units), "units": from_engine(nouns[1])}
    if behind:
        return format_html(_place(unit, behind), **facts, behind=format_html('<b class="name">{}</b>', behind))
    return format_html(_place(unit, behind), **facts)


def _place(unit: Unit, behind: str) -> str:
    if unit.query.by_name:
        return gettext("{place} of {n} {units} with {behind}") if behind else gettext("{place} of {n} {units}")
    if unit.number == 1:
        return gettext("The worst of {n} {units} with {behind}") if behind else gettext("The worst of {n} {units}")
    return gettext("{place} worst of {n} {units} with {behind}") if behind else gettext("{place} worst of {n} {units}")
