"""Shows leads in pages of apps that import nothing from this one."""

from collections.abc import Mapping
from uuid import UUID

from django import template

from evalsite.board_pages.leads import Lead, lead_of_page, leads_of
from evalsite.challenges.gold.openness import openness
from evalsite.challenges.gold.parts import shown_part_of
from evalsite.challenges.models import Task
from evalsite.challenges.task_page.overview import ListedTask, Overview
from evalsite.leaderboard.combined_score import boards_of

register = template.Library()
register.simple_tag(boards_of)
register.simple_tag(openness)
register.simple_tag(shown_part_of)


@register.simple_tag(takes_context=True)
def leads_of_listed(context: template.Context, listed: Mapping[str, list[ListedTask]]) -> dict[UUID, Lead]:
    """Return the leads of the tasks on the home page, which are listed by state."""
    tasks = [entry.task for entries in listed.values() for entry in entries]
    return leads_of(tasks, context["request"].user) if tasks else {}


@register.simple_tag(takes_context=True)
def lead_of(context: template.Context, overview: Overview) -> Lead | None:
    return lead_of_page(overview, context["request"].user)


@register.filter
def of_task(leads: dict[UUID, Lead], task: Task) -> Lead | None:
    return leads.get(task.pk)
