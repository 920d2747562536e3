"""The files in a folder of an upload, or the file that is named as the folder would be."""

import re
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from scoring.readers.archive import Files

_WORD = re.compile(r"[^\W_]+")
_NAMED = 20  # folders and files in a message


class SomeFiles(Files):
    """Some of the files that were opened."""

    def __init__(self, files: Files, paths: Iterable[str]) -> None:
        super().__init__(paths)
        self._files = files

    @property
    def notes(self) -> list[str]:
        """Return the notes of all files."""
        return self._files.notes

    def digest(self, paths: Iterable[str]) -> str:
        """Return the digest of the same files in all."""
        return self._files.digest(paths)

    def _read(self, path: str) -> bytes:
        return self._files[path]

    def _bytes_in(self, path: str) -> int:
        return self._files._bytes_in(path)


def inside(files: Files, folder: str) -> Files | None:
    """Return the files in the folder, wherever it is; None if there is none.

    >>> from scoring.readers.archive import Made
    >>> list(inside(Made({"run/en/a.csv": b"", "run/de/a.csv": b""}), "en"))
    ['run/en/a.csv']

    Without such a folder, the files that are named as it is, and if there are none, those whose names have it as a
    word: en.csv, or predictions_en.csv. A folder may be several, one in another: track-a/en. Upper and lower case
    count only where names differ in nothing else.
    """
    wanted = PurePosixPath(folder).parts
    split = [PurePosixPath(path).parts for path in files]
    for is_there in (_lies_in, _is_named, _has_word):
        for spelling in (str, str.casefold):
            paths = [
                path
                for path, parts in zip(files, split, strict=True)
                if is_there([*map(spelling, parts)], [*map(spelling, wanted)])
            ]
            if paths:
                return SomeFiles(files, paths)
    return None


def outer_names(files: Files) -> str:
    """Return what there is, as a message names it: the folders, and the files that lie in none.

    >>> from scoring.readers.archive import Made
    >>> outer_names(Made({"run/en/a.csv": b"", "run/en/b.csv": b"", "run/all.csv": b""}))
    'all.csv, en/'
    """
    below = [path.removeprefix(files.root) for path in files]
    # Where all lies in one folder, this is what there is.
    if len({path.rpartition("/")[0] for path in files}) == 1 and files.root:
        below = [f"{files.root.rstrip('/').rpartition('/')[2]}/"]
    names = sorted({name + slash for name, slash, _ in (path.partition("/") for path in below)})
    return ", ".join(names[:_NAMED]) + (", …" if len(names) > _NAMED else "")


def _lies_in(parts: Sequence[str], wanted: Sequence[str]) -> bool:
    """Return whether the wanted folders, one in another, are among those of a path."""
    n = len(wanted)
    return any(parts[k : k + n] == wanted for k in range(len(parts) - n))


def _is_named(parts: Sequence[str], wanted: Sequence[str]) -> bool:
    """Return whether the file has the name, before its ending, in the folders that are wanted beside it."""
    return parts[-1].partition(".")[0] == wanted[-1] and _is_beside(parts, wanted)


def _has_word(parts: Sequence[str], wanted: Sequence[str]) -> bool:
    """Return whether the name is one word of several."""
    return wanted[-1] in _WORD.findall(parts[-1]) and _is_beside(parts, wanted)


def _is_beside(parts: Sequence[str], wanted: Sequence[str]) -> bool:
    outer = wanted[:-1]
    return not outer or parts[-1 - len(outer) : -1] == outer
