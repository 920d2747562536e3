"""Stored files for the engine, which reads paths."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from django.db.models.fields.files import FieldFile


@contextmanager
def local_path(file: FieldFile) -> Iterator[Path]:
    """The path of a stored file; a temporary copy where the storage has no paths, such as an object store."""
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
