"""Gives templates the sentences about results and units."""

from collections.abc import Mapping
from uuid import UUID

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from evalsite.results.page import wording
from evalsite.results.runs.choosing import RunChoice
from evalsite.results.runs.history import Cell, History
from evalsite.results.units import wording as unit_wording
from evalsite.wording import scored

register = template.Library()

register.filter(unit_wording.unit_name)
register.simple_tag(unit_wording.unit_place)
register.filter(wording.queue_before)
register.filter(wording.states_said)
register.filter(wording.answers_found)
register.simple_tag(wording.how_averaged)
register.simple_tag(wording.answers_apart)
register.simple_tag(wording.entities_apart)


@register.filter
def score_cell(cell: Cell) -> SafeString:
    """Return a scored cell of the table of a team's runs; made here, as there are many."""
    assert cell.result
    shown = scored(cell.result.headline, cell.result.interval, cell.scenario.scale)
    if cell.is_best:
        best = escape(gettext("best of the team"))
        star = f'<span class="star" aria-hidden="true" title="{best}">★</span>'
        shown = SafeString(f'{shown} {star} <span class="visually-hidden">{best}</span>')
    return SafeString(f'<td role="cell" data-label="{escape(str(cell.scenario))}">{shown}</td>')


@register.filter
def of_history(choices: Mapping[tuple[UUID, UUID], list[RunChoice]], history: History) -> list[RunChoice]:
    return choices.get((history.phase.pk, history.team.pk), [])
