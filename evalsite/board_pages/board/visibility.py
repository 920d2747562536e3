"""Decides which names a visitor sees on the boards of a phase, and which teams are the visitor's own."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from evalsite.accounts.models import Team, User
from evalsite.challenges.access import Role, Visitor, role_of, sees_names
from evalsite.challenges.models import FormerParticipation, Participation, Phase, Task, TeamNumber


@dataclass(frozen=True)
class Visibility:
    """Everything about a visitor that decides which part of a phase's boards is visible."""

    task: Task
    role: Role
    phase: Phase
    shows_names: bool  # without them, days stand for times too: when somebody uploads may be known
    own_teams: frozenset[str]


def visibility_of(user: Visitor, phase: Phase, known_role: Role | None = None) -> Visibility:
    """Return what is visible to the user; `known_role` is the user's role, if it has been looked up."""
    role = role_of(user, phase.task) if known_role is None else known_role
    return Visibility(phase.task, role, phase, sees_names(role, phase), own_keys(user))


def own_keys(user: Visitor) -> frozenset[str]:
    """Return the keys of the person's teams and of teams whose runs they took over; one query a request."""
    if not isinstance(user, User):
        return frozenset()
    keys: frozenset[str] | None = getattr(user, "own_keys", None)
    if keys is None:
        former = FormerParticipation.objects.filter(team__members=user).values_list("former")
        teams = Team.objects.filter(members=user).order_by().values_list("pk").union(former)
        keys = user.own_keys = frozenset(str(team) for (team,) in teams)  # type: ignore[attr-defined]
    return keys


def keys_of(teams: Collection[UUID]) -> frozenset[str]:
    """Return the keys of these teams and of those whose runs they took over."""
    former = FormerParticipation.objects.filter(team__in=teams).values_list("former", flat=True)
    return frozenset(map(str, [*teams, *former]))


def own_marks(keys: Iterable[str], **where: Any) -> list[str]:
    """Return what stands for these teams on public pages: their keys, and in phases without names their numbers."""
    named = list(keys)
    if not named:
        return []
    numbers = TeamNumber.objects.filter(team__in=named, phase__is_anonymous=True, **where)
    return named + [number_in(*pair) for pair in numbers.values_list("phase", "number")]


def number_in(phase: UUID, number: object) -> str:
    return f"{phase}/{number}"


def team_names_of(visibility: Visibility) -> dict[str, tuple[str, str]]:
    """Return by team the name and the key under which this visitor sees it.

    A key never leads from a board with names to one without: there the number stands for the team, here its own key.
    """
    return team_names_by_phase([visibility])[visibility.phase.pk]


def team_names_by_phase(visibilities: Sequence[Visibility]) -> dict[UUID, dict[str, tuple[str, str]]]:
    """Return the same by phase, for one visitor and several phases, in two queries at most."""
    numbered = [visibility.phase.pk for visibility in visibilities if not visibility.shows_names]
    named = list({visibility.task.pk for visibility in visibilities if visibility.shows_names})
    by_phase: dict[UUID, dict[str, tuple[str, str]]] = {key: {} for key in numbered}
    if numbered:
        numbers = TeamNumber.objects.filter(phase__in=numbered).values_list("phase_id", "team", "number")
        for phase, team, number in numbers:
            by_phase[phase][str(team)] = (_("Team %(number)s") % {"number": number}, str(number))
    by_task: dict[UUID, dict[str, tuple[str, str]]] = {key: {} for key in named}
    if named:
        names = _names_in(task__in=named)
        # A team that has entered again, under another name, is called by that one.
        for task, team, _number, name in sorted(names, key=lambda row: row[2]):
            key = str(team)
            by_task[task][key] = (name, key)
    return by_phase | {
        visibility.phase.pk: by_task[visibility.task.pk] for visibility in visibilities if visibility.shows_names
    }


def _names_in(**tasks: Any) -> QuerySet[Any, Any]:
    entered = Participation.objects.filter(**tasks).values_list("task_id", "team_id", "number", "team__name")
    former = FormerParticipation.objects.filter(**tasks).values_list("task_id", "former", "number", "name")
    return former.union(entered, all=True)


def names_of_one_team(visibility: Visibility, team: str) -> list[tuple[str, str]]:
    """Return the names and keys that this visitor sees of one team, the last of which counts."""
    if visibility.shows_names:
        entered = Participation.objects.filter(task=visibility.task, team=UUID(team)).values_list(
            "number", "team__name"
        )
        former = FormerParticipation.objects.filter(task=visibility.task, former=UUID(team)).values_list(
            "number", "name"
        )
        return [(name, team) for _number, name in sorted(former.union(entered, all=True))]
    numbers = TeamNumber.objects.filter(phase=visibility.phase, team=UUID(team)).values_list("number", flat=True)
    return [(_("Team %(number)s") % {"number": number}, str(number)) for number in numbers]
