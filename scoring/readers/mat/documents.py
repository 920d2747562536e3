"""The documents of one side, read one after the other in the format that the options name."""

from collections.abc import Iterable
from dataclasses import dataclass

from scoring.errors import Problem, SubmissionError
from scoring.readers.archive import SingleFile
from scoring.readers.gc_pause import without_collector
from scoring.readers.mat.brat import BratSettings, read_brat
from scoring.readers.mat.collecting import Collector, MalformedDocument, decode_utf8
from scoring.readers.mat.layout import Files, text_path
from scoring.readers.mat.mat_json import read_mat_json
from scoring.readers.mat.xml_inline import XmlSettings, read_xml_inline

_LARGEST = 64 * 2**20


@dataclass(frozen=True)
class Format:
    """How the documents of a side are read; `known_tags` None stands for every tag."""

    name: str
    is_gold: bool
    in_utf16: bool
    takes_outer: bool
    is_overlay: bool
    known_tags: frozenset[str] | None


@dataclass(frozen=True)
class Document:
    """A document to read: its place among the gold's documents, its name, and where it stands.

    `signal` is the gold's text, None for the gold itself.
    """

    place: int
    name: str
    path: str
    signal: str | None = None


class Reading:
    """Reads documents into a collector; `paths` are the files that were read."""

    def __init__(self, files: Files, form: Format, collector: Collector) -> None:
        self.paths: list[str] = []
        self._files = files
        self._format = form
        self._collector = collector

    def read_all(self, documents: Iterable[Document]) -> list[str | None]:
        """The signal of each document, None for one that cannot be read."""
        with without_collector():
            return [self._read(document) for document in documents]

    def _read(self, document: Document) -> str | None:
        self._collector.begin(document.place, document.name)
        try:
            content = self._content(document.path)
            return self._signal(content, document)
        except MalformedDocument as error:
            self._collector.report_error(error)
        except SubmissionError as error:
            self._collector.problems += [_named(problem, document) for problem in error.problems]
        return None

    def _signal(self, content: bytes, document: Document) -> str | None:
        form = self._format
        if form.name == "mat-json":
            return read_mat_json(content, self._collector, is_gold=form.is_gold)
        if form.name == "xml-inline":
            return read_xml_inline(content, self._collector, XmlSettings(form.known_tags, form.is_overlay))
        if form.name == "raw":
            return decode_utf8(content)
        signal = self._text_beside(document)
        read_brat(content, signal, self._collector, BratSettings(form.in_utf16, form.takes_outer))
        return signal

    def _text_beside(self, document: Document) -> str:
        """The text of a BRAT file, else the gold's."""
        path, name = text_path(document.path), text_path(document.name)
        if path in self._files:
            content: bytes | None = self._content(path)
        else:
            content = self._files.beside(path) if isinstance(self._files, SingleFile) else None
        if content is None:
            if document.signal is None:
                raise MalformedDocument(f"not valid BRAT: its text is missing, {name} is expected beside it")
            return document.signal
        try:
            return decode_utf8(content)
        except MalformedDocument as error:
            problem = Problem(str(error), name, error.line, error.column)
            raise SubmissionError(problem) from None

    def _content(self, path: str) -> bytes:
        content = self._files[path]
        if len(content) > _LARGEST:
            size = len(content) / 2**20
            raise MalformedDocument(f"file is too large: {size:.1f} MiB, at most {_LARGEST // 2**20} MiB are read")
        self.paths.append(path)
        return content


def _named(problem: Problem, document: Document) -> Problem:
    """A document is called by its name, wherever in the upload it stands."""
    return (
        Problem(problem.message, document.name, problem.line, problem.column)
        if problem.file == document.path
        else problem
    )
