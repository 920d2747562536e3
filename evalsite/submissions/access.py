"""Whose submissions one may see."""

from django.db.models import Q, QuerySet

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
