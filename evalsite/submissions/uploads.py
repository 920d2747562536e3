"""The files of an upload, put into one archive."""

import hashlib
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.core.files.uploadedfile import UploadedFile

from evalsite.challenges.files import keeps_name, plain_name
from scoring.readers.archive import MAGIC_BYTES, is_zip


@dataclass(frozen=True)
class Upload:
    """An upload as one file on disk, ready for the engine and for the storage."""

    path: Path
    name: str
    size: int
    sha256: str
    is_packed_here: bool = False  # whether the archive is the site's own, around loose files
    names: tuple[str, ...] = ()  # of the files as they were chosen


@contextmanager
def as_upload(files: list[UploadedFile]) -> Iterator[Upload]:
    """A single file as it is; several as a zip, with equal bytes for equal files."""
    with tempfile.TemporaryDirectory() as folder:
        name = _plain_name(files[0])
        is_packed_here = len(files) > 1 or not (_is_archive(files[0]) or keeps_name(name))
        if is_packed_here:
            name = "upload.zip" if len(files) > 1 else f"{name.rpartition('.')[0] or name}.zip"
            path = _pack(files, Path(folder, name))
        else:
            path = _write(files[0], Path(folder, name))
        yield Upload(path, name, path.stat().st_size, _digest(path), is_packed_here, tuple(map(_plain_name, files)))


def _plain_name(file: UploadedFile) -> str:
    return plain_name(file.name)


def _is_archive(file: UploadedFile) -> bool:
    """As the engine tells it, so that both take the same file for an archive."""
    file.seek(0)
    start = file.read(MAGIC_BYTES)
    file.seek(0)
    return is_zip(_plain_name(file), start)


def _write(file: UploadedFile, path: Path) -> Path:
    with path.open("wb") as target:
        for chunk in file.chunks():
            target.write(chunk)
    return path


def _pack(files: list[UploadedFile], path: Path) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(files, key=_plain_name):
            member = zipfile.ZipInfo(_plain_name(file))  # without the time of day
            member.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(member, "w", force_zip64=True) as target:
                for chunk in file.chunks():
                    target.write(chunk)
    return path


def _digest(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def repeated_names(files: list[Any]) -> list[str]:
    names = [_plain_name(file) for file in files]
    return sorted({name for name in names if names.count(name) > 1})
