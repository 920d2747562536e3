"""Pictures of a task's own: told by their content, and shown by its texts by their names."""

from collections.abc import Callable
from functools import cached_property
from pathlib import PurePosixPath

from django.core.exceptions import ValidationError
from django.core.files import File
from django.db import transaction
from django.http import HttpResponse
from django.utils.text import slugify
from django.utils.translation import gettext

from evalsite.accounts.models import User
from evalsite.after_commit import delete_after_commit
from evalsite.challenges.models import Picture, Task, record
from evalsite.challenges.storing import removed_on_error
from evalsite.wording import size

MOST_BYTES = 2 * 1024**2
MOST_PICTURES = 50
LONGEST_NAME = 50
_TYPES = {".png": "image/png", ".jpg": "image/jpeg", ".webp": "image/webp"}


def ending_of(head: bytes) -> str:
    """Of a picture with these first bytes, whatever it is called; "" of what is none."""
    if head.startswith(b"\x89PNG\r\n\x1a\n"):
        return ".png"
    if head.startswith(b"\xff\xd8\xff"):
        return ".jpg"
    return ".webp" if head[:4] == b"RIFF" and head[8:12] == b"WEBP" else ""


def checked_name(task: Task, file: File) -> str:
    """How the picture will be called; raises ValidationError where it cannot be taken."""
    ending = ending_of(file.read(12))
    file.seek(0)
    if not ending:
        raise ValidationError(gettext("This is no PNG, JPEG or WebP picture, whatever it is called."))
    if file.size > MOST_BYTES:
        raise ValidationError(gettext("A picture may have %(most)s at most.") % {"most": size(MOST_BYTES)})
    if task.pictures.count() >= MOST_PICTURES:
        raise ValidationError(gettext("A task may have %(most)s pictures at most.") % {"most": MOST_PICTURES})
    stem = PurePosixPath(file.name or "").stem
    name = (slugify(stem)[:LONGEST_NAME] or "picture") + ending
    if task.pictures.filter(name=name).exists():
        said = gettext("There is a picture %(name)s already. Delete it, or give the file another name.")
        raise ValidationError(said % {"name": name})
    return name


def add_picture(task: Task, name: str, file: File, *, by: User) -> Picture:
    file.name = name
    picture = Picture(task=task, name=name, file=file)
    with transaction.atomic(), removed_on_error(picture.file):
        picture.save(force_insert=True)
        record(task, "picture added", actor=by, subject=picture.pk, name=name)
    return picture


def delete_picture(picture: Picture, *, by: User) -> None:
    with transaction.atomic():
        record(picture.task, "picture deleted", actor=by, name=picture.name)
        picture.delete()
        delete_after_commit([picture.file])


class _Addresses:
    """Looked up once a text names a picture, and once for all its texts."""

    def __init__(self, task: Task) -> None:
        self._task = task

    @cached_property
    def _known(self) -> dict[str, str]:
        pictures = list(self._task.pictures.all())
        for picture in pictures:
            picture.task = self._task
        return {picture.name: picture.get_absolute_url() for picture in pictures}

    def __call__(self, name: str) -> str:
        return self._known.get(name, "")


def address_of_picture(task: Task) -> Callable[[str], str]:
    addresses: _Addresses = vars(task).setdefault("addresses_of_pictures", _Addresses(task))
    return addresses


def shown(picture: Picture) -> HttpResponse:
    """The picture itself, as nothing but a picture."""
    with picture.file.open() as file:
        content = file.read()
    answer = HttpResponse(content, content_type=_TYPES[PurePosixPath(picture.name).suffix])
    answer["Content-Disposition"] = "inline"
    answer["Cache-Control"] = "private, max-age=3600"
    return answer
