"""Whose submissions one may see."""

from uuid import UUID

from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.shortcuts import get_object_or_404

from evalsite.accounts.models import User
from evalsite.challenges.access import Visitor, organised_tasks
from evalsite.submissions.models import Submission


def visible_submissions(user: Visitor) -> QuerySet[Submission]:
    """Those of the user's teams, and all of the tasks that the user organises."""
    if not isinstance(user, User):
        return Submission.objects.none()
    return Submission.objects.filter(
        Q(pk__in=Submission.objects.filter(team__members=user).values("pk")) | Q(phase__task__in=organised_tasks(user))
    )


def visible_submission(request: HttpRequest, pk: UUID) -> Submission:
    """The submission with its task, team and uploader; a page that does not exist (404) to those who may not see it."""
    related = ("phase__task", "team", "uploader")
    return get_object_or_404(visible_submissions(request.user).select_related(*related), pk=pk)


def signed_in(request: HttpRequest) -> User:
    """The visitor of a view behind `login_required`."""
    assert isinstance(request.user, User)
    return request.user
