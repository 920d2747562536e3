"""CorefUD: CoNLL-U with entities as brackets among the features of the tenth column (MISC).

    # newdoc id = d1
    # global.Entity = eid-etype-head-other
    # sent_id = 1
    1   Anna    Anna    PROPN  _  _  2  nsubj  _  Entity=(e1-person-1-)
    2   sees    see     VERB   _  _  0  root   _  _
    3   her     she     PRON   _  _  4  nmod   _  Entity=(e2-person-2-(e1-person-1-)
    4   mother  mother  NOUN   _  _  2  obj    _  Entity=e2)

Columns are separated by tabs. Brackets are read in the order in which they are written, other than in CoNLL columns:
`e1)(e1` closes one mention and opens another. The fields of a bracket stand between "-", in the order that the header
`global.Entity` gives: the entity is `eid`, or `GRP` where IDs count anew in each document, and `head` is the number of
the word that heads the mention, from 1. `(e1[1/2]` and `(e1[2/2]` open the two parts of one discontinuous mention.

Mentions are equal if they have the same words. Where the options match them by their heads, or in part, each also gets
an extent (`extents.py`).
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from pathlib import PurePosixPath
from typing import Self

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
from scoring.readers.coreference.extents import (
    Extent,
    Node,
    NodeRange,
    dependencies_of,
    head_of,
    merged,
    next_node,
)
from scoring.readers.problems import ProblemCollector

_NEW_DOCUMENT = re.compile(r"#\s*newdoc\b(?:\s+id\s*=(.*))?")
_HEADER = re.compile(r"#\s*global\.Entity\s*=\s*(.*)")
# One or both brackets around an entity and its attributes.
_CHUNK = re.compile(r"(\()?([^()]+)(\))?")
# Entity, number of the part from 1, number of parts; at most nine digits, so that the numbers stay small.
_PART = re.compile(r"(.+)\[([0-9]{1,9})/([0-9]{1,9})\]")
_COLUMNS = 10
_DEPS_COLUMN = 8
_KEY = "Entity="
# What the header calls the entity: `GRP` where entities are numbered anew in each document.
_ENTITY_FIELDS = ("eid", "GRP")
_HEAD_FIELD = "head"
# The notation of CorefUD before 1.0, which is not read.
_OLDER = "ClusterId="
# 128 bits: that two sums of digests agree by chance need not be reckoned with.
_DIGEST_BYTES = 16
_DIGESTS = 2 ** (8 * _DIGEST_BYTES)


def read(text: str, file: str, words_of: str | None = None, *, with_extents: bool = False) -> Content:
    """Read all documents of a file.

    The words of the document `words_of` are kept, and on request where all mentions lie.
    """
    reader = _File(file, words_of, with_extents=with_extents)
    documents = [reader.read(lines) for lines in _split(text, file)]
    if not documents:
        reader.problems.append(Finding(Message("no-document-file", "no document in this file"), file))
    has_older_notation = not any(document.entities for document in documents) and _OLDER in text
    return Content(documents, list(reader.problems), list(reader.repetitions), has_older_notation)


@dataclass(frozen=True)
class _Fields:
    """Holds where the fields of a bracket stand, as the header says."""

    # The index of the entity.
    entity: int = 0
    # The index of the head; None if there is none.
    head: int | None = 2

    @classmethod
    def of_header(cls, header: str) -> Self | None:
        """Find the fields among the names between "-"; None if none of them is the entity."""
        names = header.split("-")
        entity = next((names.index(name) for name in _ENTITY_FIELDS if name in names), None)
        if entity is None:
            return None
        return cls(entity, names.index(_HEAD_FIELD) if _HEAD_FIELD in names else None)


@dataclass(frozen=True)
class _DocumentLines:
    """The lines of one document."""

    name: str
    # The number of the line "# newdoc", from 1.
    first_line: int
    # Number and text of each line, comments and blank ones included.
    rows: list[tuple[int, str]] = field(default_factory=list)


def _split(text: str, file: str) -> list[_DocumentLines]:
    """Cut the file into documents: what comes before the first `# newdoc` is one too, if there are words in it.

    Documents without an ID are named after the file, and numbered; a file without any `# newdoc` is one document.
    """
    stem = PurePosixPath(file).stem
    documents = [_DocumentLines(stem, 1)]
    for number, line in numbered_lines(text):
        if line.startswith("#") and (new := _NEW_DOCUMENT.match(line)):
            documents.append(_DocumentLines((new[1] or "").strip() or f"{stem}-{len(documents)}", number))
        documents[-1].rows.append((number, line.removesuffix("\r")))
    before = documents[0]
    has_words = any(row and not row.isspace() and not row.startswith("#") for _, row in before.rows)
    if not has_words and len(documents) > 1:
        # Comments above the first document, such as that of the columns of Entity, belong to it.
        documents[1].rows[:0] = before.rows
    return documents if has_words else documents[1:]


class _File:
    """Holds what is read of one file; what is wrong in it becomes problems. A header holds up to the next one."""

    def __init__(self, file: str, words_of: str | None, *, with_extents: bool) -> None:
        self._file = file
        self._words_of = words_of
        self._with_extents = with_extents
        self._fields = _Fields()
        self.problems = ProblemCollector()
        self.repetitions = ProblemCollector()

    def read(self, lines: _DocumentLines) -> Document:
        """Read the one document of these lines."""
        is_asked_for = lines.name == self._words_of
        if problem := name_problem(lines.name, self._file, lines.first_line):
            self.problems.append(problem)
        mentions = _Mentions(
            lines.name,
            self._file,
            self.problems,
            self._fields,
            keeps_words=is_asked_for,
            with_extents=self._with_extents,
        )
        mentions.read(lines.rows)
        self._fields = mentions.fields
        labels = mentions.labels
        entities, repeated = keep_first(mentions.occurrences, len(labels))
        self.repetitions += (
            repetition(lines.name, self._file, mentions.shown(several[0].mention), labels, several)
            for several in repeated
        )
        labels, entities = without_empty(labels, entities)
        return Document(
            name=lines.name,
            file=self._file,
            line=lines.first_line,
            labels=labels,
            entities=entities,
            entity_of=entity_of(entities),
            lengths=tuple(mentions.lengths),
            words=mentions.words if is_asked_for else None,
            word_ranges=mentions.word_ranges() if is_asked_for else {},
            nodes=mentions.nodes,
            extents=mentions.extents,
            n_repeated=sum(len(several) - 1 for several in repeated),
        )


@dataclass
class _OpenMention:
    """A mention on its way, until all its parts are closed. Nodes are words and empty nodes, counted from 0."""

    entity: str
    # 1 unless the mention is discontinuous.
    n_parts: int
    # The line of the last part so far.
    line: int
    # The first node of each part.
    starts: list[int] = field(default_factory=list)
    # The node after each part; 0 as long as the part is open.
    ends: list[int] = field(default_factory=list)
    # Parts that have been closed.
    n_closed: int = 0
    # What the last part says of its head.
    head: str = ""

    def begin(self, start: int, line: int) -> int:
        """Open the next part at a node; the index of that part."""
        self.starts.append(start)
        self.ends.append(0)
        self.line = line
        return len(self.starts) - 1

    def close(self, part: int, end: int) -> None:
        """End a part before a node; each part is closed once."""
        self.ends[part] = end
        self.n_closed += 1

    @property
    def is_complete(self) -> bool:
        """Return whether all parts have been opened and closed."""
        return self.n_closed == self.n_parts


class _Mentions:
    """The mentions of one document, and its words.

    A mention is known by its words, each (sentence, ID). Instead of all of them, the first word and the sum of the
    digests of all are kept: mentions nested in each other would together hold very many words, while the sum of a
    part is the difference of two running sums. So equal mentions are equal however they are cut into parts.
    """

    def __init__(
        self,
        name: str,
        file: str,
        problems: ProblemCollector,
        fields: _Fields,
        *,
        keeps_words: bool,
        with_extents: bool,
    ) -> None:
        self._name, self._file = shown(name), file
        self._keeps_words = keeps_words
        self._with_extents = with_extents
        self.fields = fields
        # All nodes, and the extent of each mention; empty unless they are asked for.
        self.nodes: list[Node] = []
        self.extents: dict[Mention, Extent] = {}
        # Of each empty node, by its index, what the column DEPS says.
        self._dependencies: dict[int, str] = {}
        # Each entity's rank in the order of first openings.
        self._ranks: dict[str, int] = {}
        # Of each open bracket the mention, and the index of the part that it opened.
        self._brackets: Brackets[tuple[_OpenMention, int]] = Brackets()
        # Discontinuous mentions that wait for a part: by entity, number of parts and number of that part.
        self._waiting: dict[tuple[str, int, int], list[_OpenMention]] = {}
        # Of each node its sentence, from 1, and its ID.
        self._ids: list[tuple[int, str]] = []
        # Running sums over the nodes, of their digests and of the words among them: entry i is the sum before node i.
        self._digests = [0]
        self._words_before = [0]
        self._is_in_sentence = False
        # The number of words of each sentence; empty nodes do not count.
        self.lengths: list[int] = []
        # The words of each sentence; empty lists unless they are asked for.
        self.words: list[list[str]] = []
        # In the order in which the mentions close.
        self.occurrences: list[Occurrence] = []
        # The parts of each mention as first and last node.
        self._node_ranges: dict[Mention, list[tuple[int, int]]] = {}
        self._problems = problems

    @property
    def labels(self) -> list[str]:
        """Return the entities by rank."""
        return list(self._ranks)

    def read(self, rows: Iterable[tuple[int, str]]) -> None:
        """Take in all rows of the document, each with its line number."""
        for line, row in rows:
            if row.startswith("#"):
                self._read_header(row, line)
            elif not row or row.isspace():
                self._is_in_sentence = False
            else:
                self._read_row(row.split("\t"), line)
        for key, (mention, part) in self._brackets.unclosed():
            sentence, id_ = self._ids[mention.starts[part]]
            self._problem(
                Message(
                    "mention-entity-opens-token-sentence",
                    "the mention of entity {key} that opens at token {id} of sentence {sentence} is never closed",
                    key=shown(key),
                    id=shown(id_),
                    sentence=sentence,
                ),
                mention.line,
            )
        for several in self._waiting.values():
            for mention in several:
                self._lacks_parts(mention.entity, mention.line)

    def shown(self, mention: Mention) -> str:
        """Return where the mention stands, in IDs of words."""
        parts = [(self._ids[first], self._ids[last]) for first, last in self._node_ranges[mention]]
        ids = ", ".join(
            first[1] if first == last else Message("range", "{first} to {last}", first=first[1], last=last[1])
            for first, last in parts
        )
        return Message("words-sentence", "words {ids} of sentence {part}", ids=shown(ids), part=parts[0][0][0])

    def word_ranges(self) -> dict[Mention, list[WordRange]]:
        """Return the parts of each mention in words, without empty nodes, which a text does not show.

        A part of empty nodes alone ends before it begins: at the word before the next one.
        """
        before = self._words_before
        return {
            mention: [(before[first], before[last + 1] - 1) for first, last in parts]
            for mention, parts in self._node_ranges.items()
        }

    def _read_header(self, row: str, line: int) -> None:
        """Read what the file says the fields of a bracket are."""
        if header := _HEADER.match(row):
            if fields := _Fields.of_header(header[1].strip()):
                self.fields = fields
            else:
                message = Message(
                    "global-entity-must-name",
                    "global.Entity must name eid or GRP: it is '{header}'",
                    header=shown(header[1].strip()),
                )
                self._problems.append(Finding(message, self._file, line))

    def _read_row(self, columns: list[str], line: int) -> None:
        """Take in a node, and the entities that open or close there."""
        if len(columns) != _COLUMNS:
            self._problems.append(
                Finding(
                    Message("columns-instead", "{n} columns instead of {columns}", n=len(columns), columns=_COLUMNS),
                    self._file,
                    line,
                )
            )
            return
        # An ID such as 3-4 is the surface form of words that follow on lines of their own.
        if "-" in columns[0]:
            return
        self._read_word(columns[0], columns[1])
        if self._with_extents:
            self._read_node(columns[0], columns[_DEPS_COLUMN])
        for feature in columns[-1].split("|") if _KEY in columns[-1] else ():
            if feature.startswith(_KEY):
                self._read_entities(feature.removeprefix(_KEY).strip(), line)

    def _read_word(self, id_: str, word: str) -> None:
        """Count a node, which is a word or an empty node."""
        if not self._is_in_sentence:
            self._is_in_sentence = True
            self.lengths.append(0)
            self.words.append([])
        # Empty nodes, such as 3.1, may be part of a mention, but one side may lack them: they do not count as words.
        is_word = "." not in id_
        self.lengths[-1] += is_word
        self._words_before.append(self._words_before[-1] + is_word)
        if self._keeps_words and is_word:
            self.words[-1].append(word)
        sentence = len(self.lengths)
        self._ids.append((sentence, id_))
        self._digests.append(self._digests[-1] + _digest(sentence, id_))

    def _read_node(self, id_: str, dependencies: str) -> None:
        """Keep where the last node stands, and of an empty one its dependencies."""
        node = next_node(self.nodes[-1] if self.nodes else None, len(self.lengths), self.lengths[-1], id_)
        if node.is_empty:
            self._dependencies[len(self.nodes)] = dependencies
        self.nodes.append(node)

    def _read_entities(self, value: str, line: int) -> None:
        """Open and close what the value of Entity says at the last node, in the order written."""
        chunks = list(_CHUNK.finditer(value))
        # With the number of the part, so that each part has brackets of its own.
        keys = [
            # Most files have it first.
            self._entity(chunk[2], opens=bool(chunk[1])) if self.fields.entity else chunk[2].partition("-")[0]
            for chunk in chunks
            if chunk[1] or chunk[3]
        ]
        if "".join(chunk[0] for chunk in chunks) != value or len(keys) < len(chunks) or not all(keys) or not keys:
            message = Message(
                "cannot-read-coreference-cell", "cannot read the coreference cell '{cell}'", cell=shown(value)
            )
            self._problems.append(Finding(message, self._file, line))
            return
        for chunk, key in zip(chunks, keys, strict=True):
            if chunk[1]:
                self._open(key, self._head(chunk[2]) if self._with_extents else "", line)
            if chunk[3]:
                self._close(key, line)

    def _entity(self, bracket: str, *, opens: bool) -> str:
        """Return the entity of a bracket, empty if it is not there; one that only closes may hold nothing else."""
        if not (opens or "-" in bracket):
            return bracket
        values = bracket.split("-")
        return values[self.fields.entity] if self.fields.entity < len(values) else ""

    def _head(self, bracket: str) -> str:
        """Return what a bracket says of its head, if anything."""
        values = bracket.split("-")
        return values[self.fields.head] if self.fields.head is not None and self.fields.head < len(values) else ""

    def _open(self, key: str, head: str, line: int) -> None:
        """Open a bracket at the last node; `key` is its entity, with the number of the part if there are several."""
        form = _PART.fullmatch(key) if key.endswith("]") else None
        entity, number, n_parts = (form[1], int(form[2]), int(form[3])) if form else (key, 1, 1)
        mention = self._mention_of_part(entity, number, n_parts, line)
        mention.head = head or mention.head
        part = mention.begin(len(self._ids) - 1, line)
        self._ranks.setdefault(entity, len(self._ranks))
        self._brackets.open(key, (mention, part))

    def _mention_of_part(self, entity: str, number: int, n_parts: int, line: int) -> _OpenMention:
        """Return a new mention for a first part; for others the mention that began last of those that wait for it."""
        if number == 1 <= n_parts:
            mention = _OpenMention(entity, n_parts, line)
        elif waiting := self._waiting.get((entity, n_parts, number)):
            mention = waiting.pop()
        else:
            self._lacks_parts(entity, line)
            return _OpenMention(entity, n_parts, line)
        if number < n_parts:
            self._waiting.setdefault((entity, n_parts, number + 1), []).append(mention)
        return mention

    def _close(self, key: str, line: int) -> None:
        opened = self._brackets.close(key)
        if opened is None:
            self._problem(
                Message(
                    "mention-entity-closes-was",
                    "a mention of entity {entity} closes that was never opened",
                    entity=shown(key),
                ),
                line,
            )
            return
        mention, part = opened
        mention.close(part, len(self._ids))
        if mention.is_complete:
            self._keep(mention)

    def _keep(self, complete: _OpenMention) -> None:
        """Keep a mention all of whose parts are closed."""
        parts = list(zip(complete.starts, complete.ends, strict=True))
        digest = sum(self._digests[end] - self._digests[start] for start, end in parts)
        # As bytes: hash() of a number is its remainder by a known prime, and sums with equal ones could be sought out.
        mention = (self._ids[parts[0][0]], (digest % _DIGESTS).to_bytes(_DIGEST_BYTES))
        self.occurrences.append(Occurrence(self._ranks[complete.entity], mention, complete.line))
        self._node_ranges[mention] = [(start, end - 1) for start, end in parts]
        if self._with_extents and mention not in self.extents:
            self._keep_extent(mention, merged(parts), complete)

    def _keep_extent(self, mention: Mention, ranges: tuple[NodeRange, ...], complete: _OpenMention) -> None:
        head = head_of(ranges, complete.head)
        if head is None:
            number = sum(end - start for start, end in ranges)
            entity = shown(complete.entity)
            message = Message(
                "head-mention-entity-none",
                "the head '{head}' of a mention of entity {entity} is none of its {number} words",
                head=shown(complete.head),
                entity=entity,
                number=number,
            )
            self._problem(message, complete.line)
            return
        self.extents[mention] = Extent(ranges, head, dependencies_of(self._dependencies.get(head)))

    def _lacks_parts(self, entity: str, line: int) -> None:
        self._problem(
            Message(
                "discontinuous-mention-entity-lacks",
                "a discontinuous mention of entity {entity} lacks parts",
                entity=shown(entity),
            ),
            line,
        )

    def _problem(self, message: str, line: int) -> None:
        self._problems.append(
            Finding(
                Message("in-document", 'document "{document}": {problem}', document=self._name, problem=message),
                self._file,
                line,
            )
        )


@lru_cache(maxsize=2**16)
def _digest(sentence: int, id_: str) -> int:
    """Return a number for a word; kept, because most documents share their first sentences' numbers and IDs."""
    return int.from_bytes(blake2b(f"{sentence} {id_}".encode(), digest_size=_DIGEST_BYTES).digest())
