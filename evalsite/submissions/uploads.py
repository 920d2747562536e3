"""Puts the files of an upload into one file on disk."""

import hashlib
import tempfile
import zipfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.core.files.uploadedfile import UploadedFile

from evalsite.base.file_names import plain_name, stored_name
from scoring.readers.archive import Named


@dataclass(frozen=True)
class Upload:
    """An upload as one file on disk, ready for the engine and for the storage."""

    path: Path
    name: str  # as its sender calls it, and no part of the path
    size: int
    sha256: str
    is_packed_here: bool = False  # whether the archive is the site's own, around loose files
    names: tuple[str, ...] = ()  # of the files as they were chosen

    @property
    def named(self) -> Named:
        return Named(str(self.path), self.name)


@contextmanager
def as_upload(files: list[UploadedFile]) -> Iterator[Upload]:
    """Yield a single file as it is, and several as a zip, with equal bytes for equal files."""
    with tempfile.TemporaryDirectory() as folder:
        is_packed_here = len(files) > 1
        name = "upload.zip" if is_packed_here else _plain_name(files[0])
        path = Path(folder, stored_name("upload", name))
        if is_packed_here:
            _pack(files, path)
        else:
            _write(files[0], path)
        yield Upload(path, name, path.stat().st_size, _digest(path), is_packed_here, tuple(map(_plain_name, files)))


def _plain_name(file: UploadedFile) -> str:
    return plain_name(file.name)


def _write(file: UploadedFile, path: Path) -> None:
    with path.open("xb") as target:
        for chunk in file.chunks():
            target.write(chunk)


def _pack(files: list[UploadedFile], path: Path) -> None:
    with zipfile.ZipFile(path, "x", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(files, key=_plain_name):
            member = zipfile.ZipInfo(_plain_name(file))  # without the time of day
            member.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(member, "w", force_zip64=True) as target:
                for chunk in file.chunks():
                    target.write(chunk)


def _digest(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def repeated_names(files: list[Any]) -> list[str]:
    names = Counter(map(_plain_name, files))
    return sorted(name for name, n in names.items() if n > 1)
