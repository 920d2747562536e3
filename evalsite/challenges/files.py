"""Stored files for the engine, which reads paths; archives for people."""

import io
import shutil
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from django.core.files import File
from django.db.models.fields.files import FieldFile


@contextmanager
def local_path(file: FieldFile) -> Iterator[Path]:
    """The path of a stored file; a temporary copy where the storage has no paths, such as an object store.

    OSError where nothing is stored.
    """
    if not file:
        raise FileNotFoundError(f"{file.instance} has no {file.field.name}")
    try:
        path = Path(file.path)
    except NotImplementedError:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, PurePosixPath(file.name or "file").name)
            with file.open() as source, path.open("wb") as target:
                shutil.copyfileobj(source, target)
            yield path
    else:
        yield path


@contextmanager
def at_path(file: File, name: str | None) -> Iterator[Path]:
    """A copy of the file under the name that its owner gave it, from which the engine tells its format."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, PurePosixPath(name or "file").name)
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
