"""Runs of one record a unit, so that some units can be left out: lines, objects of JSON Lines, or rows of a table."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from scoring.errors import SubmissionError
from scoring.readers.archive import open_files

_TABLES = (".csv", ".tsv")  # which begin with a line of names
_OBJECTS = (".jsonl", ".ndjson")


@dataclass(frozen=True)
class Records:
    r"""A run in pieces, in the order of the units.

    >>> Records("run.csv", b"unit,text\n", [b"u1,a\n", b"u2,b\n"]).of([0])
    b'unit,text\nu1,a\n'
    """

    name: str
    head: bytes
    records: list[bytes]

    def of(self, units: Sequence[int]) -> bytes:
        """Return the run of these units alone."""
        return self.head + b"".join(self.records[at] for at in units)


def read_records(path: Path, n_units: int) -> Records:
    """Return the records of a file, or of the only one in a zip archive; ValueError unless each unit has one."""
    records = _records(path)
    if len(records.records) != n_units:
        raise ValueError(f"One record for each of {n_units} units is needed, found {len(records.records)}.")
    return records


def _records(path: Path) -> Records:
    name, content = _alone(path)
    ending = Path(name).suffix.lower()
    lines = content.splitlines(keepends=True)  # of bytes: at line ends alone, and at no other sign of Unicode
    if lines and not lines[-1].endswith(b"\n"):
        lines[-1] += b"\n"
    if ending in _OBJECTS:
        return Records(name, b"", [line for line in lines if line.strip()])
    if ending not in _TABLES:
        return Records(name, b"", lines)
    rows = _rows(lines) if ending == ".csv" else lines
    rows = [row for row in rows if row.strip()]
    return Records(name, b"".join(rows[:1]), rows[1:])


def _alone(path: Path) -> tuple[str, bytes]:
    try:
        files = open_files(path)
    except SubmissionError as error:
        raise ValueError(str(error)) from None
    if len(files) != 1:
        raise ValueError(f"One file of lines is needed, found {len(files)} files.")
    [(name, content)] = files.items()
    return Path(name).name, content


def _rows(lines: Sequence[bytes]) -> list[bytes]:
    """Return the rows of a table whose quoted fields may hold line ends."""
    rows: list[bytes] = []
    begun: list[bytes] = []
    is_open = False
    for line in lines:
        begun.append(line)
        is_open ^= line.count(b'"') % 2 == 1
        if not is_open:
            rows.append(b"".join(begun))
            begun = []
    return [*rows, b"".join(begun)]
