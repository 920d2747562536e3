"""Receives a large upload in parts, one request each, and resumes it after a broken connection.

    begin -> append, part after part -> a kept upload that is whole, to be submitted as any other

`received`, the bytes that are here, says where the next part begins.
"""

import re

from django.conf import settings
from django.core.files.base import ContentFile
from django.db import transaction
from django.db.models.functions import Now
from django.http import HttpRequest, UnreadablePostError
from django.utils.translation import gettext as _

from evalsite.accounts.models import User
from evalsite.base.file_names import plain_name
from evalsite.base.moment import database_now
from evalsite.challenges.models import Phase
from evalsite.challenges.storage.uploads import most_bytes
from evalsite.challenges.wording import notice_of_brought
from evalsite.submissions.models import KeptUpload
from evalsite.submissions.receiving import kept_uploads
from evalsite.wording import size as file_size

_RANGE = re.compile(r"bytes ([0-9]{1,15})-([0-9]{1,15})/([0-9]{1,15})")


class PartRefused(Exception):
    """The part, or the upload, is not taken; the message tells the sender why."""


class WrongOffset(PartRefused):
    """The part does not begin where the last one ended, at `received`."""

    def __init__(self, received: int) -> None:
        super().__init__(_("The next part begins at byte %(received)s.") % {"received": received})
        self.received = received


def begin(user: User, phase: Phase, name: str, size: int, mark: str = "") -> KeptUpload:
    """Begin an upload of so many bytes, or find the one that was begun; raise PartRefused, or kept_uploads.NoRoom.

    `mark` tells a file from another of the same name and size, such as its time of change.
    """
    now = database_now()
    if not phase.task.takes_uploads:
        raise PartRefused(notice_of_brought())
    if not phase.takes_uploads:
        raise PartRefused(_("This phase does not accept uploads now."))
    name, mark = plain_name(name), mark[:100]
    if not 0 < size <= most_bytes(phase):
        words = _("An upload to this phase may have at most %(most)s, and this one would have %(size)s.")
        raise PartRefused(words % {"most": file_size(most_bytes(phase)), "size": file_size(size)})
    begun = kept_uploads.kept_by(user).filter(phase=phase, name=name, size=size, mark=mark, sha256="").first()
    if begun:
        kept_uploads.touch(begun, now)
        return begun
    with transaction.atomic():
        kept_uploads.make_room(user, size, now)
        return KeptUpload.objects.create(
            user=user, phase=phase, name=name, names=[name], size=size, mark=mark, expires=now + settings.KEPT_FOR
        )


def append(kept: KeptUpload, start: int, content: bytes) -> KeptUpload:
    """Append the bytes that begin at `start`; raise PartRefused, or WrongOffset.

    A part that is here already, as when its answer was lost, is accepted again.
    """
    with transaction.atomic():
        kept = KeptUpload.objects.select_for_update().get(pk=kept.pk)
        if start + len(content) <= kept.received:
            return kept
        if start != kept.received:
            raise WrongOffset(kept.received)
        if not 0 < len(content) <= settings.PART_BYTES or start + len(content) > kept.size:
            raise PartRefused(_("A part may have at most %(most)s.") % {"most": file_size(settings.PART_BYTES)})
        kept_uploads.require_room_of_all(len(content))
        kept.received += len(content)
        kept.expires = database_now() + settings.KEPT_FOR
        kept.save(update_fields=["received", "expires"])
        kept_uploads.add_part(kept, start, ContentFile(content))
    return kept


def unfinished(user: User) -> list[KeptUpload]:
    """Return the person's uploads, to any phase, of which something is missing still; mostly there are none."""
    found = KeptUpload.objects.filter(user=user, expires__gt=Now()).prefetch_related("phase__task")
    return [kept for kept in found if not kept.is_whole]


def read_part(request: HttpRequest, kept: KeptUpload) -> tuple[int, bytes]:
    """Return where the part begins, and its bytes: the body, with `Content-Range: bytes 0-5242879/188743680`.

    Raise PartRefused where the request is malformed or has not come whole.
    """
    found = _RANGE.fullmatch(request.headers.get("Content-Range", ""))
    if found is None:
        raise PartRefused(_("The request has no Content-Range in bytes."))
    first, last, whole = map(int, found.groups())
    n_bytes = last - first + 1
    if whole != kept.size or not 0 < n_bytes <= settings.PART_BYTES:
        raise PartRefused(_("The Content-Range does not fit this upload."))
    try:
        content = request.read(n_bytes + 1)
    except UnreadablePostError:
        content = b""
    if len(content) != n_bytes:
        raise PartRefused(_("The part did not arrive complete. Send it again."))
    return first, content
