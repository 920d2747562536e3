"""Stored files whose bytes are those that were stored: what is scored is what somebody sent."""

import hashlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from django.db.models.fields.files import FieldFile

from evalsite.challenges.files import local_path
from evalsite.challenges.local_copies import OtherContent
from evalsite.faults import Fault, FaultyFile, KnownFault


@contextmanager
def checked_path(file: FieldFile, sha256: str) -> Iterator[Path]:
    """The path of a stored file, as `local_path` gives it, if it has this digest; raises FaultyFile."""
    name = file.name or ""
    with ExitStack() as stack:
        try:
            path = stack.enter_context(local_path(file))
            require_digest(path, sha256, name)
        except (FileNotFoundError, NotADirectoryError) as error:
            raise FaultyFile(Fault.FILE_MISSING, name) from error
        except OtherContent as error:
            raise FaultyFile(Fault.FILE_CHANGED, name) from error
        yield path


def require_digest(path: Path, sha256: str, name: str) -> None:
    """Raise FaultyFile if the file is gone or has other bytes; `name` is that under which it is stored."""
    try:
        with path.open("rb") as stream:
            found = hashlib.file_digest(stream, "sha256").hexdigest()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise FaultyFile(Fault.FILE_MISSING, name) from error
    if found != sha256:
        raise FaultyFile(Fault.FILE_CHANGED, name)


def require_temporary(path: Path, sha256: str, name: str) -> None:
    """The same of a temporary file, which somebody may delete who makes room: then it is none that is stored."""
    try:
        require_digest(path, sha256, name)
    except FaultyFile as error:
        raise KnownFault(Fault.MACHINE, f"a temporary file was deleted or changed: {name}") from error
