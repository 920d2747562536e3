"""Columns with tabs between them and a heading that names them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scoring.messages import Message
from scoring.readers.problems import Problems
from scoring.readers.segments.lines import split_lines, utf8_text
from scoring.readers.tables.header import are_data, no_heading
from scoring.spelling.strings import meant_by

COLUMN_SUFFIXES = (".tsv", ".tab")

_LONGEST_NAME = 40  # characters of a column in a message

Cells = list[str]


@dataclass(frozen=True)
class Columns:
    """The names of the heading, and the lines below it."""

    names: list[str]  # trimmed
    lines: list[str]  # below the heading, as they stand

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def index(self, name: str) -> int:
        """Return where the column with this name stands, from 0."""
        return self.names.index(name)

    def rows(self, problems: Problems) -> Iterator[tuple[int, Cells]]:
        """Yield the number, from 1, and the cells of each line with one for each column; other lines are problems.

        Lines without anything in any cell are passed over, as editors and spreadsheets leave them at the end.
        """
        n = len(self.names)
        for number, line in enumerate(self.lines, start=2):
            if not line.strip():
                continue
            cells = line.split("\t")
            if len(cells) == n:
                yield number, cells
            elif problems.are_counted_only:
                problems.count(1)
            else:
                problems.add(
                    Message("columns-instead", "{n} columns instead of {columns}", n=len(cells), columns=n), number
                )


def read_columns(content: bytes, file: str, needed: Sequence[str], problems: Problems) -> Columns:
    r"""Read the columns of a file; a column that is `needed` and missing is a problem.

    >>> problems = Problems("run.tsv")
    >>> table = read_columns(b"id\ttext\na\tone\n", "run.tsv", ("id", "text"), problems)
    >>> list(table.rows(problems))
    [(2, ['a', 'one'])]

    SubmissionError if the file is not UTF-8.
    """
    heading, *lines = split_lines(utf8_text(content, file)) or [""]
    names = [name.strip() for name in heading.split("\t")]
    if len(set(names)) < len(names):
        problems.add(Message("column-name-stands-twice", "a column name stands twice"), 1)
    if set(needed).isdisjoint(names) and are_data(names, needed):
        problems.add(no_heading(needed, names, "\t"), 1)
        return Columns(names, lines)
    for name in needed:
        if name not in names:
            problems.add(_no_column(name, meant_by(name, needed, names)), 1)
    return Columns(names, lines)


def _no_column(name: str, near: str | None) -> str:
    if near:
        return Message(
            "column-not-found-rename",
            "no column {name}; rename the column {near!r} to {name!r}",
            name=name,
            near=near[:_LONGEST_NAME],
        )
    return no_column(name)


def no_column(name: str) -> Message:
    """Say that a column is missing."""
    return Message(
        "no-column-first-line-tabs",
        "no column {name}: the first line names the columns, with tabs between them",
        name=name,
    )
