"""Pictures of a task: they are re-encoded from their pixels, and texts show them by their names."""

import io
import struct
from collections.abc import Callable
from functools import cached_property
from pathlib import PurePosixPath

from django.core.exceptions import ValidationError
from django.core.files import File
from django.core.files.base import ContentFile
from django.db import transaction
from django.http import HttpResponse
from django.utils.text import slugify
from django.utils.translation import gettext
from PIL import Image, ImageOps

from evalsite.accounts.models import User
from evalsite.base.after_commit import delete_after_commit
from evalsite.base.file_names import plain_name
from evalsite.challenges.models import Picture, Task, record
from evalsite.challenges.storage.durable import removed_on_error
from evalsite.wording import amount, size

MOST_BYTES = 2 * 1024**2
MOST_PICTURES = 50
LONGEST_NAME = 50
MOST_PIXELS = 16_000_000  # as they are inflated, four bytes each
_QUALITY = 90  # of formats that lose something
# Errors of reading a file that is broken, or was made to break its reader.
_BROKEN = (OSError, EOFError, ValueError, SyntaxError, IndexError, KeyError, TypeError, struct.error)
Image.MAX_IMAGE_PIXELS = None  # ours are counted here, without a warning for some and an error for others
_ENDINGS = {"PNG": ".png", "JPEG": ".jpg", "WEBP": ".webp"}
_TYPES = {".png": "image/png", ".jpg": "image/jpeg", ".webp": "image/webp"}


def reencoded(file: File) -> ContentFile:
    """Return the picture re-encoded from its pixels, under a name with its ending; raise ValidationError if it is
    refused.

    Anything else in the file, such as a page or the place where a photograph was taken, is left behind.
    """
    if file.size > MOST_BYTES:
        raise ValidationError(gettext("A picture may have at most %(most)s.") % {"most": size(MOST_BYTES)})
    try:
        with Image.open(file, formats=list(_ENDINGS)) as sent:
            if sent.width * sent.height > MOST_PIXELS:  # told by the head: nothing has been inflated yet
                raise ValidationError(
                    gettext("A picture may have at most %(most)s pixels.") % {"most": amount(MOST_PIXELS)}
                )
            form = "JPEG" if sent.format == "MPO" else sent.format or ""  # of several, as cameras make them
            content = _encoded(sent, form)
    except _BROKEN as error:
        raise ValidationError(gettext("This is not a PNG, JPEG or WebP picture, whatever its name says.")) from error
    stem = PurePosixPath(plain_name(file.name)).stem
    return ContentFile(content, (slugify(stem)[:LONGEST_NAME] or "picture") + _ENDINGS[form])


def as_it_is(file: File) -> ContentFile:
    """Return a picture that was re-encoded once, byte for byte; raise ValidationError for one that was not.

    Of another site's picture nothing is lost by a second encoding. One that tells more than its pixels is refused.
    """
    again = reencoded(file)
    file.seek(0)
    with Image.open(file) as sent:
        telling = {key for key in sent.info if key not in _HARMLESS}
    if PurePosixPath(file.name or "").suffix != PurePosixPath(again.name or "").suffix:
        raise ValidationError(
            gettext("The name of this picture has to end in %(ending)s.")
            % {"ending": PurePosixPath(again.name or "").suffix}
        )
    if telling:
        problem = gettext("The picture contains more than its pixels (%(told)s). Save it without that.")
        raise ValidationError(problem % {"told": ", ".join(sorted(map(str, telling)))})
    file.seek(0)
    return ContentFile(file.read(), file.name)


# What Pillow says of pictures that it has written itself.
_HARMLESS = {"transparency", "jfif", "jfif_version", "jfif_unit", "jfif_density", "loop", "background", "timestamp"}
_HARMLESS |= {"duration", "default_image", "progressive", "progression"}


def _encoded(sent: Image.Image, form: str) -> bytes:
    written = io.BytesIO()
    ImageOps.exif_transpose(sent, in_place=True)
    sent.info = {key: value for key, value in sent.info.items() if key == "transparency"}
    sent.save(written, form, quality=_QUALITY)
    return written.getvalue()


def require_room(task: Task, name: str) -> None:
    """Raise ValidationError if the task can take no picture of this name."""
    if task.pictures.count() >= MOST_PICTURES:
        raise ValidationError(gettext("A task may have at most %(most)s pictures.") % {"most": MOST_PICTURES})
    if task.pictures.filter(name=name).exists():
        problem = gettext("There is already a picture %(name)s. Delete it, or give the file another name.")
        raise ValidationError(problem % {"name": name})


def add_picture(task: Task, file: ContentFile, *, by: User) -> Picture:
    """Store a picture that was `reencoded`, under the name that it then has."""
    name = file.name or ""
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
    """Addresses of pictures, queried once a text names one, and once for all texts of the task."""

    def __init__(self, task: Task) -> None:
        self._task = task

    @cached_property
    def _addresses(self) -> dict[str, str]:
        pictures = list(self._task.pictures.all())
        for picture in pictures:
            picture.task = self._task
        return {picture.name: picture.get_absolute_url() for picture in pictures}

    def __call__(self, name: str) -> str:
        return self._addresses.get(name, "")


def address_of_picture(task: Task) -> Callable[[str], str]:
    addresses: _Addresses = vars(task).setdefault("addresses_of_pictures", _Addresses(task))
    return addresses


def picture_response(picture: Picture) -> HttpResponse:
    """Return the picture itself, as nothing but a picture."""
    with picture.file.open() as file:
        content = file.read()
    answer = HttpResponse(content, content_type=_TYPES[PurePosixPath(picture.name).suffix])
    answer["Content-Disposition"] = "inline"
    answer["Cache-Control"] = "private, max-age=3600"
    return answer
