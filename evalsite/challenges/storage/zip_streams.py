"""Writes zip archives as streams: in chunks, never a whole file at once."""

import io
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import IO

CHUNK = 2**16  # bytes
Member = tuple[str, Iterable[bytes]]  # a path in the archive, and the content in chunks
DATE = (1980, 1, 1, 0, 0, 0)  # the earliest that zip knows
READABLE = 0o100644 << 16  # an ordinary file that everybody may read
_PACKED = {".zip", ".gz", ".bz2", ".png", ".jpg", ".webp", ".pdf", ".whl", ".npz"}  # do not get smaller


class Buffer(io.RawIOBase):
    """The buffer of what has been written and not been sent yet."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        part = bytes(data)  # type: ignore[call-overload]
        self._parts.append(part)
        return len(part)

    def take(self) -> bytes:
        taken, self._parts = b"".join(self._parts), []
        return taken


def zipped(members: Iterable[Member]) -> Iterator[bytes]:
    """Yield an archive of these members in chunks: equal members make equal archives."""
    buffer = Buffer()
    with zipfile.ZipFile(buffer, "w") as archive:
        for path, chunks in members:
            with archive.open(_entry(path), "w", force_zip64=True) as target:
                for chunk in chunks:
                    target.write(chunk)
                    yield buffer.take()
    yield buffer.take()


def chunks_of(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield the content of a stream, and close it."""
    with stream:
        while chunk := stream.read(CHUNK):
            yield chunk


def _entry(path: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(path, DATE)
    entry.external_attr = READABLE
    is_packed = PurePosixPath(path).suffix.lower() in _PACKED
    entry.compress_type = zipfile.ZIP_STORED if is_packed else zipfile.ZIP_DEFLATED
    return entry
