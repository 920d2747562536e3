"""How far new gold is on its way to the board, for the page on which organisers see their task."""

import uuid

from django import template

from evalsite.challenges.models import Task
from evalsite.submissions.golds import Changeover, changeover, golds_of

register = template.Library()


@register.simple_tag
def changeovers(task: Task) -> dict[uuid.UUID, tuple[int, Changeover]]:
    """{newest gold: (the version that ranks until it takes over, how far its runs are)}, where one waits."""
    return {
        golds.newest.pk: (golds.in_force.version, changeover(golds, golds.newest))
        for golds in golds_of(task.phases.values("pk")).values()
        if golds.waiting
    }


@register.filter
def of_gold(found: dict[uuid.UUID, tuple[int, Changeover]], gold: uuid.UUID) -> tuple[int, Changeover] | None:
    return found.get(gold)
