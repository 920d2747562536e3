"""The documents of one side, read one after the other in the format that the options name."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from scoring.errors import SubmissionError
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.archive import SingleFile
from scoring.readers.gc_pause import without_collector
from scoring.readers.mat.collecting import Collector, MalformedDocument, decode_utf8
from scoring.readers.mat.formats.brat import BratSettings, Texts, read_brat
from scoring.readers.mat.formats.mat_json import read_mat_json
from scoring.readers.mat.formats.xml_inline import XmlSettings, read_xml_inline
from scoring.readers.mat.layout import Files, text_path
from scoring.readers.mat.line_ends import with_lf

# Bytes of a file; a document of more is no text that somebody annotated.
_LARGEST = 64 * 2**20


@dataclass(frozen=True)
class Format:
    """Holds how the documents of a side are read."""

    name: str  # one of mat-json, xml-inline, raw and brat
    is_gold: bool  # only the gold's metadata may say what counts
    in_utf16: bool  # brat: whether offsets count UTF-16 code units
    with_structures: bool  # brat: whether relations, events and attributes count
    discontinuous: str  # brat: what becomes of an annotation in several parts: error, outer or parts
    is_overlay: bool  # xml-inline: whether markup that is no annotation belongs to the text
    known_tags: frozenset[str] | None  # xml-inline: tags that are annotations; None stands for every tag


@dataclass(frozen=True)
class Document:
    """A document to read."""

    index: int  # among the gold's documents
    name: str  # name of its file, by which problems call it
    path: str  # where in the upload the file stands
    signal: str | None = None  # the gold's text; None for the gold itself


class Reading:
    """Reads documents into a collector; one that cannot be read is a problem there, and the next one is read."""

    def __init__(self, files: Files, form: Format, collector: Collector) -> None:
        # The files that were read, in that order.
        self.paths: list[str] = []
        self._files = files
        self._format = form
        self._collector = collector

    def read_all(self, documents: Iterable[Document]) -> list[str | None]:
        """Read the signal of each document, None for one that cannot be read."""
        # JSON makes millions of lists that live until their document is read: looking for cycles among them takes
        # longer than parsing them.
        with without_collector():
            return [self._read(document) for document in documents]

    def _read(self, document: Document) -> str | None:
        """Read the signal; None, and problems in the collector, if the document cannot be read."""
        self._collector.begin(document.index, document.name)
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
        texts = self._texts(document)
        settings = BratSettings(form.in_utf16, form.discontinuous, form.with_structures)
        read_brat(content, texts, self._collector, settings)
        return texts.signal

    def _texts(self, document: Document) -> Texts:
        """Return what the offsets of a BRAT file count: of texts that differ in their line ends alone the gold's."""
        text, gold = self._text_beside(document), document.signal
        if gold is None or text == gold:
            return Texts(text, None)
        if with_lf(text) == with_lf(gold):
            return Texts(gold, text)
        return Texts(text, None, are_alike=False)

    def _text_beside(self, document: Document) -> str:
        """Return the text that a BRAT file is about: from the file beside it, else the gold's."""
        path, name = text_path(document.path), text_path(document.name)
        if path in self._files:
            content: bytes | None = self._content(path)
        else:
            content = self._files.beside(path) if isinstance(self._files, SingleFile) else None
        if content is None:
            if document.signal is None:
                raise MalformedDocument(
                    Message(
                        "not-valid-brat-text",
                        "not valid BRAT: its text is missing, {name} is expected beside it",
                        name=name,
                    )
                )
            return document.signal
        try:
            return decode_utf8(content)
        except MalformedDocument as error:
            problem = Finding(error.args[0], name, error.line, error.column)
            raise SubmissionError(problem) from None

    def _content(self, path: str) -> bytes:
        """Return the bytes of a file, which count as read from then on."""
        content = self._files[path]
        if len(content) > _LARGEST:
            size = len(content) / 2**20
            raise MalformedDocument(
                Message(
                    "file-too-large-mb",
                    "file is too large: {size:.1f} MB, at most {largest} MB are read",
                    size=size,
                    largest=_LARGEST // 2**20,
                )
            )
        self.paths.append(path)
        return content


def _named(problem: Finding, document: Document) -> Finding:
    """Put the document's name to the problem of a file; readers of archives call it by its path."""
    return replace(problem, file=document.name) if problem.file == document.path else problem
