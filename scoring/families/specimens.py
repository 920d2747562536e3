"""The small made-up evaluations of the families, which stand as files in the folder `example` of each."""

import csv
import io
from pathlib import Path

from scoring.family import Specimen

_FAMILIES = Path(__file__).parent


def example_files(family: str, folder: str) -> dict[str, bytes]:
    """Return {path: content} of a folder of the family's example.

    >>> [*example_files("ranking", "gold")]
    ['qrels.txt']
    """
    root = _FAMILIES / family / "example" / folder
    files = (path for path in sorted(root.rglob("*")) if path.is_file())
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}


def example_rows(family: str, name: str) -> list[dict[str, str]]:
    """Return the rows of a table of the family's example, for those that write it in the formats of the options."""
    text = (_FAMILIES / family / "example" / name).read_text(encoding="utf-8")
    return [*csv.DictReader(io.StringIO(text))]


def specimen_in(family: str, folder: str = ".") -> Specimen:
    """Return the evaluation whose sides stand in two folders, `gold` and `run`."""
    return Specimen(example_files(family, f"{folder}/gold"), example_files(family, f"{folder}/run"))
