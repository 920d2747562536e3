"""Stored files as paths for the engine, with their digests checked, and archives for people."""

import hashlib
import io
import shutil
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path, PurePosixPath
from typing import Any

from django.core.files import File
from django.core.files.storage import FileSystemStorage
from django.db import transaction
from django.db.models.fields.files import FieldFile

from evalsite.base.faults import Fault, FaultyFile, KnownFault
from evalsite.base.file_names import plain_name, stored_name
from evalsite.challenges.storage.durable import removed_on_error, write_new
from evalsite.challenges.storage.zip_streams import DATE, READABLE
from scoring.readers.archive import Named


class StorageAway(OSError):
    """The storage does not answer in time, or refuses: the file is not at fault, and a retry may succeed."""


class DurableStorage(FileSystemStorage):
    """A local storage whose files are whole and durable when `save` returns, and never overwrite another one."""

    def _save(self, name: str, content: File) -> str:
        while True:
            path, top = Path(self.path(name)), Path(self.location)
            try:
                write_new(
                    path,
                    content.chunks(),
                    top=top,
                    mode=self.file_permissions_mode,
                    folder_mode=self.directory_permissions_mode,
                )
                return path.relative_to(top).as_posix()
            except FileExistsError:  # since the name was found to be free
                name = self.get_available_name(name)


@contextmanager
def local_path(file: FieldFile) -> Iterator[Path]:
    """Yield the path of a stored file; a temporary copy if the storage has no paths, such as an object store.

    It raises OSError if nothing is stored, or the storage is away.
    """
    if not file:
        raise FileNotFoundError(f"{file.instance} has no {file.field.name}")
    try:
        path = Path(file.path)
    except NotImplementedError:
        with _temporary(file) as path:
            yield path
    else:
        yield path


@contextmanager
def named(file: FieldFile) -> Iterator[Named]:
    """Yield the path, with the name that the row has for the file, for the engine."""
    with local_path(file) as path:
        yield Named(str(path), getattr(file.instance, "file_name", "") or path.name)


@contextmanager
def _temporary(file: FieldFile) -> Iterator[Path]:
    name = file.name or "file"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, PurePosixPath(name).name)
        with file.storage.open(name) as source, path.open("xb") as target:
            shutil.copyfileobj(source, target)
        yield path


@contextmanager
def stored_with_row(file: FieldFile, name: str, path: Path) -> Iterator[None]:
    """Store the file of a row that is not saved yet; then run the block, which saves the row, in a transaction.

    So no transaction, and nobody who waits for its locks, waits for the storage. If the block raises, the file is
    removed again; if the end of the transaction does, nobody knows whether there is a row, and the file is left to
    `manage.py tidy`.
    """
    with path.open("rb") as stream:
        file.save(name, File(stream), save=False)
    with transaction.atomic(), removed_on_error(file, is_stored=True):
        yield


@contextmanager
def temporary_copy(file: File, name: str | None) -> Iterator[Named]:
    """Yield a copy of the file, with its owner's name for it, from which the engine tells its format."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, stored_name("copy", name))
        with path.open("xb") as target:
            for chunk in file.chunks():
                target.write(chunk)
        yield Named(str(path), plain_name(name))


def archive_of(files: Mapping[str, bytes]) -> bytes:
    """Return a zip archive with these files by their path: equal files make equal archives."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for path, content in files.items():
            member = zipfile.ZipInfo(path, DATE)
            member.external_attr = READABLE
            archive.writestr(member, content, zipfile.ZIP_STORED if path.endswith(".whl") else zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


@contextmanager
def checked_path(file: FieldFile, sha256: str) -> Iterator[Path]:
    """Yield the path of a stored file that has this digest; raise FaultyFile if it has not."""
    name = file.name or ""
    with ExitStack() as stack:
        try:
            path = stack.enter_context(local_path(file))
            require_digest(path, sha256, name)
        except (FileNotFoundError, NotADirectoryError) as error:
            raise FaultyFile(Fault.FILE_MISSING, name) from error
        yield path


def require_digest(path: Path, sha256: str, name: str) -> None:
    """Raise FaultyFile if the file is gone or has other bytes; `name` is the one under which it is stored."""
    try:
        with path.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise FaultyFile(Fault.FILE_MISSING, name) from error
    if digest != sha256:
        raise FaultyFile(Fault.FILE_CHANGED, name)


def require_temporary(path: Path, sha256: str, name: str) -> None:
    """Raise KnownFault if a temporary file is gone or has other bytes, as somebody may delete it to make room."""
    try:
        require_digest(path, sha256, name)
    except FaultyFile as error:
        raise KnownFault(Fault.MACHINE, f"a temporary file was deleted or changed: {name}") from error


def sha256_of(file: Any) -> str:
    """Return the hex digest of a Django file, read in chunks; the file is rewound."""
    digest = hashlib.sha256()
    for chunk in file.chunks():
        digest.update(chunk)
    file.seek(0)
    return digest.hexdigest()
