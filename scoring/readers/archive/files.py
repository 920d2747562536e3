"""Relative paths and the contents behind them, of a folder or a single file."""

import codecs
import hashlib
import os
import re
from abc import abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Mapping
from copy import copy
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple, Self

from scoring.errors import SubmissionError
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.problems import raise_all, unreadable

# Folders that people pack around a folder by accident.
_ROOT_LEVELS = 3
_NAMED = 5  # files in a note
_OF_WINDOWS = frozenset({"thumbs.db", "ehthumbs.db", "desktop.ini"})
# What stands beside data to explain it, or made it. Documents may be called "license_01.json", so of licences fewer
# names match.
_EXPLAINS = re.compile(
    r"readme(?![^/]*\.(?:json|jsonl|xml|ann|conll|conllu|tsv|csv)$)[^/]*"
    r"|licen[cs]e(?:[._-][a-z]{2,8})*(?:\.(?:txt|rst|html?|pdf))?"
    r"|[^/]*\.(?:md|log|pyc?|sh|ipynb|ya?ml|toml|cfg|ini|lock|png|jpe?g|gif|pdf|docx?|pptx?|pth?|ckpt|safetensors)"
    r"|[^/]*:Zone\.Identifier|nohup\.out|(?:\w+_)?config\.json|requirements\.txt",
    re.IGNORECASE,
)


class Named(NamedTuple):
    """A file, and what its owner calls it: a name that is told and that pairs files, and never part of a path."""

    path: str
    name: str

    def __fspath__(self) -> str:
        return self.path


class Files(Mapping[str, bytes]):
    """Relative POSIX paths, sorted, and the contents behind them, read when asked for.

    Hidden names (a part that begins with "."), what systems leave behind (`__MACOSX`, `Thumbs.db`) and files that
    explain others, such as a README, are left aside; `notes` names them.

    With `drop_marks`, a byte order mark at the beginning of a content is taken away, and `notes` says of which.
    """

    part: Hashable = None  # of which language or other part these are the files; None: of all

    def __init__(self, paths: Iterable[str], left_aside: Iterable[str] = (), *, drop_marks: bool = False) -> None:
        self.paths = sorted(paths)
        self._known = frozenset(self.paths)
        self._left_aside = sorted(set(map(_hidden_part, left_aside)))
        self._drop_marks = drop_marks
        self._marked: set[str] = set()
        self.found: dict[Hashable, Any] = {}  # what a reader of one part keeps for that of the next

    def __getitem__(self, path: str) -> bytes:
        """Return the content; SubmissionError if it cannot be read or grows beyond the limits."""
        if path not in self._known:
            raise KeyError(path)
        content = self._read(path)
        if self._drop_marks and content.startswith(codecs.BOM_UTF8):
            self._marked.add(path)
            return content[len(codecs.BOM_UTF8) :]
        return content

    def again(self) -> Self:
        """Return the same files as if none had been read yet, for another reader.

        What is noted then is of its own reading.
        """
        other = copy(self)
        other._marked = set()
        return other

    def leave_aside(self, paths: Iterable[str]) -> None:
        """Note that a reader does not read these either."""
        self._left_aside = sorted({*self._left_aside, *paths})

    @property
    def notes(self) -> list[str]:
        """Return what was done with the files beside reading them, as far as they have been read."""
        notes: list[str] = []
        if self._left_aside:
            notes.append(
                Message("left-aside-not-read", "left aside, not read: {listed}", listed=_listed(self._left_aside))
            )
        if self._marked:
            notes.append(
                Message(
                    "byte-order-mark-beginning",
                    "a byte order mark at the beginning was taken away: {listed}",
                    listed=_listed(sorted(self._marked)),
                )
            )
        return notes

    def __iter__(self) -> Iterator[str]:
        return iter(self.paths)

    def __len__(self) -> int:
        return len(self.paths)

    def __contains__(self, path: object) -> bool:
        return path in self._known

    @property
    def root(self) -> str:
        """Return the folders that enclose all files, at most three, with a slash at the end; "" if there are none.

        The paths keep it, so that problems name files as they stand in the upload.
        """
        return _common_folder(self.paths, _ROOT_LEVELS)

    @property
    def n_bytes(self) -> int:
        """Return the bytes of all contents without reading them: an archive's are those that its directory claims."""
        return sum(map(self._bytes_in, self.paths))

    def digest(self, paths: Iterable[str]) -> str:
        """Compute the SHA-256 of these files as gold: their paths below the common folder, lengths and bytes.

        It is the same for a folder and its archive, however many folders enclose the files.
        """
        chosen = sorted(paths)
        enclosing = len(_common_folder(chosen))
        digest = hashlib.sha256()
        for path in chosen:
            content = self[path]
            # With the lengths, so that bytes which move from one file to the next change the digest.
            digest.update(b"%b\0%d\0" % (path[enclosing:].encode(), len(content)))
            digest.update(content)
        return digest.hexdigest()

    @abstractmethod
    def _read(self, path: str) -> bytes:
        """Return the content behind a known path."""

    def _bytes_in(self, path: str) -> int:
        """Return the bytes of the content behind a known path, without reading it where there is another way."""
        return len(self._read(path))


class SingleFile(Files):
    """One file, under its name without folders; `name` is that of a file which is stored under another one."""

    def __init__(self, path: Path, *, name: str | None = None, drop_marks: bool = False) -> None:
        super().__init__([name or path.name], drop_marks=drop_marks)
        self._path = path
        self._has_neighbours = name is None

    def digest(self, paths: Iterable[str]) -> str:
        """Compute the SHA-256 of the bytes; the file's name does not enter."""
        return hashlib.sha256(b"".join(self[path] for path in paths)).hexdigest()

    def beside(self, name: str) -> bytes | None:
        """Return the content of a file of this name in the same folder; None if there is none."""
        if not self._has_neighbours:
            return None
        path = self._path.with_name(name)
        return _bytes_of(path, name) if path.is_file() else None

    def _read(self, path: str) -> bytes:
        return _bytes_of(self._path, path)

    def _bytes_in(self, path: str) -> int:
        return self._path.stat().st_size


class Folder(Files):
    """All files below a folder; links may lead to files inside it and nowhere else."""

    def __init__(self, folder: Path, *, drop_marks: bool = False) -> None:
        self._folder = folder
        self._inside = folder.resolve()
        self._problems: list[Finding] = []
        self._hidden: list[str] = []
        paths, explaining = divided(self._walk(folder, ""))
        raise_all(self._problems)
        if not paths:
            raise SubmissionError(
                Finding(
                    Message(
                        "no-document-there-no", "no document: there is no file in the folder, put the files into it"
                    ),
                    folder.name,
                )
            )
        super().__init__(paths, self._hidden + explaining, drop_marks=drop_marks)

    def _walk(self, folder: Path, prefix: str) -> Iterator[str]:
        """Yield the paths of all files below, with problems noted.

        Links to folders are refused, so there is no circle.
        """
        with os.scandir(folder) as entries:
            in_order = list(entries)
        for entry in in_order:
            path = prefix + entry.name
            if is_hidden(entry.name):
                self._hidden.append(path.encode(errors="backslashreplace").decode())
            elif message := self._message(entry):
                self._problems.append(Finding(message, path.encode(errors="backslashreplace").decode()))
            elif entry.is_dir():
                yield from self._walk(Path(entry), path + "/")
            else:
                yield path

    def _message(self, entry: os.DirEntry[str]) -> str | None:
        """Return what is wrong with a file or folder, and what to do; None if nothing is."""
        # Python gives bytes that are no UTF-8 as lone surrogates, which cannot be encoded.
        if entry.name.encode(errors="replace").decode() != entry.name:
            return Message("name-not-utf-rename", "has a name that is not UTF-8: rename it")
        if entry.is_symlink():
            if not Path(entry).resolve().is_relative_to(self._inside):
                return Message(
                    "link-leads-out-folder", "is a link that leads out of the folder: put the file itself here"
                )
            if not entry.is_file():
                return Message("link-but-not-file", "is a link, but not to a file: put the files themselves here")
        elif not (entry.is_file() or entry.is_dir()):
            return Message("neither-file-nor-folder", "is neither a file nor a folder: remove it")
        return None

    def _read(self, path: str) -> bytes:
        return _bytes_of(self._folder / path, path)

    def _bytes_in(self, path: str) -> int:
        return (self._folder / path).stat().st_size


class Made(Files):
    """Contents that are in memory already."""

    def __init__(self, contents: Mapping[str, bytes]) -> None:
        super().__init__(contents)
        self._contents = contents

    def _read(self, path: str) -> bytes:
        return self._contents[path]


def is_hidden(path: str) -> bool:
    """Return whether a file or folder is hidden, as file managers and version control leave some behind.

    >>> is_hidden("run/.DS_Store"), is_hidden("run/Thumbs.db"), is_hidden("~$run.csv"), is_hidden("run.csv")
    (True, True, True, False)
    """
    return any(map(_is_hidden_name, path.split("/")))


def divided(paths: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return the files to read, and those that explain or made them; where there is nothing else, these are to be read.

    >>> divided(["run/a.json", "run/README.txt", "run/license_01.json", "LICENSE"])
    (['run/a.json', 'run/license_01.json'], ['run/README.txt', 'LICENSE'])
    >>> divided(["run.jsonl", "train.log", "figure.png"])
    (['run.jsonl'], ['train.log', 'figure.png'])
    >>> divided(["README.md"])
    (['README.md'], [])
    """
    all_paths = list(paths)
    explaining = [path for path in all_paths if _EXPLAINS.fullmatch(path.rpartition("/")[2])]
    if len(explaining) == len(all_paths):
        return all_paths, []
    aside = set(explaining)
    return [path for path in all_paths if path not in aside], explaining


def _is_hidden_name(name: str) -> bool:
    # "~$" begins the name of the lock that a spreadsheet keeps beside its file while it is open.
    return name.startswith((".", "~$")) or name == "__MACOSX" or name.lower() in _OF_WINDOWS


def _hidden_part(path: str) -> str:
    """Return the path up to its first hidden part, which stands for all that lies in it.

    >>> _hidden_part("run/.git/config"), _hidden_part("run/README.md")
    ('run/.git', 'run/README.md')
    """
    parts = path.split("/")
    hidden = next((k for k, part in enumerate(parts) if _is_hidden_name(part)), len(parts) - 1)
    return "/".join(parts[: hidden + 1])


def _listed(paths: list[str]) -> str:
    more = Message("n-more", " and {n} more", n=len(paths) - _NAMED) if len(paths) > _NAMED else ""
    return ", ".join(paths[:_NAMED]) + more


def _common_folder(paths: list[str], levels: int | None = None) -> str:
    """Return the folders that all paths begin with, `levels` of them at most, with a slash at the end.

    >>> _common_folder(["run/a/x.txt", "run/b/y.txt"])
    'run/'
    """
    folders = [PurePosixPath(path).parts[:-1][:levels] for path in paths]
    return "".join(part + "/" for part in os.path.commonprefix(folders))


def _bytes_of(path: Path, name: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise unreadable(name, error) from None
