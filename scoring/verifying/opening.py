"""Opens an archive from anywhere: sound paths, bounded sizes, whole members with the digests that are written in it."""

import hashlib
import json
import re
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from scoring.display.printable import one_line
from scoring.errors import ConfigurationError

CONTENTS, DIGESTS = "archive.json", "digests.sha256"
FORMAT = 1  # of the archive
MOST_MEMBERS = 500_000
MOST_JSON = 256 * 2**20  # bytes of one JSON file
CHUNK = 2**20  # bytes
_DIGEST = re.compile(r"([0-9a-f]{64})  (\S.*)")
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, struct.error, NotImplementedError, OSError, RuntimeError)


class Archive:
    """The members of a zip archive whose directory is sound; each is read as a stream, as its sizes allow."""

    def __init__(self, path: Path, most_bytes: int) -> None:
        self.path = path
        try:
            self._zip = zipfile.ZipFile(path)
        except FileNotFoundError:
            raise ConfigurationError(f"{path}: there is no such file") from None
        except _BROKEN as error:
            words = f"{path}: it is no zip archive, or as if it had been cut short ({error})"
            raise ConfigurationError(words) from None
        self.members = {info.filename: info for info in self._zip.infolist() if not info.is_dir()}
        self._check_directory(most_bytes)

    def _check_directory(self, most_bytes: int) -> None:
        infos = self._zip.infolist()
        if min((info.header_offset for info in infos), default=0):
            # What was found is the directory of a zip archive inside this one, before its own.
            raise ConfigurationError(f"{self.path}: its directory is missing, as if it had been cut short")
        if len(infos) > MOST_MEMBERS:
            raise ConfigurationError(f"{self.path}: {len(infos):,} members; at most {MOST_MEMBERS:,} are read")
        names = [info.filename for info in infos]
        for info in infos:
            if not _is_plain(info.filename):
                raise ConfigurationError(f"{self.path}: {info.filename!r} is no path inside the archive")
            if info.flag_bits & 1:
                raise ConfigurationError(f"{self.path}: {info.filename} is encrypted")
        if len(set(names)) < len(names):
            twice = next(name for name, number in Counter(names).items() if number > 1)
            raise ConfigurationError(f"{self.path}: {twice} is in it twice")
        total = sum(info.file_size for info in infos)
        if total > most_bytes:
            words = f"{total / 2**30:.1f} GB when unpacked; at most {most_bytes / 2**30:g} GB are read (--limit)"
            raise ConfigurationError(f"{self.path}: {words}")

    def close(self) -> None:
        self._zip.close()

    def chunks(self, name: str) -> Iterator[bytes]:
        """Yield a member's content; ConfigurationError where it is missing, broken, or longer than it says."""
        if name not in self.members:
            raise ConfigurationError(f"{name}: it is missing from the archive")
        left = self.members[name].file_size
        try:
            with self._zip.open(name) as stream:
                while chunk := stream.read(CHUNK):
                    left -= len(chunk)
                    if left < 0:
                        raise ConfigurationError(f"{name}: it is longer than the archive's directory says")
                    yield chunk
        except _BROKEN as error:
            raise ConfigurationError(f"{name}: it is broken ({error})") from None

    def json(self, name: str) -> Any:
        """Return the value of a JSON file; ConfigurationError with its line where it is none."""
        if name in self.members and self.members[name].file_size > MOST_JSON:
            raise ConfigurationError(f"{name}: longer than {MOST_JSON // 2**20} MB")
        try:
            return json.loads(b"".join(self.chunks(name)), parse_constant=_not_finite)
        except json.JSONDecodeError as error:
            raise ConfigurationError(f"{name}:{error.lineno}:{error.colno}: no JSON: {error.msg}") from None
        except (ValueError, RecursionError) as error:
            raise ConfigurationError(f"{name}: no JSON: {error}") from None

    def extract(self, name: str, target: Path) -> None:
        with target.open("wb") as file:
            for chunk in self.chunks(name):
                file.write(chunk)


def _not_finite(text: str) -> float:
    raise ValueError(f"{text} is no number of JSON")


def _is_plain(name: str) -> bool:
    parts = name.removesuffix("/").split("/")
    is_odd = "\\" in name or ":" in parts[0] or one_line(name) != name or len(name) > 1000
    return not is_odd and all(part not in ("", ".", "..") for part in parts)


@contextmanager
def opened(path: Path, most_bytes: int) -> Iterator[Archive]:
    archive = Archive(path, most_bytes)
    try:
        yield archive
    finally:
        archive.close()


def digest_problems(archive: Archive, at: Callable[[float, str], None]) -> tuple[str, list[str]]:
    """Return the digest of the list of digests, by which an archive is known, and what does not fit to the list."""
    content = b"".join(archive.chunks(DIGESTS))
    stated, problems = _stated(content)
    total, done = sum(info.file_size for info in archive.members.values()) or 1, 0
    for name, info in archive.members.items():
        at(done / total, name)
        done += info.file_size
        if name == DIGESTS:
            continue
        if name not in stated:
            problems.append(f"{name}: {DIGESTS} does not list it")
            continue
        digest = hashlib.sha256()
        try:
            for chunk in archive.chunks(name):
                digest.update(chunk)
        except ConfigurationError as error:
            problems.append(str(error))
            continue
        if digest.hexdigest() != stated[name]:
            problems.append(f"{name}: its SHA-256 is {digest.hexdigest()}, and {DIGESTS} has {stated[name]}")
    problems += [f"{name}: {DIGESTS} lists it, and it is missing" for name in stated if name not in archive.members]
    return hashlib.sha256(content).hexdigest(), problems


def _stated(content: bytes) -> tuple[dict[str, str], list[str]]:
    stated, problems = {}, []
    for number, line in enumerate(content.decode("utf-8", "replace").splitlines(), start=1):
        if match := _DIGEST.fullmatch(line):
            stated[match[2]] = match[1]
        else:
            problems.append(f"{DIGESTS}:{number}: expected a SHA-256, two blanks and a path")
    return stated, problems
