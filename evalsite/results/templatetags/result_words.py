"""The sentences of `results.wording` for templates."""

from collections.abc import Mapping
from uuid import UUID

from django import template

from evalsite.results.page import wording
from evalsite.results.runs.choosing import RunChoice
from evalsite.results.runs.history import History

register = template.Library()

register.filter(wording.unit_name)
register.simple_tag(wording.unit_place)
register.filter(wording.queue_before)
register.filter(wording.states_said)
register.filter(wording.answers_found)
register.simple_tag(wording.how_averaged)
register.simple_tag(wording.answers_apart)
register.simple_tag(wording.entities_apart)


@register.filter
def of_history(choices: Mapping[tuple[UUID, UUID], list[RunChoice]], history: History) -> list[RunChoice]:
    return choices.get((history.phase.pk, history.team.pk), [])
