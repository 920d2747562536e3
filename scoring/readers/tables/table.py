"""A table read: its ids, the cells of the columns that are wanted, and what is wrong with its rows."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from scoring.columns import Flags, Integers
from scoring.errors import SubmissionError
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.gc_pause import without_collector
from scoring.readers.problems import Problems
from scoring.readers.tables.cells import Cells, tidied, tidy
from scoring.readers.tables.choosing import table_among
from scoring.readers.tables.fields import number_of_fields, other_fields
from scoring.readers.tables.header import NAMELESS, places_of, shown
from scoring.readers.tables.json_lines import rows_of
from scoring.readers.tables.layout import Column, Layout, names_of
from scoring.readers.tables.opening import EMPTY, Opened, opened
from scoring.readers.tables.paths import (
    ROW_NUMBER,
    key_looked_for,
    list_and_key,
    list_of,
    numbered_places,
    part_of,
    whole,
    whole_and_part,
)
from scoring.readers.tables.problems import TableProblems
from scoring.readers.tables.records import Records, are_blank
from scoring.readers.whole_json import as_json_lines

HEADING_AGAIN = Message("heading-again", "the heading is repeated here: take this line out")


@dataclass(frozen=True)
class Table:
    """n rows in the order of the file."""

    path: str
    ids: Cells  # (n,) those of several columns joined by "|"
    columns: dict[str, Cells]  # {name: (n,)} of the columns that were wanted, without blanks around them and in NFC
    lines: Integers | range  # (n,) on which line of the file each begins, from 1
    problems: Problems  # of its rows, so far; a caller adds its own, and raises all
    is_numbered: bool  # whether rows are named by their line alone, and pair by their order
    id_name: str = "id"  # of the column of ids; of several the first

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def paths(self) -> list[str]:
        """Return the file that was read."""
        return [self.path]

    def line(self, row: int) -> int:
        """Return on which line a row begins."""
        return int(self.lines[row])

    def add(self, message: str, row: int) -> None:
        """Add a problem of a row."""
        self.problems.add(message, self.line(row))

    def add_where(self, rows: Flags, message: str | Callable[[int], str]) -> None:
        """Add a problem of each row that is flagged; no message is made beyond those that anybody reads."""
        flagged = np.flatnonzero(rows).tolist()
        for made, row in enumerate(flagged):
            if self.problems.are_counted_only:
                self.problems.count(len(flagged) - made)
                return
            self.add(message if isinstance(message, str) else message(row), row)


def read_table(files: Mapping[str, bytes], layout: Layout, wanted: Sequence[Column]) -> Table:
    """Read the table in the only file.

    Raises SubmissionError where the file or its header cannot be read. Problems of rows are kept in `problems`, and
    such rows are left out, so that a caller can look for further ones before it raises all.
    """
    value_name = wanted[0].name if wanted else ""
    chosen = table_among(files, layout, names_of([column for column in wanted if not column.optional]))
    file = opened_lines(chosen, layout, list_of([*layout.id, *names_of(wanted)]), value_name)
    if file.format == "lines":
        return _lines(file, wanted)
    is_numbered = layout.id == (ROW_NUMBER,)
    columns = [whole(column) for column in (*(Column(name) for name in layout.id if not is_numbered), *wanted)]
    if file.format == "jsonl":
        # A look for the key, so that a file without it goes the quick way.
        columns = [
            column
            for column in columns
            if not column.optional or json.dumps(key_looked_for(column.name)).encode() in file.content
        ]
    problems = TableProblems(file.path)
    if file.format == "jsonl":
        cells, lines = _of_json(file, columns, problems)
    else:
        cells, lines = _of_fields(file, layout, columns, problems)
    cells |= _parts(cells, (*layout.id, *(column.name for column in wanted)), lines, problems)
    ids = Cells(map(str, range(1, len(lines) + 1))) if is_numbered else _joined([cells[name] for name in layout.id])
    there = {column.name: cells[column.name] for column in wanted if column.name in cells}
    table = Table(file.path, ids, there, lines, problems, is_numbered, layout.id[0])
    table.add_where(ids.is_blank(), Message("empty-id", "empty id"))
    return table


def opened_lines(files: Mapping[str, bytes], layout: Layout, list_name: str | None, value_name: str = "") -> Opened:
    """Open the only file, where a value of JSON has become the lines of JSON Lines."""
    file = opened(files, layout.format)
    is_list = file.format == "jsonl" and file.content.lstrip()[:1] == b"["
    # One object whose list has all rows is divided, too, so that each has a line and can be told by its values.
    is_in_list = list_name is not None and list_and_key(layout.id[0])[0] == list_name
    is_one = file.format == "jsonl" and is_in_list and b"\n" not in file.content.strip()
    if file.format == "json" or is_list or is_one:
        content = as_json_lines(file.content, file.path, layout.id[0], value_name, list_name)
        return replace(file, format="jsonl", content=content)
    return file


def _parts(cells: Mapping[str, Cells], names: Sequence[str], lines: Integers, problems: Problems) -> dict[str, Cells]:
    """Return the columns whose names mean a part of a cell, such as `VA#2`; a cell with fewer parts is a problem."""
    parts = {}
    for name in names:
        whole_name, part = whole_and_part(name)
        if part is None or whole_name not in cells:
            continue
        texts = [part_of(cell, part) if cell else "" for cell in cells[whole_name]]
        for row, text in enumerate(texts):
            if text is None:
                problems.add(
                    Message(
                        "fewer-parts",
                        "{cell} has no part {part}: {column} takes parts with # between them",
                        cell=shown(cells[whole_name][row]),
                        part=part,
                        column=shown(name),
                    ),
                    int(lines[row]),
                )
        parts[name] = Cells(text or "" for text in texts)
    return parts


def _of_json(file: Opened, columns: Sequence[Column], problems: Problems) -> tuple[dict[str, Cells], Integers]:
    wholes = [next(of_column for of_column in columns if of_column.name == name) for name in names_of(columns)]
    texts, lines = rows_of(file.content, wholes, problems)
    cells = {column.name: tidied(of_column) for column, of_column in zip(wholes, texts, strict=True)}
    return cells, np.array(lines, dtype=np.int64)


def _lines(file: Opened, wanted: Sequence[Column]) -> Table:
    """Read a file of one value a line, which has no optional column."""
    wanted = [column for column in wanted if not column.optional]
    if len(names_of(wanted)) > 1:
        names = ", ".join(names_of(wanted))
        raise SubmissionError(
            Finding(
                Message(
                    "one-value-line-holds",
                    "one value a line holds one column alone, and {names} are needed",
                    names=names,
                ),
                file.path,
            )
        )
    cells = tidied(file.content.rstrip(b"\n \t").decode().split("\n"))
    numbers = range(1, len(cells) + 1)
    ids = Cells(map(str, numbers))
    return Table(file.path, ids, {column.name: cells for column in wanted}, numbers, TableProblems(file.path), True)


def _of_fields(
    file: Opened, layout: Layout, columns: Sequence[Column], problems: Problems
) -> tuple[dict[str, Cells], Integers]:
    """Return the cells of a csv or tsv file, and the lines of its rows."""
    sign, text = layout.sign(file.format), file.content.decode()
    first, end = first_record(text, file.path, sign, layout)
    if layout.header:
        first = [name or NAMELESS.format(place=place) for place, name in enumerate(first)]
        first = _respelt(first, [column.name for column in columns if column.ignores_case])
    names = names_of([column for column in columns if not column.optional or (layout.header and column.name in first)])
    if layout.header:
        numeric = [column.name for column in columns if column.kind == "number"]
        place = _places(names, first, text[:end], sign, file, numeric)
    else:
        place, end = _positions(names, len(first), file.path), 0
    records = Records(text[end:], sign, layout.quotes, text.count("\n", 0, end) + 1)
    # Rows that have no ids pair by their order: there an empty one is one.
    are_named = layout.id != (ROW_NUMBER,)
    texts, lines = rows_of_fields(
        records, place, len(first), problems, skips_empty=are_named, header=first if layout.header else ()
    )
    return {name: tidied(of_column) for name, of_column in zip(names, texts, strict=True)}, lines


def _respelt(header: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return the header with these names in place of those that differ from one of them in case alone."""
    meant = {name.casefold(): name for name in names if name not in header}
    folds = [cell.casefold() for cell in header]
    return [
        meant[fold] if fold in meant and folds.count(fold) == 1 else cell
        for cell, fold in zip(header, folds, strict=True)
    ]


def first_record(text: str, path: str, sign: str, layout: Layout) -> tuple[list[str], int]:
    """Return the cells of the first row, and where the next one begins; SubmissionError if none can be read."""
    first = next(iter(Records(text, sign, layout.quotes)), None)
    if first is None:
        raise SubmissionError(Finding(EMPTY, path))
    if first.cells is None:
        raise SubmissionError(Finding(first.problem or "", path, first.at))
    return [tidy(cell) for cell in first.cells], first.end


def _places(
    names: Sequence[str], header: Sequence[str], text: str, sign: str, file: Opened, numeric: Sequence[str]
) -> list[int]:
    """Return where the columns stand by a header, which is written in `text`; SubmissionError where one does not."""
    problems = Problems(file.path)
    line = text.count("\n") if text.endswith("\n") else text.count("\n") + 1
    places = places_of(names, header, text.strip("\n"), sign, problems, line, numeric)
    problems.raise_all()
    return places


def _positions(names: Sequence[str], n_fields: int, path: str) -> list[int]:
    """Take the columns by their numbers where there is no header, or else in the order in which they are wanted."""
    places = numbered_places(names) or list(range(len(names)))
    n_wanted = max(places, default=-1) + 1
    if n_fields < n_wanted:
        raise SubmissionError(
            Finding(
                Message(
                    "fields-n-instead",
                    "{fields} instead of {n}: {names}",
                    fields=number_of_fields(n_fields),
                    n=n_wanted,
                    names=", ".join(names),
                ),
                path,
                1,
            )
        )
    return places


def rows_of_fields(
    records: Records,
    places: Sequence[int],
    n_fields: int,
    problems: Problems,
    *,
    skips_empty: bool = True,
    header: Sequence[str] = (),
) -> tuple[list[list[str]], Integers]:
    """Return each column's texts, and the lines of the rows; rows that cannot be read are problems.

    Rows without anything in any field, as spreadsheets write them behind the last one, are none.
    """
    header, ends_so = [*header], bool(header) and header[-1] == NAMELESS.format(place=len(header) - 1)
    texts: list[list[str]] = [[] for _ in places]
    columns = [(column.append, place) for column, place in zip(texts, places, strict=True)]
    lines = []
    with without_collector():
        for record in records:
            if record.cells is None:
                problems.add(record.problem or "", record.at)
            elif skips_empty and are_blank(record.cells):
                continue
            elif len(record.cells) != n_fields and problems.are_counted_only:
                problems.count(1)
            elif len(record.cells) != n_fields:
                problems.add(other_fields(record.cells, n_fields, records, heading_ends=ends_so), record.line)
            elif record.cells == header:
                problems.add(HEADING_AGAIN, record.line)
            else:
                lines.append(record.line)
                for append, place in columns:
                    append(record.cells[place])
    return texts, np.array(lines, dtype=np.int64)


def _joined(columns: Sequence[Cells]) -> Cells:
    """Join several columns of ids as one; an id of which a part is empty is empty."""
    if len(columns) == 1:
        return columns[0]
    return Cells("|".join(parts) if all(parts) else "" for parts in zip(*columns, strict=True))
