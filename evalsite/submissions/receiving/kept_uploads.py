"""Keeps files that a person has sent for an hour, so that they need not be chosen and sent again.

They belong to the account alone, and are dropped once they have been used, when their hour has passed, or when newer
ones need the room.
"""

import hashlib
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from uuid import UUID

import structlog
from django.conf import settings
from django.core.files import File
from django.core.files.base import ContentFile
from django.db import transaction
from django.db.models import QuerySet, Sum
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from evalsite.accounts.models import User
from evalsite.base.file_names import stored_name
from evalsite.base.moment import database_now
from evalsite.challenges.models import Phase
from evalsite.challenges.storage.durable import removed_on_error
from evalsite.submissions.models import KeptPart, KeptUpload
from evalsite.submissions.uploads import Upload
from evalsite.wording import size as file_size

log = structlog.get_logger()
_COPIED = 256 * 1024  # bytes at a time


class NoRoom(Exception):
    """There is no room for so many files, of this person or of all; the message tells the person what to do.

    `under_way` are the person's own unfinished uploads that have the room and could be given up.
    """

    def __init__(self, words: str, under_way: Sequence[KeptUpload] = ()) -> None:
        super().__init__(words)
        self.under_way = under_way


def keep(user: User, phase: Phase, upload: Upload) -> KeptUpload | None:
    """Keep these files for another hour; return None where there is no room for them, which harms nobody."""
    now = database_now()
    if same := kept_by(user).filter(sha256=upload.sha256, name=upload.name).first():
        touch(same, now)
        return same
    try:
        with transaction.atomic():
            make_room(user, upload.size, now)
            kept = KeptUpload.objects.create(
                user=user,
                phase=phase,
                name=upload.name,
                names=list(upload.names),
                is_packed_here=upload.is_packed_here,
                size=upload.size,
                received=upload.size,
                sha256=upload.sha256,
                expires=now + settings.KEPT_FOR,
            )
            with upload.path.open("rb") as stream:
                add_part(kept, 0, File(stream))
    except NoRoom:
        return None
    return kept


def kept_by(user: User) -> QuerySet[KeptUpload]:
    """Return the person's kept uploads, the newest first."""
    return KeptUpload.objects.filter(user=user, expires__gt=Now())


def find(user: User, token: str) -> KeptUpload | None:
    """Return the person's own upload that has this token, if it is kept still."""
    try:
        return kept_by(user).filter(pk=UUID(token)).first()
    except ValueError:
        return None


@contextmanager
def opened(kept: KeptUpload) -> Iterator[Upload]:
    """Yield the kept files as an upload, put together from their parts with little memory."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, stored_name("upload", kept.name))
        digest = hashlib.sha256()
        with path.open("xb") as target:
            for chunk in _chunks(kept):
                digest.update(chunk)
                target.write(chunk)
        yield Upload(path, kept.name, kept.size, digest.hexdigest(), kept.is_packed_here, tuple(kept.names))


def _chunks(kept: KeptUpload) -> Iterator[bytes]:
    for part in kept.parts.all():
        with part.file.open() as stream:
            yield from stream.chunks(_COPIED)


def add_part(kept: KeptUpload, start: int, content: File | ContentFile) -> None:
    """Store a part as the last step of the caller's transaction: what fails after it would leave the file behind."""
    part = KeptPart(kept=kept, start=start)
    with removed_on_error(part.file):
        part.file.save("part", content, save=False)
        part.save(force_insert=True)


def touch(kept: KeptUpload, now: datetime) -> None:
    """Let its hour begin anew."""
    kept.expires = now + settings.KEPT_FOR
    kept.save(update_fields=["expires"])


def make_room(user: User, size: int, now: datetime) -> None:
    """Drop the person's oldest files until these have room too, in the caller's transaction; raise NoRoom.

    Uploads that are under way keep the room that they have announced.
    """
    User.objects.select_for_update().get(pk=user.pk)
    KeptUpload.objects.filter(user=user, expires__lte=now).delete()
    own = list(KeptUpload.objects.filter(user=user).select_related("phase__task").order_by("expires"))
    taken, n_kept = sum(each.size for each in own) + size, len(own) + 1
    for each in own:
        if taken <= settings.MAX_KEPT_BYTES and n_kept <= settings.MAX_KEPT:
            break
        if each.is_whole:
            each.delete()
            taken, n_kept = taken - each.size, n_kept - 1
    if taken > settings.MAX_KEPT_BYTES or n_kept > settings.MAX_KEPT:
        raise _no_room_beside([each for each in own if not each.is_whole])
    require_room_of_all(size)


def _no_room_beside(under_way: Sequence[KeptUpload]) -> NoRoom:
    words = _(
        "You have other unfinished uploads: %(names)s. You may have %(n)s of them, with %(size)s "
        "in all. Finish one of them, or give it up."
    )
    values = {
        "names": ", ".join(f"{each.name} ({each.phase.name})" for each in under_way),
        "n": settings.MAX_KEPT,
        "size": file_size(settings.MAX_KEPT_BYTES),
    }
    return NoRoom(words % values, under_way)


def require_room_of_all(size: int) -> None:
    """Raise NoRoom where this site's disk would get fuller than the settings allow."""
    received = KeptUpload.objects.aggregate(received=Sum("received"))["received"] or 0
    if received + size > settings.MAX_KEPT_IN_ALL_BYTES:
        log.warning("no room for uploads that are under way", received=received)
        raise NoRoom(_("More large uploads are in progress than this site has room for. Try again in an hour."))


def drop_expired() -> int:
    """Drop the uploads whose hour is over; return how many. A receiver deletes the files of deleted rows."""
    _, n_deleted = KeptUpload.objects.filter(expires__lte=Now()).delete()
    return n_deleted.get(KeptUpload._meta.label, 0)
