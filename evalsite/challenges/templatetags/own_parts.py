"""The teams with which the visitor takes part in a task."""

from typing import Any
from uuid import UUID

from django import template

from evalsite.accounts.models import Team, User
from evalsite.challenges.models import Participation, Task

register = template.Library()


@register.simple_tag(takes_context=True)
def own_teams(context: template.Context, task: Task) -> list[Team]:
    """Return the visitor's teams in the task, read in one query for all tasks of a page."""
    request = context["request"]
    if not hasattr(request, "own_teams"):
        request.own_teams = teams_by_task(request.user)
    teams: list[Team] = request.own_teams.get(task.pk, [])
    return teams


def teams_by_task(user: Any) -> dict[UUID, list[Team]]:
    if not isinstance(user, User):
        return {}
    found: dict[UUID, list[Team]] = {}
    entered = Participation.objects.filter(team__members=user).select_related("team").order_by("team__name")
    for each in entered:
        found.setdefault(each.task_id, []).append(each.team)
    return found
