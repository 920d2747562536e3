"""CorefUD: CoNLL-U with entities as brackets among the features of the tenth column."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from pathlib import PurePosixPath

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

_NEW_DOCUMENT = re.compile(r"#\s*newdoc\b(?:\s+id\s*=(.*))?")
_HEADER = re.compile(r"#\s*global\.Entity\s*=\s*(.*)")
_CHUNK = re.compile(r"(\()?([^()]+)(\))?")
_PIECE = re.compile(r"(.+)\[([0-9]{1,9})/([0-9]{1,9})\]")
_COLUMNS = 10
_KEY = "Entity="
_DIGEST_BYTES = 16


def read(text: str, file: str, words_of: str | None = None) -> Content:
    """All documents of a file; the words of the document `words_of` are kept."""
    contents = [_read(part, file, words_of) for part in _split(text, file)]
    if not contents:
        return Content([], [Problem("no document in this file", file)], [])
    return Content(
        [document for one in contents for document in one.documents],
        [problem for one in contents for problem in one.problems],
        [problem for one in contents for problem in one.repetitions],
    )


@dataclass(frozen=True)
class _Part:
    """The lines of one document, numbered from 1 through the file."""

    name: str
    line: int
    rows: list[tuple[int, str]] = field(default_factory=list)


def _split(text: str, file: str) -> list[_Part]:
    """What comes before the first `# newdoc` is a document too, if there are words in it."""
    stem = PurePosixPath(file).stem
    parts = [_Part(stem, 1)]
    for number, line in enumerate(text.split("\n"), start=1):
        if line.startswith("#") and (new := _NEW_DOCUMENT.match(line)):
            parts.append(_Part((new[1] or "").strip() or f"{stem}-{len(parts)}", number))
        parts[-1].rows.append((number, line.removesuffix("\r")))
    before = parts[0]
    has_words = any(row and not row.isspace() and not row.startswith("#") for _, row in before.rows)
    if not has_words and len(parts) > 1:
        # Comments above the first document, such as that of the columns of Entity, belong to it.
        parts[1].rows[:0] = before.rows
    return parts if has_words else parts[1:]


def _read(part: _Part, file: str, words_of: str | None) -> Content:
    asked = part.name == words_of
    found = _Mentions(part.name, file, keeps_words=asked)
    found.take(part.rows)
    named = name_problem(part.name, file, part.line)
    labels = found.labels
    entities, repeated = keep_first(found.found, len(labels))
    repetitions = [
        repetition(part.name, file, found.shown(several[0].mention), labels, several) for several in repeated
    ]
    labels, entities = without_empty(labels, entities)
    document = Document(
        name=part.name,
        file=file,
        line=part.line,
        labels=labels,
        entities=entities,
        entity_of=entity_of(entities),
        lengths=tuple(found.lengths),
        words=found.words if asked else None,
        places=found.places_in_words() if asked else {},
    )
    return Content([document], [*([named] if named else []), *found.problems], repetitions)


@dataclass
class _Pieces:
    """A mention, of more than one piece if it is discontinuous: places of words, the ends exclusive.

    `line` is that of the last piece so far; an end is 0 as long as the piece is open.
    """

    entity: str
    n_pieces: int
    line: int
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)

    def begin(self, start: int, line: int) -> int:
        """The number of the new piece."""
        self.starts.append(start)
        self.ends.append(0)
        self.line = line
        return len(self.starts) - 1

    @property
    def is_complete(self) -> bool:
        return len(self.ends) == self.n_pieces and all(self.ends)


class _Mentions:
    """The mentions of one document, and its words.

    A mention is known by its words, (sentence, ID). Instead of all of them, of which nested mentions would
    hold very many, the first one and the sum of the digests of all are kept.
    """

    def __init__(self, name: str, file: str, *, keeps_words: bool) -> None:
        self._name, self._file = shown(name), file
        self._keeps_words = keeps_words
        self._ranks: dict[str, int] = {}
        self._brackets: Brackets[tuple[_Pieces, int]] = Brackets()
        # By entity, number of pieces and number of the piece that is lacking.
        self._lacking: dict[tuple[str, int, int], list[_Pieces]] = {}
        self._ids: list[tuple[int, str]] = []
        self._digests = [0]
        self._words_before = [0]
        self._is_inside = False
        self.lengths: list[int] = []
        self.words: list[list[str]] = []
        self.found: list[Found] = []
        # Pieces as first and last node, empty ones included.
        self.places: dict[Mention, list[Place]] = {}
        self.problems: list[Problem] = []

    @property
    def labels(self) -> list[str]:
        return list(self._ranks)

    def take(self, rows: Iterable[tuple[int, str]]) -> None:
        for line, row in rows:
            if row.startswith("#"):
                self._check_header(row, line)
            elif not row or row.isspace():
                self._is_inside = False
            else:
                self._take_row(row.split("\t"), line)
        for key, (pieces, number) in self._brackets.unclosed():
            sentence, id_ = self._ids[pieces.starts[number]]
            self._problem(
                f"the mention of entity {shown(key)} that opens at token {shown(id_)} of sentence {sentence}"
                " is never closed",
                pieces.line,
            )
        for several in self._lacking.values():
            for pieces in several:
                self._lacks_parts(pieces.entity, pieces.line)

    def shown(self, mention: Mention) -> str:
        """Where the mention stands, in IDs of words."""
        pieces = [(self._ids[first], self._ids[last]) for first, last in self.places[mention]]
        ids = ", ".join(first[1] if first == last else f"{first[1]} to {last[1]}" for first, last in pieces)
        return f"words {shown(ids)} of sentence {pieces[0][0][0]}"

    def places_in_words(self) -> dict[Mention, list[Place]]:
        """Without empty nodes, which have no place in a text: a piece of these alone ends before it begins."""
        before = self._words_before
        return {
            mention: [(before[first], before[last + 1] - 1) for first, last in places]
            for mention, places in self.places.items()
        }

    def _check_header(self, row: str, line: int) -> None:
        header = _HEADER.match(row)
        if header and header[1].strip().split("-")[0] != "eid":
            message = f"global.Entity must begin with eid: it is '{shown(header[1].strip())}'"
            self.problems.append(Problem(message, self._file, line))

    def _take_row(self, columns: list[str], line: int) -> None:
        if len(columns) != _COLUMNS:
            self.problems.append(Problem(f"{len(columns)} columns instead of {_COLUMNS}", self._file, line))
            return
        if "-" in columns[0]:
            return
        self._take_word(columns[0], columns[1])
        for feature in columns[-1].split("|") if _KEY in columns[-1] else ():
            if feature.startswith(_KEY):
                self._take_entities(feature.removeprefix(_KEY).strip(), line)

    def _take_word(self, id_: str, word: str) -> None:
        if not self._is_inside:
            self._is_inside = True
            self.lengths.append(0)
            self.words.append([])
        # Empty nodes, such as 3.1, are words of a mention, but may be missing on one side.
        is_word = "." not in id_
        self.lengths[-1] += is_word
        self._words_before.append(self._words_before[-1] + is_word)
        if self._keeps_words and is_word:
            self.words[-1].append(word)
        sentence = len(self.lengths)
        self._ids.append((sentence, id_))
        self._digests.append(self._digests[-1] + _digest(sentence, id_))

    def _take_entities(self, value: str, line: int) -> None:
        chunks = list(_CHUNK.finditer(value))
        if "".join(chunk[0] for chunk in chunks) != value or not all(map(_is_bracket, chunks)) or not chunks:
            message = f"cannot read the coreference cell '{shown(value)}'"
            self.problems.append(Problem(message, self._file, line))
            return
        for chunk in chunks:
            key = chunk[2].partition("-")[0]
            if chunk[1]:
                self._open(key, line)
            if chunk[3]:
                self._close(key, line)

    def _open(self, key: str, line: int) -> None:
        form = _PIECE.fullmatch(key)
        entity, number, n_pieces = (form[1], int(form[2]), int(form[3])) if form else (key, 1, 1)
        pieces = self._pieces(entity, number, n_pieces, line)
        place = pieces.begin(len(self._ids) - 1, line)
        self._ranks.setdefault(entity, len(self._ranks))
        self._brackets.open(key, (pieces, place))

    def _pieces(self, entity: str, number: int, n_pieces: int, line: int) -> _Pieces:
        """The mention of a piece: a new one for the first, for others the last one that still lacks it."""
        if number == 1 <= n_pieces:
            pieces = _Pieces(entity, n_pieces, line)
        elif begun := self._lacking.get((entity, n_pieces, number)):
            pieces = begun.pop()
        else:
            self._lacks_parts(entity, line)
            return _Pieces(entity, n_pieces, line)
        if number < n_pieces:
            self._lacking.setdefault((entity, n_pieces, number + 1), []).append(pieces)
        return pieces

    def _close(self, key: str, line: int) -> None:
        opened = self._brackets.close(key)
        if opened is None:
            self._problem(f"a mention of entity {shown(key)} closes that was never opened", line)
            return
        pieces, number = opened
        pieces.ends[number] = len(self._ids)
        if pieces.is_complete:
            self._found(pieces)

    def _found(self, pieces: _Pieces) -> None:
        own = list(zip(pieces.starts, pieces.ends, strict=True))
        mention = (self._ids[own[0][0]], sum(self._digests[end] - self._digests[start] for start, end in own))
        self.found.append(Found(self._ranks[pieces.entity], mention, pieces.line))
        self.places[mention] = [(start, end - 1) for start, end in own]

    def _lacks_parts(self, entity: str, line: int) -> None:
        self._problem(f"a discontinuous mention of entity {shown(entity)} lacks parts", line)

    def _problem(self, message: str, line: int) -> None:
        self.problems.append(Problem(f'document "{self._name}": {message}', self._file, line))


def _is_bracket(chunk: re.Match[str]) -> bool:
    return bool((chunk[1] or chunk[3]) and chunk[2].partition("-")[0])


@lru_cache(maxsize=2**16)
def _digest(sentence: int, id_: str) -> int:
    """Most documents share their first sentences' numbers and IDs."""
    return int.from_bytes(blake2b(f"{sentence} {id_}".encode(), digest_size=_DIGEST_BYTES).digest())
