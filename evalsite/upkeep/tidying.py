"""Removes what nobody owns any more: what killed processes and broken transactions leave behind, and what has expired.

Nothing younger than a day is touched, since a row may still come for it, and no file that has a row at the moment of
its removal. Where half of all files have no row, somebody has joined a storage with another site's database: then no
file is removed.
"""

import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterable
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
from evalsite.submissions.models import KeptUpload
from evalsite.submissions.receiving import kept_uploads
from evalsite.upkeep.models import Pulse, note
from evalsite.upkeep.stored import (
    Comparison,
    StoredFile,
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
MAX_STRAY_FILES = 100  # files without rows that are not taken for those of another site
TEMPORARY = "evalsite-"  # how names of the site's temporary files begin, as the settings say
_WRITE_BITS = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH

Report = Callable[[str], None]


class ForeignFiles(Exception):
    """More files have no row than have one."""


@dataclass
class Tidied:
    """The numbers of things that were removed, or would be."""

    files: int = 0
    bytes: int = 0
    folders: int = 0
    temporary: int = 0
    kept_uploads: int = 0
    sessions: int = 0


def tidy(*, dry_run: bool = False, even_if_most: bool = False, report: Report = lambda line: None) -> Tidied:
    """Remove it, and report each file and folder; a dry run only reports what would be removed.

    Raises ForeignFiles before a file is removed, if more than half of them would be; `even_if_most` lets them go.
    """
    done = Tidied()
    before = database_now() - AGE
    expired = KeptUpload.objects.filter(expires__lte=Now())
    sessions = Session.objects.filter(expire_date__lt=Now())
    done.kept_uploads = expired.count() if dry_run else kept_uploads.drop_expired()
    done.sessions = sessions.count() if dry_run else sessions.delete()[0]
    left = filter(_is_own, Path(tempfile.gettempdir()).glob(f"{TEMPORARY}*"))
    done.temporary = _remove_old("temporary", left, before, None if dry_run else _remove, report)
    comparison = compare()
    if not even_if_most:
        _require_most_to_stay(comparison)
    _remove_files([file for file in comparison.without_row if file.modified < before], done, dry_run, report)
    tops = folders(file_fields())
    done.folders = _remove_old("empty folder", empty_folders(tops), before, None if dry_run else Path.rmdir, report)
    if not dry_run:
        _make_read_only(tops)
        note(Pulse.Name.TIDY, **asdict(done))
        log.info("tidied", **asdict(done))
    return done


def _require_most_to_stay(comparison: Comparison) -> None:
    n_without_row = len(comparison.without_row)
    if n_without_row > max(MAX_STRAY_FILES, comparison.n_files // 2):
        raise ForeignFiles(
            f"{n_without_row:,} of {comparison.n_files:,} files have no row in this database. That looks like the "
            "database of another site, or one that was restored from an old backup; no file was removed."
        )


def _remove_files(files: Iterable[StoredFile], done: Tidied, dry_run: bool, report: Report) -> None:
    for batch in in_batches(files):
        # Ask again: a row may have come since the comparison.
        with_row = owned([file.name for file in batch])
        for file in batch:
            if file.name not in with_row:
                if not dry_run:
                    default_storage.delete(file.name)
                done.files += 1
                done.bytes += file.size
                report(f"file without a row: {file.name}")


def _remove_old(
    kind: str, paths: Iterable[Path], before: datetime, remove: Callable[[Path], None] | None, report: Report
) -> int:
    """Remove the paths that have not changed since then, if told how; return how many there are."""
    n_removed = 0
    for path in list(paths):
        with suppress(OSError):  # something has come into the folder, or somebody else has removed it
            if datetime.fromtimestamp(path.lstat().st_mtime, UTC) < before:
                if remove:
                    remove(path)
                n_removed += 1
                report(f"{kind}: {path}")
    return n_removed


def _is_own(path: Path) -> bool:
    with suppress(OSError):
        return path.lstat().st_uid == os.getuid()
    return False


def _remove(path: Path) -> None:
    shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()


def _make_read_only(tops: Iterable[str]) -> None:
    """Take write permission from files that were stored before none was stored with it."""
    for file in walk(tops if is_local() else ()):
        path = Path(default_storage.path(file.name))
        with suppress(OSError):  # it has gone, or belongs to somebody else
            if path.stat().st_mode & _WRITE_BITS:
                path.chmod(settings.FILE_UPLOAD_PERMISSIONS)
