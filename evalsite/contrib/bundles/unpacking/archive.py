"""Opens a bundle that may have been made to do harm: members are checked before any is opened, and never unpacked."""

import hashlib
import os
import re
import struct
import zipfile
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import IO, Self

from evalsite.challenges.storage.zip_streams import CHUNK
from evalsite.contrib.bundles.problems import MOST_TOLD, SETTINGS, BundleError, BundleProblems
from scoring import SubmissionError
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.archive import BROKEN, LIMITS, check_directory, is_zip, member_path

DIGESTS = "digests.sha256"
COMPETITIONS = ("competition.yaml", "competition.yml")  # settings of CodaLab and Codabench
# Gold that is an archive itself may be as large as one that is uploaded; bundles are read from the disk.
BOUNDS = replace(LIMITS, archive_bytes=LIMITS.total_bytes, members=20_000)
MOST_DIRECTORY = 8 * 2**20  # bytes: some 400 for each member
_END, _END_MARK, _LONGEST_END = 22, b"PK\x05\x06", 22 + 2**16  # of the record at the end, and with its comment
_DIGEST = re.compile(r"([0-9a-f]{64}) [ *](.+)")
_MEGABYTE = 2**20


@dataclass(frozen=True)
class Copy:
    """A member that was written to a file, which members of equal content share."""

    file: str
    size: int
    sha256: str


class Archive:
    """The members of a bundle by their paths; one folder around all of them is looked through."""

    def __init__(self, opened: zipfile.ZipFile, name: str) -> None:
        self._zip = opened
        settings = (SETTINGS, *COMPETITIONS)
        files = [member for member in opened.infolist() if not member.is_dir()]
        members = {member_path(member): member for member in files}
        times = {path: n for path, n in Counter(map(member_path, files)).items() if n > 1}
        # The least deep one: a bundle may be packed with its folder.
        candidates = [path for path in members if path.rpartition("/")[2] in settings and path.count("/") <= 1]
        if not candidates:
            raise BundleError([Finding(_no_settings(), name)])
        chosen = min(candidates, key=lambda path: path.count("/"))
        self.settings = chosen.rpartition("/")[2]
        folder = chosen.removesuffix(self.settings)
        self._members = {
            path.removeprefix(folder): member for path, member in members.items() if path.startswith(folder)
        }
        self._times = {path.removeprefix(folder): n for path, n in times.items()}  # those that are there several times
        if self.settings == SETTINGS or self.settings in self._times:
            self.require_once(self._times)

    @classmethod
    @contextmanager
    def opened(cls, path: Path, name: str) -> Iterator[Self]:
        """Open a bundle; raise BundleError for an archive that nobody should read."""
        _check_file(path, name)
        try:
            archive = zipfile.ZipFile(path, metadata_encoding="utf-8")
        except BROKEN:
            problem = Message("bundle-damaged-cut-off", "The archive is damaged or cut off. Export or pack it again.")
            raise BundleError([Finding(problem, name)]) from None
        with archive:
            _check_members(archive.infolist(), path.stat().st_size, name)
            yield cls(archive, name)

    def __contains__(self, path: str) -> bool:
        return path in self._members

    @property
    def paths(self) -> list[str]:
        return list(self._members)

    def size(self, path: str) -> int:
        """Return how many bytes a member claims to have; reading never gives more."""
        return self._members[path].file_size

    @property
    def is_competition(self) -> bool:
        return self.settings in COMPETITIONS

    def require_once(self, paths: Iterable[str]) -> None:
        """Raise BundleError for members that are there several times: nobody can say which one is meant."""
        chosen = {*paths}
        problems = [
            Finding(
                Message("occurs-times-archive-keep", "occurs {times} times in the archive: keep one", times=n), path
            )
            for path, n in sorted(self._times.items())
            if path in chosen
        ]
        if problems:
            raise BundleError(problems[:MOST_TOLD])

    def content(self, path: str, most: int) -> bytes:
        """Return the content of a member; raise BundleError if it is damaged, or has more bytes."""
        if self.size(path) > most:
            problem = Message("bundle-file-most-bytes", "The file has more than {most} bytes.", most=most)
            raise BundleError([Finding(problem, path)])
        return b"".join(self.chunks(path))

    def chunks(self, path: str) -> Iterator[bytes]:
        """Yield the content of a member; raise BundleError if it is damaged."""
        try:
            with self._zip.open(self._members[path]) as stream:
                while chunk := stream.read(CHUNK):
                    yield chunk
        except BROKEN:
            problem = Message("bundle-member-damaged", "The file is damaged in the archive. Export or pack it again.")
            raise BundleError([Finding(problem, path)]) from None

    def copies(self, paths: Collection[str], folder: Path) -> dict[str, Copy]:
        """Write these members to the folder, equal ones once; the others of a bundle of ours are read, too.

        Raise BundleError for damage, and for members that have other digests than the bundle says, if it says any.
        """
        self.require_once(paths)
        copies: dict[str, Copy] = {}
        digests: dict[str, str] = {}
        written: set[str] = set()
        unfinished = folder / "unfinished"
        for path in self._members:
            if path not in paths:
                if not self.is_competition:
                    digests[path] = self._digest(path)
                continue
            digests[path] = sha256 = self._write(path, unfinished)
            copies[path] = Copy(sha256, unfinished.stat().st_size, sha256)
            if sha256 in written:
                unfinished.unlink()
            else:
                unfinished.rename(folder / sha256)
                written.add(sha256)
        if DIGESTS in self and not self.is_competition:
            self._check_digests(digests)
        return copies

    def _write(self, path: str, target: Path) -> str:
        digest = hashlib.sha256()
        with target.open("xb") as stream:
            for chunk in self.chunks(path):
                digest.update(chunk)
                stream.write(chunk)
        return digest.hexdigest()

    def _digest(self, path: str) -> str:
        digest = hashlib.sha256()
        for chunk in self.chunks(path):
            digest.update(chunk)
        return digest.hexdigest()

    def _check_digests(self, digests: dict[str, str]) -> None:
        problems, listed = BundleProblems(DIGESTS), set()
        text = self.content(DIGESTS, MOST_DIRECTORY).decode(errors="replace")
        for number, line in enumerate(text.splitlines(), start=1):
            matched = _DIGEST.fullmatch(line)
            if matched is None:
                problem = Message("bundle-digest-needed", "A digest, two blanks and a path are needed.")
            elif matched[2] in listed:
                problem = Message("bundle-listed-twice", "{path} is listed twice.", path=_cut(matched[2]))
            elif matched[2] not in self:
                problem = Message("bundle-listed-missing", "{path} is not in the archive.", path=_cut(matched[2]))
            elif digests[matched[2]] != matched[1]:
                problem = Message(
                    "bundle-member-changed",
                    "{path} has been changed: its SHA-256 is another one. Remove this file if that was you.",
                    path=_cut(matched[2]),
                )
            else:
                listed.add(matched[2])
                continue
            listed.add(matched[2] if matched else "")
            problems.add(problem, number)
        for path in self._members.keys() - listed - {DIGESTS}:
            if not _is_aside(path):
                problems.at(
                    None, Message("bundle-not-listed", "{path} is in the archive and not listed.", path=_cut(path))
                )
        problems.raise_if_any()


def _cut(path: str) -> str:
    return path if len(path) <= 200 else f"{path[:200]}…"


def _no_settings() -> Message:
    return Message(
        "bundle-without-settings",
        "There is no {file} in the archive. Pack the archive from inside its folder.",
        file=SETTINGS,
    )


def _is_aside(path: str) -> bool:
    """Return whether file managers leave such a file behind."""
    return any(part.startswith(".") or part == "__MACOSX" for part in PurePosixPath(path).parts)


def _check_file(path: Path, name: str) -> None:
    """Refuse a file before its directory is read: that of a small archive could name millions of members."""
    with path.open("rb") as stream:
        start = stream.read(4)
        if not is_zip("", start):
            problem = Message(
                "bundle-no-zip", "This is no zip archive. A bundle is one, with a {file} in it.", file=SETTINGS
            )
            raise BundleError([Finding(problem, name)])
        if path.stat().st_size > BOUNDS.archive_bytes:
            raise BundleError([Finding(_too_large(BOUNDS.archive_bytes), name)])
        n_bytes = _directory_bytes(stream)
    if n_bytes > MOST_DIRECTORY:
        raise BundleError([Finding(_too_many(), name)])


def _too_large(n_bytes: int) -> Message:
    return Message("bundle-most-megabytes", "The archive has more than {most:,} MB.", most=n_bytes // _MEGABYTE)


def _too_many() -> Message:
    return Message("bundle-most-files", "The archive has more than {most} files.", most=BOUNDS.members)


def _directory_bytes(stream: IO[bytes]) -> int:
    """Return how many bytes the directory has, by the record at the end of the archive that `zipfile` goes by.

    Records of the larger format are for archives beyond our bounds.
    """
    stream.seek(-min(stream.seek(0, os.SEEK_END), _LONGEST_END), os.SEEK_END)
    tail = stream.read()
    is_plain = tail[-_END:].startswith(_END_MARK) and tail.endswith(b"\0\0")
    at = len(tail) - _END if is_plain else tail.rfind(_END_MARK)
    if at < 0 or at + _END > len(tail):
        return 0  # no directory, as `zipfile` will say
    if tail[max(0, at - 20) :].startswith(b"PK\x06\x07"):
        return MOST_DIRECTORY + 1
    size_of_directory: int = struct.unpack_from("<L", tail, at + 12)[0]
    return size_of_directory


def _check_members(members: list[zipfile.ZipInfo], n_bytes: int, name: str) -> None:
    try:
        check_directory([*{member_path(member): member for member in members}.values()], BOUNDS)
    except SubmissionError as error:
        raise BundleError(error.problems) from None
    most, allowed = BOUNDS.member_bytes, BOUNDS.inflated_bytes(n_bytes)
    if len(members) > BOUNDS.members:
        raise BundleError([Finding(_too_many(), name)])
    problems = [
        Finding(
            Message("bundle-member-megabytes", "The file has more than {most:,} MB.", most=most // _MEGABYTE),
            member_path(member),
        )
        for member in members
        if member.file_size > most
    ]
    if sum(member.file_size for member in members) > allowed:
        problem = Message(
            "bundle-inflates", "The archive inflates to more than {most:,} MB.", most=allowed // _MEGABYTE
        )
        problems.append(Finding(problem, name))
    if problems:
        raise BundleError(problems)
