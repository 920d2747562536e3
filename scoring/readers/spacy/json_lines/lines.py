"""The lines of a JSON Lines file entered as documents; all that is wrong with them is collected."""

from collections.abc import Iterator, Sequence

from scoring.errors import Problem
from scoring.readers.gc_pause import without_collector
from scoring.readers.spacy.documents.building import Builder
from scoring.readers.spacy.documents.checking import checked, id_of, unknown_keys
from scoring.readers.spacy.documents.chunks import Document, IrregularError
from scoring.readers.spacy.documents.columns import Documents
from scoring.readers.spacy.json_lines.offsets import Placed, from_offsets
from scoring.readers.spacy.json_lines.parsing import BadLineError, fast_loads, parse
from scoring.readers.spacy.json_lines.to_json import from_to_json, is_to_json

_CHUNK_BYTES = 2**16


def read(content: bytes, file: str, builder: Builder, gold: Documents | None = None) -> list[Problem]:
    """Enters all documents that are in order, and says what is wrong with the others.

    With the `gold`, documents of a system may do without tokens and have theirs.
    """
    reader = _Reader(file, builder, gold)
    with without_collector():
        for first, lines in _chunks(content):
            reader.read(first, lines)
    return reader.problems


class _Reader:
    def __init__(self, file: str, builder: Builder, gold: Documents | None) -> None:
        self.problems: list[Problem] = []
        self._file = file
        self._builder = builder
        self._gold = gold
        self._gold_places: dict[str, int] | None = None

    def read(self, first: int, lines: Sequence[bytes]) -> None:
        """Usually all lines at once; each by itself as soon as one of them is not as usual."""
        try:
            documents = list(map(fast_loads, lines))
            if set(map(type, documents)) <= {dict}:
                self._builder.add(documents, range(first, first + len(lines)), self._file)
                return
        except (ValueError, RecursionError, IrregularError):
            pass
        for number, line in enumerate(lines, start=first):
            if line and not line.isspace():
                self.problems += [Problem(message, self._file, number) for message in self._read_one(number, line)]

    def _read_one(self, number: int, line: bytes) -> list[str]:
        try:
            raw = parse(line)
        except BadLineError as error:
            return [str(error)]
        if not isinstance(raw, dict):
            return ["a line must be a JSON object"]
        identifier = id_of(raw)
        if identifier is None:
            return ['no "id"']
        if identifier in self._builder.seen:
            file, first = self._builder.seen[identifier]
            place = f"line {first}" if file == self._file else f"{file}, line {first}"
            return [f"duplicate id {identifier!r} (first on {place})"]
        placed, problems = self._usual(raw, identifier)
        if not problems:
            document, problems = checked(placed.document)
        if problems:
            self._builder.refused.add(identifier)
        else:
            self._enter(placed, document, number)
        return problems

    def _usual(self, raw: Document, identifier: str) -> tuple[Placed, list[str]]:
        """The document with the usual keys, whatever shape it has."""
        if is_to_json(raw):
            return from_to_json(raw)
        problems = unknown_keys(raw)
        if raw.get("words") is not None:
            return Placed(raw), problems
        placed, found = from_offsets(raw, self._gold, self._gold_place(identifier))
        return placed, problems + found

    def _enter(self, placed: Placed, document: Document, number: int) -> None:
        self._builder.add([document], [number], self._file)
        for key, start, end, label in placed.off_boundary:
            self._builder.add_off_boundary(key, start, end, label)

    def _gold_place(self, identifier: str) -> int | None:
        if self._gold is None:
            return None
        if self._gold_places is None:
            self._gold_places = {name: k for k, name in enumerate(self._gold.ids)}
        return self._gold_places.get(identifier)


def _chunks(content: bytes) -> Iterator[tuple[int, list[bytes]]]:
    """Some hundred thousand bytes of lines at a time, and the number of the first of them."""
    start, number = 0, 1
    while start < len(content):
        end = content.find(b"\n", start + _CHUNK_BYTES)
        lines = content[start : len(content) if end < 0 else end].removesuffix(b"\n").split(b"\n")
        yield number, lines
        start = len(content) if end < 0 else end + 1
        number += len(lines)
