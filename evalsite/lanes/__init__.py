"""Pages that are ready do not wait behind those that are to be made.

A page that many want is kept and takes some milliseconds; the results of a run take ten times as long, and an upload
waits for its check. With one queue for all of them, whoever looks at a board on the evening of a deadline waits behind
uploads and results. So there are lanes: each has threads of its own (`worker`), and of what is not kept a process
computes one request at a time (`turns`).
"""

import re
from enum import Enum


class Lane(Enum):
    KEPT = "kept"  # pages kept for many, and what is asked for again and again: whether a run is scored
    MADE = "made"  # pages made for one visitor
    SENT = "sent"  # what is sent: uploads, and other forms
    TAKEN = "taken"  # the page to which an upload leads, which says that it was taken


_LOOKS = re.compile(rb"(GET|HEAD) ")
_TAKEN = re.compile(rb"GET /submissions/[^/ ]+/\?sent ")
_KEPT = re.compile(
    rb"[A-Z]+ /("
    rb"(tasks/([^/ ]+/([^/ ]+/(submit/|board/([0-9]+/(history/|pairs/|board\.[a-z]+)?)?))?)?)? "
    rb"|submissions/[^/ ]+/(place/[^ ]*|\?[^ ]*seen=[^ ]*) "
    rb"|static/|healthz |readyz )"
)


def lane_of(beginning: bytes) -> Lane:
    """Of a request that begins so, with "GET /tasks/ HTTP/1.1". What is not recognised is answered too, only later."""
    if not _LOOKS.match(beginning):
        return Lane.SENT
    if _TAKEN.match(beginning):
        return Lane.TAKEN
    return Lane.KEPT if _KEPT.match(beginning) else Lane.MADE
