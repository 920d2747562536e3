"""The sentences of `results.wording` for templates."""

from django import template

from evalsite.results import wording

register = template.Library()

register.filter(wording.unit_name)
register.simple_tag(wording.unit_place)
register.filter(wording.queue_before)
register.filter(wording.states_said)
register.filter(wording.answers_found)
register.simple_tag(wording.how_averaged)
register.simple_tag(wording.answers_apart)
register.simple_tag(wording.entities_apart)
