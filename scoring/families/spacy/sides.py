"""Both sides as every item sees them, and where their spans and tokens lie."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from scoring.columns import Flags, Integers, owners, ranges, starts_from_sizes
from scoring.families.spacy.score_config import Item
from scoring.readers.spacy.documents import Alignment, Documents, Spans


@dataclass(frozen=True)
class Sides:
    """Gold and system, paired and aligned."""

    gold: Documents
    # The documents of the gold in the gold's order. Its strings hold the gold's too, so that a code of either side
    # means the same text.
    system: Documents
    # Which gold tokens each token of the system lies on.
    alignment: Alignment
    # The word of the gold's treebank that each word of the system's is, -1 for none; None without treebanks.
    words: Integers | None = None

    def __len__(self) -> int:
        """Return the number of documents."""
        return len(self.gold)

    @cached_property
    def are_identical(self) -> bool:
        """Return whether all tokens are the same, so that token i of one side is token i of the other."""
        return bool(self.alignment.identical.all())

    @cached_property
    def names(self) -> Sequence[str]:
        """Return the text of each code."""
        return self.system.strings.texts


def flags_of(sides: Sides, texts: Sequence[str]) -> Flags:
    """Return whether the text of each code is one of these: (codes,)."""
    strings = sides.system.strings
    codes = [strings[text] for text in texts]
    flags = np.zeros(len(strings.texts), dtype=bool)
    flags[codes] = True
    return flags


def says_nothing(sides: Sides, item: Item) -> Flags:
    """Return whether each code as a value of the gold asks for nothing: no text, and the item's missing values."""
    return flags_of(sides, ["", *item.get("missing_values", ())])


def annotates_ents(side: Documents) -> Flags:
    """Return whether each document has entities annotated, as spaCy decides it: (documents,).

    It has not where the status of all its tokens is unknown; a document without tokens always has.
    """
    n_missing = np.bincount(side.document[side.missing], minlength=len(side))
    return np.asarray((side.lengths == 0) | (side.has_ents & (n_missing < side.lengths)))


def by_position(spans: Spans) -> Spans:
    """Sort the spans by document, start and end."""
    return spans.where(np.lexsort((spans.end, spans.start, spans.document)))


def absolute(spans: Spans, side: Documents) -> tuple[Integers, Integers]:
    """Start and end of each span, counted over all tokens of the side."""
    first = side.first[spans.document]
    return first + spans.start, first + spans.end


def tokens_of(side: Documents, documents: Integers) -> Integers:
    """Return all tokens of some documents, counted over all tokens of the side."""
    return ranges(side.first[:-1][documents], side.lengths[documents])


def character_spans(side: Documents, documents: Integers) -> tuple[Integers, Integers]:
    """Start and end of each token of some documents, in characters of its document; unknown spaces are blanks.

    Both arrays have one entry for each token of `tokens_of(side, documents)`.
    """
    sizes = side.lengths[documents]
    words = (word for k in documents.tolist() for word in side.words(k))
    n_characters = np.fromiter(map(len, words), np.int64, int(sizes.sum()))
    # What each token takes of the text: its characters and the blank behind it.
    taken = n_characters + side.space[tokens_of(side, documents)]
    # The start of each token in the text of all these documents, and that of the text's end.
    starts = starts_from_sizes(taken)
    # The start of each token's document in the same count, to be taken off.
    document_starts = starts[starts_from_sizes(sizes)[:-1]]
    starts = starts[:-1] - document_starts[owners(sizes)]
    return starts, starts + n_characters
