"""An upload opened safely: a folder, a zip archive or a single file."""

import hashlib
import io
import os
import stat
import struct
import zipfile
import zlib
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path, PurePosixPath

from scoring.errors import Problem, SubmissionError


@dataclass(frozen=True)
class Limits:
    """What an archive may hold. Folders and single files are not limited: nothing in them is inflated.

    `ratio` is inflated size over the archive's own size; `ratio_from` bytes may be inflated at any ratio.
    """

    archive_bytes: int = 200 * 2**20
    members: int = 20_000
    member_bytes: int = 256 * 2**20
    total_bytes: int = 2**30
    ratio: int = 100
    ratio_from: int = 10 * 2**20

    def inflated_bytes(self, archive_bytes: int) -> int:
        """How much an archive of this size may inflate to."""
        return min(self.total_bytes, max(self.ratio_from, self.ratio * archive_bytes))


LIMITS = Limits()


class Files(Mapping[str, bytes]):
    """Relative POSIX paths and the contents behind them, read when asked for.

    Hidden names (a part that begins with ".") and `__MACOSX` are left out.
    """

    def __init__(self, paths: Iterable[str]) -> None:
        self.paths = sorted(paths)
        self._known = frozenset(self.paths)

    def __getitem__(self, path: str) -> bytes:
        """The content; a SubmissionError if it cannot be read or grows beyond the limits."""
        if path not in self._known:
            raise KeyError(path)
        return self._read(path)

    def __iter__(self) -> Iterator[str]:
        return iter(self.paths)

    def __len__(self) -> int:
        return len(self.paths)

    def __contains__(self, path: object) -> bool:
        return path in self._known

    @property
    def root(self) -> str:
        """The folders that enclose all files, at most three, with a slash at the end; "" if there are none.

        The paths keep it, so that problems name files as they stand in the upload.
        """
        return _common_folder(self.paths, levels=3)

    def digest(self, paths: Iterable[str]) -> str:
        """SHA-256 of these files as gold: their paths below the common folder, lengths and bytes.

        It is the same for a folder and its archive, however many folders enclose the files.
        """
        chosen = sorted(paths)
        enclosing = len(_common_folder(chosen))
        digest = hashlib.sha256()
        for path in chosen:
            content = self[path]
            digest.update(b"%b\0%d\0" % (path[enclosing:].encode(), len(content)))
            digest.update(content)
        return digest.hexdigest()

    @abstractmethod
    def _read(self, path: str) -> bytes: ...


def open_files(path: str | Path, limits: Limits = LIMITS) -> Files:
    """The files of a folder, of a zip archive or of a single file.

    Raises SubmissionError with all that is wrong with the names and members.
    Contents are read later, one at a time and in memory; nothing is written to disk.
    """
    path = Path(path)
    try:
        if path.is_dir():
            return _Folder(path)
        with path.open("rb") as file:
            start = file.read(_MAGIC_BYTES)
    except FileNotFoundError:
        raise SubmissionError(Problem("there is no such file or folder", path.name)) from None
    except OSError as error:
        raise SubmissionError(_unreadable(path.name, error)) from None
    if start.startswith(_ZIP_STARTS) or path.suffix.lower() == ".zip":
        return _Archive(path, limits)
    if _is_archive(path.name, start):
        raise SubmissionError(Problem("this kind of archive is not read: pack the files as zip", path.name))
    return _SingleFile(path)


class _SingleFile(Files):
    def __init__(self, path: Path) -> None:
        super().__init__([path.name])
        self._path = path

    def _read(self, path: str) -> bytes:
        return _bytes_of(self._path, path)

    def digest(self, paths: Iterable[str]) -> str:
        """SHA-256 of the bytes; the file's name does not enter."""
        return hashlib.sha256(b"".join(self[path] for path in paths)).hexdigest()


class _Folder(Files):
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._inside = folder.resolve()
        self._problems: list[Problem] = []
        paths = list(self._walk(folder, ""))
        _raise(self._problems)
        if not paths:
            raise SubmissionError(Problem("the folder is empty: put the files into it", folder.name))
        super().__init__(paths)

    def _walk(self, folder: Path, prefix: str) -> Iterator[str]:
        for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
            path = prefix + entry.name
            if _is_ignored(entry.name):
                continue
            if problem := self._problem_of(entry, path):
                self._problems.append(problem)
            elif entry.is_dir():
                yield from self._walk(Path(entry), path + "/")
            else:
                yield path

    def _problem_of(self, entry: os.DirEntry[str], path: str) -> Problem | None:
        if entry.is_symlink():
            if not Path(entry).resolve().is_relative_to(self._inside):
                return Problem("is a link that leads out of the folder: put the file itself here", path)
            if not entry.is_file():
                return Problem("is a link, but not to a file: put the files themselves here", path)
        elif not (entry.is_file() or entry.is_dir()):
            return Problem("is neither a file nor a folder: remove it", path)
        try:
            entry.name.encode()
        except UnicodeEncodeError:
            return Problem("has a name that is not UTF-8: rename it", ascii(path))
        return None

    def _read(self, path: str) -> bytes:
        return _bytes_of(self._folder / path, path)


class _Archive(Files):
    def __init__(self, path: Path, limits: Limits) -> None:
        self._name = path.name
        self._limits = limits
        self._data = self._load(path)
        self._zip = self._open()
        self._check_size()
        members = self._zip.infolist()
        _raise([problem for member in members for problem in _member_problems(member)])
        _raise(_duplicates(members))
        self._check_places(members)
        self._members = {
            member.filename: member
            for member in members
            if not member.is_dir() and not _is_ignored(member.filename)
        }
        if not self._members:
            raise SubmissionError(Problem("the archive is empty: put the files into it", self._name))
        self._inflated: Counter[str] = Counter()
        _raise([problem for name in self._members if (problem := self._nested(name))])
        super().__init__(self._members)

    def _load(self, path: Path) -> bytes:
        """The packed bytes; held in memory, so that nothing can change between the checks and the reading."""
        with path.open("rb") as file:
            data = file.read(self._limits.archive_bytes + 1)
        if len(data) > self._limits.archive_bytes:
            raise SubmissionError(
                Problem(f"the archive is larger than {_size(self._limits.archive_bytes)}", self._name)
            )
        return data

    def _open(self) -> zipfile.ZipFile:
        try:
            # Names without the UTF-8 mark come from tools that write UTF-8 all the same, or are refused.
            return zipfile.ZipFile(io.BytesIO(self._data), metadata_encoding="utf-8")
        except UnicodeDecodeError as error:
            name = error.object.decode("utf-8", "backslashreplace")
            raise SubmissionError(
                Problem("has a name that is not UTF-8: rename it and pack again", name)
            ) from None
        except _BROKEN:
            raise SubmissionError(
                Problem("the zip archive is damaged or cut off: pack and upload it again", self._name)
            ) from None

    def _check_size(self) -> None:
        """Refuse early what already says that it is too large; reading counts again for itself."""
        members = self._zip.infolist()
        allowed = self._limits.inflated_bytes(len(self._data))
        if len(members) > self._limits.members:
            raise SubmissionError(
                Problem(
                    f"the archive has {len(members)} members; {self._limits.members} are allowed", self._name
                )
            )
        _raise(
            self._too_large(member.filename)
            for member in members
            if member.file_size > self._limits.member_bytes
        )
        if sum(member.file_size for member in members) > allowed:
            raise SubmissionError(self._inflates_too_much())

    def _check_places(self, members: list[zipfile.ZipInfo]) -> None:
        """Members that share bytes are how a small archive pretends to hold much."""
        places = sorted((self._place(member), member.filename) for member in members)
        _raise(
            Problem("shares its bytes with another member: pack the archive again", name)
            for ((_, end), _), ((start, _), name) in pairwise(places)
            if start < end
        )

    def _place(self, member: zipfile.ZipInfo) -> tuple[int, int]:
        start = member.header_offset
        header = self._data[start : start + _LOCAL_HEADER.size] if start >= 0 else b""
        if len(header) < _LOCAL_HEADER.size:
            raise SubmissionError(_damaged(member.filename))
        signature, name_bytes, extra_bytes = _LOCAL_HEADER.unpack(header)
        end = start + _LOCAL_HEADER.size + name_bytes + extra_bytes + member.compress_size
        if signature != b"PK\x03\x04" or end > len(self._data):
            raise SubmissionError(_damaged(member.filename))
        return start, end

    def _nested(self, name: str) -> Problem | None:
        try:
            with self._zip.open(self._members[name]) as stream:
                start = stream.read(_MAGIC_BYTES)
        except _BROKEN:
            return _damaged(name)
        if _is_archive(name, start):
            return Problem("is an archive itself: put its files here instead", name)
        return None

    def _read(self, path: str) -> bytes:
        """The inflated member; counted as it comes, whatever its header promises."""
        member = self._members[path]
        self._inflated[path] = 0
        left = self._limits.inflated_bytes(len(self._data)) - self._inflated.total()
        allowed = min(left, self._limits.member_bytes)
        try:
            with self._zip.open(member) as stream:
                content = stream.read(allowed + 1)
        except _BROKEN:
            raise SubmissionError(_damaged(path)) from None
        if len(content) > allowed:
            raise SubmissionError(self._inflates_too_much() if allowed == left else self._too_large(path))
        if len(content) != member.file_size:
            raise SubmissionError(_damaged(path))
        self._inflated[path] = len(content)
        return content

    def _too_large(self, path: str) -> Problem:
        return Problem(f"is larger than {_size(self._limits.member_bytes)}: leave it out or split it", path)

    def _inflates_too_much(self) -> Problem:
        allowed = self._limits.inflated_bytes(len(self._data))
        return Problem(
            f"the archive inflates to more than {_size(allowed)}: leave out what is not needed", self._name
        )


_BROKEN = (
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    RuntimeError,  # and with it NotImplementedError: features that zipfile does not know
    ValueError,  # and with it UnicodeDecodeError: local names that differ from the directory's
    OverflowError,
)
_LOCAL_HEADER = struct.Struct("<4s22xHH")
_ENCRYPTED = 0x1 | 0x40 | 0x2000
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ZIP_STARTS = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_ARCHIVE_STARTS = (
    *_ZIP_STARTS,
    b"\x1f\x8b",
    b"BZh91AY&SY",
    b"\xfd7zXZ\0",
    b"7z\xbc\xaf\x27\x1c",
    b"Rar!\x1a\x07",
    b"\x28\xb5\x2f\xfd",
)
_ARCHIVE_SUFFIXES = (".zip", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".7z", ".rar", ".zst")
_TAR_MAGIC = slice(257, 262)
_MAGIC_BYTES = _TAR_MAGIC.stop
_LISTED_PROBLEMS = 100


def _is_archive(name: str, start: bytes) -> bool:
    return (
        name.lower().endswith(_ARCHIVE_SUFFIXES)
        or start.startswith(_ARCHIVE_STARTS)
        or start[_TAR_MAGIC] == b"ustar"
    )


def _is_ignored(path: str) -> bool:
    return any(part.startswith(".") or part == "__MACOSX" for part in path.split("/"))


def _common_folder(paths: list[str], levels: int | None = None) -> str:
    folders = [PurePosixPath(path).parts[:-1][:levels] for path in paths]
    common = os.path.commonprefix(folders)
    return "".join(part + "/" for part in common)


def _member_problems(member: zipfile.ZipInfo) -> Iterator[Problem]:
    name = member.orig_filename
    if message := _name_problem(name):
        yield Problem(message, name.encode("unicode_escape").decode() if "\\" not in name else name)
    if member.flag_bits & _ENCRYPTED:
        yield Problem("is encrypted: pack the archive without a password", name)
    elif member.compress_type not in _METHODS:
        yield Problem("is packed by an unknown method: pack the archive as ordinary zip (deflate)", name)
    kind = stat.S_IFMT(member.external_attr >> 16)
    if kind == stat.S_IFLNK:
        yield Problem("is a link: put the file itself into the archive", name)
    elif kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        yield Problem("is not an ordinary file: leave it out", name)


def _name_problem(name: str) -> str | None:
    parts = name.removesuffix("/").split("/")
    if "\\" in name:
        return "has a backslash in its name: pack the archive with / between folders"
    if not name.isprintable():
        return "has a control character in its name: rename it"
    if name.startswith("/") or parts[0].endswith(":"):
        return "has an absolute name: pack the archive from inside its folder"
    if ".." in parts:
        return "has .. in its name: pack the archive from inside its folder"
    if "" in parts or "." in parts:
        return "has an empty part in its name: pack the archive again"
    return None


def _duplicates(members: list[zipfile.ZipInfo]) -> Iterator[Problem]:
    for name, times in Counter(member.filename for member in members).items():
        if times > 1:
            yield Problem(f"occurs {times} times in the archive: keep one", name)


def _damaged(name: str) -> Problem:
    return Problem("is damaged in the archive: pack and upload it again", name)


def _unreadable(name: str, error: OSError) -> Problem:
    return Problem(f"cannot be read: {error.strerror}", name)


def _bytes_of(path: Path, name: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise SubmissionError(_unreadable(name, error)) from None


def _raise(problems: Iterable[Problem]) -> None:
    found = list(problems)
    if len(found) > _LISTED_PROBLEMS:
        found[_LISTED_PROBLEMS:] = [Problem(f"and {len(found) - _LISTED_PROBLEMS} more")]
    if found:
        raise SubmissionError(found)


def _size(number: int) -> str:
    return f"{number / 2**20:.0f} MiB" if number >= 2**20 else f"{number} bytes"
