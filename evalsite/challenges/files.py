"""Names of files, stored files for the engine, which reads paths, and archives for people."""

import io
import shutil
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO

from django.core.exceptions import SuspiciousFileOperation
from django.core.files import File
from django.core.files.storage import FileSystemStorage
from django.db import transaction
from django.db.models.fields.files import FieldFile

from evalsite.challenges import local_copies
from evalsite.challenges.storing import write_new

LONGEST_NAME = 200  # bytes; file systems take 255, and a name in Japanese has three for each character
LONGEST_STORED = 50  # characters, behind which no column is too short for the path
LONGEST_ENDING = 20  # bytes, with the dot


class StorageAway(OSError):
    """Where files are kept does not answer, or not in time, or refuses: no fault of the file, and over in a while."""


def plain_name(name: str | None) -> str:
    """The name of an uploaded file, short enough for every file system, with its ending and no character cut in two.

    >>> plain_name("\N{HIRAGANA LETTER A}" * 150 + ".zip") == "\N{HIRAGANA LETTER A}" * 65 + ".zip"
    True
    """
    # Django has cut the folders off already; a name of dots only would still be one.
    return _cut((name or "").strip(". "), LONGEST_NAME) or "upload"


def _cut(name: str, longest: int) -> str:
    """The beginning and the ending of the name, in so many bytes."""
    stem, dot, ending = name.rpartition(".")
    if not stem or len(ending.encode()) >= LONGEST_ENDING:
        stem, dot, ending = name, "", ""
    room = longest - len(f"{dot}{ending}".encode())
    return stem.encode()[:room].decode(errors="ignore") + dot + ending


class PlainNameStorage(FileSystemStorage):
    """Stores a file under its name as far as paths and columns allow; one without letters is called upload.

    A file is there whole and for good when `save` returns, or not at all, and never takes another one's place.
    """

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

    def get_valid_name(self, name: str) -> str:
        try:
            return _cut(super().get_valid_name(plain_name(name)), LONGEST_STORED)
        except SuspiciousFileOperation:
            return "upload"


def keeps_name(name: str) -> bool:
    """Whether a file is stored under this very name; some families pair files by their names."""
    return PlainNameStorage().get_valid_name(name) == name


@contextmanager
def local_path(file: FieldFile) -> Iterator[Path]:
    """The path of a stored file; a local copy where the storage has no paths, such as an object store.

    What is needed again and again, files of rows that know their SHA-256, is fetched once for all scorings that this
    machine does: `local_copies` has it. OSError where nothing is stored, or the storage is away.
    """
    if not file:
        raise FileNotFoundError(f"{file.instance} has no {file.field.name}")
    try:
        path = Path(file.path)
    except NotImplementedError:
        name = PurePosixPath(file.name or "file").name
        if sha256 := getattr(file.instance, "sha256", ""):
            copy = local_copies.of_files().copy(sha256, name, partial(_fetch, file))
        else:
            copy = _temporary(file, name)
        with copy as path:
            yield path
    else:
        yield path


@contextmanager
def _temporary(file: FieldFile, name: str) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        with path.open("wb") as target:
            _fetch(file, target)
        yield path


def _fetch(file: FieldFile, target: IO[bytes]) -> None:
    with file.storage.open(file.name or "") as source:
        shutil.copyfileobj(source, target)


@contextmanager
def stored(file: FieldFile, name: str, path: Path) -> Iterator[None]:
    """The file of a row that is not saved yet is stored; then the block runs in a transaction, and saves the row.

    So no transaction, and nobody who waits for its locks, waits for the storage. Where the block raises, the file is
    removed again; where the end of the transaction does, nobody knows whether there is a row, and the file is left to
    `manage.py tidy`.
    """
    with path.open("rb") as stream:
        file.save(name, File(stream), save=False)
    may_have_a_row = False
    try:
        with transaction.atomic():
            yield
            may_have_a_row = True
    except BaseException:
        if not may_have_a_row:
            # What raised is to be told, not that the storage has gone away as well.
            with suppress(OSError):
                file.storage.delete(file.name or "")
        raise


@contextmanager
def at_path(file: File, name: str | None) -> Iterator[Path]:
    """A copy of the file under the name that its owner gave it, from which the engine tells its format."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, plain_name(PurePosixPath(name or "").name))
        with path.open("wb") as target:
            for chunk in file.chunks():
                target.write(chunk)
        yield path


def archive_of(files: Mapping[str, bytes]) -> bytes:
    """A zip archive with these files by their path."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            archive.writestr(path, content)
    return buffer.getvalue()
