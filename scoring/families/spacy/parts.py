"""Both sides as every item sees them, and what an item makes of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.families.spacy.options import starts_of
from scoring.family import Array, Table
from scoring.readers.spacy.documents import Alignment, Documents
from scoring.readers.spacy.documents.columns import Flags, Integers, Spans

Weighted = Callable[[NDArray[np.int64]], dict[str, Array]]


@dataclass(frozen=True)
class Sides:
    """Gold and system, documents in the same order. Texts of both are codes of the system's strings."""

    gold: Documents
    system: Documents
    alignment: Alignment

    def __len__(self) -> int:
        return len(self.gold)

    @cached_property
    def are_identical(self) -> bool:
        """Whether all tokens are the same, so that each column of one side fits the other."""
        return bool(self.alignment.identical.all())

    @cached_property
    def names(self) -> Sequence[str]:
        return self.system.strings.texts

    @cached_property
    def starts(self) -> tuple[Array, Array]:
        """The sentence starts of both sides: 1, -1 or 0 for each token."""
        return starts_of(self.gold), starts_of(self.system)


@dataclass(frozen=True)
class Errors:
    """What went wrong, for the table of errors; `start` and `end` count tokens of `side`, or characters."""

    score: str
    kind: str
    side: Documents
    document: Array
    start: Array
    end: Array
    label: Array
    in_characters: bool = False


@dataclass(frozen=True)
class Part:
    """What one item counts.

    `rows` (documents, kinds) are what its scores are made of, `totals` the counts to show, `tables` are made when
    asked for. `weighted` gives the scores that are no functions of sums, from weights (m, documents).
    """

    rows: Array
    totals: dict[str, int]
    tables: Mapping[str, Callable[[], Table]] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    weighted: Weighted | None = None
    errors: list[Errors] = field(default_factory=list)
    descriptions: dict[str, str] = field(default_factory=dict)
    hedged: Integers = field(default_factory=lambda: np.empty(0, dtype=np.int64))


def annotates_ents(side: Documents) -> Flags:
    """Whether each document has entities annotated: not where the status of all its tokens is unknown."""
    n_missing = np.bincount(side.document[side.missing], minlength=len(side))
    return np.asarray((side.lengths == 0) | (side.has_ents & (n_missing < side.lengths)))


def by_position(spans: Spans) -> Spans:
    return spans.where(np.lexsort((spans.end, spans.start, spans.document)))


def absolute(spans: Spans, side: Documents) -> tuple[Any, Any]:
    """Start and end of each span, counted over all tokens of the side."""
    first = side.first[spans.document]
    return first + spans.start, first + spans.end


def character_spans(side: Documents, documents: Integers) -> tuple[Integers, Integers]:
    """Start and end of each token of some documents, in characters of its document; unknown spaces are blanks."""
    lengths = np.fromiter(
        (len(word) for k in documents.tolist() for word in side.words(k)), np.int64, int(side.lengths[documents].sum())
    )
    first = np.concatenate([[0], np.cumsum(side.lengths[documents])])
    steps = lengths + side.space[tokens_of(side, documents)]
    starts = np.cumsum(steps) - steps
    base = np.concatenate([starts, [0]])[first[:-1]] if len(starts) else np.zeros(len(documents), dtype=np.int64)
    starts = starts - np.repeat(base, side.lengths[documents])
    return starts, starts + lengths


def tokens_of(side: Documents, documents: Integers) -> Integers:
    """All tokens of some documents."""
    lengths = side.lengths[documents]
    ends = np.cumsum(lengths)
    return np.asarray(np.arange(int(lengths.sum())) + np.repeat(side.first[:-1][documents] - (ends - lengths), lengths))
