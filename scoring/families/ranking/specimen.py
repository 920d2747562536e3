"""A small gold, and a run of it: five queries about a valley that does not exist."""

from scoring.families.specimens import example_files, specimen_in
from scoring.family import Options, Specimen


def example(options: Options) -> dict[str, bytes]:
    """Return a run that is read without problems."""
    return example_files("ranking", "upload")


def specimen(options: Options) -> Specimen:
    """Return as many documents of each query as the options let through."""
    small, depth = specimen_in("ranking"), options["depth"]
    if depth is None:
        return small
    run = {path: _cut(content, depth) for path, content in small.run.items()}
    return Specimen(small.gold, run)


def _cut(run: bytes, depth: int) -> bytes:
    return b"".join(line for line in run.splitlines(keepends=True) if int(line.split()[3]) <= depth)
