"""What the readers of coreference formats return, and the rules that these formats share."""

import unicodedata
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, count, repeat
from typing import Generic, TypeVar

from scoring.errors import Problem

Mention = Hashable
Place = tuple[int, int]
T = TypeVar("T")

_SHOWN = 200
_LISTED = 10


@dataclass(frozen=True)
class Document:
    """The entities of one document: disjoint lists of mentions, and for each mention its entity.

    `lengths` are the words of each sentence, or of the whole document, where the format has a text: what
    gold and system must have in common. `line` is where the document begins in `file`. `words`, by
    sentence, and the `places` of each mention, first and last word of its pieces counted through the
    document from 0, are there if the text was asked for; a piece without any word ends before it begins.
    """

    name: str
    file: str
    line: int | None
    labels: list[str]
    entities: list[list[Mention]]
    entity_of: dict[Mention, int]
    lengths: tuple[int, ...] | None = None
    words: list[list[str]] | None = None
    places: Mapping[Mention, Sequence[Place]] = field(default_factory=dict)

    def without_singletons(self) -> "Document":
        kept = [k for k, mentions in enumerate(self.entities) if len(mentions) > 1]
        entities = [self.entities[k] for k in kept]
        return replace(self, labels=[self.labels[k] for k in kept], entities=entities, entity_of=entity_of(entities))


@dataclass(frozen=True)
class Content:
    """What one file holds; its documents are fit for use only if there are no problems.

    `repetitions` are mentions that occur more than once: dropped, and to be warned of.
    """

    documents: list[Document]
    problems: list[Problem]
    repetitions: list[Problem]


@dataclass(frozen=True)
class Found:
    """A mention as it stands in a column file; `rank` is the number of its entity by first opening."""

    rank: int
    mention: Mention
    line: int


class Brackets(Generic[T]):
    """Open brackets; each closing takes the innermost open one of its key."""

    def __init__(self) -> None:
        self._open: dict[str, list[T]] = {}

    def open(self, key: str, opened: T) -> None:
        self._open.setdefault(key, []).append(opened)

    def close(self, key: str) -> T | None:
        opened = self._open.get(key)
        return opened.pop() if opened else None

    def unclosed(self) -> Iterator[tuple[str, T]]:
        """Everything that is still open, with its key."""
        return ((key, one) for key, opened in self._open.items() for one in opened)


def keep_first(found: Iterable[Found], n_entities: int) -> tuple[list[list[Mention]], list[list[Found]]]:
    """The mentions of each entity, and all occurrences of those that are repeated.

    A repeated mention stays once, with the entity that opens first in the document; so an entity may be
    left without any.
    """
    stays: dict[Mention, Found] = {}
    repeated: dict[Mention, list[Found]] = {}
    for one in found:
        other = stays.setdefault(one.mention, one)
        if other is not one:
            repeated.setdefault(one.mention, [other]).append(one)
            if one.rank < other.rank:
                stays[one.mention] = one
    entities: list[list[Mention]] = [[] for _ in range(n_entities)]
    for mention, one in stays.items():
        entities[one.rank].append(mention)
    return entities, list(repeated.values())


def entity_of(entities: Sequence[Sequence[Mention]]) -> dict[Mention, int]:
    numbers = chain.from_iterable(map(repeat, count(), map(len, entities)))
    return dict(zip(chain.from_iterable(entities), numbers, strict=True))


def without_empty(labels: Iterable[str], entities: Iterable[list[Mention]]) -> tuple[list[str], list[list[Mention]]]:
    """Labels and mentions of the entities that have any."""
    kept = [(label, mentions) for label, mentions in zip(labels, entities, strict=True) if mentions]
    return [label for label, _ in kept], [mentions for _, mentions in kept]


def repetition(document: str, file: str, words: str, labels: Sequence[str], found: Sequence[Found]) -> Problem:
    """One mention that stands in the file more than once; `words` says where."""
    inside = ", ".join(shown(labels[one.rank]) for one in found[:_LISTED])
    more = " and others" if len(found) > _LISTED else ""
    first = shown(labels[min(one.rank for one in found)])
    return Problem(
        f'document "{shown(document)}": {words} marked {len(found)} times, in the entities {inside}{more}; '
        f"entity {first} keeps the mention",
        file,
        found[0].line,
    )


def name_problem(name: str, file: str, line: int | None) -> Problem | None:
    if not name:
        return Problem("a document without a name", file, line)
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in name):
        return Problem(f"the document's name {ascii(name)} has control characters: rename it", file, line)
    return None


def shown(value: object) -> str:
    """A text from somebody's file for a message or a page: in one line, printable and not too long."""
    text = value if isinstance(value, str) else repr(value)
    if len(text) > _SHOWN:
        text = text[:_SHOWN] + "…"
    return text if text.isprintable() else "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def decoded(content: bytes) -> str:
    """UTF-8 without its byte order mark; UnicodeDecodeError if it is something else."""
    return content.decode().removeprefix("\ufeff")
