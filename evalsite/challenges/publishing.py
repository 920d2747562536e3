"""Publishing a task, at once or at a time, and taking it back while nobody has uploaded anything."""

from django.db import transaction

from evalsite.accounts.models import User
from evalsite.challenges.changing import change
from evalsite.challenges.competing import has_uploads_of_teams
from evalsite.challenges.models import Task


def publish(task: Task, *, by: User) -> None:
    change(task, {"is_published": True, "publish_at": None}, by=by)


def unpublish(task: Task, *, by: User) -> bool:
    """Whether it is a draft again."""
    with transaction.atomic():
        Task.objects.select_for_update().get(pk=task.pk)
        if has_uploads_of_teams(task):
            return False
        change(task, {"is_published": False, "publish_at": None}, by=by)
        return True
