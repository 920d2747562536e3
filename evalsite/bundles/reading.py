"""Opens a bundle that may have been made to do harm: members are checked before any is opened, and never unpacked."""

import hashlib
import os
import re
import struct
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import IO, Self

from django.utils.translation import gettext as _

from evalsite.bundles.format import DIGESTS, SETTINGS
from evalsite.bundles.parsing import BundleError, Found
from evalsite.challenges.storage.zip_streams import CHUNK
from evalsite.translating.engine import from_engine
from evalsite.wording import size
from scoring import SubmissionError
from scoring.errors import Problem
from scoring.readers.archive import BROKEN, LIMITS, check_directory, is_zip, member_path

# Gold that is an archive itself may be as large as one that is uploaded; bundles are read from the disk.
BOUNDS = replace(LIMITS, archive_bytes=LIMITS.total_bytes, members=20_000)
MOST_DIRECTORY = 8 * 2**20  # bytes: some 400 for each member
_END, _END_MARK, _LONGEST_END = 22, b"PK\x05\x06", 22 + 2**16  # of the record at the end, and with its comment
_DIGEST = re.compile(r"([0-9a-f]{64}) [ *](.+)")


class Archive:
    """The members of a bundle by their paths; one folder around all of them is looked through."""

    def __init__(self, opened: zipfile.ZipFile, name: str, settings: tuple[str, ...]) -> None:
        self._zip = opened
        self._added: dict[str, bytes] = {}
        members = {member_path(each): each for each in opened.infolist() if not each.is_dir()}
        # The least deep one: a bundle may be packed with its folder.
        candidates = [path for path in members if path.rpartition("/")[2] in settings and path.count("/") <= 1]
        if not candidates:
            problem = _("There is no %(file)s in the archive. Pack the archive from inside its folder.")
            raise BundleError([Problem(problem % {"file": settings[0]}, name)])
        chosen = min(candidates, key=lambda path: path.count("/"))
        self.settings = chosen.rpartition("/")[2]
        folder = chosen.removesuffix(self.settings)
        self._members = {
            path.removeprefix(folder): member for path, member in members.items() if path.startswith(folder)
        }

    @classmethod
    @contextmanager
    def opened(cls, path: Path, name: str, settings: tuple[str, ...] = (SETTINGS,)) -> Iterator[Self]:
        """Open a bundle; raise BundleError for an archive that nobody should read."""
        _check_file(path, name)
        try:
            archive = zipfile.ZipFile(path, metadata_encoding="utf-8")
        except BROKEN:
            problem = _("The archive is damaged or cut off. Export or pack it again.")
            raise BundleError([Problem(problem, name)]) from None
        with archive:
            _check_members(archive.infolist(), path.stat().st_size, name)
            yield cls(archive, name, settings)

    def __contains__(self, path: str) -> bool:
        return path in self._members or path in self._added

    def add(self, path: str, content: bytes) -> None:
        """Add a file that was made of members, such as a folder that is packed."""
        self._added[path] = content

    @property
    def paths(self) -> list[str]:
        return list(self._members)

    def size(self, path: str) -> int:
        """Return how many bytes a member claims to have; reading never gives more."""
        return self._members[path].file_size

    def content(self, path: str) -> bytes:
        return b"".join(self.chunks(path))

    def chunks(self, path: str) -> Iterator[bytes]:
        """Yield the content of a member; raise BundleError if it is damaged."""
        if path in self._added:
            yield self._added[path]
            return
        try:
            with self._zip.open(self._members[path]) as stream:
                while chunk := stream.read(CHUNK):
                    yield chunk
        except BROKEN:
            problem = _("The file is damaged in the archive. Export or pack it again.")
            raise BundleError([Problem(problem, path)]) from None

    def copy(self, path: str, target: Path) -> str:
        """Write a member to a new file; return its SHA-256."""
        digest = hashlib.sha256()
        with target.open("xb") as stream:
            for chunk in self.chunks(path):
                digest.update(chunk)
                stream.write(chunk)
        return digest.hexdigest()

    def check_digests(self) -> None:
        """Raise BundleError unless every member has the digest that the bundle says, if it says any."""
        if DIGESTS not in self:
            for path in self._members:  # damage is told before anything is made
                for _chunk in self.chunks(path):
                    pass
            return
        found, listed = Found(DIGESTS), set()
        for number, line in enumerate(self.content(DIGESTS).decode(errors="replace").splitlines(), start=1):
            matched = _DIGEST.fullmatch(line)
            if matched is None:
                problem = _("A digest, two blanks and a path are needed.")
            elif matched[2] in listed:
                problem = _("%(path)s is listed twice.") % {"path": matched[2]}
            elif matched[2] not in self:
                problem = _("%(path)s is not in the archive.") % {"path": matched[2]}
            elif self._digest(matched[2]) != matched[1]:
                problem = _("%(path)s has been changed: its SHA-256 is another one. Remove this file if that was you.")
                problem %= {"path": matched[2]}
            else:
                listed.add(matched[2])
                continue
            listed.add(matched[2] if matched else "")
            found.add(problem, number)
        for path in self._members.keys() - listed - {DIGESTS}:
            if not _is_aside(path):
                found.at(None, _("%(path)s is in the archive and not listed.") % {"path": path})
        found.raise_if_any()

    def _digest(self, path: str) -> str:
        digest = hashlib.sha256()
        for chunk in self.chunks(path):
            digest.update(chunk)
        return digest.hexdigest()


def _is_aside(path: str) -> bool:
    """Return whether file managers leave such a file behind."""
    return any(part.startswith(".") or part == "__MACOSX" for part in PurePosixPath(path).parts)


def _check_file(path: Path, name: str) -> None:
    """Refuse a file before its directory is read: that of a small archive could name millions of members."""
    with path.open("rb") as stream:
        start = stream.read(4)
        if not is_zip("", start):
            problem = _("This is no zip archive. A bundle is one, with a %(file)s in it.") % {"file": SETTINGS}
            raise BundleError([Problem(problem, name)])
        if path.stat().st_size > BOUNDS.archive_bytes:
            problem = _("The archive has more than %(most)s.") % {"most": size(BOUNDS.archive_bytes)}
            raise BundleError([Problem(problem, name)])
        n_bytes = _directory_bytes(stream)
    if n_bytes > MOST_DIRECTORY:
        problem = _("The archive has more than %(most)s files.") % {"most": BOUNDS.members}
        raise BundleError([Problem(problem, name)])


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
        check_directory(members, BOUNDS)
    except SubmissionError as error:
        told = [replace(each, message=from_engine(each.message)) for each in error.problems]
        raise BundleError(told) from None
    most, allowed = BOUNDS.member_bytes, BOUNDS.inflated_bytes(n_bytes)
    if len(members) > BOUNDS.members:
        problem = _("The archive has more than %(most)s files.") % {"most": BOUNDS.members}
        raise BundleError([Problem(problem, name)])
    problems = [
        Problem(_("The file has more than %(most)s.") % {"most": size(most)}, member_path(each))
        for each in members
        if each.file_size > most
    ]
    if sum(each.file_size for each in members) > allowed:
        problem = _("The archive inflates to more than %(most)s.") % {"most": size(allowed)}
        problems.append(Problem(problem, name))
    if problems:
        raise BundleError(problems)
