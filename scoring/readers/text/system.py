"""A system's texts, one for each segment of the gold: by position where they are plain lines, else by their ids."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from scoring.errors import SubmissionError
from scoring.findings import Finding
from scoring.readers.problems import Problems, cut, only_file
from scoring.readers.segments import (
    OddEnds,
    Seen,
    json_id,
    json_records,
    kind_of,
    plain_lines,
    read_columns,
    refuse_csv,
    refuse_flood,
    sound_id,
    text_at,
    unpaired,
    wrong_number,
)
from scoring.readers.swapping import refuse_swapped
from scoring.readers.text.gold import Gold

_Row = tuple[int, str | None, str | None]  # line, from 1; id and text, None where they could not be read


@dataclass(frozen=True)
class System:
    """The texts of the n segments in the order of the gold; an empty text is one."""

    file: str
    texts: list[str]  # (n,)
    odd: OddEnds | None = None  # of plain lines


def read_system(files: Mapping[str, bytes], gold: Gold, options: Mapping[str, Any]) -> System:
    """Read the texts in the only file; SubmissionError with all problems."""
    path = only_file(files)
    if kind_of(path) == "lines":
        read = _by_position(files[path], path, gold, options)
    else:
        read = System(path, _by_id(files[path], path, gold, options))
    if {"ter", "rouge"} & {*options["metrics"]}:
        refuse_flood((text for references in gold.references for text in references), read.texts, path)
    return read


def read_ids(files: Mapping[str, bytes], options: Mapping[str, Any]) -> list[str]:
    """Read the ids in the only file, which is none of plain lines, as far as they can be read."""
    path = only_file(files)
    return [name for _, name, _ in _rows(files[path], path, Problems(path), options) if name is not None]


def _by_position(content: bytes, path: str, gold: Gold, options: Mapping[str, Any]) -> System:
    page = plain_lines(content, path)
    refuse_csv(path, page.texts, gold.ids, (options["id_column"], options["text_column"]))
    if problem := wrong_number([references[0] for references in gold.references], page):
        raise SubmissionError(problem)
    return System(path, page.texts, page.odd)


def _by_id(content: bytes, path: str, gold: Gold, options: Mapping[str, Any]) -> list[str]:
    """Return the texts in the order of the gold; SubmissionError with all problems."""
    unreadable, doubled = Problems(path), Problems(path)
    seen = Seen(doubled)
    texts: dict[str, str] = {}
    for number, name, text in _rows(content, path, unreadable, options):
        if name is not None and seen.is_new(name, number) and text is not None:
            texts[name] = text
    refuse_swapped(gold.ids, seen.lines, {options["text_column"]: texts.values()}, options["id_column"], path)
    unknown_and_missing = unpaired(gold.ids, seen.lines, path)
    # What seems to be missing may stand on the lines that could not be read.
    telling = (problem for problem in unknown_and_missing if problem.line is not None or not unreadable)
    problems = cut([*unreadable.listed(), *doubled.listed(), *telling])
    if problems:
        raise SubmissionError(sorted(problems, key=_place))
    return [texts[name] for name in gold.ids]


def _place(problem: Finding) -> float:
    """Order problems by their lines, and last those of no line."""
    return problem.line or math.inf


def _rows(content: bytes, path: str, problems: Problems, options: Mapping[str, Any]) -> Iterator[_Row]:
    read = _json_rows if kind_of(path) == "json" else _column_rows
    return read(content, path, problems, options["id_column"], options["text_column"])


def _json_rows(content: bytes, path: str, problems: Problems, id_: str, text: str) -> Iterator[_Row]:
    for number, record in json_records(content, path, problems, id_, text):
        yield number, json_id(record, number, problems, id_), text_at(record, text, number, problems, id_)


def _column_rows(content: bytes, path: str, problems: Problems, id_: str, text: str) -> Iterator[_Row]:
    table = read_columns(content, path, (id_, text), problems)
    if problems:
        return
    at, of = table.index(id_), table.index(text)
    for number, cells in table.rows(problems):
        yield number, sound_id(cells[at], number, problems), cells[of]
