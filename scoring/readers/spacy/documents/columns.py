"""A corpus of annotated documents as columns: arrays over all tokens, entities, spans and categories."""

from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from scoring.readers.spacy.documents.strings import Strings

Integers = NDArray[np.integer[Any]]
Codes = NDArray[np.integer[Any]]
Flags = NDArray[np.bool_]
Numbers = NDArray[np.float64]

# Half of a surrogate pair: no text that can be read from a file has it.
SEPARATOR = "\ud800"


@dataclass(frozen=True)
class Spans:
    """Pieces of documents: `document` rises; `start` and `end` count tokens of the document, end exclusive.

    `key` names the group (unset for entities), `kb` an entry of a knowledge base.
    """

    document: Codes
    key: Codes
    start: Codes
    end: Codes
    label: Codes
    kb: Codes

    def __len__(self) -> int:
        return len(self.document)

    def where(self, chosen: Flags | Integers) -> "Spans":
        return Spans(**{f.name: getattr(self, f.name)[chosen] for f in fields(self)})


@dataclass(frozen=True)
class Categories:
    """Values of document categories; inside a document in the order of the file."""

    document: Codes
    label: Codes
    value: Numbers


@dataclass(frozen=True)
class Documents:
    """All documents of one side; texts are codes of `strings`, 0 where unset.

    `first` (n + 1,) says where the tokens of each document begin; columns of tokens have one value a token,
    `head` and spans count from the document's first token. `sent_start` holds 1, -1 or 0 and counts only where
    `has_sents`. `groups` are the (document, key) of span groups, also of empty ones. `off_boundary` are spans
    whose character offsets fit no tokens: their `start` and `end` are characters. `lines` and `files` say where a
    document stands. `texts` are the words of each document, joined, and `blank` the tokens of white space.
    """

    strings: Strings
    ids: list[str]
    files: list[str]
    lines: Codes
    texts: list[str]
    first: Integers
    blank: Flags
    space: Flags
    tag: Codes
    pos: Codes
    lemma: Codes
    morph: Codes
    head: Codes
    dep: Codes
    sent_start: NDArray[np.int8]
    missing: Flags
    knows_spaces: Flags
    has_heads: Flags
    has_sents: Flags
    has_ents: Flags
    ents: Spans
    spans: Spans
    groups: Codes
    off_boundary: Spans
    cats: Categories
    paths: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def lengths(self) -> Integers:
        """The number of tokens of each document."""
        return np.diff(self.first)

    @cached_property
    def document(self) -> Codes:
        """The document of each token."""
        return np.repeat(np.arange(len(self), dtype=np.int32), self.lengths)

    @cached_property
    def place(self) -> Integers:
        """The place of each token in its document."""
        return np.arange(len(self.blank)) - np.repeat(self.first[:-1], self.lengths)

    def words(self, document: int) -> list[str]:
        text = self.texts[document]
        return text.split(SEPARATOR) if text else []

    def spaces(self, document: int) -> list[bool]:
        return list(map(bool, self.space[self.first[document] : self.first[document + 1]].tolist()))

    def reordered(self, order: Integers) -> Self:
        """The documents `order`, in this order."""
        rank = np.full(len(self), -1, dtype=np.int32)
        rank[order] = np.arange(len(order))
        tokens = ranges(self.first[:-1][order], self.lengths[order])
        return replace(
            self,
            ids=[self.ids[k] for k in order.tolist()],
            files=[self.files[k] for k in order.tolist()],
            texts=[self.texts[k] for k in order.tolist()],
            first=np.concatenate([[0], np.cumsum(self.lengths[order])]),
            **{name: getattr(self, name)[tokens] for name in TOKEN_COLUMNS},
            **{name: getattr(self, name)[order] for name in DOCUMENT_COLUMNS},
            ents=_moved(self.ents, rank),
            spans=_moved(self.spans, rank),
            groups=_moved_groups(self.groups, rank),
            off_boundary=_moved(self.off_boundary, rank),
            cats=_moved_categories(self.cats, rank),
        )


TOKEN_COLUMNS = ("blank", "space", "tag", "pos", "lemma", "morph", "head", "dep", "sent_start", "missing")
DOCUMENT_COLUMNS = ("lines", "knows_spaces", "has_heads", "has_sents", "has_ents")


def text_of(words: list[str], spaces: list[bool]) -> str:
    """The words with their own blanks between them, none after the last."""
    pieces = [word + " " if space else word for word, space in zip(words, spaces, strict=True)]
    return "".join([*pieces[:-1], *words[-1:]])


def ranges(starts: Integers, lengths: Integers) -> Integers:
    """All integers of the ranges, one range after the other."""
    ends = np.cumsum(lengths)
    shift: Integers = np.repeat(starts - (ends - lengths), lengths)
    return np.arange(len(shift)) + shift


def _order(documents: Codes, rank: Codes) -> tuple[Codes, Integers]:
    """The new document of each row, and the rows that stay in their new order."""
    moved = rank[documents]
    order = np.argsort(moved, kind="stable")
    return moved, order[moved[order] >= 0]


def _moved(spans: Spans, rank: Codes) -> Spans:
    moved, order = _order(spans.document, rank)
    return replace(spans, document=moved).where(order)


def _moved_categories(cats: Categories, rank: Codes) -> Categories:
    moved, order = _order(cats.document, rank)
    return Categories(moved[order], cats.label[order], cats.value[order])


def _moved_groups(groups: Codes, rank: Codes) -> Codes:
    moved, order = _order(groups[:, 0], rank)
    return np.stack([moved[order], groups[order, 1]], axis=1)
