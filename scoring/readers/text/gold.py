r"""The gold: segments with one or several references each, and perhaps the documents that they belong to.

    plain lines     one reference a line; further files hold second and third references, line by line
    JSON Lines      {"id": "s1", "refs": ["The bridge is open.", "The bridge opens."], "document": "d1"}
    columns         id, ref or ref_1, ref_2 …, and perhaps document, in the heading

A reference that is empty, or blank, is none: so segments may differ in the number of theirs.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scoring.errors import Problem, SubmissionError
from scoring.messages import Message
from scoring.readers.problems import Problems, only_file
from scoring.readers.segments import (
    JSON_SUFFIXES,
    Columns,
    OddEnds,
    PlainLines,
    Seen,
    json_id,
    json_records,
    kind_of,
    plain_lines,
    read_columns,
    sound_id,
)


@dataclass(frozen=True)
class Gold:
    """n segments in the order of the gold."""

    paths: list[str]  # the files that were read
    ids: list[str]  # (n,) each once; of plain lines "1", "2" …
    references: list[list[str]]  # (n,) of each segment at least one, none of them blank
    documents: list[str] | None  # (n,) the document of each segment; None where the gold has none
    odd: OddEnds | None = None  # of plain lines
    are_lines: bool = False  # whether they were plain lines


@dataclass
class _Segments:
    """Segments as they are read, and what is wrong with them."""

    problems: Problems
    ids: list[str] = field(default_factory=list)
    references: list[list[str]] = field(default_factory=list)
    documents: list[str | None] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)

    def add(self, name: str, line: int, references: Sequence[str], document: str | None) -> None:
        self.ids.append(name)
        self.references.append([reference for reference in references if reference and not reference.isspace()])
        self.documents.append(document)
        self.lines.append(line)
        if not self.references[-1]:
            self.problems.add(Message("segment-no-reference", "segment {name} has no reference", name=name), line)

    def check_documents(self) -> None:
        """All segments have a document, or none has."""
        without = [line for line, document in zip(self.lines, self.documents, strict=True) if document is None]
        if 0 < len(without) < len(self.ids):
            self.problems.add(Message("some-segments-have-no", "some segments have no document"), without[0])

    def gold(self, path: str) -> Gold:
        """Return what was read; SubmissionError with all problems."""
        self.check_documents()
        if not self.ids and not self.problems:
            self.problems.add(Message("no-segment", "no segment"))
        self.problems.raise_all()
        documents = [document for document in self.documents if document is not None]
        return Gold([path], self.ids, self.references, documents or None)


def read_gold(files: Mapping[str, bytes], options: Mapping[str, Any]) -> Gold:
    """The gold; SubmissionError with all problems, or where units are documents and it has none."""
    gold = _read(files, options)
    if options["unit"] == "document" and gold.documents is None:
        raise SubmissionError(
            Problem(
                Message("unit-document-needs-document", "unit=document needs the document of each segment"),
                gold.paths[0],
            )
        )
    return gold


def _read(files: Mapping[str, bytes], options: Mapping[str, Any]) -> Gold:
    if all(kind_of(path) == "lines" for path in files):
        return _of_lines([plain_lines(content, path) for path, content in files.items()])
    path = only_file(files)
    segments = _Segments(Problems(path))
    read = _read_json if path.lower().endswith(JSON_SUFFIXES) else _read_columns
    read(files[path], path, segments, options["id_column"], options["ref_column"])
    return segments.gold(path)


def _of_lines(pages: Sequence[PlainLines]) -> Gold:
    """Files of as many lines each, in the order of their paths."""
    first = pages[0]
    n = len(first.texts)
    for page in pages[1:]:
        if len(page.texts) != n:
            raise SubmissionError(
                Problem(
                    Message(
                        "lines-instead-as-in",
                        "{n} lines instead of {n_2} as in {file}",
                        n=len(page.texts),
                        n_2=n,
                        file=first.file,
                    ),
                    page.file,
                )
            )
    segments = _Segments(Problems(first.file))
    for number, references in enumerate(zip(*(page.texts for page in pages), strict=True), start=1):
        segments.add(str(number), number, references, None)
    gold = segments.gold(first.file)
    odd = next((page.odd for page in pages if page.odd), None)
    return Gold([page.file for page in pages], gold.ids, gold.references, None, odd, are_lines=True)


def _read_json(content: bytes, path: str, segments: _Segments, id_: str, ref: str) -> None:
    seen = Seen(segments.problems)
    for number, record in json_records(content, path, segments.problems, id_, ref):
        name = json_id(record, number, segments.problems, id_)
        references = _json_references(record, ref, number, segments.problems)
        document = _json_document(record, number, segments.problems)
        if name is not None and seen.is_new(name, number) and references is not None:
            segments.add(name, number, references, document)


def _json_references(record: Mapping[str, Any], ref: str, number: int, problems: Problems) -> list[str] | None:
    """The references of a line's object, empty without any; None, and a problem, where they are something else.

    A list may stand at the name with an s behind, too.
    """
    name = f"{ref}s" if record.get(f"{ref}s") is not None else ref
    value = record.get(name)
    if value is None or (isinstance(value, str) and name == ref):
        return [value] if value else []
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return value
    problems.add(Message("must-list-strings", '"{name}" must be a list of strings', name=name), number)
    return None


def _json_document(record: Mapping[str, Any], number: int, problems: Problems) -> str | None:
    value = record.get("document")
    if value is None:
        return None
    if isinstance(value, str):
        return _sound_document(value, number, problems)
    problems.add(Message("document-must-string", '"document" must be a string'), number)
    return None


def _sound_document(written: str, number: int, problems: Problems) -> str | None:
    """The name of a document, trimmed; None where nothing is left of it."""
    name = written.strip()
    if not name.isprintable():
        problems.add(
            Message(
                "document-character-cannot-shown", "document {name!r} has a character that cannot be shown", name=name
            ),
            number,
        )
    return name or None


def _read_columns(content: bytes, path: str, segments: _Segments, id_: str, ref: str) -> None:
    problems = segments.problems
    table = read_columns(content, path, (id_,), problems)
    references = _reference_columns(table, ref)
    if not references:
        problems.add(
            Message(
                "no-column-first-line-tabs",
                "no column {name}: the first line names the columns, with tabs between them",
                name=ref,
            ),
            1,
        )
    if problems:
        return
    at, seen = table.index(id_), Seen(problems)
    document = table.index("document") if "document" in table else None
    for number, cells in table.rows(problems):
        name = sound_id(cells[at], number, problems)
        if name is not None and seen.is_new(name, number):
            of = None if document is None else _sound_document(cells[document], number, problems)
            segments.add(name, number, [cells[column] for column in references], of)


def _reference_columns(table: Columns, ref: str) -> list[int]:
    """Return where references stand: `ref`, then `ref_1`, `ref_2` and so on by their numbers."""
    pattern = re.compile(rf"{re.escape(ref)}(?:_([1-9][0-9]{{0,3}}))?")
    matches = [(column, pattern.fullmatch(name)) for column, name in enumerate(table.names)]
    return [column for _, column in sorted((int(match[1] or 0), column) for column, match in matches if match)]
