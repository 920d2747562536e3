"""Who sees what: the one place that decides, for every page, download and column.

Three roles on a task, each seeing all that the one before sees: strangers, participants (members of a team
that has entered), organisers (and the site's superusers).
"""

from enum import IntEnum

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet

from evalsite.accounts.models import User
from evalsite.challenges.models import Phase, Task

Visitor = User | AnonymousUser


class Role(IntEnum):
    STRANGER = 0
    PARTICIPANT = 1
    ORGANISER = 2


def role_of(user: Visitor, task: Task) -> Role:
    if not isinstance(user, User) or not user.is_active:
        return Role.STRANGER
    if user.is_superuser or task.organisers.filter(pk=user.pk).exists():
        return Role.ORGANISER
    if task.participations.filter(team__members=user).exists():
        return Role.PARTICIPANT
    return Role.STRANGER


def visible_tasks(user: Visitor) -> QuerySet[Task]:
    if not isinstance(user, User):
        return Task.objects.filter(is_published=True)
    if user.is_superuser:
        return Task.objects.all()
    return Task.objects.filter(Q(is_published=True) | Q(pk__in=user.organised_tasks.values("pk")))


def organised_tasks(user: Visitor) -> QuerySet[Task]:
    if not isinstance(user, User):
        return Task.objects.none()
    return Task.objects.all() if user.is_superuser else user.organised_tasks.all()


_AUDIENCES = {
    Phase.Audience.EVERYBODY: Role.STRANGER,
    Phase.Audience.PARTICIPANTS: Role.PARTICIPANT,
    Phase.Audience.ORGANISERS: Role.ORGANISER,
}


def sees_board(role: Role, phase: Phase) -> bool:
    """Nobody means nobody until the results are released, but the organisers."""
    needed = _AUDIENCES.get(Phase.Audience(phase.board_audience), Role.ORGANISER)
    return phase.is_released or role >= needed


def sees_names(role: Role, phase: Phase) -> bool:
    return not phase.is_anonymous or phase.is_released or role == Role.ORGANISER


def sees_own_scores(role: Role, phase: Phase) -> bool:
    """Whether a member of a run's team sees its scores, intervals and tables by label."""
    return phase.shows_scores or phase.is_released or role == Role.ORGANISER


def sees_against_gold(role: Role, phase: Phase) -> bool:
    """Whether tables that show single sentences beside the gold are shown."""
    return phase.gold_released or role == Role.ORGANISER
