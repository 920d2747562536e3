"""The columns of the CoNLL-2011 and 2012 shared tasks, with brackets in the last one."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import cast

from scoring.errors import Problem
from scoring.readers.coreference.documents import (
    Brackets,
    Content,
    Document,
    Found,
    Mention,
    Place,
    entity_of,
    keep_first,
    name_problem,
    repetition,
    shown,
    without_empty,
)

_BEGIN = re.compile(r"#\s*begin document(.*)")
_END = re.compile(r"#\s*end document")
_NAME = re.compile(r"\((.*)\)(?:\s*;)?(?:\s*part\s+(\S+))?")
_BRACKET = r"(?:\([0-9]++\)?+|[0-9]++\))"
# Possessive: a cell that cannot be read is tried in one way only.
_BRACKETS = re.compile(rf"{_BRACKET}(?:\|?{_BRACKET})*+")
_OPENING = re.compile(r"\(([0-9]+)")
_CLOSING = re.compile(r"([0-9]+)\)")
_NOTHING = ("-", "_")
_WORD_COLUMN = 3


class MalformedCell(ValueError):
    """Its text is the message."""


@dataclass(frozen=True)
class Part:
    """The lines of one document; `header` is what follows "begin document" in line `line`.

    `rows` are numbered from 1 through the file, blank ones and comments included.
    """

    header: str
    line: int
    rows: list[tuple[int, str]]


def read(text: str, file: str, words_of: str | None = None) -> Content:
    """All documents of a file; the words of the document `words_of` are kept."""
    parts, problems = split(text, file)
    found = [_read(part, file, words_of) for part in parts]
    return Content(
        [document for one in found for document in one.documents],
        problems + [problem for one in found for problem in one.problems],
        [problem for one in found for problem in one.repetitions],
    )


def split(text: str, file: str) -> tuple[list[Part], list[Problem]]:
    """The file cut into documents, and what is wrong with the cuts."""
    parts: list[Part] = []
    problems: list[Problem] = []
    inside = is_told = False
    # Only line feeds end a line: some words hold characters that splitlines() takes for line ends.
    for number, line in enumerate(text.split("\n"), start=1):
        if line.startswith("#"):
            if begin := _BEGIN.match(line):
                if inside:
                    problems.append(_not_closed(parts[-1], file))
                parts.append(Part(begin[1].strip(), number, []))
                inside, is_told = True, False
            elif _END.match(line):
                if not inside:
                    problems.append(Problem('"#end document" without a beginning', file, number))
                inside = is_told = False
        elif inside:
            parts[-1].rows.append((number, line))
        elif not is_told and line.strip():
            problems.append(Problem("text outside a document", file, number))
            is_told = True
    if inside:
        problems.append(_not_closed(parts[-1], file))
    if not parts:
        problems.append(Problem("no document in this file", file))
    return parts, problems


def name_of(header: str) -> str:
    """`(NAME); part PART` gives NAME-PART; what is not in this form is the name itself."""
    if not (form := _NAME.fullmatch(header)):
        return header
    name, part = form[1], form[2]
    if not name.strip():
        return ""
    return f"{name}-{part}" if part else name


def cell_of(row: str) -> str:
    """The last column of a row that is not blank."""
    return row.rsplit(None, 1)[-1]


def brackets(cell: str) -> tuple[list[str], list[str]]:
    """The entities that open in a cell, and those that close: all openings come before all closings."""
    if cell in _NOTHING:
        return [], []
    if not _BRACKETS.fullmatch(cell):
        raise MalformedCell(f"cannot read the coreference cell '{shown(cell)}'")
    return _OPENING.findall(cell), _CLOSING.findall(cell)


def tokens(part: Part) -> Iterator[tuple[int, str]]:
    """Line number and row of each token."""
    return ((number, row) for number, row in part.rows if row and not row.isspace())


def _not_closed(part: Part, file: str) -> Problem:
    name = shown(name_of(part.header))
    return Problem(f'document "{name}" is not closed by "#end document"', file, part.line)


def _read(part: Part, file: str, words_of: str | None) -> Content:
    name = name_of(part.header)
    found = _Mentions(name, file)
    length = found.take(tokens(part))
    named = name_problem(name, file, part.line)
    labels = found.labels
    entities, repeated = keep_first(found.found, len(labels))
    repetitions = [repetition(name, file, _span(several[0].mention), labels, several) for several in repeated]
    labels, entities = without_empty(labels, entities)
    of = entity_of(entities)
    asked = name == words_of
    document = Document(
        name=name,
        file=file,
        line=part.line,
        labels=labels,
        entities=entities,
        entity_of=of,
        lengths=(length,),
        words=list(_sentences(part.rows)) if asked else None,
        places={mention: [cast(Place, mention)] for mention in of} if asked else {},
    )
    return Content([document], [*([named] if named else []), *found.problems], repetitions)


class _Mentions:
    """The mentions of one document, (first token, last token), in the order in which they close."""

    def __init__(self, name: str, file: str) -> None:
        self._name, self._file = shown(name), file
        self._ranks: dict[str, int] = {}
        self._brackets: Brackets[tuple[int, int]] = Brackets()
        self.found: list[Found] = []
        self.problems: list[Problem] = []

    @property
    def labels(self) -> list[str]:
        return list(self._ranks)

    def take(self, rows: Iterable[tuple[int, str]]) -> int:
        """The number of tokens."""
        token = -1
        for token, (line, row) in enumerate(rows):
            cell = cell_of(row)
            if cell not in _NOTHING:
                self._take_cell(cell, token, line)
        for entity, (place, line) in self._brackets.unclosed():
            self._problem(f"the mention of entity {entity} that opens at token {place} is never closed", line)
        return token + 1

    def _take_cell(self, cell: str, token: int, line: int) -> None:
        try:
            openings, closings = brackets(cell)
        except MalformedCell as error:
            self.problems.append(Problem(str(error), self._file, line))
            return
        for entity in openings:
            self._ranks.setdefault(entity, len(self._ranks))
            self._brackets.open(entity, (token, line))
        for entity in closings:
            opened = self._brackets.close(entity)
            if opened is None:
                self._problem(f"a mention of entity {entity} closes that was never opened", line)
            else:
                first, first_line = opened
                self.found.append(Found(self._ranks[entity], (first, token), first_line))

    def _problem(self, message: str, line: int) -> None:
        self.problems.append(Problem(f'document "{self._name}": {message}', self._file, line))


def _span(mention: Mention) -> str:
    first, last = cast(Place, mention)
    return f"token {first}" if first == last else f"tokens {first} to {last}"


def _sentences(rows: Iterable[tuple[int, str]]) -> Iterator[list[str]]:
    words: list[str] = []
    for _, row in rows:
        if columns := row.split():
            words.append(
                columns[_WORD_COLUMN] if len(columns) > _WORD_COLUMN + 1 else columns[max(0, len(columns) - 2)]
            )
        elif words:
            yield words
            words = []
    if words:
        yield words
