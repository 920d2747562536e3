"""The columns of the CoNLL-2011 and 2012 shared tasks: a token a line, coreference as brackets in the last column.

    #begin document (nw/a_0001); part 000
    nw/a_0001   0   0   Anna     NNP   (0)
    nw/a_0001   0   1   sees     VBZ   -
    nw/a_0001   0   2   her      PRP$  (1|(0)
    nw/a_0001   0   3   mother   NN    1)

    #end document

This is the document "nw/a_0001-000" with the entities 0, of tokens 0 and 2, and 1, of tokens 2 to 3. A mention is the
pair (first token, last token), counted through the document from 0 whatever the third column says; so blank lines,
which separate sentences, do not matter, and a mention may cross them.

The converter of scorch reads the same lines by other rules of its own (`scoring/commands/scorch_convert.py`), and
shares the cutting into documents and the reading of cells.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import cast

from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.blank_lines import numbered_lines
from scoring.readers.coreference.documents import (
    Brackets,
    Content,
    Document,
    Mention,
    Occurrence,
    WordRange,
    entity_of,
    keep_first,
    name_problem,
    repetition,
    shown,
    without_empty,
)
from scoring.readers.problems import ProblemCollector

_BEGIN = re.compile(r"#\s*begin document(.*)")
_END = re.compile(r"#\s*end document")
_FIRST_PART = re.compile(r"-0+$")
_NAME = re.compile(r"\((.*)\)(?:\s*;)?(?:\s*part\s+(\S+))?")
# [0-9] instead of \d, which takes the digits of all scripts: "(٣" is no cell of this format.
_BRACKET = r"(?:\([0-9]++\)?+|[0-9]++\))"
# Possessive (++, *+): a long cell that cannot be read is tried in one way only.
_BRACKETS = re.compile(rf"{_BRACKET}(?:\|?{_BRACKET})*+")
# The number of each bracket, with whether it opens and whether it closes.
_ONE_BRACKET = re.compile(r"(\()?([0-9]++)(\))?")
# A cell of more characters is not read: at one token, no text has thousands of mentions that begin or end.
_LONGEST_CELL = 100_000
# Cells without any bracket.
_NOTHING = ("-", "_")
# Document, part, token number, word: the fourth column from 2011 on.
_WORD_COLUMN = 3


class MalformedCell(ValueError):
    """A cell of the last column that cannot be read; its text is the message."""


@dataclass(frozen=True)
class Part:
    """The lines of one document, which this format calls a part: long texts are cut into several."""

    # What follows "begin document", without the blanks around it.
    header: str
    # The number of the line "#begin document", from 1.
    line: int
    # Number and text of each line up to the end, blank ones included and those that begin with # left out.
    rows: list[tuple[int, str]]


def read(
    text: str,
    file: str,
    words_of: str | None = None,
    *,
    ones_first: bool = False,
    names: Collection[str] = (),
) -> Content:
    """Read all documents of a file; the words of the document `words_of` are kept.

    Of a system, `names` are those of the gold.

    With ones_first the entities of a cell's one-token mentions count as opened before its others, as in the reference
    scorer: a repeated mention stays with the entity that opens first.
    """
    problems, repetitions = ProblemCollector(), ProblemCollector()
    parts = split(text, file, problems)
    if len(parts) == 1 and not name_of(parts[0].header):
        # As of CorefUD, and as OntoGUM's files need it: a document alone in its file may go by the file's name.
        parts = [replace(parts[0], header=PurePosixPath(file).stem)]
    parts = [replace(part, header=with_part_as(part.header, names)) for part in parts]
    documents = [_read(part, file, words_of, problems, repetitions, ones_first=ones_first) for part in parts]
    return Content(documents, list(problems), list(repetitions))


def split(text: str, file: str, problems: ProblemCollector) -> list[Part]:
    """Cut the file into documents; what is wrong with the cuts becomes problems."""
    parts: list[Part] = []
    # Text outside documents is told once for each gap between them, not once for each line.
    is_inside = is_told = False
    # Only line feeds end a line: some words hold characters that splitlines() takes for line ends.
    for number, line in numbered_lines(text):
        if line.startswith("#"):
            if begin := _BEGIN.match(line):
                if is_inside:
                    problems.append(_not_closed(parts[-1], file))
                parts.append(Part(begin[1].strip(), number, []))
                is_inside, is_told = True, False
            elif _END.match(line):
                if not is_inside:
                    problems.append(
                        Finding(
                            Message("end-document-without-beginning", '"#end document" without a beginning'),
                            file,
                            number,
                        )
                    )
                is_inside = is_told = False
        elif is_inside:
            parts[-1].rows.append((number, line))
        elif not is_told and line.strip():
            problems.append(Finding(Message("text-outside-document", "text outside a document"), file, number))
            is_told = True
    if is_inside:
        problems.append(_not_closed(parts[-1], file))
    if not parts:
        problems.append(Finding(Message("no-document-file", "no document in this file"), file))
    return parts


def name_of(header: str) -> str:
    """Return NAME-PART of `(NAME); part PART`; what is not in this form is the name itself.

    >>> name_of("(nw/a_0001); part 000"), name_of("(a)"), name_of("b.txt")
    ('nw/a_0001-000', 'a', 'b.txt')
    """
    if not (form := _NAME.fullmatch(header)):
        return header
    name, part = form[1], form[2]
    if not name.strip():
        return ""
    return f"{name}-{part}" if part else name


def with_part_as(header: str, names: Collection[str]) -> str:
    """Return the name of the gold where only one side writes the part of a document that has no other; else the header.

    >>> with_part_as("(a); part 000", {"a"}), with_part_as("(a);", {"a-000"}), with_part_as("(b)", {"a"})
    ('a', 'a-000', '(b)')
    """
    name = name_of(header)
    if name in names:
        return header
    others = (_FIRST_PART.sub("", name), f"{name}-000", f"{name}-0")
    return next((other for other in others if other in names), header)


def cell_of(row: str) -> str:
    """Return the last column of a row that is not blank."""
    return row.rsplit(None, 1)[-1]


def brackets(cell: str) -> tuple[list[str], list[str]]:
    """Return the entities that open in a cell, and those that close there; MalformedCell if it cannot be read.

    All openings come before all closings, in whatever order they are written, as in the reference scorer. So `3)|(3`
    after an open `(3` is a mention of this one token, and the older bracket stays open.

    >>> brackets("(1|(0)"), brackets("3)|(3"), brackets("-")
    ((['1', '0'], ['0']), (['3'], ['3']), ([], []))
    """
    if cell in _NOTHING:
        return [], []
    if len(cell) > _LONGEST_CELL:
        raise MalformedCell(
            Message(
                "coreference-cell-characters-most",
                "the coreference cell has {n} characters, at most {longest_cell} are read",
                n=len(cell),
                longest_cell=_LONGEST_CELL,
            )
        )
    if not _BRACKETS.fullmatch(cell):
        raise MalformedCell(
            Message(
                "cannot-read-conll-cell",
                "cannot read the coreference cell '{cell}', the last of its line: write - for no mention, (3 and 3)"
                " where one of entity 3 begins and ends, and | between several",
                cell=shown(cell),
            )
        )
    in_cell = _ONE_BRACKET.findall(cell)
    return [entity for opens, entity, _ in in_cell if opens], [entity for _, entity, closes in in_cell if closes]


def _ones_first(cell: str) -> list[str]:
    """Return the entities that open in a cell, those of its one-token mentions first.

    >>> _ones_first("(3|(1)")
    ['1', '3']
    """
    opening = [(entity, closes) for opens, entity, closes in _ONE_BRACKET.findall(cell) if opens]
    return [entity for entity, closes in opening if closes] + [entity for entity, closes in opening if not closes]


def tokens(part: Part) -> Iterator[tuple[int, str]]:
    """Yield line number and row of each token."""
    return ((number, row) for number, row in part.rows if row and not row.isspace())


def _not_closed(part: Part, file: str) -> Finding:
    name = shown(name_of(part.header))
    return Finding(
        Message("document-not-closed-end", 'document "{name}" is not closed by "#end document"', name=name),
        file,
        part.line,
    )


def _read(
    part: Part,
    file: str,
    words_of: str | None,
    problems: ProblemCollector,
    repetitions: ProblemCollector,
    *,
    ones_first: bool,
) -> Document:
    """Read the one document of a part; what is wrong with its name and its brackets becomes problems."""
    name = name_of(part.header)
    if problem := name_problem(name, file, part.line):
        problems.append(problem)
    mentions = _Mentions(name, file, problems, ones_first=ones_first)
    length = mentions.read(tokens(part))
    labels = mentions.labels
    entities, repeated = keep_first(mentions.occurrences, len(labels))
    repetitions += (repetition(name, file, _span(several[0].mention), labels, several) for several in repeated)
    labels, entities = without_empty(labels, entities)
    of = entity_of(entities)
    is_asked_for = name == words_of
    return Document(
        name=name,
        file=file,
        line=part.line,
        labels=labels,
        entities=entities,
        entity_of=of,
        lengths=(length,),
        words=list(_sentences(part.rows)) if is_asked_for else None,
        # A mention of this format is its own range of words.
        word_ranges={mention: [cast(WordRange, mention)] for mention in of} if is_asked_for else {},
        n_repeated=len(mentions.occurrences) - len(of),
    )


class _Mentions:
    """The mentions of one document, (first token, last token), and what is wrong with its brackets."""

    def __init__(self, name: str, file: str, problems: ProblemCollector, *, ones_first: bool) -> None:
        self._name, self._file = shown(name), file
        self._ones_first = ones_first
        # Each entity's rank in the order of first openings.
        self._ranks: dict[str, int] = {}
        # Of each open bracket its token and its line.
        self._brackets: Brackets[tuple[int, int]] = Brackets()
        # In the order in which the mentions close.
        self.occurrences: list[Occurrence] = []
        self._problems = problems

    @property
    def labels(self) -> list[str]:
        """Return the entities by rank."""
        return list(self._ranks)

    def read(self, rows: Iterable[tuple[int, str]]) -> int:
        """Take in all rows of the document, each a line number and a token; the number of tokens."""
        token = -1
        for token, (line, row) in enumerate(rows):
            cell = cell_of(row)
            if cell not in _NOTHING:
                self._read_cell(cell, token, line)
        for entity, (first, line) in self._brackets.unclosed():
            self._problem(
                Message(
                    "mention-entity-opens-token",
                    "the mention of entity {entity} that opens at token {first} is never closed",
                    entity=entity,
                    first=first,
                ),
                line,
            )
        return token + 1

    def _read_cell(self, cell: str, token: int, line: int) -> None:
        """Open and close what the cell of a token says."""
        try:
            openings, closings = brackets(cell)
        except MalformedCell as error:
            self._problems.append(Finding(error.args[0], self._file, line))
            return
        for entity in _ones_first(cell) if self._ones_first and len(openings) > 1 else ():
            self._ranks.setdefault(entity, len(self._ranks))
        for entity in openings:
            self._ranks.setdefault(entity, len(self._ranks))
            self._brackets.open(entity, (token, line))
        for entity in closings:
            opened = self._brackets.close(entity)
            if opened is None:
                self._problem(
                    Message(
                        "mention-entity-closes-was",
                        "a mention of entity {entity} closes that was never opened",
                        entity=entity,
                    ),
                    line,
                )
            else:
                first, first_line = opened
                self.occurrences.append(Occurrence(self._ranks[entity], (first, token), first_line))

    def _problem(self, message: str, line: int) -> None:
        self._problems.append(
            Finding(
                Message("in-document", 'document "{document}": {problem}', document=self._name, problem=message),
                self._file,
                line,
            )
        )


def _span(mention: Mention) -> str:
    """Return where a mention is, for a message."""
    first, last = cast(WordRange, mention)
    return (
        Message("first-token", "token {first}", first=first)
        if first == last
        else Message("first-last-tokens", "tokens {first} to {last}", first=first, last=last)
    )


def _sentences(rows: Iterable[tuple[int, str]]) -> Iterator[list[str]]:
    """Yield the words between blank lines.

    Words are the fourth column where that is not the last one; of fewer columns the one before the coreference.
    """
    words: list[str] = []
    for _, row in rows:
        if columns := row.split():
            has_word_column = len(columns) > _WORD_COLUMN + 1
            words.append(columns[_WORD_COLUMN] if has_word_column else columns[max(0, len(columns) - 2)])
        elif words:
            yield words
            words = []
    if words:
        yield words
