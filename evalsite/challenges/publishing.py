"""Publishing a task, taking it back while nobody has uploaded anything, and putting it into the archive."""

from django.db import transaction
from django.utils import timezone

from evalsite.accounts.models import User
from evalsite.challenges.changing import change
from evalsite.challenges.competing import has_uploads_of_teams
from evalsite.challenges.models import Phase, Task


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


def not_over(task: Task) -> list[Phase]:
    """The phases that keep a task from the archive: they have not closed, or take late uploads."""
    return [phase for phase in task.phases.order_by("opens") if phase.state != "closed" or phase.takes_late]


def archive(task: Task, *, by: User) -> bool:
    """Whether it is in the archive now: not before everybody sees it and each of its phases is over."""
    with transaction.atomic():
        stored = Task.objects.select_for_update().get(pk=task.pk)
        if not stored.is_public or not_over(stored):
            return False
        if stored.archived is None:
            change(stored, {"archived": timezone.now()}, by=by)
        return True


def bring_back(task: Task, *, by: User) -> None:
    """Out of the archive."""
    change(task, {"archived": None}, by=by)
