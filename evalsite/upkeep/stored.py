"""Stored files beside the rows that own them, in time and memory that a million of each do not trouble.

Of the name of each row's file eight bytes are kept, sorted in one array; the files are then walked through once, and
nothing else is remembered of them. Should two names ever have the same eight bytes, a file would be taken for one that
has a row: the mistake that harms nothing.
"""

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar

import numpy as np
from django.apps import apps
from django.core.files.storage import FileSystemStorage, Storage, default_storage
from django.db import models
from numpy.typing import NDArray

from evalsite.challenges.models import SEALED_GOLD
from evalsite.challenges.storage.durable import UNFINISHED

AT_ONCE = 5_000  # names of files that are looked up together
T = TypeVar("T")
FileField = models.FileField


@dataclass(frozen=True)
class Stored:
    """A file in the storage."""

    name: str
    size: int | None = None  # bytes; None where a listing does not tell
    modified: datetime | None = None

    @property
    def is_unfinished(self) -> bool:
        """Whether it is being written, or was when its process died."""
        return PurePosixPath(self.name).name.startswith(UNFINISHED)


@dataclass
class Count:
    """What `compare` has seen, up to date when it has come to its end."""

    files: int = 0
    rows: int = 0  # that have a file, or should have


@dataclass(frozen=True)
class WithoutRow:
    """A file that no row owns."""

    file: Stored


@dataclass(frozen=True)
class Empty:
    """A file of 0 bytes that a row owns."""

    file: Stored


@dataclass(frozen=True)
class WithoutFile:
    """A row whose file is not there."""

    kind: str  # of the row, such as "submission"
    pk: str
    name: str


Difference = WithoutRow | Empty | WithoutFile


def file_fields() -> list[FileField]:
    """The columns of all models that name a file."""
    return [
        field
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if isinstance(field, models.FileField)
    ]


def folders(fields: Iterable[FileField]) -> set[str]:
    """The storage's folders that belong to rows: what else somebody keeps there is nobody's business here.

    A column into which nothing is uploaded has no folder of its own: it names files of the others' folders. Gold that
    is sealed lies in another one than that into which it was uploaded.
    """
    own = [field for field in fields if field.upload_to]
    return {SEALED_GOLD, *(PurePosixPath(field.generate_filename(field.model(), "x")).parts[0] for field in own)}


def compare(count: Count | None = None, *, rows_too: bool = True) -> Iterator[Difference]:
    """Where files and rows differ, one after the other; without `rows_too` no row whose file is missing is told.

    All rows are read before the first file is looked at, and no row is stored before its file: so a row that is known
    here has its file, unless that is lost.
    """
    seen = count or Count()
    fields = file_fields()
    names = [_digests(rows_of(field)) for field in fields]
    known = np.sort(np.concatenate([*names, np.empty(0, np.uint64)]))
    seen.rows = len(known)
    found = np.zeros(len(known), bool)
    for files in in_batches(walk(folders(fields))):
        places, are_known = _look_up(known, [file.name for file in files])
        found[places[are_known]] = True
        seen.files += len(files)
        for file, is_known in zip(files, are_known, strict=True):
            if not is_known:
                yield WithoutRow(file)
            elif file.size == 0:
                yield Empty(file)
    if rows_too and not found.all():
        yield from _without_file(fields, known, found)


def _without_file(
    fields: Iterable[FileField], known: NDArray[np.uint64], found: NDArray[np.bool_]
) -> Iterator[WithoutFile]:
    """Those that are there still: a kept upload may have been used and forgotten meanwhile."""
    for field in fields:
        for rows in in_batches(rows_of(field)):
            places, are_known = _look_up(known, [name for _, name in rows])
            missing = [row for row, is_missing in zip(rows, are_known & ~found[places], strict=True) if is_missing]
            if missing:
                there = owned([name for _, name in missing], [field])
                kind = str(field.model._meta.verbose_name)
                yield from (WithoutFile(kind, pk, name) for pk, name in missing if name in there)


def owned(names: list[str], fields: Iterable[FileField]) -> set[str]:
    """Those of the names that a row has now."""
    found: set[str] = set()
    for field in fields:
        of_model = field.model._base_manager.filter(**{f"{field.attname}__in": names})
        found.update(map(str, of_model.values_list(field.attname, flat=True)))
    return found


def rows_of(field: FileField) -> Iterator[tuple[str, str]]:
    """(key, name of the file) of each row that has one, as they come."""
    rows = field.model._base_manager.exclude(**{field.attname: ""}).exclude(**{field.attname: None})
    for pk, name in rows.order_by().values_list("pk", field.attname).iterator(chunk_size=AT_ONCE):
        yield str(pk), name


def _digests(rows: Iterable[tuple[str, str]]) -> NDArray[np.uint64]:
    return np.fromiter((_digest(name) for _, name in rows), np.uint64)


def _digest(name: str) -> int:
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), "big")


def _look_up(known: NDArray[np.uint64], names: list[str]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """For each name a place in the sorted array, and whether it stands there."""
    digests = np.array([_digest(name) for name in names], np.uint64)
    if not len(known):
        return np.zeros(len(names), np.int64), np.zeros(len(names), bool)
    places = np.minimum(np.searchsorted(known, digests), len(known) - 1)
    return places, known[places] == digests


def in_batches(items: Iterable[T], most: int = AT_ONCE) -> Iterator[list[T]]:
    iterator = iter(items)
    while batch := list(islice(iterator, most)):
        yield batch


def walk(tops: Iterable[str], storage: Storage = default_storage) -> Iterator[Stored]:
    """All files below these folders of the storage, in no order."""
    walk_below = _walk_of(storage)
    for top in sorted(tops):
        yield from walk_below(storage, top)


def _walk_of(storage: Any) -> Callable[[Any, str], Iterator[Stored]]:
    if is_local(storage):
        return _walk_disk
    return _walk_bucket if hasattr(storage, "bucket") else _walk_lists


def is_local(storage: Any) -> bool:
    """Whether the storage is a folder of this machine, or one that it has mounted."""
    return isinstance(storage, FileSystemStorage) or isinstance(getattr(storage, "_wrapped", None), FileSystemStorage)


def _walk_disk(storage: Any, folder: str) -> Iterator[Stored]:
    """A folder is read as it is gone through, however many entries it has."""
    try:
        entries = os.scandir(storage.path(folder))
    except FileNotFoundError:  # it has been tidied away, or there never was one
        return
    with entries:
        for entry in entries:
            name = f"{folder}/{entry.name}"
            if entry.is_dir(follow_symlinks=False):
                yield from _walk_disk(storage, name)
            elif stat := _stat(entry):
                yield Stored(name, stat.st_size, datetime.fromtimestamp(stat.st_mtime, UTC))


def _stat(entry: os.DirEntry[str]) -> os.stat_result | None:
    try:
        return entry.stat()
    except FileNotFoundError:  # deleted meanwhile
        return None


def _walk_bucket(storage: Any, folder: str) -> Iterator[Stored]:
    """An object store tells a thousand names and sizes in one answer; by folders it would be an answer each."""
    start = f"{storage.location.strip('/')}/".lstrip("/")
    for each in storage.bucket.objects.filter(Prefix=f"{start}{folder}/"):
        yield Stored(each.key.removeprefix(start), each.size, each.last_modified)


def _walk_lists(storage: Any, folder: str) -> Iterator[Stored]:
    """Any other storage of Django's."""
    try:
        below, files = storage.listdir(folder)
    except FileNotFoundError:
        return
    yield from (Stored(f"{folder}/{name}") for name in files)
    for name in below:
        yield from _walk_lists(storage, f"{folder}/{name}")


def empty_folders(tops: Iterable[str]) -> Iterator[Path]:
    """Folders of a local storage, below these, that have nothing in them; none of another storage."""
    if is_local(default_storage):
        for top in tops:
            yield from _empty_below(Path(default_storage.path(top)))


def _empty_below(folder: Path) -> Iterator[Path]:
    if not folder.is_dir():
        return
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                path = Path(entry.path)
                if _is_empty(path):
                    yield path
                else:
                    yield from _empty_below(path)


def _is_empty(folder: Path) -> bool:
    with os.scandir(folder) as entries:
        return next(entries, None) is None
