"""Who leads, for the pages of apps that import nothing from this one."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from django import template
from django.http import HttpRequest

from evalsite.challenges.models import Task
from evalsite.challenges.overview import Listed
from evalsite.challenges.sketches import AnyReader, leave_open
from evalsite.leaderboard.leads import Lead, leads_of

register = template.Library()


@register.simple_tag(takes_context=True)
def leads_of_listed(context: template.Context, listed: Mapping[str, list[Listed]]) -> dict[UUID, Lead]:
    """Of the tasks on the home page, which are listed by state."""
    return _leads(context["request"], [entry.task for entries in listed.values() for entry in entries])


@register.simple_tag(takes_context=True)
def lead_of(context: template.Context, task: Task) -> Lead | None:
    return _leads(context["request"], [task]).get(task.pk)


def _leads(request: HttpRequest, tasks: Sequence[Task]) -> dict[UUID, Lead]:
    """Where one page is made for many, those in front get one of their own, on which they find themselves."""
    leads = leads_of(tasks, request.user)
    if isinstance(request.user, AnyReader):
        shown = {each.row.entry["team"] for lead in leads.values() for each in lead.drawn}
        leave_open(request, lambda ties: None if ties.teams & shown else {})
    return leads


@register.filter
def of_task(leads: dict[UUID, Lead], task: Task) -> Lead | None:
    return leads.get(task.pk)
