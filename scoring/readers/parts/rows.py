"""The rows of a table of which a column says to what they belong; all other rows become empty lines.

So the lines keep their numbers. What the rows are is found once for all parts of a file.
"""

import csv
import hashlib
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from scoring.columns import Flags, Integers
from scoring.errors import SubmissionError
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.archive import Files
from scoring.readers.json_text import fast_loads
from scoring.readers.parts.folders import SomeFiles
from scoring.readers.problems import Problems
from scoring.readers.tables import Layout, shown, tidy
from scoring.readers.tables.header import listed, places_of
from scoring.readers.tables.opening import Opened
from scoring.readers.tables.paths import list_and_key, list_in, list_of
from scoring.readers.tables.records import Records, are_blank
from scoring.readers.tables.table import first_record, opened_lines
from scoring.spelling.strings import nearest

_LINE_FEED = ord("\n")
_ALL = -1  # a row that belongs to every part: the heading, and what cannot be read, which each part tells


@dataclass(frozen=True)
class Rows:
    """Holds which rows are meant: those with this value in this column; by options COLUMN=VALUE.

    Without a value they are the rows that have nothing in the column, and all where there is no such column.
    """

    column: str
    value: str

    @classmethod
    def parsed(cls, text: str) -> "Rows":
        """Parse COLUMN=VALUE; ValueError where it is none.

        >>> Rows.parsed("lang = en")
        Rows(column='lang', value='en')
        """
        column, sign, value = map(tidy, text.partition("="))
        if not column or not sign:
            raise ValueError(
                Message("expected-name-column-value", "expected the name of a column and its value, such as lang=en")
            )
        return cls(column, value)

    def __str__(self) -> str:
        return f"{self.column}={self.value}"


@dataclass(frozen=True)
class Divided:
    """A table whose n rows are told apart by a column."""

    stops: Integers  # (n,) the byte behind each row; the first begins at 0
    codes: Integers  # (n,) the number of its value in `values`, or _ALL
    values: list[str]
    problems: Sequence[Finding] = ()  # rows that have nothing to tell them by; where just these are meant there is none

    def raise_problems(self, value: str) -> None:
        """Raise SubmissionError with these, unless rows without a value are meant."""
        if value and self.problems:
            raise SubmissionError(self.problems)

    def holds(self, value: str) -> bool:
        return bool(self._numbers(value))

    def rows_of(self, value: str) -> Flags:
        """Return the rows of this value, and those of all parts: (n,)."""
        return np.isin(self.codes, [_ALL, *self._numbers(value)])

    def left_by(self, values: Iterable[str]) -> dict[str, int]:
        """Return how many rows each value has that is none of these, most first."""
        read = {number for value in values for number in self._numbers(value)}
        counts = np.bincount(self.codes[self.codes != _ALL], minlength=len(self.values))
        left = [number for number in np.argsort(-counts, kind="stable").tolist() if number not in read]
        return {self.values[number]: int(counts[number]) for number in left}

    def _numbers(self, value: str) -> list[int]:
        """Find the value as it is; where there is none, in any case of its letters."""
        exact = [number for number, of_rows in enumerate(self.values) if of_rows == value]
        return exact or [number for number, of_rows in enumerate(self.values) if of_rows.casefold() == value.casefold()]


class NoColumn(SubmissionError):
    """The table has no such column: it may be that of one part alone."""


class _RowsOf(SomeFiles):
    """One table without the rows of other parts."""

    def __init__(self, files: Files, table: Opened, divided: Divided, value: str) -> None:
        super().__init__(files, [table.path])
        self._content = _blanked(table.content, divided.stops, divided.rows_of(value))

    def digest(self, paths: Iterable[str]) -> str:
        """Return the digest of the rows alone: other parts may change."""
        return hashlib.sha256(b"".join(self[path] for path in paths)).hexdigest()

    def _read(self, path: str) -> bytes:
        return self._content

    def _bytes_in(self, path: str) -> int:
        return len(self._content)


def rows_of(files: Files, rows: Rows, layout: Layout) -> Files:
    """Return the table with the rows that are meant; SubmissionError if it cannot be read, or has none of them."""
    table = _opened(files, rows.column, layout)
    divided = _divided(files, table, rows.column, layout)
    divided.raise_problems(rows.value)
    if not divided.holds(rows.value):
        raise SubmissionError(Finding(_no_row(rows, divided.values), table.path))
    return _RowsOf(files, table, divided, rows.value)


def _no_row(rows: Rows, there: Sequence[str]) -> str:
    value, column = shown(rows.value), shown(rows.column)
    if not there:
        return Message(
            "no-row-column-there-no",
            "no row has {value} in column {column}; there are no rows",
            value=value,
            column=column,
        )
    if near := nearest(rows.value, there):
        return Message(
            "no-row-column-there-did",
            "no row has {value} in column {column}; there are {listed}; did you mean {near}?",
            value=value,
            column=column,
            listed=listed(there),
            near=shown(near),
        )
    return Message(
        "no-row-column-there",
        "no row has {value} in column {column}; there are {listed}",
        value=value,
        column=column,
        listed=listed(there),
    )


def has_rows(files: Files, rows: Rows, layout: Layout) -> bool:
    """Return whether the table has such a row; SubmissionError where it cannot be read, or lacks the column."""
    try:
        divided = _divided(files, _opened(files, rows.column, layout), rows.column, layout)
    except NoColumn:
        if rows.value:
            raise
        return True
    divided.raise_problems(rows.value)
    return divided.holds(rows.value)


def rows_left(files: Files, column: str, values: Iterable[str], layout: Layout) -> tuple[dict[str, int], int]:
    """Return how many rows of the table each value has that none of these reads, and how many rows there are."""
    divided = _divided(files, _opened(files, column, layout), column, layout)
    values = [*values]
    divided.raise_problems("".join(values))
    return divided.left_by(values), int(np.count_nonzero(divided.codes != _ALL))


def _opened(files: Files, column: str, layout: Layout) -> Opened:
    # Ids that are keys of an outer object become a key of each row, as the family reads it.
    in_list = list_of([column])
    return opened_lines(files, replace(layout, id=(column,)) if in_list else layout, in_list)


def _divided(files: Files, table: Opened, column: str, layout: Layout) -> Divided:
    """Divide the rows once for all parts of the same files."""
    key = (column, layout)
    if key not in files.found:
        if table.format == "lines":
            message = Message(
                "file-one-value-line",
                "a file of one value a line has no column {column}: send csv, tsv or jsonl",
                column=shown(column),
            )
            raise NoColumn(Finding(message, table.path))
        divided = _of_json(table, column) if table.format == "jsonl" else _of_fields(table, column, layout)
        problems = [*divided.problems, *_empty_of(divided, table, column)]
        files.found[key] = divided = replace(divided, problems=problems)
    parts: Divided = files.found[key]
    return parts


def _empty_of(divided: Divided, table: Opened, column: str) -> list[Finding]:
    """Return the rows where the column is empty: nobody would miss such a row."""
    if "" not in divided.values:
        return []
    problems = Problems(table.path)
    for row in np.flatnonzero(divided.codes == divided.values.index("")).tolist():
        if problems.are_counted_only:
            problems.count(1)
        else:
            start = int(divided.stops[row - 1]) if row else 0
            problems.add(
                Message("column-empty", "empty {column}", column=column), 1 + table.content.count(b"\n", 0, start)
            )
    return problems.listed()


def _of_fields(table: Opened, column: str, layout: Layout) -> Divided:
    """Split rows one by one; unreadable rows, and those without such a field, are kept in every part."""
    sign, text = layout.sign(table.format), table.content.decode()
    names, at = first_record(text, table.path, sign, layout)
    problems = Problems(table.path)
    [place] = places_of([column], names, text[:at], sign, problems, 1)
    if problems:
        raise NoColumn(problems.listed())
    values: dict[str, int] = {}
    heading, *records = Records(text, sign, layout.quotes)
    stops, codes = [len(text[:at].encode())], [_ALL]
    for record in records:
        stops.append(stops[-1] + len(text[at : record.end].encode()))
        at = record.end
        is_whole = record.cells is not None and len(record.cells) == len(names) and not are_blank(record.cells)
        value = tidy(record.cells[place]) if record.cells is not None and is_whole else None
        codes.append(_ALL if value is None else values.setdefault(value, len(values)))
    return Divided(np.array(stops), np.array(codes), list(values))


def _of_json(table: Opened, column: str) -> Divided:
    """Divide objects, one a line; what is none belongs to all parts, which say so."""
    values: dict[str, int] = {}
    sizes, codes, has_column = [], [], False
    problems = Problems(table.path)
    for number, line in enumerate(table.content.split(b"\n"), start=1):
        sizes.append(len(line) + 1)
        if not line or line.isspace():
            codes.append(_ALL)
            continue
        cell = _cell_of(line, column)
        has_column = has_column or cell not in (_NO_ROW, None)
        value = _value_of(cell)
        if value is None and cell is not _NO_ROW:
            problems.add(
                Message("must-string-integer", "{name} must be a string or an integer{more}", name=column, more=""),
                number,
            )
            value = json.dumps(cell)
        codes.append(_ALL if value is None else values.setdefault(value, len(values)))
    if not has_column:
        raise NoColumn(
            Finding(Message("no-object-key", "no object has the key {column}", column=shown(column)), table.path)
        )
    stops = np.minimum(np.cumsum(sizes), len(table.content))
    return Divided(stops, np.array(codes), list(values), problems.listed())


_NO_ROW = object()


def _cell_of(line: bytes, column: str) -> Any:
    """Return what stands at the key, None where it is missing; _NO_ROW of a line without an object."""
    try:
        value: Any = (fast_loads or json.loads)(line)
    except (ValueError, RecursionError):
        return _NO_ROW
    outer, key = list_and_key(column)
    if outer is not None and isinstance(value, dict):
        # A line has one object of the list, where one value of JSON was made into lines.
        rows = value.get(list_in(value, outer))
        value = rows[0] if isinstance(rows, list) and len(rows) == 1 else None
    return value.get(key) if isinstance(value, dict) else _NO_ROW


def _value_of(cell: Any) -> str | None:
    """Return the text of a cell; None where it is something else than a text, a whole number or nothing."""
    if cell is None:
        return ""
    return tidy(str(cell)) if isinstance(cell, str | int) and not isinstance(cell, bool) else None


def _blanked(content: bytes, stops: Integers, keeps: Flags) -> bytes:
    """Return the rows that are kept; of all others the line feeds.

    >>> _blanked(b"id\\n1\\n2\\n", np.array([3, 5, 7]), np.array([True, False, True]))
    b'id\\n\\n2\\n'
    """
    text = np.frombuffer(content, np.uint8)
    keeps_byte = np.repeat(keeps, np.diff(stops, prepend=0))
    # What no row has taken, such as empty lines at the end.
    keeps_byte = np.concatenate([keeps_byte, np.ones(len(text) - len(keeps_byte), dtype=bool)])
    kept = keeps_byte | (text == _LINE_FEED)
    return bytes(text[kept].tobytes())


def with_column(contents: Mapping[str, bytes], rows: Rows, layout: Layout) -> dict[str, bytes]:
    r"""Add to tables a column which has the value in every row; those without columns stay as they are.

    >>> with_column({"run.csv": b"id,label\n1,A\n"}, Rows("lang", "en"), Layout())
    {'run.csv': b'id,label,lang\n1,A,en\n'}
    """
    tables = {path: Opened(path, _format_of(path, layout), content) for path, content in contents.items()}
    return {path: _widened(table, rows, layout) for path, table in tables.items()}


def _format_of(path: str, layout: Layout) -> str:
    ending = path.rpartition(".")[2]
    return {"jsonl": "jsonl", "ndjson": "jsonl", "csv": "csv", "tsv": "tsv", "tab": "tsv"}.get(ending, layout.format)


def _widened(table: Opened, rows: Rows, layout: Layout) -> bytes:
    if table.format == "jsonl":
        lines = (json.loads(line) for line in table.content.splitlines() if line.strip())
        return b"".join(json.dumps(_line_with_value(line, rows), ensure_ascii=False).encode() + b"\n" for line in lines)
    if table.format not in ("csv", "tsv"):
        return table.content
    sign, text = layout.sign(table.format), table.content.decode()
    header, *records = Records(text, sign, layout.quotes)
    if header.cells is None or rows.column in map(tidy, header.cells):
        return table.content
    cells = [rows.column, *(rows.value for _ in records)]
    starts = [0, *(record.end for record in [header, *records][:-1])]
    ends = (record.end for record in [header, *records])
    return "".join(
        f"{text[start:end].strip(chr(10))}{sign}{_quoted(cell, sign)}\n"
        for start, end, cell in zip(starts, ends, cells, strict=True)
    ).encode()


def _line_with_value(line: dict[str, Any], rows: Rows) -> dict[str, Any]:
    """Return the object with the value, or each object of the list that the column's name leads into."""
    outer, key = list_and_key(rows.column)
    if outer is None:
        return line | {key: rows.value}
    outer = list_in(line, outer)
    return line | {outer: [inner | {key: rows.value} for inner in line.get(outer, ())]}


def _quoted(cell: str, sign: str) -> str:
    written = io.StringIO()
    csv.writer(written, delimiter=sign, lineterminator="").writerow([cell])
    return written.getvalue()
