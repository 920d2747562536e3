"""Permissions on submissions: who sees them, and on whose behalf somebody changes them."""

from functools import cache
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext

from evalsite.accounts.models import User
from evalsite.challenges.access import Role, Visitor, overseen_tasks, oversees, role_of
from evalsite.challenges.models import Event
from evalsite.submissions.models import Submission

# How often a team may restore a run: each time lets the board compare other pairs, so it is bounded as uploads are.
MOST_RESTORED = 2
_RELATED = ("phase__task__fact_sheet", "team", "uploader")


def visible_submissions(user: Visitor) -> QuerySet[Submission]:
    """Return the submissions of the user's teams, and all of the tasks that the user oversees."""
    if not isinstance(user, User):
        return Submission.objects.none()
    return Submission.objects.filter(_is_own(user.pk) | Q(phase__task__in=overseen_tasks(user)))


def submissions_of(user: UUID) -> QuerySet[Submission]:
    """Return the submissions of the person's teams alone."""
    return Submission.objects.filter(_is_own(user))


def _is_own(user: UUID) -> Q:
    return Q(pk__in=Submission.objects.filter(team__members=user).values("pk"))


def visible_submission(request: HttpRequest, pk: UUID) -> Submission:
    """Return the submission with its task, team and uploader; raise Http404 for those who may not see it."""
    if oversees(request.user):
        return get_object_or_404(visible_submissions(request.user).select_related(*_RELATED), pk=pk)
    if not isinstance(request.user, User):
        raise Http404
    return get_object_or_404(_with_related(), pk=pk, team__members=request.user)


@cache  # built once, as each page of a run asks it of another one
def _with_related() -> QuerySet[Submission]:
    return Submission.objects.select_related(*_RELATED)


def side_of(user: Visitor, submission: Submission, role: Role) -> Submission.Side | None:
    """Return on whose behalf the user acts; organisers always act as such, and a viewer of another team for nobody."""
    if role >= Role.ORGANISER:
        return Submission.Side.ORGANISERS
    if role == Role.VIEWER and not submission.team.members.filter(pk=user.pk).exists():
        return None
    return Submission.Side.TEAM


def acting_side(user: Visitor, submission: Submission) -> Submission.Side:
    """Return the same, and raise PermissionDenied for nobody."""
    side = side_of(user, submission, role_of(user, submission.phase.task))
    if side is None:
        raise PermissionDenied(gettext("You are a viewer of this task: you see everything and change nothing."))
    return side


def may_withdraw(side: Submission.Side | None, submission: Submission) -> bool:
    """Return True if the run may be withdrawn or cancelled: after the phase has closed by the organisers alone."""
    if side is None:
        return False
    return side == Submission.Side.ORGANISERS or submission.phase.state != "closed"


def why_not_restored(side: Submission.Side | None, submission: Submission) -> str:
    """Return why the run cannot be restored; "" where it may be, or is not withdrawn."""
    if side == Submission.Side.ORGANISERS or submission.withdrawn is None:
        return ""
    if submission.withdrawn_as == Submission.Side.ORGANISERS:
        return gettext("The organisers withdrew this run: only they can restore it.")
    if submission.phase.state == "closed":
        return gettext("The phase has closed: only the organisers can withdraw or restore its runs.")
    restored = Event.objects.filter(task=submission.phase.task_id, kind="restored", subject=submission.pk)
    if restored.filter(detail__side=Submission.Side.TEAM).count() >= MOST_RESTORED:
        return gettext("It has been restored twice: now only the organisers can restore it.")
    return ""


def signed_in(request: HttpRequest) -> User:
    """Return the visitor of a view behind `login_required`."""
    assert isinstance(request.user, User)
    return request.user
