"""Who sees what: the one place that decides, for every page, download and column.

Three roles on a task, each seeing all that the one before sees: strangers, participants (members of a team
that has entered), organisers (and the site's superusers). Organisers need the site's flag as well as a task's list,
and a second factor where the settings ask for one: without either nothing is left of their rights, and they get them
back with it. Superusers need both too.
"""

from collections.abc import Iterable
from enum import IntEnum
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext

from evalsite.accounts.models import User
from evalsite.accounts.organisers import may_organise
from evalsite.challenges.models import Gold, Phase, Task

Visitor = User | AnonymousUser
MAY_ORGANISE = Q(is_active=True, is_staff=True)  # of an account, which may have to set up its second factor still


class Role(IntEnum):
    STRANGER = 0
    PARTICIPANT = 1
    ORGANISER = 2


class Onlooker(AnonymousUser):
    """Anybody with an account who takes part in these tasks, organises none, and has nothing of the own on a page."""

    def __init__(self, name: str, entered: Iterable[UUID]) -> None:
        super().__init__()
        self.name = name
        self.entered = frozenset(entered)

    def __str__(self) -> str:
        return self.name

    @property
    def is_authenticated(self) -> bool:  # type: ignore[override]
        return True

    @property
    def is_anonymous(self) -> bool:  # type: ignore[override]
        return False

    def role_in(self, task: UUID) -> Role:
        return Role.PARTICIPANT if task in self.entered else Role.STRANGER


def role_of(user: Visitor, task: Task) -> Role:
    if isinstance(user, Onlooker):
        return user.role_in(task.pk)
    if not isinstance(user, User) or not user.is_active:
        return Role.STRANGER
    if user.is_staff and organised_tasks(user).filter(pk=task.pk).exists():
        return Role.ORGANISER
    if task.participations.filter(team__members=user).exists():
        return Role.PARTICIPANT
    return Role.STRANGER


def roles_of(user: Visitor, tasks: Iterable[Task]) -> dict[UUID, Role]:
    """By task, in a number of queries that does not grow with them."""
    keys = [task.pk for task in tasks]
    if isinstance(user, Onlooker):
        return {key: user.role_in(key) for key in keys}
    if not isinstance(user, User) or not user.is_active:
        return dict.fromkeys(keys, Role.STRANGER)
    entered = Task.objects.filter(pk__in=keys, participations__team__members=user).values_list("pk", flat=True)
    roles = dict.fromkeys(keys, Role.STRANGER) | dict.fromkeys(entered, Role.PARTICIPANT)
    if user.is_staff:
        organised = organised_tasks(user).filter(pk__in=keys).values_list("pk", flat=True)
        roles |= dict.fromkeys(organised, Role.ORGANISER)
    return roles


def visible_tasks(user: Visitor) -> QuerySet[Task]:
    return Task.objects.filter(Q(is_published=True) | Q(pk__in=organised_tasks(user).values("pk")))


def visible_phase(user: Visitor, task: str, phase: str) -> Phase:
    """The phase at this address, with its task; Http404 where there is none that the visitor may know of."""
    phases = Phase.objects.filter(task__in=visible_tasks(user)).select_related("task")
    return get_object_or_404(phases, task__slug=task, slug=phase)


def organised_tasks(user: Visitor) -> QuerySet[Task]:
    if not isinstance(user, User) or not may_organise(user):
        return Task.objects.none()
    return Task.objects.all() if organises_all(user) else user.organised_tasks.all()


def organises_all(user: Visitor) -> bool:
    """Whether every task is the person's, so that no query has to look for theirs."""
    return isinstance(user, User) and user.is_superuser and may_organise(user)


def acting_organisers(task: Task) -> QuerySet[User]:
    """Those of the task's list who have the site's flag."""
    return task.organisers.filter(MAY_ORGANISE)


_AUDIENCES = {
    Phase.Audience.EVERYBODY: Role.STRANGER,
    Phase.Audience.PARTICIPANTS: Role.PARTICIPANT,
    Phase.Audience.ORGANISERS: Role.ORGANISER,
}


def sees_board(role: Role, phase: Phase) -> bool:
    """A phase that keeps scores from the teams themselves shows none on a board either."""
    if phase.is_released or role == Role.ORGANISER:
        return True
    return phase.shows_scores and role >= _AUDIENCES[Phase.Audience(phase.board_audience)]


def hidden_board_notice(role: Role, phase: Phase) -> str:
    """What an organiser has to know of a board that others do not see; empty where they do, and for others."""
    if role < Role.ORGANISER or sees_board(Role.STRANGER, phase):
        return ""
    if sees_board(Role.PARTICIPANT, phase):
        return gettext("Only the task's participants and its organisers see this board until the results are released.")
    return gettext("Only the task's organisers see this board until the results are released.")


def sees_names(role: Role, phase: Phase) -> bool:
    return not phase.is_anonymous or phase.is_released or role == Role.ORGANISER


def sees_links(role: Role, phase: Phase) -> bool:
    """Whether a board leads to the papers and the code that teams gave with their runs: not while they compete, and
    never where teams are not named, since a link names them."""
    return sees_names(role, phase) and (phase.is_released or phase.state == "closed")


def sees_own_scores(role: Role, phase: Phase) -> bool:
    """Whether a member of a run's team sees its scores, intervals and tables by label."""
    return phase.shows_scores or phase.is_released or role == Role.ORGANISER


def sees_against_gold(role: Role, phase: Phase) -> bool:
    """Whether tables that show single sentences beside the gold are shown."""
    return phase.gold_released or role == Role.ORGANISER


def sees_exactly(role: Role, phase: Phase) -> bool:
    """Whether numbers are told in full precision; else as `evalsite.challenges.precision` rounds them.

    Full precision tells a patient reader which items the gold has, where a run was made for it.
    """
    return sees_against_gold(role, phase)


def sees_gold(role: Role, gold: Gold) -> bool:
    """Whether the file may be downloaded: where gold is released, the newest version; older ones hold its mistakes."""
    if role == Role.ORGANISER:
        return True
    return gold.phase.gold_released and not gold.is_superseded
