"""Services of organisers that take one button: they change the state of a task, its phases, pages and downloads."""

from datetime import datetime

from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from evalsite.accounts.models import User
from evalsite.base.after_commit import delete_after_commit
from evalsite.base.moment import database_now
from evalsite.challenges.audit_trail import change
from evalsite.challenges.models import Announcement, Download, Event, Gold, Page, Phase, Task, WaitingGold, record
from evalsite.challenges.revisions import raise_revision
from evalsite.challenges.taking_part.teams import has_uploads_of_teams


def delete_task(task: Task, *, by: User | None) -> None:
    """Delete a task without runs, with its gold, its audit trail and all files; that it was there stays known."""
    with transaction.atomic():
        golds, waiting = Gold.objects.filter(phase__task=task), WaitingGold.objects.filter(phase__task=task)
        files = [
            *(gold.file for gold in golds),
            *(upload.file for upload in waiting),
            *(download.file for download in task.downloads.all()),
            *(picture.file for picture in task.pictures.all()),
        ]
        names = {"title": task.title, "slug": task.slug}
        Event.objects.create(kind="task deleted", actor=by, subject=task.pk, detail=names)
        golds.delete()
        task.delete()
        if task.house:
            task.house.delete()
        delete_after_commit(files)


def pause(phase: Phase, reason: str, *, by: User) -> None:
    change(phase, {"is_paused": True, "pause_reason": reason}, by=by)


def resume(phase: Phase, *, by: User) -> None:
    change(phase, {"is_paused": False, "pause_reason": ""}, by=by)


def close(phase: Phase, *, by: User) -> None:
    """Close the phase at once."""
    change(phase, {"closes": database_now()}, by=by)


def release_results(phase: Phase, at: datetime, *, by: User) -> None:
    change(phase, {"results_released": at}, by=by)


def release_gold(phase: Phase, *, by: User | None) -> None:
    change(phase, {"gold_released": True}, by=by)


def release_due_gold() -> None:
    """Release the gold of each phase whose time for it has come."""
    for phase in Phase.objects.filter(gold_due__lte=Now(), gold_released=False):
        release_gold(phase, by=None)


def is_unused(phase: Phase) -> bool:
    """Return whether nothing was uploaded to the phase, so that it may be deleted."""
    return not phase.submissions.exists()


def delete_phase(phase: Phase, *, by: User) -> None:
    """Delete the phase with its gold, on which nothing was scored."""
    with transaction.atomic():
        golds, waiting = Gold.objects.filter(phase=phase), WaitingGold.objects.filter(phase=phase)
        files = [*(gold.file for gold in golds), *(upload.file for upload in waiting)]
        record(phase.task, "phase deleted", actor=by, name=str(phase), slug=phase.slug)
        golds.delete()
        phase.delete()
        delete_after_commit(files)


def publish(task: Task, *, by: User) -> None:
    change(task, {"is_published": True, "publish_at": None}, by=by)


def unpublish(task: Task, *, by: User) -> bool:
    """Make the task a draft again, and return whether that was possible."""
    with transaction.atomic():
        Task.objects.select_for_update().get(pk=task.pk)
        if has_uploads_of_teams(task):
            return False
        change(task, {"is_published": False, "publish_at": None}, by=by)
        return True


def unfinished_phases(task: Task) -> list[Phase]:
    """Return the phases that block archiving: they are still open, or take late uploads."""
    return [phase for phase in task.phases.order_by("opens") if phase.state != "closed" or phase.takes_late]


def archive(task: Task, *, by: User) -> bool:
    """Archive a task that everybody sees and whose phases are over, and return whether that was possible."""
    with transaction.atomic():
        stored = Task.objects.select_for_update().get(pk=task.pk)
        if not stored.is_public or unfinished_phases(stored):
            return False
        if stored.archived is None:
            change(stored, {"archived": timezone.now()}, by=by)
        return True


def unarchive(task: Task, *, by: User) -> None:
    """Take the task out of the archive."""
    change(task, {"archived": None}, by=by)


def move_page(page: Page, by_places: int, *, by: User) -> None:
    """Move the page up (-1) or down (1); at an end it stays."""
    with transaction.atomic():
        Task.objects.select_for_update(no_key=True).get(pk=page.task_id)
        pages = list(Page.objects.filter(task=page.task_id))
        place = pages.index(page)
        if not 0 <= place + by_places < len(pages):
            return
        pages.insert(place + by_places, pages.pop(place))
        for position, sibling in enumerate(pages):
            Page.objects.filter(pk=sibling.pk).update(position=position)
        raise_revision([page.task_id])
        record(page.task, "page moved", actor=by, name=page.title)


def delete_page(page: Page, *, by: User) -> None:
    with transaction.atomic():
        record(page.task, "page deleted", actor=by, name=page.title, text=page.text)
        page.delete()


def delete_announcement(announcement: Announcement, *, by: User) -> None:
    with transaction.atomic():
        title, text = announcement.title, announcement.text
        record(announcement.task, "announcement deleted", actor=by, subject=announcement.pk, title=title, text=text)
        announcement.delete()


def delete_download(download: Download, *, by: User) -> None:
    with transaction.atomic():
        record(download.task, "download deleted", actor=by, name=download.title)
        download.delete()
        delete_after_commit([download.file])
