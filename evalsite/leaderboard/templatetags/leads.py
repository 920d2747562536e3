"""Who leads, for the pages of apps that import nothing from this one."""

from collections.abc import Mapping
from uuid import UUID

from django import template

from evalsite.challenges.access import Visitor
from evalsite.challenges.models import Task
from evalsite.challenges.overview import Listed
from evalsite.leaderboard.leads import Lead, leads_of

register = template.Library()


@register.simple_tag
def leads_of_listed(listed: Mapping[str, list[Listed]], user: Visitor) -> dict[UUID, Lead]:
    """Of the tasks on the home page, which are listed by state."""
    return leads_of([entry.task for entries in listed.values() for entry in entries], user)


@register.simple_tag
def lead_of(task: Task, user: Visitor) -> Lead | None:
    return leads_of([task], user).get(task.pk)


@register.filter
def of_task(leads: dict[UUID, Lead], task: Task) -> Lead | None:
    return leads.get(task.pk)
