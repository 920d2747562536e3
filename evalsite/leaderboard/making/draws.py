"""Reads the draws stored with results, caches them on disk, and tests two of them against each other.

An evaluation file is never changed, so that its draws are cached on this machine's disk under the file's name: a board
of a thousand teams fetches one file for a new result, and not a thousand. The folder may be deleted at any time.
"""

import os
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path

import numpy as np
import structlog
from django.conf import settings
from numpy.typing import NDArray

import scoring as engine
from evalsite.challenges.storage.files import local_path
from evalsite.submissions.models import Result
from scoring.comparing.redrawing import stored_draws
from scoring.comparing.two_runs import PairTest, pair_test

log = structlog.get_logger()
Draws = NDArray[np.float64] | None
FOLDER = "draws"  # in the folder of what may be deleted
SUM_BYTES = 4  # at the head of a kept file: the CRC-32 of what follows
ROOM_LEFT = 0.8  # of the room for kept files, once they have filled it


class Lost(Exception):
    """The evaluation file of a result is not there, or is none."""


def draws_of(result: Result) -> Draws:
    """Return the score that ranks on each resample; None without any, or where they cannot be read."""
    try:
        return load_draws(result)
    except (Lost, OSError):
        log.exception("draws cannot be read", result=str(result.pk))
        return None


def load_draws(result: Result) -> Draws:
    """Return the score that ranks on each resample; None without any. Raises Lost, or OSError if the storage is
    away."""
    cache_path = _cache_path(result)
    if (cached := _cached(cache_path)) is not None:
        return cached
    try:
        with local_path(result.evaluation) as path:
            draws = stored_draws(path) if _is_there(path) else None
    except (FileNotFoundError, engine.ConfigurationError) as error:
        raise Lost(str(error)) from error
    if draws is not None and len(draws):
        _cache(cache_path, draws)
    return draws


def _is_there(path: Path) -> bool:
    """Return True or raise FileNotFoundError; the engine does not tell a lost file from a storage that is away."""
    path.stat()
    return True


def _cache_path(result: Result) -> Path:
    name = sha256((result.evaluation.name or "").encode()).hexdigest()
    return Path(settings.CACHE_DIR, FOLDER, name[:2], name)


def _cached(path: Path) -> Draws:
    """Return the cached draws; None where nothing whole is cached."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    numbers = content[SUM_BYTES:]
    if len(content) <= SUM_BYTES or zlib.crc32(numbers) != int.from_bytes(content[:SUM_BYTES], "little"):
        return None
    with suppress(OSError):
        os.utime(path)  # what is used stays longest
    return np.frombuffer(numbers, dtype="<f8").astype(np.float64, copy=False)


def _cache(path: Path, draws: NDArray[np.float64]) -> None:
    """Cache the draws; a disk that is full, or not ours, costs time and nothing else."""
    numbers = draws.astype("<f8").tobytes()
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with _renamed_to(path) as target:
            target.write_bytes(zlib.crc32(numbers).to_bytes(SUM_BYTES, "little") + numbers)


@contextmanager
def _renamed_to(path: Path) -> Iterator[Path]:
    """Yield a temporary name that becomes the path afterwards: nobody ever reads half a file."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".")
    os.close(handle)
    try:
        yield Path(name)
        Path(name).replace(path)
    finally:
        Path(name).unlink(missing_ok=True)


def evict_draws() -> None:
    """Delete the draws that were not used for longest, where there are more than may be cached."""
    files = []
    for path in Path(settings.CACHE_DIR, FOLDER).glob("??/*"):
        with suppress(OSError):
            about = path.stat()
            files.append((about.st_mtime, about.st_size, path))
    total = sum(size for _, size, _ in files)
    if total <= settings.DRAWS_CACHE_BYTES:
        return
    for _, size, path in sorted(files):
        if total <= ROOM_LEFT * settings.DRAWS_CACHE_BYTES:
            return
        path.unlink(missing_ok=True)
        total -= size


def compare_pair(one: Result, other: Result, draws: tuple[Draws, Draws]) -> PairTest | None:
    """Test this pair alone, the first minus the second; None where the two share no resamples.

    The difference itself is shown however many resamples leave a score undefined.
    """
    first, second = draws
    if first is None or second is None or len(first) != len(second) or one.seed != other.seed:
        return None
    if one.headline is None or other.headline is None:
        return None
    return pair_test(
        (one.headline, other.headline),
        np.stack([first, second]),
        n_units=one.n_units,
        confidence_level=one.confidence_level,
        most_undefined=1,
    )
