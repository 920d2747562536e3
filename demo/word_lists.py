"""Reads the word lists of the demo's generators: sections `[name]`, entries with commas or line ends between them.

Of sentences each line is an entry, since they have commas of their own.
"""

from pathlib import Path


def read_lists(path: Path) -> dict[str, tuple[str, ...]]:
    """The entries of each section, in their order; lines that begin with # are comments."""
    lists: dict[str, tuple[str, ...]] = {}
    name = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("[") and line.endswith("]"):
            name = line[1:-1]
            lists[name] = ()
        elif line and not line.startswith("#"):
            lists[name] += tuple(entry for part in line.split(",") if (entry := part.strip()))
    return lists


def read_phrases(path: Path) -> dict[str, tuple[str, ...]]:
    """The same, where a line that ends like a sentence is one entry."""
    lists: dict[str, tuple[str, ...]] = {}
    name = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("[") and line.endswith("]"):
            name = line[1:-1]
            lists[name] = ()
        elif line.endswith((".", "?", "!")) and not line.startswith("#"):
            lists[name] += (line,)
        elif line and not line.startswith("#"):
            lists[name] += tuple(entry for part in line.split(",") if (entry := part.strip()))
    return lists
