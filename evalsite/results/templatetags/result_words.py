"""Gives templates the sentences about results and units."""

from collections.abc import Mapping
from uuid import UUID

from django import template

from evalsite.results.page import wording
from evalsite.results.runs.choosing import RunChoice
from evalsite.results.runs.history import History
from evalsite.results.units import wording as unit_wording

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
def of_history(choices: Mapping[tuple[UUID, UUID], list[RunChoice]], history: History) -> list[RunChoice]:
    return choices.get((history.phase.pk, history.team.pk), [])
