"""Copies on this machine's own disk of what is stored elsewhere: by content, bounded, and safe to delete at any time.

    with of_files().copy(sha256, "gold.zip", fetch) as path:   # of_files(), or LocalCopies(folder, most_bytes)
        ...                                                    # `path` ends in gold.zip, and stays while we are here

A copy is named by the SHA-256 of its bytes, so it never gets old: whatever changes has another name. It is written
under a name of its own, compared with its digest and only then linked to where others find it, so that processes that
fetch it at the same time, or are killed meanwhile, never leave half of it to others. One that the disk has spoiled
since, as a power cut may, is fetched again. A reader has a hard link of its own: when the copy gives way to newer ones,
or the folder is emptied by hand, the reader's stays.
"""

import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from django.conf import settings

_FORGOTTEN = 24 * 3600  # seconds after which what a killed process has left is removed


class OtherContent(OSError):
    """The fetched bytes do not have the expected digest: they were damaged on their way, or in the storage."""


@dataclass(frozen=True)
class LocalCopies:
    """A private folder with `most_files` copies of `most_bytes` at most; those used last stay."""

    folder: Path
    most_bytes: int
    most_files: int = 1_000  # all are looked at whenever one comes, which takes some milliseconds

    @contextmanager
    def copy(self, sha256: str, name: str, fetch: Callable[[IO[bytes]], None]) -> Iterator[Path]:
        """Yield the path of a file of this name with the content of this SHA-256; `fetch` writes it if there is no
        copy.

        It raises OtherContent if something else was fetched, and what `fetch` raises.
        """
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        kept = self.folder / sha256
        # Within the folder, since a hard link cannot leave its file system.
        with tempfile.TemporaryDirectory(dir=self.folder, prefix="used-", ignore_cleanup_errors=True) as own:
            path = Path(own, name)
            if not _linked(kept, path, sha256):
                self._fetch(sha256, fetch, path)
                _keep(path, kept)
                self._make_room()
            yield path

    def _fetch(self, sha256: str, fetch: Callable[[IO[bytes]], None], path: Path) -> None:
        with path.open("x+b") as target:
            fetch(target)
            target.flush()
            found = _digest(target)
        if found != sha256:
            raise OtherContent(f"{path.name}: fetched were bytes of SHA-256 {found}, and known are those of {sha256}")
        path.chmod(0o400)

    def _make_room(self) -> None:
        """Delete the copies used longest ago; the newest one stays even if it alone is larger."""
        copies = sorted(self._copies(), key=lambda each: each[1].st_mtime, reverse=True)
        taken = 0
        for place, (path, stat) in enumerate(copies):
            taken += stat.st_size
            if place and (taken > self.most_bytes or place >= self.most_files):
                path.unlink(missing_ok=True)
        for left in self.folder.glob("used-*"):
            with suppress(OSError):
                if left.stat().st_mtime < time.time() - _FORGOTTEN:
                    shutil.rmtree(left)

    def _copies(self) -> Iterator[tuple[Path, os.stat_result]]:
        for entry in os.scandir(self.folder):
            if entry.is_file(follow_symlinks=False):
                with suppress(FileNotFoundError):
                    yield Path(entry), entry.stat()


def copies_of_files() -> LocalCopies:
    """Return the copies of stored files that are needed again and again, gold above all."""
    return LocalCopies(settings.CACHE_DIR / "files", settings.CACHE_BYTES)


def _linked(kept: Path, path: Path, sha256: str) -> bool:
    """Return whether there is a whole copy, and link to it; one that is damaged is deleted."""
    try:
        os.link(kept, path)
    except FileNotFoundError:
        return False
    with path.open("rb") as stream:
        is_whole = _digest(stream) == sha256
    if is_whole:
        os.utime(path)  # of both names: it is one file
    else:
        path.unlink()
        kept.unlink(missing_ok=True)
    return is_whole


def _digest(stream: IO[bytes]) -> str:
    stream.seek(0)
    return hashlib.file_digest(stream, "sha256").hexdigest()  # type: ignore[arg-type]  # reads alone are asked for


def _keep(path: Path, kept: Path) -> None:
    with suppress(FileExistsError):  # another process was faster, with the same bytes
        os.link(path, kept)
