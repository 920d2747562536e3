"""The data folder, which nobody but the site's own user may look into: hashes, sessions, uploads, gold, logs."""

import os
import secrets
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

FOR_OTHERS = 0o077  # what group and others may do


def make_private(folder: Path) -> None:
    """Make the folder, and take from group and others what they may do with it and with the files in it and its logs.

    What belongs to somebody else stays as it is, and so does a folder that everybody writes into, such as /tmp.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder.stat().st_mode & stat.S_ISVTX:
        return
    for path in (folder, *folder.glob("*.*"), folder / "secret_key", *folder.glob("logs/*")):
        # It may go meanwhile, as a journal of SQLite does.
        with suppress(PermissionError, FileNotFoundError):
            _take_from_others(path)


def _take_from_others(path: Path) -> None:
    mode = path.stat(follow_symlinks=False).st_mode
    if mode & FOR_OTHERS and not stat.S_ISLNK(mode):
        path.chmod(stat.S_IMODE(mode) & ~FOR_OTHERS)


def make_private_file(path: Path) -> None:
    """An empty file for its owner alone, if there is none; SQLite fills it, and its journals are as private."""
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def own_secret_key(path: Path) -> str:
    """A laptop's key, made once and kept beside its data, so that nobody has to set one up to try the site.

    The file comes into being with its content: processes that start at the same moment all read the same key.
    """
    if not path.exists():
        with tempfile.NamedTemporaryFile("w", dir=path.parent) as file:
            file.write(secrets.token_urlsafe(50))
            file.flush()
            with suppress(FileExistsError):
                os.link(file.name, path)
    return path.read_text()
