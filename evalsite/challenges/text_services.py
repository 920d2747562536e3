"""What organisers do to the pages and downloads of a task besides changing what they say."""

from django.db import transaction

from evalsite.accounts.models import User
from evalsite.base.after_commit import delete_after_commit
from evalsite.challenges.models import Download, Page, Task, record
from evalsite.challenges.revisions import raise_revision


def move_page(page: Page, by_places: int, *, by: User) -> None:
    """Up by one for -1, down by one for 1; at an end it stays."""
    with transaction.atomic():
        Task.objects.select_for_update(no_key=True).get(pk=page.task_id)
        pages = list(Page.objects.filter(task=page.task_id))
        place = pages.index(page)
        if not 0 <= place + by_places < len(pages):
            return
        pages.insert(place + by_places, pages.pop(place))
        for position, each in enumerate(pages):
            Page.objects.filter(pk=each.pk).update(position=position)
        raise_revision([page.task_id])
        record(page.task, "page moved", actor=by, name=page.title)


def delete_page(page: Page, *, by: User) -> None:
    with transaction.atomic():
        record(page.task, "page deleted", actor=by, name=page.title, text=page.text)
        page.delete()


def delete_download(download: Download, *, by: User) -> None:
    with transaction.atomic():
        record(download.task, "download deleted", actor=by, name=download.title)
        download.delete()
        delete_after_commit([download.file])
