"""Makes a backup: the database first, then the files that it knows, while the site goes on.

No file is ever changed, so whatever the database knew is still there afterwards, but for files that were deleted in
these minutes; files that have come since are not missed. The folder gets its name when all is there.
"""

import fcntl
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

from django.conf import settings
from django.core.files.storage import default_storage
from django.db import DatabaseError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

import scoring as engine
from evalsite.challenges.storage.durable import sync_folder
from evalsite.submissions.models import KEPT_FOLDER
from evalsite.upkeep.backup import databases
from evalsite.upkeep.backup.manifest import (
    FILES,
    LIST,
    MAX_CONCURRENT,
    SECRET_KEY,
    BackupError,
    Manifest,
    digest_of,
    digests,
    key_print,
    read_manifest,
)
from evalsite.upkeep.models import Pulse, note
from evalsite.upkeep.stored import file_fields, in_batches, is_local

_UNFINISHED = ".unfinished"


def make(target: Path, *, base: Path | None = None, with_secret_key: bool = False, links: bool = False) -> Manifest:
    """Make the folder `target`, which must not be there or be empty; raises BackupError, and then leaves nothing.

    Files that the earlier backup `base` has already become hard links to it. With `links` the others are links to
    the site's own files, if these are on the same disk: quick and small, and no help when that disk breaks.
    """
    target = target.resolve()
    _require_room(target)
    if base:
        read_manifest(base)
    with _unfinished(target) as work:
        manifest, digests = _dump(work)
        _copy_all(work, manifest, digests, base, links)
        if with_secret_key:
            (work / SECRET_KEY).write_text(settings.SECRET_KEY)
            manifest.has_secret_key = True
        manifest.write(work)
        os.sync()  # once for all: syncing each file would take longer than copying it
        work.rename(target)
        sync_folder(target.parent)
    with suppress(DatabaseError):  # the backup is complete, even if the database has gone away since
        note(Pulse.Name.BACKUP, folder=str(target), files=manifest.files, bytes=manifest.files_bytes)
    return manifest


def _require_room(target: Path) -> None:
    if target.exists() and (not target.is_dir() or next(target.iterdir(), None)):
        raise BackupError(f"{target} is there already; a backup is made in a folder of its own.")
    if is_local() and target.is_relative_to(default_storage.path("")):
        raise BackupError(f"{target} is within the site's files; a backup belongs on another disk.")


@contextmanager
def _unfinished(target: Path) -> Iterator[Path]:
    """Yield a folder beside the target, for its owner alone; what a killed backup has left there is removed."""
    target.parent.mkdir(parents=True, exist_ok=True)
    for left in target.parent.glob(f".{target.name}.*{_UNFINISHED}"):
        with suppress(OSError), _locked(left):
            shutil.rmtree(left)
    work = Path(tempfile.mkdtemp(prefix=f".{target.name}.", suffix=_UNFINISHED, dir=target.parent))
    previous = os.umask(0o077)
    try:
        with _locked(work):
            yield work
    except OSError as error:
        raise BackupError(f"The backup could not be written: {error}") from error
    finally:
        os.umask(previous)
        shutil.rmtree(work, ignore_errors=True)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the folder's lock as long as the process lives; raises OSError if another process holds it."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(descriptor)


def _dump(work: Path) -> tuple[Manifest, dict[str, str]]:
    """Dump the database; return also the names of its files, each with the digest that its row has."""
    made = timezone.now().isoformat(timespec="seconds")
    dump = work / databases.FILE_NAMES[connection.vendor]
    rows, digests = Counter[str](), dict[str, str]()
    with databases.dumped(dump) as cursor:
        for field in file_fields():
            names = dict(databases.file_names(cursor, field))
            rows[field.model._meta.db_table] += len(names)
            digests |= names
    manifest = Manifest(
        made=made,
        engine=engine.__version__,
        vendor=connection.vendor,
        database=dump.name,
        database_sha256=digest_of(dump),
        database_bytes=dump.stat().st_size,
        migrations=sorted(".".join(migration) for migration in MigrationRecorder(connection).applied_migrations()),
        rows=dict(rows),
        key=key_print(),
    )
    return manifest, digests


def _copy_all(work: Path, manifest: Manifest, by_name: dict[str, str], base: Path | None, links: bool) -> None:
    """Copy each file into the backup, write its digest to the list, and count both in the manifest."""
    (work / FILES).mkdir()
    earlier = digests(base) if base else {}
    same = {name for name, digest in earlier.items() if by_name.get(name) in ("", digest)}

    def put(name: str) -> bool:
        return _link_or_copy(name, work / FILES / name, base if name in same else None, links)

    with (work / LIST).open("w", encoding="utf-8") as listing, ThreadPoolExecutor(MAX_CONCURRENT) as threads:
        done = (
            pair
            for batch in in_batches(by_name, 100 * MAX_CONCURRENT)
            for pair in zip(batch, threads.map(put, batch), strict=True)
        )
        for name, is_from_base in done:
            path = work / FILES / name
            if not path.exists():
                # A kept upload may have been used or dropped meanwhile.
                manifest.missing += [] if name.startswith(f"{KEPT_FOLDER}/") else [name]
                continue
            digest = earlier[name] if is_from_base else digest_of(path)
            listing.write(f"{digest}  {FILES}/{name}\n")
            manifest.files += 1
            manifest.files_bytes += path.stat().st_size
            manifest.files_from_base += is_from_base
            manifest.altered += [] if by_name[name] in ("", digest) else [name]
    manifest.list_sha256 = digest_of(work / LIST)


def _link_or_copy(name: str, target: Path, base: Path | None, links: bool) -> bool:
    """Link or copy the file, if it is there; return whether the earlier backup had it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if base:
        with suppress(OSError):  # on another disk, or not there
            os.link(base / FILES / name, target)
            return True
    if links and is_local():
        with suppress(OSError):
            os.link(default_storage.path(name), target)
            return False
    with suppress(FileNotFoundError), default_storage.open(name) as source, target.open("xb") as copy:
        shutil.copyfileobj(source, copy)
    return False
