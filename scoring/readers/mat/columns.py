"""Spans and tokens as columns over the corpus, and the two sides made of them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.readers.mat.types import Types

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Spans:
    """Content annotations, sorted by document, then as read; duplicates are still there.

    `document` is an index into the side's documents, `label` into its labels, aliases applied; `start` and
    `end` count code points of the document's signal, end exclusive, and 0 <= start < end <= its length.
    """

    document: Integers
    label: Integers
    start: Integers
    end: Integers

    def __len__(self) -> int:
        return len(self.document)


@dataclass(frozen=True)
class Tokens:
    """Tokens, sorted by document, then start; those of a document do not overlap. Otherwise as Spans."""

    document: Integers
    start: Integers
    end: Integers

    def __len__(self) -> int:
        return len(self.document)


@dataclass(frozen=True)
class Side:
    """What both sides have; documents are those of the gold, in its order.

    `labels` are those that a span bears, `n_ignored` counts the annotations of types that do not count.
    """

    spans: Spans
    labels: list[str]
    tokens: Tokens
    warnings: list[str]
    n_ignored: int


@dataclass(frozen=True)
class Gold(Side):
    """The gold: `documents` are file names in code-point order, `signals` their texts, labels are sorted.

    `paths` are the files that were read, `types` says what counts on both sides. `is_single` if the gold is
    a single file, whose partner may have any name.
    """

    documents: list[str]
    signals: list[str]
    paths: list[str]
    types: Types
    is_single: bool


@dataclass(frozen=True)
class System(Side):
    """A system over the gold's documents; its labels begin with the gold's, new ones are sorted behind them.

    `names` are its file names, for a missing document the expected one; `missing` (documents,) says which
    these are. Its tokens are empty unless the option `tokens` needs them.
    """

    names: list[str]
    missing: NDArray[np.bool_]
