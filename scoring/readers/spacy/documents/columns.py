"""A corpus of annotated documents as columns: arrays over all tokens, entities, spans and categories."""

from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from scoring.columns import Flags, Floats, Integers, ranges, ranks, starts_from_sizes
from scoring.readers.spacy.documents.strings import Strings
from scoring.readers.spacy.documents.treebank import Treebank
from scoring.readers.spacy.documents.trees import sentence_starts

# Codes of texts, and indices of documents and of tokens in a document: 32 bits are enough, and take half the memory.
Codes = NDArray[np.integer[Any]]

# Between the words of a document that are kept as one text. Half of a surrogate pair: no text that can be read from a
# file has it.
SEPARATOR = "\ud800"


@dataclass(frozen=True)
class Spans:
    """Pieces of documents, one entry of each column for each; texts are codes, 0 where unset."""

    document: Codes  # index of the document; rises
    key: Codes  # name of the span group; unset for entities
    start: Codes  # first token, as an index in the document
    end: Codes  # the token after the last
    label: Codes
    kb: Codes  # id of an entry of a knowledge base

    def __len__(self) -> int:
        return len(self.document)

    def where(self, chosen: Flags | Integers) -> "Spans":
        """Return the spans with these flags, or of these rows."""
        return Spans(**{f.name: getattr(self, f.name)[chosen] for f in fields(self)})


@dataclass(frozen=True)
class Categories:
    """Values of document categories, in the order of the file: it decides which of equally high labels wins."""

    document: Codes  # index of the document
    label: Codes  # code of the label
    value: Floats  # usually 0 to 1; other numbers are allowed, and warned of


@dataclass(frozen=True)
class Documents:
    """All documents of one side, in the order of their files.

    Texts (tags, labels and so on) are codes of `strings`, 0 where unset. A system's strings begin with those of its
    gold, so that a code of the gold means the same text there.
    """

    strings: Strings  # the text of each code

    # Of each document: (documents,).
    ids: list[str]
    files: list[str]  # the path that it was read from
    lines: Codes  # the line of that file where it begins, from 1
    texts: list[str]  # its words, joined by SEPARATOR
    first: Integers  # (documents + 1,) its first token; the last entry is the number of all tokens
    knows_spaces: Flags  # whether it says after which words there is a blank
    has_heads: Flags  # whether it has a tree
    has_sents: Flags  # whether it says itself where sentences start
    has_ents: Flags  # whether its entities are annotated, be there any or none

    # Of each token: (tokens,), counted over all documents.
    blank: Flags  # whether its text is nothing but white space
    space: Flags  # whether a blank follows; True where that is not known
    tag: Codes
    pos: Codes
    lemma: Codes
    morph: Codes  # features in canonical form; EMPTY_MORPH where annotated as having none
    iob: Codes  # the tag of entities as a file in columns has it; unset in other formats
    head: Codes  # its head as an index in the document; itself for a root and without a tree
    dep: Codes  # the label of the edge to its head
    sent_start: NDArray[np.int8]  # 1, -1 or 0 as the document says it; see `starts`
    missing: Flags  # whether it is unknown if it belongs to an entity

    # Of other things.
    ents: Spans  # named entities, which never overlap
    spans: Spans  # the spans of all groups
    groups: Codes  # (groups, 2): document and key of each span group, also of those without spans
    off_boundary: Spans  # given in characters that fit no tokens: `start` and `end` count characters
    cats: Categories

    paths: list[str] = field(default_factory=list)  # all files that were read
    warnings: list[str] = field(default_factory=list)
    treebank: Treebank | None = None  # of all its files, where the metrics of Universal Dependencies are asked for

    def __len__(self) -> int:
        """Return the number of documents."""
        return len(self.ids)

    @cached_property
    def lengths(self) -> Integers:
        """Return the number of tokens of each document."""
        return np.diff(self.first)

    @cached_property
    def document(self) -> Codes:
        """Return the index of the document of each token."""
        return np.repeat(np.arange(len(self), dtype=np.int32), self.lengths)

    @cached_property
    def index(self) -> Integers:
        """Return the index of each token in its document."""
        return ranks(self.lengths)

    @cached_property
    def starts(self) -> NDArray[np.int8]:
        """Return whether a sentence starts at each token: 1, -1 for no, 0 for unknown.

        What a document says itself stands; otherwise the sentences are those of its tree, if it has one.
        """
        is_derived = self.has_heads & ~self.has_sents
        if not is_derived.any():
            return self.sent_start
        return np.where(is_derived[self.document], sentence_starts(self.head, self.dep, self.first), self.sent_start)

    def words(self, document: int) -> list[str]:
        """Return the texts of its tokens."""
        text = self.texts[document]
        return text.split(SEPARATOR) if text else []

    def spaces(self, document: int) -> list[bool]:
        """Return whether a blank follows each of its tokens."""
        return list(map(bool, self.space[self.first[document] : self.first[document + 1]].tolist()))

    def reordered(self, order: Integers) -> Self:
        """Return the documents with these indices, in this order; the others are left out."""
        # The new index of each document, -1 for one that is left out.
        rank = np.full(len(self), -1, dtype=np.int32)
        rank[order] = np.arange(len(order))
        tokens = ranges(self.first[:-1][order], self.lengths[order])
        return replace(
            self,
            ids=[self.ids[k] for k in order.tolist()],
            files=[self.files[k] for k in order.tolist()],
            texts=[self.texts[k] for k in order.tolist()],
            first=starts_from_sizes(self.lengths[order]),
            **{name: getattr(self, name)[tokens] for name in TOKEN_COLUMNS},
            **{name: getattr(self, name)[order] for name in DOCUMENT_COLUMNS},
            ents=_moved(self.ents, rank),
            spans=_moved(self.spans, rank),
            groups=_moved_groups(self.groups, rank),
            off_boundary=_moved(self.off_boundary, rank),
            cats=_moved_categories(self.cats, rank),
        )


TOKEN_COLUMNS = ("blank", "space", "tag", "pos", "lemma", "morph", "iob", "head", "dep", "sent_start", "missing")
DOCUMENT_COLUMNS = ("lines", "knows_spaces", "has_heads", "has_sents", "has_ents")


def text_of(words: list[str], spaces: list[bool]) -> str:
    """Join the words with their own blanks between them, none after the last.

    >>> text_of(["Ann", "runs", "."], [True, False, True])
    'Ann runs.'
    """
    pieces = [word + " " if space else word for word, space in zip(words, spaces, strict=True)]
    return "".join([*pieces[:-1], *words[-1:]])


def _order(documents: Codes, rank: Codes) -> tuple[Codes, Integers]:
    """Return for rows of documents the new document of each, and the rows that stay in their new order."""
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
