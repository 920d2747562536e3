"""The teams with which the visitor takes part in a task."""

from functools import cache
from typing import Any
from uuid import UUID

from django import template
from django.db.models import QuerySet

from evalsite.accounts.models import Team, User
from evalsite.challenges.models import Participation, Task

register = template.Library()


@register.simple_tag(takes_context=True)
def own_teams(context: template.Context, task: Task) -> list[Team]:
    """Return the visitor's teams in the task."""
    return [entered.team for entered in _own_participations(context, task)]


@register.simple_tag(takes_context=True)
def own_bans(context: template.Context, task: Task) -> list[Participation]:
    """Return those of the visitor's teams that the organisers have banned from the task, each with the reason."""
    return [entered for entered in _own_participations(context, task) if entered.banned]


def _own_participations(context: template.Context, task: Task) -> list[Participation]:
    """Return how the visitor's teams take part in the task, read in one query for all tasks of a page."""
    request = context["request"]
    if not hasattr(request, "participations"):
        request.participations = _by_task(request.user)
    entered: list[Participation] = request.participations.get(task.pk, [])
    return entered


def teams_by_task(user: Any) -> dict[UUID, list[Team]]:
    return {task: [entered.team for entered in participations] for task, participations in _by_task(user).items()}


def _by_task(user: Any) -> dict[UUID, list[Participation]]:
    if not isinstance(user, User):
        return {}
    by_task: dict[UUID, list[Participation]] = {}
    for participation in _participations().filter(team__members=user):
        by_task.setdefault(participation.task_id, []).append(participation)
    return by_task


@cache  # built once, as most pages ask it of somebody else
def _participations() -> QuerySet[Participation]:
    shown = ("task", "banned", "ban_reason", "team__name")
    return Participation.objects.select_related("team").only(*shown).order_by("team__name")
