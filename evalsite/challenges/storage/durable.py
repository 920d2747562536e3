"""Writes files that are durable when they appear, and are removed if the transaction of their row fails."""

import errno
import os
import tempfile
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import structlog
from django.db.models.fields.files import FieldFile

log = structlog.get_logger()
# The prefix of files that are being written, by which `manage.py tidy` finds those that a crash has left.
UNFINISHED = ".writing-"
_NO_LINKS = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS}


def write_new(
    path: Path,
    chunks: Iterable[bytes],
    *,
    top: Path,
    mode: int | None = 0o400,
    folder_mode: int | None = 0o700,
) -> None:
    """Write a file that is there whole, and stays after a power cut, once this returns.

    Where it raises, nothing is left behind. `top` is the folder below which folders are made. FileExistsError where
    there is such a file: none is ever overwritten.
    """
    descriptor, unfinished = _open(path.parent, folder_mode)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            for chunk in chunks:
                stream.write(chunk)
            stream.flush()
            if mode is not None:
                os.fchmod(stream.fileno(), mode)
            os.fsync(stream.fileno())
        _give_name(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)
    with _removed_on_error(path):
        _sync_folders(path.parent, top)


@contextmanager
def _removed_on_error(path: Path) -> Iterator[None]:
    try:
        yield
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def _open(folder: Path, folder_mode: int | None) -> tuple[int, Path]:
    """Return descriptor and path of an unfinished file in the folder, which is made if it is missing."""
    while True:
        _make_folder(folder, folder_mode)
        # An empty folder may be tidied away between the two.
        with suppress(FileNotFoundError):
            descriptor, name = tempfile.mkstemp(prefix=UNFINISHED, dir=folder)
            return descriptor, Path(name)


def _make_folder(folder: Path, mode: int | None) -> None:
    if folder.is_dir():
        return
    _make_folder(folder.parent, mode)
    with suppress(FileExistsError):
        folder.mkdir()
        if mode is not None:
            folder.chmod(mode)


def _give_name(unfinished: Path, path: Path) -> None:
    """Link the file to its name, in one step and only if the name is free; some file systems know no links."""
    try:
        os.link(unfinished, path)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        with _removed_on_error(path):
            unfinished.replace(path)


def _sync_folders(folder: Path, top: Path) -> None:
    """Sync the entries of the file and of all folders that lead to it; another process may have just made them."""
    for parent in (folder, *folder.parents):
        sync_folder(parent)
        if parent == top:
            break


def sync_folder(folder: Path) -> None:
    """Return once the names in the folder are on the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno != errno.EINVAL:  # of file systems on which a folder has nothing to be synced
            raise
    finally:
        os.close(descriptor)


@contextmanager
def removed_on_error(file: FieldFile, *, is_stored: bool = False) -> Iterator[None]:
    """Remove the file of a new row if the block raises; to be used in the row's transaction.

    The block stores the file, unless it `is_stored`. The transaction ends after the block. Where that is what breaks,
    nobody knows whether there is a row, and the file is left to `manage.py tidy`.
    """
    before = "" if is_stored else file.name  # as its sender called it; storing gives it another one
    try:
        yield
    except BaseException:
        stored = getattr(file.instance, file.field.attname)
        if stored and stored.name != before:
            try:
                stored.storage.delete(stored.name)
            except Exception:
                log.exception("a file whose row was not stored has to be tidied away", file=stored.name)
        raise


def share(file: FieldFile, other: FieldFile) -> None:
    """Let two stored files of equal content be one on the disk, where the storage is a folder that knows hard links.

    Each row keeps a name of its own, so whoever deletes one of them leaves the other, and nothing has to count.
    """
    try:
        path, source = Path(file.path), Path(other.path)
    except NotImplementedError:  # an object store
        return
    if path.samefile(source):
        return
    unfinished = path.with_name(f"{UNFINISHED}{uuid.uuid4().hex}")
    try:
        os.link(source, unfinished)
        unfinished.replace(path)
    except OSError as error:
        if error.errno not in {*_NO_LINKS, errno.EXDEV, errno.EMLINK}:
            raise
    finally:
        unfinished.unlink(missing_ok=True)
