"""Bounds what organisers store: on the disk as a whole, and in the drafts of a person."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import structlog
from django.conf import settings
from django.core.files.storage import FileSystemStorage, default_storage
from django.db.models import QuerySet, Sum
from django.db.models.fields.files import FieldFile
from django.utils.translation import gettext as _

from evalsite.accounts.models import User
from evalsite.base.faults import Fault, KnownFault
from evalsite.challenges.models import Download, Gold, Organiser, Picture, Task
from evalsite.submissions.models import Submission
from evalsite.wording import size

log = structlog.get_logger()


class NoRoom(Exception):
    """There is no room for so many files of this person; the message tells the person what to do."""


def require_room_in_drafts(user: User, n_bytes: int) -> None:
    """Raise NoRoom where the files of the person's drafts would have more than MAX_DRAFT_BYTES with these."""
    stored = bytes_of_drafts(user)
    if stored + n_bytes <= settings.MAX_DRAFT_BYTES:
        return
    words = _(
        "The files of your drafts take up %(size)s, and with these %(more)s they would exceed the limit "
        "of %(most)s. Delete a draft, or publish one."
    )
    most = size(settings.MAX_DRAFT_BYTES)
    raise NoRoom(words % {"size": size(stored), "more": size(n_bytes), "most": most})


def bytes_of_drafts(user: User) -> int:
    """Return how many bytes the files have of all tasks that the person owns and has not published."""
    drafts = Task.objects.filter(
        is_published=False, organiser_rows__user=user, organiser_rows__role=Organiser.Role.OWNER
    )
    runs = Submission.objects.filter(phase__task__in=drafts).aggregate(size=Sum("size"))["size"] or 0
    return runs + sum(_bytes_of(file) for file in _files_of(drafts))


def _files_of(drafts: QuerySet[Task]) -> Iterator[FieldFile]:
    yield from (gold.file for gold in Gold.objects.filter(phase__task__in=drafts).only("file"))
    yield from (download.file for download in Download.objects.filter(task__in=drafts).only("file"))
    yield from (picture.file for picture in Picture.objects.filter(task__in=drafts).only("file"))


def _bytes_of(file: FieldFile) -> int:
    try:
        return int(file.size)
    except OSError:  # lost, as manage.py doctor says
        return 0


def require_room_on_disk(n_bytes: int) -> None:
    """Raise KnownFault where the disk of the files would have less than MIN_FREE_BYTES with these."""
    if not isinstance(default_storage, FileSystemStorage):
        return
    folder = Path(default_storage.path(""))
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free
    if free - n_bytes < settings.MIN_FREE_BYTES:
        log.error("the disk is too full for what an organiser has sent", free=free, size=n_bytes)
        raise KnownFault(Fault.DISK_FULL, f"{free} bytes are free")
