"""A part of a large upload as it comes in a request: bytes, and where they belong."""

import re

from django.conf import settings
from django.http import HttpRequest, UnreadablePostError
from django.utils.translation import gettext as _

from evalsite.submissions.models import KeptUpload
from evalsite.submissions.parts import PartRefused

_RANGE = re.compile(r"bytes ([0-9]{1,15})-([0-9]{1,15})/([0-9]{1,15})")


def read_part(request: HttpRequest, kept: KeptUpload) -> tuple[int, bytes]:
    """Where the part begins, and its bytes: the body, with `Content-Range: bytes 0-5242879/188743680`.

    Raises PartRefused of a request that is malformed or has not come whole.
    """
    found = _RANGE.fullmatch(request.headers.get("Content-Range", ""))
    if found is None:
        raise PartRefused(_("The request lacks a Content-Range of bytes."))
    first, last, whole = map(int, found.groups())
    n_bytes = last - first + 1
    if whole != kept.size or not 0 < n_bytes <= settings.PART_BYTES:
        raise PartRefused(_("The Content-Range does not fit this upload."))
    try:
        content = request.read(n_bytes + 1)
    except UnreadablePostError:
        content = b""
    if len(content) != n_bytes:
        raise PartRefused(_("The part has not come whole. Send it again."))
    return first, content
