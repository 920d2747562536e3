"""Keeps files that a person has sent for an hour, so that they need not be chosen and sent again.

They belong to the account alone, and are dropped once they have been used, when their hour has passed, or when newer
ones need the room.
"""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from uuid import UUID

import structlog
from django.conf import settings
from django.core.files import File
from django.db import transaction
from django.db.models import QuerySet, Sum
from django.db.models.functions import Now

from evalsite.accounts.models import User
from evalsite.base.file_names import stored_name
from evalsite.base.moment import database_now
from evalsite.challenges.models import Phase
from evalsite.challenges.storage.durable import removed_on_error
from evalsite.submissions.models import KeptUpload
from evalsite.submissions.uploads import Upload

log = structlog.get_logger()
_COPIED = 256 * 1024  # bytes at a time


def keep(user: User, phase: Phase, upload: Upload) -> KeptUpload | None:
    """Keep these files for another hour; return None where there is no room for them, which harms nobody."""
    now = database_now()
    if same := kept_by(user).filter(sha256=upload.sha256, name=upload.name).first():
        same.expires = now + settings.KEPT_FOR
        same.save(update_fields=["expires"])
        return same
    with transaction.atomic():
        _drop_oldest(user, upload.size, now)
        if not _is_room(upload.size):
            return None
        kept = KeptUpload(
            user=user,
            phase=phase,
            name=upload.name,
            names=list(upload.names),
            is_packed_here=upload.is_packed_here,
            size=upload.size,
            sha256=upload.sha256,
            expires=now + settings.KEPT_FOR,
        )
        # The last step of the transaction: what fails after it would leave the file behind.
        with upload.path.open("rb") as stream, removed_on_error(kept.file):
            kept.file.save("upload", File(stream), save=False)
            kept.save(force_insert=True)
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
    """Yield the kept files as an upload, copied from the storage with little memory."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, stored_name("upload", kept.name))
        with kept.file.open() as stream, path.open("xb") as target:
            for chunk in stream.chunks(_COPIED):
                target.write(chunk)
        yield Upload(path, kept.name, kept.size, kept.sha256, kept.is_packed_here, tuple(kept.names))


def _drop_oldest(user: User, size: int, now: datetime) -> None:
    """Drop the person's oldest files until these have room too, in the caller's transaction."""
    User.objects.select_for_update().get(pk=user.pk)
    KeptUpload.objects.filter(user=user, expires__lte=now).delete()
    rows = list(KeptUpload.objects.filter(user=user).order_by("expires"))
    taken, n_kept = sum(row.size for row in rows) + size, len(rows) + 1
    for row in rows:
        if taken <= settings.MAX_KEPT_BYTES and n_kept <= settings.MAX_KEPT:
            break
        row.delete()
        taken, n_kept = taken - row.size, n_kept - 1


def _is_room(size: int) -> bool:
    """Return False where this site's disk, or a person's share, would get fuller than the settings allow."""
    taken = KeptUpload.objects.aggregate(taken=Sum("size"))["taken"] or 0
    if taken + size > settings.MAX_KEPT_IN_ALL_BYTES:
        log.warning("no room for uploads that are kept", taken=taken)
        return False
    return size <= settings.MAX_KEPT_BYTES


def drop_expired() -> int:
    """Drop the uploads whose hour is over; return how many. A receiver deletes the files of deleted rows."""
    _, n_deleted = KeptUpload.objects.filter(expires__lte=Now()).delete()
    return n_deleted.get(KeptUpload._meta.label, 0)
