"""What of a person decides what a page of tasks or boards shows, but for the rights of organisers."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import CharField, QuerySet, UUIDField, Value

from evalsite.accounts.models import Team, User
from evalsite.challenges.models import FormerParticipation
from evalsite.prepared import Prepared


@dataclass(frozen=True)
class Ties:
    user: User
    teams: frozenset[str]  # keys of the own teams, and of those whose runs have been brought into one of them
    entered: dict[UUID, list[Team]]  # by task, the own teams that take part, with nothing but key and name


def ties_of(user: User) -> Ties:
    """One query."""
    found = sorted(_ties.rows(user=user.pk), key=lambda each: each[2])
    entered: dict[UUID, list[Team]] = {}
    for team, task, name in found:
        if task:
            entered.setdefault(UUID(str(task)), []).append(Team(pk=UUID(str(team)), name=name))
    return Ties(user, frozenset(str(UUID(str(team))) for team, *_ in found), entered)


def _teams_of(user: UUID) -> QuerySet[Team, Any]:
    """Key of the own teams, of the tasks in which they take part, and their names; of former ones the keys alone."""
    own = Team.objects.filter(members=user).order_by().values_list("pk", "participations__task", "name")
    former = FormerParticipation.objects.filter(team__members=user)
    return own.union(former.values_list("former", Value(None, UUIDField()), Value("", CharField())))


_ties = Prepared(_teams_of, user=UUID(int=0))
