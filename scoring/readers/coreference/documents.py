"""Tells what the readers of coreference formats return, and the rules that these formats share.

Three formats become the same thing, a `Document`: entities as lists of mentions, no mention in two of them. What a
mention *is* differs by format, and nothing after reading asks for it; mentions are only compared for equality.
"""

import unicodedata
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, count, repeat
from typing import Generic, TypeVar

from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.coreference.extents import Extent, Node

# What tells a mention from all others of its document: in JSON the string or number that the file gives; in CoNLL
# columns (first token, last token); in CorefUD (first word, sum of the digests of all words).
Mention = Hashable
# First and last word, both included, counted through the document from 0. A range without words ends before it begins.
WordRange = tuple[int, int]
# Whatever is remembered of a bracket until it closes.
Opened = TypeVar("Opened")

_MOST_CHARACTERS_SHOWN = 200
_MOST_ENTITIES_LISTED = 10


@dataclass(frozen=True)
class Document:
    """The entities of one document on one side.

    `words` and `word_ranges` are there only if the text of this document was asked for, as the page that shows it
    does: for scoring they would be kept for nothing.
    """

    # What gold and system are paired by.
    name: str
    # The path inside the upload.
    file: str
    # Where the document begins in `file`, from 1; None where a file is one document.
    line: int | None
    # The name of each entity in the file, in the order in which entities begin there.
    labels: list[str]
    # The mentions of each entity, parallel to `labels`; none is empty and no two share a mention.
    entities: list[list[Mention]]
    # For each mention the index of its entity: `entities` turned round.
    entity_of: dict[Mention, int]
    # The number of words that gold and system must agree in: (whole document,) in CoNLL columns, one number for each
    # sentence in CorefUD; None in JSON, which has no text.
    lengths: tuple[int, ...] | None = None
    # The words of each sentence.
    words: list[list[str]] | None = None
    # The parts of each mention, one if it is continuous.
    word_ranges: Mapping[Mention, Sequence[WordRange]] = field(default_factory=dict)
    # All words and empty nodes, and which of them each mention has: of CorefUD, where mentions are not matched exactly.
    nodes: list[Node] = field(default_factory=list)
    extents: Mapping[Mention, Extent] = field(default_factory=dict)
    # Mentions of the file that are not among the entities: those that stand there again, and those left out alone.
    n_repeated: int = 0
    n_alone: int = 0

    def without_singletons(self) -> "Document":
        """Return the document without its entities of one mention."""
        kept = [k for k, mentions in enumerate(self.entities) if len(mentions) > 1]
        entities = [self.entities[k] for k in kept]
        return replace(
            self,
            labels=[self.labels[k] for k in kept],
            entities=entities,
            entity_of=entity_of(entities),
            n_alone=len(self.entities) - len(kept),
        )


@dataclass(frozen=True)
class Content:
    """Holds the content of one file."""

    # In the order of the file; fit for use only if there are no problems.
    documents: list[Document]
    # Why the file is refused.
    problems: list[Finding]
    # Mentions that occur more than once. The surplus is dropped already: a warning, or a problem if the options say so.
    repetitions: list[Finding]
    # Whether there is `ClusterId=` in place of mentions: CorefUD before 1.0 wrote entities so, which is not read.
    has_older_notation: bool = False


@dataclass(frozen=True)
class Occurrence:
    """A mention as it stands in a file of columns, where one span may stand more than once."""

    # The number of its entity, in the order of first openings in the document.
    rank: int
    mention: Mention
    # Where it opens in the file, from 1; of a discontinuous mention its last part.
    line: int


class Brackets(Generic[Opened]):
    """The brackets that are open at some point of a text, by the entity they belong to.

    A closing bracket closes the innermost open one of its own entity, so that mentions of different entities may
    cross: (0 (1 0) 1) is two mentions.
    """

    def __init__(self) -> None:
        # The innermost one last.
        self._open: dict[str, list[Opened]] = {}

    def open(self, key: str, opened: Opened) -> None:
        """Remember `opened` until a bracket of the entity `key` closes."""
        self._open.setdefault(key, []).append(opened)

    def close(self, key: str) -> Opened | None:
        """Return what was remembered of the bracket that closes; None if none of `key` is open."""
        opened = self._open.get(key)
        return opened.pop() if opened else None

    def unclosed(self) -> Iterator[tuple[str, Opened]]:
        """Yield everything that is still open, with its key."""
        return ((key, one) for key, opened in self._open.items() for one in opened)


def keep_first(
    occurrences: Iterable[Occurrence], n_entities: int
) -> tuple[list[list[Mention]], list[list[Occurrence]]]:
    """Return the mentions of each entity, and all occurrences of those mentions that are repeated.

    A repeated mention stays once, with the entity that opens first in the document, whichever occurrence comes first;
    so an entity may be left without any.

    >>> occurrences = [Occurrence(0, "a", 1), Occurrence(1, "b", 2), Occurrence(1, "a", 3), Occurrence(0, "b", 4)]
    >>> entities, repeated = keep_first(occurrences, 2)
    >>> entities
    [['a', 'b'], []]
    >>> [[one.line for one in several] for several in repeated]
    [[1, 3], [2, 4]]
    """
    keeper: dict[Mention, Occurrence] = {}
    repeated: dict[Mention, list[Occurrence]] = {}
    for occurrence in occurrences:
        other = keeper.setdefault(occurrence.mention, occurrence)
        if other is not occurrence:
            repeated.setdefault(occurrence.mention, [other]).append(occurrence)
            if occurrence.rank < other.rank:
                keeper[occurrence.mention] = occurrence
    entities: list[list[Mention]] = [[] for _ in range(n_entities)]
    for mention, occurrence in keeper.items():
        entities[occurrence.rank].append(mention)
    return entities, list(repeated.values())


def entity_of(entities: Sequence[Sequence[Mention]]) -> dict[Mention, int]:
    """Return for each mention the index of its entity; of a mention in several entities the last one.

    >>> entity_of([["a", "b"], ["c"]])
    {'a': 0, 'b': 0, 'c': 1}
    """
    # Chained iterators instead of nested loops: this runs once for each mention of a file.
    indices = chain.from_iterable(map(repeat, count(), map(len, entities)))
    return dict(zip(chain.from_iterable(entities), indices, strict=True))


def without_empty(labels: Iterable[str], entities: Iterable[list[Mention]]) -> tuple[list[str], list[list[Mention]]]:
    """Return labels and mentions of the entities that have any."""
    kept = [(label, mentions) for label, mentions in zip(labels, entities, strict=True) if mentions]
    return [label for label, _ in kept], [mentions for _, mentions in kept]


def repetition(
    document: str, file: str, words: str, labels: Sequence[str], occurrences: Sequence[Occurrence]
) -> Finding:
    """Say that a mention stands in the file more than once; `words` says where in the text it is."""
    inside = ", ".join(shown(labels[one.rank]) for one in occurrences[:_MOST_ENTITIES_LISTED])
    more = Message("others", " and others") if len(occurrences) > _MOST_ENTITIES_LISTED else ""
    first = shown(labels[min(one.rank for one in occurrences)])
    return Finding(
        Message(
            "document-marked-times-entities",
            'document "{document}": {words} marked {n} times, in the entities {inside}{more}; entity {first} '
            "keeps the mention",
            document=shown(document),
            words=words,
            n=len(occurrences),
            inside=inside,
            more=more,
            first=first,
        ),
        file,
        occurrences[0].line,
    )


def name_problem(name: str, file: str, line: int | None) -> Finding | None:
    """Return what keeps the name of a document from being one: names are shown, stored and told in messages."""
    if not name:
        return Finding(Message("document-without-name", "a document without a name"), file, line)
    # Control characters and lone surrogates, which neither a database nor a terminal takes.
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in name):
        return Finding(
            Message(
                "documents-name-control-characters",
                "the document's name {name} has control characters: rename it",
                name=ascii(name),
            ),
            file,
            line,
        )
    return None


def shown(value: object) -> str:
    r"""Return a text from somebody's file for a message or a page: in one line, printable and not too long.

    >>> shown("a\nb")
    'a\\nb'
    """
    text = value if isinstance(value, str) else repr(value)
    if len(text) > _MOST_CHARACTERS_SHOWN:
        text = text[:_MOST_CHARACTERS_SHOWN] + "…"
    return text if text.isprintable() else "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
