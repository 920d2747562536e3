"""Describes the folder of a backup, and verifies that it is still what was backed up.

manifest.json      when, of which versions, how many of what, and the digest of everything that is not in the list
database.dump      of PostgreSQL, in pg_dump's own format; of SQLite it is database.sqlite3
files.sha256       digest and path of each file; `sha256sum --check files.sha256` understands it
files/…            the files, under the names that rows know them by
secret_key         only where that was asked for
"""

import hashlib
import hmac
import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.utils import validate_file_name

FORMAT = 1
MANIFEST, LIST, FILES, SECRET_KEY = "manifest.json", "files.sha256", "files", "secret_key"
MAX_CONCURRENT = 8  # concurrent files: a remote store answers slowly, but many requests at once


class BackupError(Exception):
    """A backup cannot be made, or not be restored; the message tells the administrator why and what to do."""


@dataclass
class Manifest:
    """The facts about a backup that its manifest.json has."""

    made: str  # ISO 8601: the database is as it was then
    engine: str  # version
    vendor: str  # of the database
    database: str  # file name of the dump
    database_sha256: str
    database_bytes: int
    migrations: list[str]  # that had been applied: app.name
    rows: dict[str, int]  # in each table that has files
    files: int = 0
    files_bytes: int = 0
    files_from_base: int = 0  # how many of them the earlier backup had
    list_sha256: str = ""
    missing: list[str] = field(default_factory=list)  # names of files that rows have and that were not there
    altered: list[str] = field(default_factory=list)  # files whose digest was not that of their row
    key: str = ""  # `key_print` of the site's secret key
    has_secret_key: bool = False
    format: int = FORMAT

    def write(self, folder: Path) -> None:
        (folder / MANIFEST).write_text(json.dumps(asdict(self), indent=1, ensure_ascii=False) + "\n")


def read_manifest(folder: Path) -> Manifest:
    """Return the manifest; raises BackupError if this is no backup, or one of a format that this code does not know."""
    try:
        facts: dict[str, Any] = json.loads((folder / MANIFEST).read_text())
        if facts["format"] != FORMAT:
            raise BackupError(f"{folder} has format {facts['format']}, which this version of the site does not know.")
        return Manifest(**facts)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BackupError(f"{folder} is no backup: its {MANIFEST} cannot be read ({error}).") from error


def key_print() -> str:
    """Return a value that is the same for the same secret key, and tells nothing else about it."""
    return hmac.new(settings.SECRET_KEY.encode(), b"evalsite backup", hashlib.sha256).hexdigest()[:16]


def digests(folder: Path) -> dict[str, str]:
    """Return the digest of each file of a backup by its name; raises BackupError for what is no list."""
    by_path = {}
    with (folder / LIST).open(encoding="utf-8") as lines:
        for line in lines:
            digest, _, path = line.rstrip("\n").partition("  ")
            name = path.removeprefix(f"{FILES}/")
            try:
                # An altered backup must not write elsewhere on this machine.
                validate_file_name(name, allow_relative_path=True)
            except Exception as error:
                raise BackupError(f"{folder / LIST} has a line that is no file of a backup: {line!r}") from error
            by_path[name] = digest
    return by_path


def damages(folder: Path) -> list[str]:
    """Compute each digest anew, and return what is wrong, in a line each; raises BackupError if it is no backup."""
    manifest = read_manifest(folder)
    wrong = [
        _damage(folder / manifest.database, manifest.database_sha256),
        _damage(folder / LIST, manifest.list_sha256),
    ]
    if not wrong[1]:
        files = digests(folder)
        with ThreadPoolExecutor(MAX_CONCURRENT) as threads:
            wrong += threads.map(lambda name: _damage(folder / FILES / name, files[name]), files)
        if len(files) != manifest.files:
            wrong.append(f"{LIST} has {len(files):,} files, and {manifest.files:,} were backed up")
    return [line for line in wrong if line]


def _damage(path: Path, digest: str) -> str:
    try:
        return "" if digest_of(path) == digest else f"{path} is not what was backed up"
    except OSError as error:
        return f"{path} cannot be read: {error.strerror}"


def digest_of(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
