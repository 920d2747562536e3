"""Who sees what: the one place that decides, for every page, download and column.

Three roles on a task, each seeing all that the one before sees: strangers, participants (members of a team
that has entered), organisers (and the site's superusers). Organisers need the site's flag as well as a task's list:
without the flag nothing is left of their rights, and they get them back with it.
"""

from enum import IntEnum

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet

from evalsite.accounts.models import User
from evalsite.challenges.models import Gold, Phase, Task

Visitor = User | AnonymousUser
MAY_ORGANISE = Q(is_active=True) & (Q(is_staff=True) | Q(is_superuser=True))  # of an account


class Role(IntEnum):
    STRANGER = 0
    PARTICIPANT = 1
    ORGANISER = 2


def role_of(user: Visitor, task: Task) -> Role:
    if not isinstance(user, User) or not user.is_active:
        return Role.STRANGER
    if user.is_superuser or (user.is_staff and task.organisers.filter(pk=user.pk).exists()):
        return Role.ORGANISER
    if task.participations.filter(team__members=user).exists():
        return Role.PARTICIPANT
    return Role.STRANGER


def visible_tasks(user: Visitor) -> QuerySet[Task]:
    return Task.objects.filter(Q(is_published=True) | Q(pk__in=organised_tasks(user).values("pk")))


def organised_tasks(user: Visitor) -> QuerySet[Task]:
    if not isinstance(user, User) or not user.is_active:
        return Task.objects.none()
    if user.is_superuser:
        return Task.objects.all()
    return user.organised_tasks.all() if user.is_staff else Task.objects.none()


def acting_organisers(task: Task) -> QuerySet[User]:
    """Those of the task's list who have the site's flag."""
    return task.organisers.filter(MAY_ORGANISE)


_AUDIENCES = {
    Phase.Audience.EVERYBODY: Role.STRANGER,
    Phase.Audience.PARTICIPANTS: Role.PARTICIPANT,
    Phase.Audience.ORGANISERS: Role.ORGANISER,
}


def sees_board(role: Role, phase: Phase) -> bool:
    return phase.is_released or role >= _AUDIENCES[Phase.Audience(phase.board_audience)]


def hidden_board_notice(role: Role, phase: Phase) -> str:
    """What an organiser has to know of a board that others do not see; empty where they do, and for others."""
    if role < Role.ORGANISER or sees_board(Role.STRANGER, phase):
        return ""
    if sees_board(Role.PARTICIPANT, phase):
        return "Only the task's participants and its organisers see this board until the results are released."
    return "Only the task's organisers see this board until the results are released."


def sees_names(role: Role, phase: Phase) -> bool:
    return not phase.is_anonymous or phase.is_released or role == Role.ORGANISER


def sees_own_scores(role: Role, phase: Phase) -> bool:
    """Whether a member of a run's team sees its scores, intervals and tables by label."""
    return phase.shows_scores or phase.is_released or role == Role.ORGANISER


def sees_against_gold(role: Role, phase: Phase) -> bool:
    """Whether tables that show single sentences beside the gold are shown."""
    return phase.gold_released or role == Role.ORGANISER


def sees_gold(role: Role, gold: Gold) -> bool:
    """Whether the file may be downloaded: where gold is released, the newest version; older ones hold its mistakes."""
    if role == Role.ORGANISER:
        return True
    return gold.phase.gold_released and not gold.is_superseded
