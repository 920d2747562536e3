"""Compares the stored files with the rows that own them."""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar

from django.apps import apps
from django.core.files.storage import FileSystemStorage, default_storage
from django.db import models

from evalsite.challenges.models import SEALED_GOLD

BATCH = 5_000  # names that one query looks up
T = TypeVar("T")
FileField = models.FileField


@dataclass(frozen=True)
class StoredFile:
    name: str
    size: int  # bytes
    modified: datetime


@dataclass(frozen=True)
class LostFile:
    """A row whose file is not there."""

    kind: str  # of the row, such as "submission"
    pk: str
    name: str

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}: {self.name}"


@dataclass
class Comparison:
    n_files: int = 0
    n_rows: int = 0  # that have a file, or should have
    without_row: list[StoredFile] = field(default_factory=list)
    empty: list[StoredFile] = field(default_factory=list)  # files of 0 bytes that a row owns
    lost: list[LostFile] = field(default_factory=list)

    @property
    def is_clean(self) -> bool:
        return not (self.without_row or self.empty or self.lost)


def compare() -> Comparison:
    """Return how files and rows differ.

    All rows are read before the first file is looked at, and no row is stored before its file: so a row that is known
    here has its file, unless that is lost. A row that has gone meanwhile, such as a kept upload's, is left out.
    """
    comparison, fields = Comparison(), file_fields()
    names: set[str] = set()
    for file_field in fields:
        rows = [name for _, name in rows_of(file_field)]
        comparison.n_rows += len(rows)
        names.update(rows)
    missing = set(names)
    for file in walk(folders(fields)):
        comparison.n_files += 1
        missing.discard(file.name)
        if file.name not in names:
            comparison.without_row.append(file)
        elif not file.size:
            comparison.empty.append(file)
    if missing:
        comparison.lost = [
            LostFile(str(field.model._meta.verbose_name), pk, name)
            for field in fields
            for pk, name in rows_of(field)
            if name in missing
        ]
    return comparison


def file_fields() -> list[FileField]:
    """Return the columns of all models that name a file."""
    fields = (field for model in apps.get_models() for field in model._meta.concrete_fields)
    return [field for field in fields if isinstance(field, FileField)]


def folders(fields: Iterable[FileField]) -> set[str]:
    """Return the storage's folders that belong to rows; others are none of the site's.

    A column into which nothing is uploaded has no folder of its own: it names files of the others' folders. Gold that
    is sealed lies in another one than that into which it was uploaded.
    """
    with_folder = [field for field in fields if field.upload_to]
    return {
        SEALED_GOLD,
        *(PurePosixPath(field.generate_filename(field.model(), "x")).parts[0] for field in with_folder),
    }


def rows_of(field: FileField) -> Iterator[tuple[str, str]]:
    """Yield key and name of the file of each row that has one."""
    rows = field.model._base_manager.exclude(**{field.attname: ""}).exclude(**{field.attname: None})
    for pk, name in rows.order_by().values_list("pk", field.attname).iterator(chunk_size=BATCH):
        yield str(pk), name


def owned(names: list[str]) -> set[str]:
    """Return those of the names that a row has now."""
    owned_names: set[str] = set()
    for column in file_fields():
        rows = column.model._base_manager.filter(**{f"{column.attname}__in": names})
        owned_names.update(map(str, rows.values_list(column.attname, flat=True)))
    return owned_names


def in_batches(items: Iterable[T], most: int = BATCH) -> Iterator[list[T]]:
    iterator = iter(items)
    while batch := list(islice(iterator, most)):
        yield batch


def is_local() -> bool:
    """Return whether the storage is a folder of this machine, or one that it has mounted."""
    return isinstance(default_storage, FileSystemStorage)


def walk(tops: Iterable[str]) -> Iterator[StoredFile]:
    """Yield all files below these folders of the storage, in no order."""
    for top in sorted(tops):
        yield from _walk_disk(top) if is_local() else _walk_bucket(top)


def _walk_disk(top: str) -> Iterator[StoredFile]:
    root = os.path.join(default_storage.path(""), "")
    for folder, _, names in os.walk(default_storage.path(top), onerror=_raise_unless_gone):
        for path in (os.path.join(folder, name) for name in names):
            with suppress(FileNotFoundError):  # deleted meanwhile
                stat = os.stat(path)
                yield StoredFile(path.removeprefix(root), stat.st_size, datetime.fromtimestamp(stat.st_mtime, UTC))


def _raise_unless_gone(error: OSError) -> None:
    if not isinstance(error, FileNotFoundError):
        raise error


def _walk_bucket(top: str) -> Iterator[StoredFile]:
    """Ask an object store for a thousand names and sizes at once; folder by folder it would be a request each."""
    storage: Any = default_storage
    start = f"{storage.location.strip('/')}/".lstrip("/")
    for item in storage.bucket.objects.filter(Prefix=f"{start}{top}/"):
        yield StoredFile(item.key.removeprefix(start), item.size, item.last_modified)


def empty_folders(tops: Iterable[str]) -> Iterator[Path]:
    """Yield the folders of a local storage, below these, that have nothing in them."""
    for top in map(default_storage.path, tops if is_local() else ()):
        for folder, folders, files in os.walk(top):
            if folder != top and not folders and not files:
                yield Path(folder)
