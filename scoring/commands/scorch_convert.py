"""The arguments and the output of scorch's converter from CoNLL columns to JSON.

The converter has rules of its own, other than those by which `scoring/readers/coreference/conll.py` reads the same
columns for scoring: a mention is named after its sentence and the third column, it must end in its sentence, and the
name of a document needs its semicolon. The cutting into documents and the reading of cells are shared.
"""

import json
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import cast

from scoring.display.terminal import note, usage_status
from scoring.errors import SubmissionError
from scoring.findings import Finding
from scoring.readers.coreference.conll import MalformedCell, Part, brackets, cell_of, split
from scoring.readers.coreference.documents import Brackets, Mention, Occurrence, keep_first, shown
from scoring.readers.problems import ProblemCollector, decoded, raise_all

_USAGE = """\
usage: python -m scoring scorch-convert CONLL [OUT_DIR]
CONLL: a file of CoNLL-2012 columns; - is the standard input.
OUT_DIR: a folder for one JSON file a document; otherwise the folder of CONLL.
"""
# The standard input in place of a path.
_STREAM = "-"
# Other than the reader of this format, the converter wants the semicolon.
_NAME = re.compile(r"\((.*?)\);(?:\s*part (.*))?")
# The number of the token, third of the columns, which names the ends of a mention.
_NUMBER_COLUMN = 2


def main(argv: Sequence[str]) -> int:
    """Return the exit status: 0 done, 1 anything refused or wrongly called; nothing is written then."""
    is_option = any(argument.startswith("-") and argument != _STREAM for argument in argv)
    if (status := usage_status(argv, _USAGE, len(argv) in (1, 2) and not is_option)) is not None:
        return status
    source = argv[0]
    folder = Path(argv[1]) if len(argv) == 2 else Path(source).parent
    try:
        files = _converted(_content(source), source)
        if not folder.is_dir():
            raise SubmissionError(f"{folder}: there is no such folder")
        for name, text in files.items():
            _write(folder / name, text)
    except SubmissionError as error:
        note(error)
        return 1
    return 0


def _content(source: str) -> bytes:
    if source == _STREAM:
        return sys.stdin.buffer.read()
    try:
        return Path(source).read_bytes()
    except OSError as error:
        raise SubmissionError(Finding(f"cannot be read: {error.strerror}", source)) from None


def _write(path: Path, text: str) -> None:
    """Write a file without a final newline, as scorch does; non-ASCII characters are escaped in the JSON."""
    try:
        path.write_text(text, encoding="ascii", newline="")
    except OSError as error:
        raise SubmissionError(Finding(f"cannot be written: {error.strerror}", str(path))) from None


def _converted(content: bytes, source: str) -> dict[str, str]:
    """Return the files to write, {name: text}; SubmissionError with all that is wrong.

    Scorch would lose data silently where a document has no end, text stands outside documents or two documents have
    one name, and it writes an entity without mentions, which its scorer cannot read. All of these are refused.
    """
    problems = ProblemCollector()
    files: dict[str, str] = {}
    for part in split(decoded(content, source), source, problems):
        document = _Document(part, source)
        file = document.name.replace("/", "_") + ".json"
        if document.name and file in files:
            document.problem(f'document "{shown(document.name)}" twice ({shown(file)} is taken)', part.line)
        files[file] = document.json()
        problems += document.problems
    raise_all(problems)
    return files


class _Document:
    """One document: its name, its entities of mentions (block, start, end), and its problems."""

    def __init__(self, part: Part, source: str) -> None:
        self._part, self._source = part, source
        self.problems: list[Finding] = []
        self.name = self._name()
        # Each entity's rank in the order of first openings.
        self._ranks: dict[str, int] = {}
        # Of each open bracket the number of its token, as text, and its line.
        self._brackets: Brackets[tuple[str, int]] = Brackets()
        # In the order in which the mentions close.
        self._occurrences: list[Occurrence] = []
        for block, rows in _blocks(part.rows):
            self._read(block, rows)

    def json(self) -> str:
        """Return the content of the document's file; an entity that lost all mentions to others is a problem more."""
        entities, _ = keep_first(self._occurrences, len(self._ranks))
        clusters = {}
        for label, mentions in zip(self._ranks, entities, strict=True):
            if not mentions and not self.problems:
                self.problem(f"all mentions of entity {label} belong to earlier entities", self._part.line)
            # By block as a number, then by the ends as texts ("10" before "9"), as scorch sorts them.
            clusters[label] = [f"{block}.{start}-{end}" for block, start, end in sorted(_triples(mentions))]
        return json.dumps({"name": self.name, "type": "clusters", "clusters": clusters})

    def problem(self, message: str, line: int) -> None:
        """Add a problem of this document; `line` counts from 1 in the file."""
        self.problems.append(Finding(message, self._source, line))

    def _name(self) -> str:
        # Text behind this form is ignored, as by scorch.
        form = _NAME.match(self._part.header)
        name = form[1].strip() if form else ""
        if not form or not name or "\0" in self._part.header:
            self.problem("a document without a name: write (NAME); or (NAME); part PART", self._part.line)
            return ""
        return name if form[2] is None else f"{name}-{form[2]}"

    def _read(self, block: int, rows: Sequence[tuple[int, str]]) -> None:
        """Take in the rows of a block; a mention must end in the block in which it begins."""
        for index, (line, row) in enumerate(rows):
            columns = row.split()
            number = columns[_NUMBER_COLUMN] if len(columns) > _NUMBER_COLUMN else str(index)
            self._read_cell(cell_of(row), block, number, line)
        for entity, (_, line) in self._brackets.unclosed():
            self.problem(f"the mention of entity {entity} is not closed in its sentence", line)
        self._brackets = Brackets()

    def _read_cell(self, cell: str, block: int, number: str, line: int) -> None:
        try:
            openings, closings = brackets(cell)
        except MalformedCell as error:
            self.problem(str(error), line)
            return
        for entity in openings:
            self._ranks.setdefault(entity, len(self._ranks))
            self._brackets.open(entity, (number, line))
        for entity in closings:
            opened = self._brackets.close(entity)
            if opened is None:
                self.problem(f"a mention of entity {entity} closes that was never opened in its sentence", line)
            else:
                start, first_line = opened
                self._occurrences.append(Occurrence(self._ranks[entity], (block, start, number), first_line))


def _blocks(rows: Sequence[tuple[int, str]]) -> Iterator[tuple[int, list[tuple[int, str]]]]:
    """Yield the blocks of a document and their numbers from 0: every blank line ends a block, also an empty one.

    So with two blank lines before it the first sentence is block 2, as scorch numbers it.
    """
    block = 0
    lines: list[tuple[int, str]] = []
    for line, row in rows:
        if row and not row.isspace():
            lines.append((line, row))
        else:
            yield block, lines
            block, lines = block + 1, []
    yield block, lines


def _triples(mentions: Sequence[Mention]) -> list[tuple[int, str, str]]:
    """Return the mentions as what they are here: block, first and last token."""
    return cast(list[tuple[int, str, str]], mentions)
