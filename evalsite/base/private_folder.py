"""Keeps the data folder private to the site's own user: hashes, sessions, uploads, gold, logs."""

import os
import secrets
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

FOR_OTHERS = 0o077  # what group and others may do


def make_private(folder: Path) -> None:
    """Make the folder, and withdraw the rights of group and others to it, to the files in it and to its logs.

    Files of other users stay as they are, and so does a folder that everybody writes into, such as /tmp.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder.stat().st_mode & stat.S_ISVTX:
        return
    for path in (folder, *folder.glob("*.*"), folder / "secret_key", *folder.glob("logs/*")):
        # It may be deleted meanwhile, as a journal of SQLite is.
        with suppress(PermissionError, FileNotFoundError):
            _take_from_others(path)


def _take_from_others(path: Path) -> None:
    mode = path.stat(follow_symlinks=False).st_mode
    if mode & FOR_OTHERS and not stat.S_ISLNK(mode):
        path.chmod(stat.S_IMODE(mode) & ~FOR_OTHERS)


def make_private_file(path: Path) -> None:
    """Make an empty file for its owner alone, if there is none; SQLite fills it, and its journals are as private."""
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def own_secret_key(path: Path) -> str:
    """Return the key that a laptop's site makes for itself and stores beside its data.

    The file comes into being with its content, so processes that start at the same moment all read the same key.
    """
    if not path.exists():
        with tempfile.NamedTemporaryFile("w", dir=path.parent) as file:
            file.write(secrets.token_urlsafe(50))
            file.flush()
            with suppress(FileExistsError):
                os.link(file.name, path)
    return path.read_text()
