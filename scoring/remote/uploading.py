"""Files on their way to a site: in one form, or in parts where they are larger than a form may be."""

import hashlib
import io
import time
import zipfile
from collections.abc import Callable, Sequence
from typing import Any

from scoring.errors import SiteError
from scoring.remote.api import Fields, File, get, post, post_part
from scoring.remote.login import Login

_MOST_FAILURES = 5  # in a row, of a part


def prepared(
    login: Login, phase: str, files: Sequence[File], on_sent: Callable[[float], None]
) -> tuple[Fields, Sequence[File]]:
    """Return what the form for `phase`, a path below the API's, has to say and to hold.

    That is the files, or where they are too large for it the ID of what has been sent in parts.
    """
    limits = get(login, phase)["limits"]
    if _n_bytes(files) <= limits["bytes_at_once"]:
        return (), files
    file = files[0] if len(files) == 1 else packed("run.zip", dict(files))
    # One that the phase does not take at all is sent as it is: the site says why it is refused.
    if len(file[1]) <= limits["bytes_at_once"] or limits["bytes"] <= limits["bytes_at_once"]:
        return (), [file]
    return [("kept", _sent_in_parts(login, phase, file, on_sent))], ()


def packed(name: str, files: "dict[str, bytes]") -> File:
    """Return an archive with equal bytes for equal files, so that the site recognises a run that is sent again."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for path, content in files.items():
            archive.writestr(zipfile.ZipInfo(path), content, zipfile.ZIP_DEFLATED)
    return name, buffer.getvalue()


def _n_bytes(files: Sequence[File]) -> int:
    return sum(len(content) for _, content in files)


def _sent_in_parts(login: Login, phase: str, file: File, on_sent: Callable[[float], None]) -> str:
    """Return the ID by which the site knows the file; what came of it in an earlier try is not sent again."""
    name, content = file
    mark = hashlib.sha256(content).hexdigest()
    kept = post(login, f"{phase}/parts", [("name", name), ("size", str(len(content))), ("mark", mark)], ())
    n_failures = 0
    while kept["received"] < len(content):
        try:
            kept = _next_part(login, kept, content)
            n_failures = 0
        except SiteError:
            # The part once more: if it has come, and only its answer was lost, the site takes it for granted.
            n_failures += 1
            if n_failures >= _MOST_FAILURES:
                raise
            time.sleep(n_failures)
        on_sent(kept["received"] / len(content))
    return str(kept["id"])


def _next_part(login: Login, kept: Any, content: bytes) -> Any:
    start = kept["received"]
    part = content[start : start + kept["part_bytes"]]
    return post_part(login, f"kept/{kept['id']}/part", part, start, len(content))
