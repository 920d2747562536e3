"""Who reads mail about a task: the members of the teams that take part."""

from django.db.models import QuerySet

from evalsite.accounts.models import Team, User
from evalsite.challenges.models import Participation, Task


def teams_taking_part(task: Task) -> QuerySet[Team]:
    """Return the teams that have entered and are not banned."""
    return Team.objects.filter(pk__in=Participation.objects.filter(task=task, banned=None).values("team"))


def members_of(teams: QuerySet[Team]) -> QuerySet[User]:
    return User.objects.filter(is_active=True, memberships__team__in=teams.order_by().values("pk")).distinct()
