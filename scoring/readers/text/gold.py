r"""The gold: segments with one or several references each, and perhaps the documents that they belong to.

    plain lines     one reference a line; further files hold second and third references, line by line
    JSON Lines      {"id": "s1", "refs": ["The bridge is open.", "The bridge opens."], "document": "d1"}
    columns         id, ref or ref_1, ref_2 …, and perhaps document, in the heading

A reference that is empty, or blank, is none: so segments may differ in the number of theirs. Where a metric needs the
sources of the segments, they stand at "source", or in a file of that name beside those of references.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Any

from scoring.errors import SubmissionError
from scoring.findings import Finding
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
    sources: list[str] | None = None  # (n,) where the metrics need them
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
    sources: list[str] | None = None  # a list where they are needed

    def add(
        self, name: str, line: int, references: Sequence[str], document: str | None, source: str | None = None
    ) -> None:
        self.ids.append(name)
        self.references.append([reference for reference in references if reference and not reference.isspace()])
        self.documents.append(document)
        self.lines.append(line)
        if not self.references[-1]:
            self.problems.add(Message("segment-no-reference", "segment {name} has no reference", name=name), line)
        if self.sources is None:
            return
        self.sources.append(source or "")
        if not self.sources[-1].strip():
            self.problems.add(Message("segment-no-source", "segment {name} has no source", name=name), line)

    def check_documents(self) -> None:
        """Require a document of all segments, or of none."""
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
        return Gold([path], self.ids, self.references, documents or None, self.sources)


def read_gold(files: Mapping[str, bytes], options: Mapping[str, Any]) -> Gold:
    """Read the gold; SubmissionError with all problems, or where units are documents and it has none."""
    gold = _read(files, options)
    if options["unit"] == "document" and gold.documents is None:
        raise SubmissionError(
            Finding(
                Message("unit-document-needs-document", "unit=document needs the document of each segment"),
                gold.paths[0],
            )
        )
    return gold


def _read(files: Mapping[str, bytes], options: Mapping[str, Any]) -> Gold:
    if all(kind_of(path) == "lines" for path in files):
        return _of_lines([plain_lines(content, path) for path, content in files.items()], options)
    path = only_file(files)
    segments = _Segments(Problems(path), sources=[] if needs_sources(options) else None)
    read = _read_json if path.lower().endswith(JSON_SUFFIXES) else _read_columns
    names = options["id_column"], options["ref_column"], options.get("source_column", "source")
    read(files[path], path, segments, *names)
    return segments.gold(path)


def needs_sources(options: Mapping[str, Any]) -> bool:
    """Return whether one of the metrics compares texts with their sources, too."""
    return not {"sari", "gleu"}.isdisjoint(options["metrics"])


def _of_lines(pages: Sequence[PlainLines], options: Mapping[str, Any]) -> Gold:
    """Read files of as many lines each, in the order of their paths; one of them may hold the sources."""
    needs, name = needs_sources(options), options.get("source_column", "source")
    sources = [page for page in pages if needs and PurePosixPath(page.file).stem == name][:1]
    pages = [page for page in pages if page not in sources]
    if not pages or len(sources) < needs:
        message = Message(
            "sources-file-needed",
            "SARI and GLEU need the sources, in a file {name}.txt beside the references",
            name=name,
        )
        raise SubmissionError(Finding(message, (pages or sources)[0].file))
    first = pages[0]
    n = len(first.texts)
    for page in [*pages[1:], *sources]:
        if len(page.texts) != n:
            raise SubmissionError(
                Finding(
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
    segments = _Segments(Problems(first.file), sources=[] if needs else None)
    of_source = sources[0].texts if sources else [""] * n
    for number, (source, *references) in enumerate(
        zip(of_source, *(page.texts for page in pages), strict=True), start=1
    ):
        segments.add(str(number), number, references, None, source)
    gold = segments.gold(first.file)
    odd = next((page.odd for page in pages if page.odd), None)
    files = [page.file for page in (*pages, *sources)]
    return replace(gold, paths=files, odd=odd, are_lines=True)


def _read_json(content: bytes, path: str, segments: _Segments, id_: str, ref: str, source: str) -> None:
    seen = Seen(segments.problems)
    for number, record in json_records(content, path, segments.problems, id_, ref):
        name = json_id(record, number, segments.problems, id_)
        references = _json_references(record, ref, number, segments.problems)
        document = _json_document(record, number, segments.problems)
        if name is not None and seen.is_new(name, number) and references is not None:
            source_text = record.get(source)
            segments.add(name, number, references, document, source_text if isinstance(source_text, str) else None)


def _json_references(record: Mapping[str, Any], ref: str, number: int, problems: Problems) -> list[str] | None:
    """Return the references of a line's object, empty without any; None, and a problem, where they are no texts.

    A list may stand at the name with an s behind, too.
    """
    name = f"{ref}s" if record.get(f"{ref}s") is not None else ref
    value = record.get(name)
    if value is None or (isinstance(value, str) and name == ref):
        return [value] if value else []
    if isinstance(value, list) and all(isinstance(text, str) for text in value):
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
    """Return the name of a document, trimmed; None where nothing is left of it."""
    name = written.strip()
    if not name.isprintable():
        problems.add(
            Message(
                "document-character-cannot-shown", "document {name!r} has a character that cannot be shown", name=name
            ),
            number,
        )
    return name or None


def _read_columns(content: bytes, path: str, segments: _Segments, id_: str, ref: str, source: str) -> None:
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
    of_source = table.index(source) if source in table else None
    for number, cells in table.rows(problems):
        name = sound_id(cells[at], number, problems)
        if name is not None and seen.is_new(name, number):
            of = None if document is None else _sound_document(cells[document], number, problems)
            source_text = None if of_source is None else cells[of_source]
            segments.add(name, number, [cells[column] for column in references], of, source_text)


def _reference_columns(table: Columns, ref: str) -> list[int]:
    """Return where references stand: `ref`, then `ref_1`, `ref_2` and so on by their numbers."""
    pattern = re.compile(rf"{re.escape(ref)}(?:_([1-9][0-9]{{0,3}}))?")
    matches = [(column, pattern.fullmatch(name)) for column, name in enumerate(table.names)]
    return [column for _, column in sorted((int(match[1] or 0), column) for column, match in matches if match)]
