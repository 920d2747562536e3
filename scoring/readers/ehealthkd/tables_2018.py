"""The files of 2018 (TASS 2018, task 3): phrases of one span, their labels, and relations, each in its own table.

    output_A_scenarioN.txt   ID, start, end        characters of the whole input, white space between the columns
    output_B_scenarioN.txt   ID, label
    output_C_scenarioN.txt   label, ID, ID

There are no sentences in these files; where the gold has its input beside it, its lines are the units of resampling.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np

from scoring.columns import Integers
from scoring.errors import Problem
from scoring.messages import Message
from scoring.readers.ehealthkd.layout import TABLES_2018, find, missing
from scoring.readers.ehealthkd.lines import FARTHEST, MalformedLine, integer, parse_lines
from scoring.readers.ehealthkd.oddities import WARNED
from scoring.readers.ehealthkd.sentences import split_lines
from scoring.readers.ehealthkd.sides import Pairing, check_encoding, left_out, refuse
from scoring.readers.hints import RELATION_COLUMNS
from scoring.readers.problems import Problems, cut

_A, _B, _C = "output_A", "output_B", "output_C"

Row = TypeVar("Row")


@dataclass(frozen=True)
class Annotations2018:
    """One side: n phrases in the order of the file, the labels of some of them, and m relations between IDs."""

    ids: list[int]  # (n,) each once
    starts: Integers  # (n,) code points of the whole input
    ends: Integers  # (n,)
    labels: dict[int, str]  # {ID: label}
    relations: list[tuple[str, int, int]]  # (m,) label and two IDs, which no phrase need have


@dataclass(frozen=True)
class Gold2018:
    """The gold of one scenario."""

    paths: list[str]  # the files that it was read from
    said: Annotations2018
    texts: list[str] | None  # the lines of the input, as they stand there; None where the gold has none
    warnings: list[Problem]


@dataclass(frozen=True)
class System2018:
    """One scenario of a system; what it was given is the gold's."""

    said: Annotations2018
    warnings: list[Problem] = field(default_factory=list)


def read_gold_2018(files: Mapping[str, bytes], scenario: int, pairing: Pairing) -> Gold2018:
    """The gold of a scenario, all three tables; SubmissionError with the problems of the first stage that has any."""
    paths = find(files, scenario, TABLES_2018)
    refuse([missing(files, paths, stem, scenario, TABLES_2018) for stem in (_A, _B, _C) if stem not in paths])
    check_encoding({path: files[path] for path in paths.values()}, pairing)
    tables = _Tables(files, paths)
    refuse(tables.problems + (tables.unread if pairing == "checked" else []) + tables.repeated)
    warnings = [*left_out(tables.unread)]
    texts = split_lines(files[paths["input"]].decode()) if "input" in paths else None
    if texts is None:
        message = Message(
            "there-no-file-sentences",
            "there is no file of sentences beside the tables: all is one unit, and there are no intervals",
        )
        warnings.append(Problem(message, paths[_A]))
    return Gold2018(list(paths.values()), tables.said, texts, warnings)


def read_system_2018(files: Mapping[str, bytes], gold: Gold2018, scenario: int, pairing: Pairing) -> System2018:
    """A system's scenario; SubmissionError with the problems of the first stage that has any.

    With the pairing "official" a line of the relations without two IDs is left out, as the challenge's program does.
    """
    found = find(files, scenario, TABLES_2018)
    wanted = TABLES_2018.found[scenario]
    paths = {stem: found[stem] for stem in wanted if stem in found}
    if not paths:
        refuse([missing(files, found, stem, scenario, TABLES_2018) for stem in wanted])
    check_encoding({path: files[path] for path in paths.values()}, pairing)
    tables = _Tables(files, paths)
    refuse(tables.problems + (tables.unread if pairing == "checked" else []))
    said, given = tables.said, gold.said
    if scenario > 1:
        said = replace(said, ids=given.ids, starts=given.starts, ends=given.ends)
    if scenario > 2:
        said = replace(said, labels=given.labels)
    absent = [
        Problem(Message("no-file-taken-empty", "no {stem}_… file: taken as empty", stem=stem))
        for stem in wanted
        if stem not in paths
    ]
    unread = [*left_out(tables.unread)]
    return System2018(said, absent + unread + cut(tables.repeated, WARNED, paths.get(_A)) + _odd(said, paths))


def _odd(said: Annotations2018, paths: Mapping[str, str]) -> list[Problem]:
    """Return what is accepted, because the challenge's program accepts it, and yet is hardly meant."""
    warnings = []
    if 0 in said.ids:
        warnings.append(
            Problem(
                Message(
                    "phrase-id-never-found", "the phrase with the ID 0 is never found, as in the challenge's program"
                ),
                paths.get(_A),
            )
        )
    known = set(said.ids)
    strange = sum(not known.issuperset(ends) for _, *ends in said.relations)
    if strange:
        message = Message(
            "relations-id-no-phrase",
            "relations with an ID that no phrase has, which are spurious: {strange}",
            strange=strange,
        )
        warnings.append(Problem(message, paths.get(_C)))
    return warnings


class _Tables:
    """The tables of one side, as far as they are there, and what is wrong with their lines."""

    def __init__(self, files: Mapping[str, bytes], paths: Mapping[str, str]) -> None:
        self._files, self._paths = files, paths
        self.problems: list[Problem] = []
        self.unread: list[Problem] = []  # those of relations
        self.repeated: list[Problem] = []  # IDs used twice
        phrases = self._by_id(_A, _phrase)
        labels = self._by_id(_B, _label)
        relations = [relation for _, relation in self._rows(_C, _relation, self.unread)]
        spans = np.array(list(phrases.values()), dtype=np.int64).reshape(-1, 2)
        self.said = Annotations2018(list(phrases), spans[:, 0], spans[:, 1], labels, relations)

    def _rows(self, stem: str, parse: Callable[[list[str]], Row], problems: list[Problem]) -> list[tuple[int, Row]]:
        if stem not in self._paths:
            return []
        found = Problems(self._paths[stem])
        lines = enumerate(split_lines(self._files[self._paths[stem]].decode()), start=1)
        rows = parse_lines(lines, lambda line: parse(line.split()), found)
        problems += found.listed()
        return rows

    def _by_id(self, stem: str, parse: Callable[[list[str]], tuple[int, Row]]) -> dict[int, Row]:
        """{ID: value}: of lines with one ID the last counts, in the place of the first, as in the program."""
        found: dict[int, Row] = {}
        for line, (number, value) in self._rows(stem, parse, self.problems):
            if number in found:
                message = Message("id-used-twice-give", "ID {id} is used twice: give each phrase its own.", id=number)
                self.repeated.append(Problem(message, self._paths[stem], line))
            found[number] = value
        return found


def _phrase(columns: list[str]) -> tuple[int, tuple[int, int]]:
    _check_number(columns, 3, Message.word("ID, start, end"))
    number = integer(columns[0], Message.word("ID"))
    start = integer(columns[1], Message.word("start"))
    end = integer(columns[2], Message.word("end"))
    return number, (max(-FARTHEST, min(start, FARTHEST)), max(-FARTHEST, min(end, FARTHEST)))


def _label(columns: list[str]) -> tuple[int, str]:
    _check_number(columns, 2, Message.word("ID, label"))
    return integer(columns[0], Message.word("ID")), columns[1]


def _relation(columns: list[str]) -> tuple[str, int, int]:
    if len(columns) > 3:  # further columns are not looked at, as in the challenge's program
        columns = columns[:3]
    _check_number(columns, 3, RELATION_COLUMNS)
    source = integer(columns[1], Message.word("source ID"))
    target = integer(columns[2], Message.word("target ID"))
    return columns[0], source, target


def _check_number(columns: list[str], needed: int, names: str) -> None:
    if len(columns) != needed:
        found = Message.counted("columns", "{n} column", "{n} columns", len(columns))
        raise MalformedLine(
            Message(
                "line-needed",
                "Line has {found}, {n} are needed ({names}).",
                found=found,
                n=needed,
                names=names,
            )
        )
