"""A table of systems × units: the scores of several systems on the same units, as a paper's authors have them.

Two forms: a row for each unit with a column for each system, or a row for each score with the columns unit, system and
score. docs/audit.md says what each may hold.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from scoring.columns import Floats
from scoring.errors import ConfigurationError, SubmissionError
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.given.gold import UNIT, check_agreement
from scoring.readers.tables import (
    Cells,
    Column,
    Groups,
    Layout,
    Table,
    TableProblems,
    check_unique,
    groups_of,
    number_problem,
    numbers_of,
    read_table,
    shown,
    tidy,
)
from scoring.readers.tables.cells import tidied
from scoring.readers.tables.json_lines import rows_of
from scoring.readers.tables.opening import Opened
from scoring.readers.tables.records import Records
from scoring.readers.tables.table import first_record, opened_lines, rows_of_fields

MOST_SYSTEMS = 300  # of which all pairs are tested: 44,850
_HEADINGS_OF_SYSTEMS = frozenset(["system", "model", "run", "team", "method", "submission"])


@dataclass(frozen=True)
class Headings:
    """The names of columns; None where they follow from the table."""

    unit: str | None = None  # else "unit", or the first column that is no other
    system: str = "system"
    score: str = "score"
    group: str | None = None  # units of one group, such as a document, are drawn together


@dataclass(frozen=True)
class Grid:
    """N units and K systems, in the order of first sight."""

    path: str
    units: Cells  # (N,)
    systems: list[str]  # (K,)
    scores: Floats  # (N, K), all finite
    groups: Groups | None  # of the units
    notes: tuple[Message, ...] = ()  # on what was read and what was not


def read_grid(files: Mapping[str, bytes], headings: Headings) -> Grid:
    """Return the scores of all systems; SubmissionError with all problems of the table, each with its line.

    A table of totals is refused, too, with what cannot be said of it. ConfigurationError where one column
    is named for two things.
    """
    file = opened_lines(files, Layout(id=(headings.unit or "unit",)), None)
    names = _names(file)
    for name in filter(None, (headings.unit, headings.group)):
        if name not in names:
            raise _refusal(
                file, Message("no-column-of-name", "no column {name}; the table has {listed}", **_named(name, names))
            )
    is_long = {headings.system, headings.score} <= {*names}
    unit = _unit_of(names, headings, file) if is_long else headings.unit or names[0]
    headings_used = [unit, headings.group, *((headings.system, headings.score) if is_long else ())]
    if twice := [name for name, n in Counter(headings_used).items() if name is not None and n > 1]:
        raise ConfigurationError(
            Message("column-for-two", "column {name} cannot serve for two things", name=shown(twice[0]))
        )
    if is_long:
        return _long(files, file, headings, unit)
    if headings.unit is None and unit.lower() in _HEADINGS_OF_SYSTEMS:
        raise totals(file.path)
    return _wide(file, names, unit, headings.group)


def oddities(grid: Grid) -> list[Message]:
    """Return what is perhaps not meant: systems that have the same score for each unit, behind the grid's own notes."""
    is_constant = (grid.scores == grid.scores[0]).all(axis=0)
    return [*grid.notes] + [
        Message("constant-system", "{system} has the score {score:g} for each unit", system=name, score=float(score))
        for name, score, is_odd in zip(grid.systems, grid.scores[0], is_constant, strict=True)
        if is_odd and len(grid.units) > 1
    ]


def _names(file: Opened) -> list[str]:
    """Return the names of the columns, of JSON Lines the keys of the first object."""
    if file.format == "lines":
        raise _refusal(
            file, Message("table-needs-columns", "a .txt file has no columns: save the table as .csv, .tsv or .jsonl")
        )
    if file.format != "jsonl":
        return first_record(file.content.decode(), file.path, Layout().sign(file.format), Layout())[0]
    try:
        row = json.loads(file.content.lstrip().partition(b"\n")[0])
    except (ValueError, RecursionError):
        row = None
    if not isinstance(row, dict) or not row:
        raise _refusal(
            file, Message("first-line-no-object", "the first line is no object of JSON, such as {example}", **_EXAMPLE)
        )
    return [*row]


_EXAMPLE = {"example": '{"unit": "u1", "system": "A", "score": 0.5}'}


def _unit_of(names: Sequence[str], headings: Headings, file: Opened) -> str:
    """Return the column of units in a table with columns of systems and scores."""
    others = [name for name in names if name not in (headings.system, headings.score, headings.group)]
    unit = headings.unit or ("unit" if "unit" in names else next(iter(others), None))
    if unit is None:
        raise totals(file.path)
    return unit


def _wide(file: Opened, names: Sequence[str], unit: str, group: str | None) -> Grid:
    """Read a row for each unit, with a column for each system."""
    systems = [name for name in names if name not in (unit, group)]
    _check_systems(systems, file)
    _check_headings(names, systems, file)
    problems = TableProblems(file.path)
    wanted = [unit, *systems, *([group] if group else [])]
    if file.format == "jsonl":
        columns = [Column(name, "number" if name in systems else "text") for name in wanted]
        texts, numbers = rows_of(file.content, columns, problems)
        lines = np.array(numbers, dtype=np.int64)
    else:
        sign, text = Layout().sign(file.format), file.content.decode()
        _, end = first_record(text, file.path, sign, Layout())
        records = Records(text[end:], sign, True, text.count("\n", 0, end) + 1)
        place = {name: at for at, name in enumerate(names)}
        texts, lines = rows_of_fields(records, [place[name] for name in wanted], len(names), problems)
    cells = {name: tidied(column) for name, column in zip(wanted, texts, strict=True)}
    table = Table(file.path, cells.pop(unit), cells, lines, problems, False, unit)
    table.add_where(table.ids.is_blank(), Message("empty-id", "empty id"))
    check_unique(table, UNIT)
    scores = [_numbers(table, name, Message("score-of", "score of {system}", system=shown(name))) for name in systems]
    groups = groups_of(table, group)
    table.problems.raise_all()
    _check_units(len(table), file)
    return Grid(file.path, table.ids, systems, np.column_stack(scores), groups)


def _long(files: Mapping[str, bytes], file: Opened, headings: Headings, unit: str) -> Grid:
    """Read a row for each score."""
    group = headings.group
    wanted = [Column(headings.score, "number"), Column(headings.system), *([Column(group)] if group else [])]
    table = read_table(files, Layout(id=(unit,)), wanted)
    table.add_where(table.columns[headings.system].is_blank(), Message("empty-system", "empty system"))
    values = _numbers(table, headings.score, Message.word("score"))
    # A row that has no name of a unit or system is told as that alone.
    table.problems.raise_all()
    _check_units(len(table), file)
    system, systems = table.columns[headings.system].values()
    _check_systems(systems, file)
    code, first_rows = table.ids.codes()
    cell = code * len(systems) + system
    _, first, which = np.unique(cell, return_index=True, return_inverse=True)
    table.add_where(
        first[which] != np.arange(len(table)),
        lambda row: Message(
            "score-given-twice",
            "a second score of {system} for unit {unit} (first on line {line})",
            system=shown(systems[system[row]]),
            unit=shown(table.ids[row]),
            line=table.line(int(first[which[row]])),
        ),
    )
    n_scores = np.bincount(code[first], minlength=len(first_rows))
    is_short = np.zeros(len(table), dtype=bool)
    is_short[first_rows[n_scores < len(systems)]] = True
    table.add_where(
        is_short,
        lambda row: Message(
            "unit-lacks-score",
            "unit {unit} has scores of {n} of {of} systems; that of {system} is missing",
            unit=shown(table.ids[row]),
            n=int(n_scores[code[row]]),
            of=len(systems),
            system=shown(systems[int(np.setdiff1d(np.arange(len(systems)), system[code == code[row]])[0])]),
        ),
    )
    if group:
        of_row, _ = table.columns[group].values()
        check_agreement(table, "group", first_rows[code], of_row != of_row[first_rows[code]])
    groups = groups_of(table, group, first_rows)
    table.problems.raise_all()
    # Sorted by unit and system, which is the order of `np.unique`.
    scores = values[first].reshape(len(first_rows), len(systems))
    return Grid(file.path, table.ids.taken(first_rows), systems, scores, groups)


def _numbers(table: Table, column: str, noun: str) -> Floats:
    """Return the numbers of a column; a problem, which names the column's system, for each cell that is none."""
    cells = table.columns[column]
    values = numbers_of(cells)
    table.add_where(
        ~np.isfinite(values),
        lambda row: Message("noun-with-problem", "{noun}: {problem}", noun=noun, problem=number_problem(cells[row])),
    )
    return values


def _check_headings(names: Sequence[str], systems: Sequence[str], file: Opened) -> None:
    """Raise SubmissionError unless all differ, and each system has one; the column of units often has none."""
    if not all(map(tidy, systems)):
        raise _refusal(file, Message("column-without-name", "a column without a name"))
    if twice := [name for name, n in Counter(names).items() if n > 1]:
        raise _refusal(file, Message("column-stands-twice", "column {name} stands twice", name=shown(twice[0])))


def _check_systems(systems: Sequence[str], file: Opened) -> None:
    """Raise SubmissionError unless they are two at least, and not too many."""
    if len(systems) < 2:
        raise _refusal(
            file,
            Message.counted(
                "systems-expected",
                "{n} system, expected two or more: a row for each unit and a column for each system,"
                " or the columns unit, system and score",
                "{n} systems, expected two or more: a row for each unit and a column for each system,"
                " or the columns unit, system and score",
                len(systems),
            ),
        )
    check_most_systems(len(systems), file.path)


def check_most_systems(n: int, path: str) -> None:
    """Raise SubmissionError if they are more than those of which all pairs are tested."""
    if n > MOST_SYSTEMS:
        message = Message(
            "too-many-systems",
            "{n} systems, expected at most {most}: all pairs are tested. Keep those that matter;"
            " if rows are systems, transpose the table",
            n=n,
            most=MOST_SYSTEMS,
        )
        raise SubmissionError(Finding(message, path, 1))


def _check_units(n_rows: int, file: Opened) -> None:
    if not n_rows:
        raise SubmissionError(Finding(Message("no-rows", "no rows"), file.path))


def totals(path: str) -> SubmissionError:
    """Say what totals leave open."""
    message = Message(
        "totals-without-units",
        "totals of systems, without units: whether they differ cannot be said. The same difference may be chance"
        " on 100 units and certain on 10,000, and it means more if both systems are right on mostly the same units."
        " Expected a row for each unit and a column for each system, or the columns unit, system and score",
    )
    return SubmissionError(Finding(message, path, 1))


def _refusal(file: Opened, message: str) -> SubmissionError:
    return SubmissionError(Finding(message, file.path, 1))


def _named(name: str, names: Sequence[str]) -> dict[str, str]:
    more = ", …" if len(names) > _LISTED else ""
    return {"name": shown(name), "listed": ", ".join(map(shown, names[:_LISTED])) + more}


_LISTED = 20
