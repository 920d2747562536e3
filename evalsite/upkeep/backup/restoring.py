"""Restores a backup: files first, the database after them, so that no row is ever without its file.

If it is interrupted, backup and database are as they were; started again, it goes on with the files that are still
missing.
"""

import hashlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.core.files import File
from django.core.files.storage import default_storage
from django.core.management import call_command
from django.db import connection
from django.db.models import F
from django.db.models.functions import Greatest

from evalsite.accounts.models import User
from evalsite.challenges.models import Task
from evalsite.submissions.models import KeptUpload, Scoring
from evalsite.upkeep.backup import databases
from evalsite.upkeep.backup.manifest import (
    FILES,
    MAX_CONCURRENT,
    BackupError,
    Manifest,
    damages,
    digests,
    key_print,
    read_manifest,
)
from evalsite.upkeep.stored import compare, file_fields, folders, walk
from evalsite.upkeep.upgrading import TOO_OLD, UPGRADE_FIRST, is_too_old, newer

NAMED = 5


@dataclass(frozen=True)
class Restored:
    """The outcome of a restore."""

    manifest: Manifest
    n_written: int  # files that were not there yet
    n_waiting: int  # scorings that will be done now
    without_file: list[str]
    is_same_key: bool


def restore(folder: Path, *, replaces: bool = False) -> Restored:
    """Make this site what it was when the backup was made; raises BackupError, before anything is changed.

    With `replaces` what the site has now is lost: its database, and files of the same names with other bytes.
    """
    folder = folder.resolve()
    manifest = read_manifest(folder)
    _require_fit(manifest)
    if not replaces:
        _require_empty()
    require_whole(folder)
    n_written = _restore_files(folder, digests(folder))
    databases.load(folder / manifest.database)
    call_command("migrate", verbosity=0, interactive=False)
    without_file = _rows_without_file()
    return Restored(manifest, n_written, _requeue(), without_file, manifest.key == key_print())


def restore_missing(folder: Path) -> int:
    """Put back only those files that rows of this site lack and the backup has; return their number."""
    read_manifest(folder)
    lacking = {file.name for file in compare().lost}
    return _restore_files(folder, {name: digest for name, digest in digests(folder).items() if name in lacking})


def require_whole(folder: Path) -> None:
    """Raise BackupError with what is wrong, if anything is."""
    if wrong := damages(folder):
        more = f", and {len(wrong) - NAMED:,} more" if len(wrong) > NAMED else ""
        raise BackupError(f"The backup is damaged: {'; '.join(wrong[:NAMED])}{more}. Take another one.")


def _require_fit(manifest: Manifest) -> None:
    if manifest.vendor != connection.vendor:
        raise BackupError(
            f"This is a backup of a site on {manifest.vendor}, and DATABASE_URL names {connection.vendor}: "
            "restore it into a database of the same kind."
        )
    recorded = [(app, name) for app, _, name in (migration.partition(".") for migration in manifest.migrations)]
    if later := newer(recorded):
        raise BackupError(
            f"The backup is of a newer version of the site (engine {manifest.engine}): this code has no {later[0]}. "
            "Install the version that made it, or a newer one."
        )
    if is_too_old(recorded):
        raise BackupError(f"The backup {TOO_OLD} {UPGRADE_FIRST}")


def _require_empty() -> None:
    words = "--replace puts the backup in its place, and goes on with a restore that was cut off."
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
    for model in (User, Task):
        if model._meta.db_table in tables and model._base_manager.exists():
            raise BackupError(f"This site is not empty: it has a {model._meta.model_name}. {words}")
    if file := next(walk(folders(file_fields())), None):
        raise BackupError(f"This site is not empty: it has the file {file.name}. {words}")


def _restore_files(folder: Path, files: dict[str, str]) -> int:
    with ThreadPoolExecutor(MAX_CONCURRENT) as threads:
        return sum(threads.map(lambda name: _restore_file(folder / FILES / name, name, files[name]), files))


def _restore_file(source: Path, name: str, digest: str) -> bool:
    """Write the file unless it is there already; return whether it was written."""
    if default_storage.exists(name):
        if _stored_digest(name) == digest:
            return False
        default_storage.delete(name)
    with source.open("rb") as stream:
        if default_storage.save(name, File(stream)) != name:
            raise BackupError(f"The storage has another file {name}, and gave this one another name. Begin again.")
    return True


def _stored_digest(name: str) -> str:
    with default_storage.open(name) as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _rows_without_file() -> list[str]:
    """Return them in words. Uploads that waited for their hour to pass, and have lost their file, are deleted."""
    lost = compare().lost
    is_kept = {file: file.kind == str(KeptUpload._meta.verbose_name) for file in lost}
    KeptUpload.objects.filter(pk__in=[file.pk for file in lost if is_kept[file]]).delete()
    return [str(file) for file in lost if not is_kept[file]]


def _requeue() -> int:
    """Queue the scorings that were under way: no worker holds them, and the attempt was not their own fault."""
    running: Any = Scoring.objects.filter(state=Scoring.State.RUNNING)
    running.update(
        state=Scoring.State.QUEUED,
        lease=None,
        lease_ends=None,
        step="",
        attempts=Greatest(F("attempts") - 1, 0),
    )
    # The broker knows none of them; the reaper enqueues them. Faults of the old machine say nothing about this one.
    return Scoring.objects.filter(state=Scoring.State.QUEUED).update(enqueued=None, not_before=None)
