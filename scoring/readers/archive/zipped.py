"""A zip archive that may have been made to do harm, read in memory.

What such an archive may try, and what stops it:

* Paths that lead out of the folder into which somebody unpacks: nothing is unpacked, and such names are refused.
* Members that inflate to more than the memory (a "zip bomb"): sizes are bounded, by what the directory claims before
  anything is read, and by what really comes while it is read.
* Members that share their bytes, so that a small archive inflates to much without a high ratio: refused.
* Links, devices, encrypted members, archives inside: refused.

Every refusal says what to do, because most such archives are made by accident.
"""

import io
import stat
import struct
import unicodedata
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Self

from scoring.errors import SubmissionError
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.archive.files import Files, divided, is_hidden
from scoring.readers.problems import raise_all

_ENOUGH_MEMBERS = 20_000  # beside a gold of few files
_SHOWN = 100  # characters of a name that is too long
# A tar file tells itself by "ustar" behind the first file's name and numbers; zip, gzip and others in the first bytes.
_TAR_MAGIC = slice(257, 262)
MAGIC_BYTES = 262
# What zipfile raises where a member cannot be read.
BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    RuntimeError,  # and with it NotImplementedError: features that zipfile does not know
    ValueError,  # and with it UnicodeDecodeError: local names that differ from the directory's
    OverflowError,
)
# The header before a member's bytes ends with the lengths of its name and of its extra field, two bytes each.
_LOCAL_HEADER = struct.Struct("<26xHH")
# Flags of a member: encrypted, strongly encrypted, with a masked header.
_ENCRYPTED = 0x1 | 0x40 | 0x2000
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
# With a member, without any, and split into volumes.
_ZIP_STARTS = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")


@dataclass(frozen=True)
class _Kind:
    """A kind of archive or of compressed file that is not read where it is found."""

    title: str
    suffixes: tuple[str, ...]
    starts: tuple[bytes, ...] = ()


_UNPACK = Message("unpack-pack-files-zip", "unpack it, and pack its files as .zip or give them one by one")
# The first that fits counts, so that a compressed tar is called one.
_KINDS = (
    _Kind(
        Message("tar-archive", "a tar archive"),
        (".tar", ".tgz", ".tar.gz", ".tbz2", ".tar.bz2", ".txz", ".tar.xz", ".tar.zst"),
    ),
    _Kind(Message("zip-archive", "a 7-Zip archive"), (".7z",), (b"7z\xbc\xaf\x27\x1c",)),
    _Kind(Message("rar-archive", "a RAR archive"), (".rar",), (b"Rar!\x1a\x07",)),
    _Kind(Message("compressed-gzip", "compressed by gzip"), (".gz",), (b"\x1f\x8b",)),
    _Kind(Message("compressed-bzip2", "compressed by bzip2"), (".bz2",), (b"BZh91AY&SY",)),
    _Kind(Message("compressed-xz", "compressed by xz"), (".xz",), (b"\xfd7zXZ\0",)),
    _Kind(Message("compressed-zstd", "compressed by zstd"), (".zst",), (b"\x28\xb5\x2f\xfd",)),
)
# Office documents are zip archives by their bytes, and nothing in them is data.
_OFFICE = _Kind(Message("document-office-program", "a document of an office program"), (".docx", ".pptx", ".odt"))
_SPREADSHEETS = (".xlsx", ".xls")
_OPEN_SHEET = ".ods"


@dataclass(frozen=True)
class Limits:
    """Holds an archive's limits. Folders and single files have none here, because nothing in them is inflated."""

    archive_bytes: int = 200 * 2**20  # of the archive itself
    members: int = 100_000  # files and folders
    name_characters: int = 1_000  # of a member's path
    member_bytes: int = 256 * 2**20  # of one inflated member
    total_bytes: int = 2 * 2**30  # of all inflated members
    ratio: int = 100  # all inflated members over the archive itself; text seldom reaches 20
    ratio_from: int = 10 * 2**20  # bytes that may be inflated at any ratio, so that small archives are not refused

    def beside(self, n_files: int) -> "Limits":
        """Return the limits of a submission to a gold of so many files: no more members than anybody could need."""
        return replace(self, members=min(self.members, max(_ENOUGH_MEMBERS, 4 * n_files)))

    def inflated_bytes(self, archive_bytes: int) -> int:
        """Return how much an archive of this size may inflate to."""
        return min(self.total_bytes, max(self.ratio_from, self.ratio * archive_bytes))


LIMITS = Limits()


_TEXT_START = 2**12  # bytes that tell text


class ZipArchive(Files):
    """The members of a zip archive given as bytes, so that nothing changes between the checks and reading.

    What the directory claims is used to refuse early; what is read is counted as it comes, because the directory may
    lie. The checks come in stages, since a member whose name or size is wrong had better not be opened.
    """

    def __init__(self, name: str, data: bytes, limits: Limits, *, drop_marks: bool = False) -> None:
        self._name = name
        self._data = data
        self._limits = limits
        self._allowed = limits.inflated_bytes(len(data))
        self._zip = self._open()
        members = self._zip.infolist()
        check_directory(members, limits)
        self._check_sizes(members)
        self._check_places(members)
        by_path = {member_path(member): member for member in members if not member_path(member).endswith("/")}
        hidden = [path for path in by_path if is_hidden(path)]
        paths, explaining = divided(path for path in by_path if not is_hidden(path))
        self._members = {path: by_path[path] for path in paths}
        self._has_backslashes = any("\\" in member.filename for member in self._members.values())
        if not self._members:
            raise SubmissionError(
                Finding(
                    Message(
                        "no-document-there-no-file",
                        "no document: there is no file in the archive, put the files into it",
                    ),
                    name,
                )
            )
        raise_all(problem for path in self._members if (problem := _archive_inside(path, b"")))
        super().__init__(self._members, hidden + explaining, drop_marks=drop_marks)
        # Bytes that each member had when it was last read, and their sum: reading one twice counts once.
        self._inflated: dict[str, int] = {}
        self._inflated_bytes = 0

    def again(self) -> Self:
        """Check names as those of all files; nothing counts as inflated."""
        other = super().again()
        other._inflated = {}
        other._inflated_bytes = 0
        return other

    def within(self, total_bytes: int) -> Self:
        """Return the same members where all may inflate to so many bytes; SubmissionError if not."""
        other = self.again()
        other._limits = replace(self._limits, total_bytes=total_bytes)
        other._allowed = other._limits.inflated_bytes(len(self._data))
        other._check_sizes(self._zip.infolist())
        return other

    @property
    def notes(self) -> list[str]:
        """Warn as of all files, and that names with backslashes were taken."""
        backslashes = [
            Message("backslashes-names-files-were", "backslashes in the names of files were read as / between folders")
        ]
        return super().notes + (backslashes if self._has_backslashes else [])

    def _open(self) -> zipfile.ZipFile:
        if not self._data:
            raise SubmissionError(Finding(Message("file-empty-bytes", "the file is empty (0 bytes)"), self._name))
        if len(self._data) > self._limits.archive_bytes:
            raise SubmissionError(
                Finding(
                    Message(
                        "file-too-large-archive-may",
                        "file is too large: an archive may have {size}",
                        size=_size(self._limits.archive_bytes),
                    ),
                    self._name,
                )
            )
        # Every entry of the directory begins so, whatever its end claims, in zip64 as in zip; counting before parsing
        # saves the memory of millions, and the time of thousands.
        if self._data.count(b"PK\x01\x02") > self._limits.members:
            raise SubmissionError(
                Finding(
                    Message(
                        "archive-more-than-members",
                        "the archive has more than {members} members",
                        members=self._limits.members,
                    ),
                    self._name,
                )
            )
        try:
            # Names without the UTF-8 mark come from tools that write UTF-8 all the same, or are refused.
            return zipfile.ZipFile(io.BytesIO(self._data), metadata_encoding="utf-8")
        except UnicodeDecodeError as error:
            name = error.object.decode("utf-8", "backslashreplace")
            raise SubmissionError(
                Finding(
                    Message("name-not-utf-rename-pack", "has a name that is not UTF-8: rename it and pack again"), name
                )
            ) from None
        except BROKEN:
            if _is_text(self._data):
                message = Message("zip-is-text", "is no archive, though its name ends in .zip: it is text; name it so")
                raise SubmissionError(Finding(message, self._name)) from None
            raise SubmissionError(
                Finding(
                    Message(
                        "zip-archive-damaged-cut", "the zip archive is damaged or cut off: pack and upload it again"
                    ),
                    self._name,
                )
            ) from None

    def _check_sizes(self, members: list[zipfile.ZipInfo]) -> None:
        """Check the sizes that the directory claims."""
        largest = self._limits.member_bytes
        raise_all(self._too_large(member.filename) for member in members if member.file_size > largest)
        if sum(member.file_size for member in members) > self._allowed:
            raise SubmissionError(self._inflates_too_much())

    def _check_places(self, members: list[zipfile.ZipInfo]) -> None:
        """Refuse members that share bytes, which is how a small archive pretends to hold much."""
        places = sorted((self._place(member), member.filename) for member in members)
        raise_all(
            Finding(
                Message("shares-bytes-another-member", "shares its bytes with another member: pack the archive again"),
                name,
            )
            for ((_, end), _), ((start, _), name) in pairwise(places)
            if start < end
        )

    def _place(self, member: zipfile.ZipInfo) -> tuple[int, int]:
        """Return from where to where the member's header and bytes lie in the archive."""
        start = member.header_offset
        header = self._data[start : start + _LOCAL_HEADER.size]
        if len(header) < _LOCAL_HEADER.size:
            raise SubmissionError(_damaged(member.filename))
        name_bytes, extra_bytes = _LOCAL_HEADER.unpack(header)
        end = start + _LOCAL_HEADER.size + name_bytes + extra_bytes + member.compress_size
        if end > len(self._data):
            raise SubmissionError(_damaged(member.filename))
        return start, end

    def _read(self, path: str) -> bytes:
        member = self._members[path]
        self._inflated_bytes -= self._inflated.pop(path, 0)
        left = self._allowed - self._inflated_bytes
        most = min(left, self._limits.member_bytes)
        try:
            with self._zip.open(member) as stream:
                # One byte more than is allowed tells that there is more, without inflating it.
                content = stream.read(most + 1)
        except BROKEN:
            raise SubmissionError(_damaged(path)) from None
        if len(content) > most:
            raise SubmissionError(self._inflates_too_much() if most == left else self._too_large(path))
        if len(content) != member.file_size:
            raise SubmissionError(_damaged(path))
        if problem := _archive_inside(path, content[:MAGIC_BYTES]):
            raise SubmissionError(problem)
        self._inflated[path] = len(content)
        self._inflated_bytes += len(content)
        return content

    def _bytes_in(self, path: str) -> int:
        return self._members[path].file_size

    def _too_large(self, path: str) -> Finding:
        return Finding(
            Message(
                "file-too-large-more",
                "file is too large: more than {size}, leave it out or split it",
                size=_size(self._limits.member_bytes),
            ),
            path,
        )

    def _inflates_too_much(self) -> Finding:
        most = _size(self._allowed)
        return Finding(
            Message(
                "file-too-large-archive",
                "file is too large: the archive inflates to more than {most}, leave out what is not needed",
                most=most,
            ),
            self._name,
        )


def check_directory(members: list[zipfile.ZipInfo], limits: Limits) -> None:
    """Raise SubmissionError for members that nobody should open, as the directory of an archive describes them.

    The checks come in stages: one name may have 65,535 bytes, and be there for each of many members.
    """
    raise_all(_long_names(members, limits.name_characters))
    raise_all(problem for member in members for problem in _member_problems(member))
    raise_all(_duplicates(members))


def _long_names(members: list[zipfile.ZipInfo], most: int) -> Iterator[Finding]:
    for member in members:
        if len(member.orig_filename) > most:
            message = Message(
                "name-characters-rename-most",
                "has a name of {n} characters: rename it, at most {most} are taken",
                n=len(member.orig_filename),
                most=most,
            )
            yield Finding(message, _escaped(member.orig_filename[:_SHOWN]) + "…")


def _is_text(data: bytes) -> bool:
    """Return whether a file that should be an archive begins with text."""
    start = data[:_TEXT_START]
    try:
        start.decode()
    except UnicodeDecodeError as error:
        return error.start > len(start) - 4 > 0  # within the last character, which is cut
    return bool(start.strip()) and not start.startswith(_ZIP_STARTS) and b"\0" not in start


def is_zip(name: str, start: bytes) -> bool:
    """Return whether the first bytes say so; a name in .zip is a promise that has to be kept."""
    return name.lower().endswith(".zip") or start.startswith(_ZIP_STARTS)


def refused_kind(name: str, start: bytes) -> str | None:
    """Return what to say of an archive or a compressed file that is no zip, by its name or its first MAGIC_BYTES."""
    lower = name.lower()
    if lower.endswith(_OPEN_SHEET):
        return Message(
            "open-document-sheet",
            "is an OpenDocument spreadsheet: save the sheet as CSV in UTF-8, or the data as plain text where that is"
            " asked for",
        )
    if lower.endswith(_SPREADSHEETS):
        return Message(
            "excel-file-save-sheet",
            "is an Excel file: save the sheet as CSV in UTF-8, or the data as plain text where that is asked for",
        )
    if lower.endswith(_OFFICE.suffixes):
        return Message(
            "cannot-read-save-data", "is {title} and cannot be read: save the data as plain text", title=_OFFICE.title
        )
    if start[_TAR_MAGIC] == b"ustar":
        return Message("cannot-read", "is {title} and cannot be read: {unpack}", title=_KINDS[0].title, unpack=_UNPACK)
    for kind in _KINDS:
        if lower.endswith(kind.suffixes) or start.startswith(kind.starts):
            return Message("cannot-read", "is {title} and cannot be read: {unpack}", title=kind.title, unpack=_UNPACK)
    return None


def member_path(member: zipfile.ZipInfo) -> str:
    r"""Return the path with / between folders, where some programs on Windows write \."""
    return member.filename.replace("\\", "/")


def _member_problems(member: zipfile.ZipInfo) -> Iterator[Finding]:
    """Tell what is wrong with a member by its directory entry; control characters of its name are shown escaped."""
    name = _escaped(member.orig_filename)
    if message := _name_problem(member.orig_filename):
        yield Finding(message, name)
    if member.flag_bits & _ENCRYPTED:
        yield Finding(
            Message("encrypted-pack-archive-without", "is encrypted: pack the archive without a password"), name
        )
    elif member.compress_type not in _METHODS:
        yield Finding(
            Message(
                "packed-unknown-method-pack",
                "is packed by an unknown method: pack the archive as ordinary zip (deflate)",
            ),
            name,
        )
    # The upper half of the attributes is the mode of Unix; 0 where another system packed the archive.
    kind = stat.S_IFMT(member.external_attr >> 16)
    if kind == stat.S_IFLNK:
        yield Finding(Message("link-put-file-itself", "is a link: put the file itself into the archive"), name)
    elif kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        yield Finding(Message("not-ordinary-file-leave", "is not an ordinary file: leave it out"), name)


def _archive_inside(path: str, start: bytes) -> Finding | None:
    """Refuse an archive inside, which would be read as text, so that its problems would say nothing.

    Its name tells it when the archive is opened, its first bytes when it is read: most members that nobody asks for
    are never inflated.
    """
    message = refused_kind(path, start)
    if message is None and is_zip(path, start):
        message = Message("zip-archive-inside-archive", "is a zip archive inside an archive: pack its files themselves")
    return Finding(message, path) if message else None


def _escaped(name: str) -> str:
    return "".join(ascii(c)[1:-1] if _is_control(c) else c for c in name) if _has_controls(name) else name


def _name_problem(name: str) -> str | None:
    """Return what is wrong with a path; Windows takes backslashes and C: for what / and a leading / are elsewhere."""
    name = name.replace("\\", "/")
    parts = name.removesuffix("/").split("/")
    if _has_controls(name):
        return Message("control-character-name-rename", "has a control character in its name: rename it")
    if name.startswith("/") or parts[0].endswith(":"):
        return _unsafe(
            Message("absolute", "it is absolute"),
            Message("pack-archive-from-inside", "pack the archive from inside its folder"),
        )
    if ".." in parts:
        return _unsafe(
            Message("it-has", "it has .."),
            Message("pack-archive-from-inside", "pack the archive from inside its folder"),
        )
    if "" in parts or "." in parts:
        return _unsafe(
            Message("empty-part", "it has an empty part"), Message("pack-archive-again", "pack the archive again")
        )
    return None


def _unsafe(reason: str, advice: str) -> str:
    return Message("unsafe-path-archive", "unsafe path in archive: {reason}, {advice}", reason=reason, advice=advice)


def _has_controls(name: str) -> bool:
    # Most names are plain, which one call tells.
    return not name.isprintable() and any(map(_is_control, name))


def _is_control(character: str) -> bool:
    return unicodedata.category(character) == "Cc"


def _duplicates(members: list[zipfile.ZipInfo]) -> Iterator[Finding]:
    for name, times in Counter(map(member_path, members)).items():
        if times > 1:
            yield Finding(
                Message("occurs-times-archive-keep", "occurs {times} times in the archive: keep one", times=times), name
            )


def _damaged(name: str) -> Finding:
    return Finding(Message("damaged-archive-pack-upload", "is damaged in the archive: pack and upload it again"), name)


def _size(number: int) -> str:
    return (
        Message("number-mb", "{number:.0f} MB", number=number / 2**20)
        if number >= 2**20
        else Message("number-bytes", "{number} bytes", number=number)
    )
