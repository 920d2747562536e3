"""Access control: this module alone decides what each visitor sees, on every page, in every download and column.

Five roles on a task, each seeing all that the one before sees: strangers, participants (members of a team that has
entered), viewers, organisers, owners. The last three are on the task's list of organisers; the site's administrators
are owners of every task. Viewers see what organisers see and change nothing; owners decide who is on the list. All of
them need a second factor where the settings ask for one: without it they have no rights until they set it up.
"""

from collections.abc import Collection, Iterable
from enum import IntEnum
from functools import cache
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext

from evalsite.accounts.models import User
from evalsite.accounts.organisers import may_administer, may_organise
from evalsite.base import moment
from evalsite.challenges.models import (
    Agreement,
    Download,
    Gold,
    Organiser,
    Page,
    Participation,
    Phase,
    Task,
    published,
)

Visitor = User | AnonymousUser


class Role(IntEnum):
    STRANGER = 0
    PARTICIPANT = 1
    VIEWER = 2
    ORGANISER = 3
    OWNER = 4


LISTED = {
    Organiser.Role.VIEWER: Role.VIEWER,
    Organiser.Role.ORGANISER: Role.ORGANISER,
    Organiser.Role.OWNER: Role.OWNER,
}
_CREATES = Q(user__may_create_tasks=True) | Q(user__is_superuser=True)
CHANGING = [Organiser.Role.ORGANISER, Organiser.Role.OWNER]


class PublicReader(AnonymousUser):
    """A stand-in visitor for whom public pages are rendered; boards for participants are shown for the tasks in
    `entered`.
    """

    def __init__(self, entered: Iterable[UUID] = ()) -> None:
        super().__init__()
        self.entered = frozenset(entered)

    def role_in(self, task: UUID) -> Role:
        return Role.PARTICIPANT if task in self.entered else Role.STRANGER


def role_of(user: Visitor, task: Task) -> Role:
    if isinstance(user, PublicReader):
        return user.role_in(task.pk)
    if not isinstance(user, User) or not user.is_active:
        return Role.STRANGER
    if role := _listed_roles(user, [task.pk]).get(task.pk):
        return role
    takes_part = taking_part(user).filter(task=task).exists()
    return Role.PARTICIPANT if takes_part else Role.STRANGER


def roles_of(user: Visitor, tasks: Iterable[Task]) -> dict[UUID, Role]:
    """Return the visitor's role by task, in a number of queries that does not grow with the tasks."""
    keys = [task.pk for task in tasks]
    if isinstance(user, PublicReader):
        return {key: user.role_in(key) for key in keys}
    if not isinstance(user, User) or not user.is_active:
        return dict.fromkeys(keys, Role.STRANGER)
    entered = taking_part(user).filter(task__in=keys).values_list("task", flat=True)
    roles = dict.fromkeys(keys, Role.STRANGER) | dict.fromkeys(entered, Role.PARTICIPANT)
    return roles | _listed_roles(user, keys)


def taking_part(user: User) -> QuerySet[Participation]:
    """Return how the person's teams take part: not where one is banned, or has agreed to none of the task's terms."""
    return _taking_part().filter(team__members=user)


@cache  # built once, as most requests ask it of somebody else
def _taking_part() -> QuerySet[Participation]:
    agreed = Agreement.objects.filter(task=OuterRef("task"), team=OuterRef("team"))
    has_no_terms = Q(task__entry_rules=None) | Q(task__entry_rules__terms="")
    return Participation.objects.filter(has_no_terms | Exists(agreed), banned=None)


def _listed_roles(user: User, tasks: Collection[UUID]) -> dict[UUID, Role]:
    """Return the account's role in each of these tasks whose list of organisers has it."""
    if not may_organise(user):
        return {}
    if organises_all(user):
        return dict.fromkeys(tasks, Role.OWNER)
    listed = user.organiser_rows.filter(task__in=tasks).values_list("task", "role")
    return {task: LISTED[Organiser.Role(role)] for task, role in listed}


def visible_tasks(user: Visitor) -> QuerySet[Task]:
    return Task.objects.filter(published(moment.now()) | Q(pk__in=overseen_tasks(user).values("pk")))


def visible_task(user: Visitor, task: str) -> Task:
    """Return the task with this slug; raise Http404 unless the visitor may know of it."""
    if oversees(user):
        return get_object_or_404(visible_tasks(user), slug=task)
    return get_object_or_404(Task, published(moment.now()), slug=task)


def visible_phase(user: Visitor, task: str, phase: str, *related: str) -> Phase:
    """Return the phase with these slugs, with task, fact sheet and what else is `related`; raise Http404 unless the
    visitor may know of it.
    """
    is_visible = Q(task__in=visible_tasks(user)) if oversees(user) else published(moment.now(), "task__")
    return get_object_or_404(_phases(*related), is_visible, task__slug=task, slug=phase)


@cache  # built once, as most pages ask it of another phase
def _phases(*related: str) -> QuerySet[Phase]:
    return Phase.objects.select_related("task__fact_sheet", *related)


def oversees(user: Visitor) -> bool:
    """Return whether the person may see more of some task than participants do."""
    return isinstance(user, User) and may_organise(user)


def overseen_tasks(user: Visitor) -> QuerySet[Task]:
    """Return the tasks of which the person sees everything, as a viewer at least."""
    if not isinstance(user, User) or not oversees(user):
        return Task.objects.none()
    return Task.objects.all() if organises_all(user) else user.organised_tasks.all()


def organised_tasks(user: Visitor) -> QuerySet[Task]:
    """Return the tasks that the person may change."""
    seen = overseen_tasks(user)
    if organises_all(user) or not isinstance(user, User):
        return seen
    return seen.filter(organiser_rows__in=user.organiser_rows.filter(role__in=CHANGING))


def organises_all(user: Visitor) -> bool:
    """Return whether the person owns every task, so that no query has to look for theirs."""
    return may_administer(user)


def may_publish(user: Visitor, task: Task) -> bool:
    """Return whether an organiser of the task may publish it, for which one of its owners must be allowed to create
    tasks.

    On a site that is open for organising everybody makes tasks, but an administrator sees a task before strangers do.
    """
    owners = task.organiser_rows.filter(role=Organiser.Role.OWNER, user__is_active=True)
    return may_administer(user) or owners.filter(_CREATES).exists()


def acting_organisers(task: Task) -> QuerySet[User]:
    """Return those who may change the task, and are notified when it needs them."""
    return User.objects.filter(is_active=True, organiser_rows__in=task.organiser_rows.filter(role__in=CHANGING))


_AUDIENCES = {
    Phase.Audience.EVERYBODY: Role.STRANGER,
    Phase.Audience.PARTICIPANTS: Role.PARTICIPANT,
    Phase.Audience.ORGANISERS: Role.VIEWER,
}


def sees_board(role: Role, phase: Phase) -> bool:
    """Return whether the role sees the board; a phase that hides scores from teams has them on no board.

    Boards of a class are its organisers' at any time.
    """
    if role >= Role.VIEWER:
        return True
    if phase.task.is_class:
        return False
    if phase.is_released:
        return True
    return not phase.shows_steps_alone and _is_for(role, phase)


def sees_ladder(role: Role, phase: Phase) -> bool:
    """Return whether the role sees, in place of the board, what teams were told of their best runs."""
    return phase.shows_steps_alone and not sees_board(role, phase) and _is_for(role, phase)


def _is_for(role: Role, phase: Phase) -> bool:
    return phase.shows_scores and role >= _AUDIENCES[Phase.Audience(phase.board_audience)]


def sees_own_steps(role: Role, phase: Phase) -> bool:
    """Return whether a member of a run's team is told its step of the Ladder, in place of its scores."""
    return phase.shows_steps_alone and phase.shows_scores and not sees_own_scores(role, phase)


def hidden_board_notice(role: Role, phase: Phase) -> str:
    """Return the notice for organisers that others do not see the board; "" for others, and where everybody sees it."""
    if role < Role.VIEWER or sees_board(Role.STRANGER, phase):
        return ""
    if phase.task.is_class:
        return gettext("Only the task's organisers see this board: the task is a class.")
    if sees_board(Role.PARTICIPANT, phase):
        return gettext("Only the task's participants and its organisers see this board until the results are released.")
    return gettext("Only the task's organisers see this board until the results are released.")


def sees_names(role: Role, phase: Phase) -> bool:
    if role >= Role.VIEWER:
        return True
    return not phase.task.is_class and (not phase.is_anonymous or phase.is_released)


def sees_entries(role: Role, phase: Phase) -> bool:
    """Return whether the role sees the page of each entry: everybody does after the release, but of a class."""
    return role >= Role.VIEWER or (phase.is_released and not phase.task.is_class)


def sees_links(role: Role, phase: Phase) -> bool:
    """Return whether a board links to the papers and the code that teams gave with their runs.

    It does not while they compete, and never where teams are not named, since a link names them.
    """
    return sees_names(role, phase) and (phase.is_released or phase.state == "closed")


def sees_own_scores(role: Role, phase: Phase) -> bool:
    """Return whether a member of a run's team sees its scores, intervals and tables by label."""
    shows_scores = phase.shows_scores and not phase.shows_steps_alone
    return shows_scores or phase.is_released or role >= Role.VIEWER


def sees_kept(role: Role, row: Phase | Page | Download) -> bool:
    """Return whether the role gets what may be kept for the teams that take part: a page, a file, data of a phase."""
    return role >= Role.PARTICIPANT or not row.is_for_members


def sees_against_gold(role: Role, phase: Phase) -> bool:
    """Return whether tables are shown that have single sentences beside the gold."""
    return (phase.gold_released and sees_kept(role, phase)) or role >= Role.VIEWER


def sees_gold(role: Role, gold: Gold) -> bool:
    """Return whether the file may be downloaded: where gold is released, its newest version, as older ones hold
    mistakes.
    """
    if role >= Role.VIEWER:
        return True
    return gold.phase.gold_released and gold.is_in_force and not gold.is_input and sees_kept(role, gold.phase)
