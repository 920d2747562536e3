"""Whether a backup is still what was backed up: each of its digests is computed anew."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from evalsite.upkeep.backup.manifest import FILES, LIST, digest_of, listed, read_manifest
from evalsite.upkeep.stored import in_batches

AT_ONCE = 4
Say = Callable[[str], None]


def check(folder: Path, say: Say = lambda line: None) -> Iterator[str]:
    """What is wrong, in a line each; raises BackupError where it is no backup at all."""
    manifest = read_manifest(folder)
    yield from filter(None, [_wrong(folder / manifest.database, manifest.database_sha256)])
    if wrong := _wrong(folder / LIST, manifest.list_sha256):
        yield wrong
        return
    n_seen = 0
    with ThreadPoolExecutor(AT_ONCE) as threads:
        for batch in in_batches(listed(folder), 1000):
            yield from filter(None, threads.map(lambda pair: _wrong(folder / FILES / pair[0], pair[1]), batch))
            n_seen += len(batch)
            say(f"  {n_seen:,} of {manifest.files:,} files checked")
    if n_seen != manifest.files:
        yield f"{LIST} has {n_seen:,} files, and {manifest.files:,} were backed up"


def _wrong(path: Path, digest: str) -> str:
    try:
        return "" if digest_of(path) == digest else f"{path} is not what was backed up"
    except OSError as error:
        return f"{path} cannot be read: {error.strerror}"
