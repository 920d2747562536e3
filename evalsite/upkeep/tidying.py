"""Removing what nobody owns any more: what killed processes and broken transactions leave behind, and what has expired.

Nothing younger than a day is touched, since a row may still come for it, and no file that has a row at the moment of
its removal. Where half of all files have no row, somebody has joined a storage with another site's database: then no
file is removed.
"""

import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import structlog
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.files.storage import default_storage
from django.db.models.functions import Now

from evalsite.base.moment import database_now
from evalsite.submissions import keeping
from evalsite.submissions.models import KeptUpload
from evalsite.upkeep.models import Pulse, note
from evalsite.upkeep.stored import (
    Count,
    FileField,
    Stored,
    WithoutRow,
    compare,
    empty_folders,
    file_fields,
    folders,
    in_batches,
    is_local,
    owned,
    walk,
)

log = structlog.get_logger()
AGE = timedelta(days=1)
FEW = 100  # files without rows of which nobody thinks that they are another site's
_TO_WRITE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
TEMPORARY = "evalsite-"  # how names of the site's temporary files begin, as the settings say

Say = Callable[[str], None]


class OthersFiles(Exception):
    """More files have no row than have one."""


@dataclass
class Tidied:
    """How many of what were removed, or would be."""

    files: int = 0
    bytes: int = 0
    folders: int = 0
    temporary: int = 0
    kept_uploads: int = 0
    sessions: int = 0


def tidy(*, is_trial: bool = False, even_if_most: bool = False, say: Say = lambda line: None) -> Tidied:
    """Remove it, or with `is_trial` say only what would be removed; `say` is given a line for each file and folder.

    Raises OthersFiles before a file is removed, if more than half of them would be; `even_if_most` lets them go.
    """
    done = Tidied()
    before = database_now() - AGE
    expired = KeptUpload.objects.filter(expires__lte=Now())
    sessions = Session.objects.filter(expire_date__lt=Now())
    done.kept_uploads = expired.count() if is_trial else keeping.drop_expired()
    done.sessions = sessions.count() if is_trial else sessions.delete()[0]
    done.temporary = _remove_temporary(before, is_trial, say)
    if not even_if_most:
        _require_most_to_stay()
    fields = file_fields()
    _remove_files(_without_row(before), fields, done, is_trial, say)
    done.folders = _remove_folders(folders(fields), before, is_trial, say)
    if not is_trial:
        _make_read_only(folders(fields))
        note(Pulse.Name.TIDY, **asdict(done))
        log.info("tidied", **asdict(done))
    return done


def _require_most_to_stay() -> None:
    count = Count()
    n_found = sum(isinstance(each, WithoutRow) for each in compare(count, rows_too=False))
    if n_found > max(FEW, count.files // 2):
        raise OthersFiles(
            f"{n_found:,} of {count.files:,} files have no row in this database. That looks like the database of "
            "another site, or one that was restored from an old backup; no file was removed."
        )


def _without_row(before: datetime) -> Iterator[Stored]:
    """Old files that no row owns."""
    found = (each.file for each in compare(rows_too=False) if isinstance(each, WithoutRow))
    return (file for file in found if _modified(file) < before)


def _modified(file: Stored) -> datetime:
    if file.modified:
        return file.modified
    try:
        return default_storage.get_modified_time(file.name)
    except FileNotFoundError:  # gone meanwhile: nothing is to be done about it
        return datetime.max.replace(tzinfo=UTC)


def _remove_files(files: Iterable[Stored], fields: list[FileField], done: Tidied, is_trial: bool, say: Say) -> None:
    for batch in in_batches(files):
        # Once more, now: between the walk and this moment a row may have come.
        with_row = owned([file.name for file in batch], fields)
        for file in batch:
            if file.name not in with_row:
                if not is_trial:
                    default_storage.delete(file.name)
                done.files += 1
                done.bytes += file.size or 0
                say(f"file without a row: {file.name}")


def _remove_folders(tops: Iterable[str], before: datetime, is_trial: bool, say: Say) -> int:
    n_removed = 0
    for path in list(empty_folders(tops)):
        with suppress(OSError):  # a file has come, or somebody else has removed it
            if _changed(path) < before:
                if not is_trial:
                    path.rmdir()
                n_removed += 1
                say(f"empty folder: {path}")
    return n_removed


def _make_read_only(tops: Iterable[str]) -> None:
    """Take the right to write from files that were stored before none was stored with it."""
    if not is_local(default_storage):
        return
    for file in walk(tops):
        path = Path(default_storage.path(file.name))
        with suppress(OSError):  # it has gone, or belongs to somebody else
            if path.stat().st_mode & _TO_WRITE:
                path.chmod(settings.FILE_UPLOAD_PERMISSIONS)


def _remove_temporary(before: datetime, is_trial: bool, say: Say) -> int:
    """What processes of this machine that were killed have left in its folder for temporary files."""
    n_removed = 0
    for path in Path(tempfile.gettempdir()).glob(f"{TEMPORARY}*"):
        with suppress(OSError):
            if _changed(path) < before and path.lstat().st_uid == os.getuid():
                if not is_trial:
                    shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
                n_removed += 1
                say(f"temporary: {path}")
    return n_removed


def _changed(path: Path) -> datetime:
    return datetime.fromtimestamp(path.lstat().st_mtime, UTC)
