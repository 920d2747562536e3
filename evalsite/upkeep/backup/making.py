"""Making a backup: the database first, then the files that it knows. The site goes on meanwhile.

No file is ever changed, so whatever the database knew is still there afterwards, but for files that somebody deleted
in these minutes; and files that have come since are nobody's loss. The folder gets its name when all is there.
"""

import fcntl
import heapq
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.core.files.storage import default_storage
from django.db import DatabaseError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

import scoring as engine
from evalsite.challenges.storing import sync_folder
from evalsite.submissions.models import KeptPart
from evalsite.upkeep.backup import databases
from evalsite.upkeep.backup.databases import Named, dumped, named
from evalsite.upkeep.backup.manifest import (
    FILES,
    LIST,
    SECRET_KEY,
    BackupError,
    Manifest,
    copy,
    digest_of,
    key_print,
    line,
    listed,
    read_manifest,
)
from evalsite.upkeep.models import Pulse, note
from evalsite.upkeep.stored import in_batches, is_local

AT_ONCE = 8  # files that are copied side by side: a store that is far away answers slowly, but many at a time
_UNFINISHED = ".unfinished"
Say = Callable[[str], None]


@dataclass(frozen=True)
class Copied:
    """A file of the backup; digest "" where it was not there."""

    of: Named
    digest: str = ""
    n_bytes: int = 0
    is_from_base: bool = False


def make(
    target: Path,
    *,
    base: Path | None = None,
    with_secret_key: bool = False,
    links: bool = False,
    say: Say = lambda line: None,
) -> Manifest:
    """Make the folder `target`, which must not be there or be empty; raises BackupError, and then leaves nothing.

    Of what the earlier backup `base` has already, hard links are made. With `links` the others are links to the
    site's own files, where these are on the same disk: quick and small, and no help when that disk breaks.
    """
    target = target.resolve()
    _require_room(target)
    base = base.resolve() if base else None
    if base:
        read_manifest(base)
    with _unfinished(target) as work:
        say("The database")
        manifest = _dump(work)
        say("The files")
        _copy_all(work, manifest, base, links, say)
        if with_secret_key:
            (work / SECRET_KEY).write_text(settings.SECRET_KEY)
            manifest.has_secret_key = True
        manifest.write(work)
        os.sync()  # one for all: a sync of each file would take longer than its copy
        work.rename(target)
        sync_folder(target.parent)
    with suppress(DatabaseError):  # a backup is one, also where the database has gone away since
        note(Pulse.Name.BACKUP, folder=str(target), files=manifest.files, bytes=manifest.files_bytes)
    return manifest


def _require_room(target: Path) -> None:
    if target.exists() and (not target.is_dir() or next(target.iterdir(), None)):
        raise BackupError(f"{target} is there already; a backup is made in a folder of its own.")
    if is_local(default_storage) and target.is_relative_to(default_storage.path("")):
        raise BackupError(f"{target} is within the site's files; a backup belongs on another disk.")


@contextmanager
def _unfinished(target: Path) -> Iterator[Path]:
    """A folder beside the target, for its owner alone; what a killed backup has left there is removed."""
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
    """Held as long as its process lives; OSError where another process holds it."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(descriptor)


def _dump(work: Path) -> Manifest:
    made = timezone.now().isoformat(timespec="seconds")
    dump = work / databases.FILE_NAMES[connection.vendor]
    rows = Counter[str]()
    with dumped(dump) as ask, (work / "names").open("w", encoding="utf-8") as names:
        for each in heapq.merge(*named(ask), key=lambda each: each.name):
            rows[each.table] += 1
            names.write(f"{each.name}\t{each.sha256}\t{each.table}\n")
    return Manifest(
        made=made,
        engine=engine.__version__,
        vendor=connection.vendor,
        database=dump.name,
        database_sha256=digest_of(dump),
        database_bytes=dump.stat().st_size,
        migrations=sorted(".".join(each) for each in MigrationRecorder(connection).applied_migrations()),
        rows=dict(rows),
        key=key_print(),
    )


def _copy_all(work: Path, manifest: Manifest, base: Path | None, links: bool, say: Say) -> None:
    (work / FILES).mkdir()
    names = work / "names"
    with (
        names.open(encoding="utf-8") as lines,
        (work / LIST).open("w", encoding="utf-8") as listing,
        ThreadPoolExecutor(AT_ONCE) as threads,
    ):
        wanted = _beside(map(_parsed, lines), listed(base) if base else iter(()))
        for batch in in_batches(wanted, 100 * AT_ONCE):
            for copied in threads.map(lambda pair: _copy(work, *pair, base=base, links=links), batch):
                _note(copied, manifest)
                if copied.digest:
                    listing.write(line(copied.digest, copied.of.name))
            say(f"  {manifest.files:,} of {sum(manifest.rows.values()):,}")
    names.unlink()
    manifest.list_sha256 = digest_of(work / LIST)


def _parsed(text: str) -> Named:
    return Named(*text.rstrip("\n").split("\t"))


def _beside(files: Iterable[Named], earlier: Iterable[tuple[str, str]]) -> Iterator[tuple[Named, str]]:
    """Each file with the digest that it has in an earlier backup, "" if it has none; both in the order of names."""
    last = ("", "")
    before = iter(earlier)
    previous = ""
    for file in files:
        if file.name == previous:  # of two rows
            continue
        previous = file.name
        while last[0] < file.name:
            following = next(before, None)
            if following is None:
                break
            last = following
        yield file, last[1] if last[0] == file.name else ""


def _copy(work: Path, file: Named, digest: str, *, base: Path | None, links: bool) -> Copied:
    target = work / FILES / file.name
    target.parent.mkdir(parents=True, exist_ok=True)
    if base and digest and file.sha256 in ("", digest):
        with suppress(OSError):  # on another disk, or not there
            os.link(base / FILES / file.name, target)
            return Copied(file, digest, target.stat().st_size, is_from_base=True)
    try:
        if links and is_local(default_storage):
            with suppress(OSError):
                os.link(default_storage.path(file.name), target)
                return Copied(file, digest_of(target), target.stat().st_size)
        with default_storage.open(file.name) as source:
            return Copied(file, *copy(source.chunks(), target))
    except FileNotFoundError:
        return Copied(file)


def _note(copied: Copied, manifest: Manifest) -> None:
    if not copied.digest:
        # Uploads that waited for their hour to pass have been used since, or let go.
        if copied.of.table != KeptPart._meta.db_table:
            manifest.missing.append(copied.of.name)
        return
    manifest.files += 1
    manifest.files_bytes += copied.n_bytes
    manifest.files_from_base += copied.is_from_base
    if copied.of.sha256 not in ("", copied.digest):
        manifest.altered.append(copied.of.name)
