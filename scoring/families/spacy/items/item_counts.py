"""Tells what one item of the option `scores` makes of gold and system."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from scoring.columns import Array, Integers
from scoring.family import Averages, Table
from scoring.readers.spacy.documents import Documents

# From weights (m, documents) to {score: (m,)}: m resamples, in which a document counts as often as its weight says.
Weighted = Callable[[Integers], dict[str, Array]]


@dataclass(frozen=True)
class ErrorRows:
    """Errors of one kind, for the table of errors: one entry of each array for each of them."""

    score: str  # what the span or entity belongs to: "ents", "sents", "spans_KEY"
    kind: str  # "fp", "fn", "dropped", "ignored" or "off_boundary"
    side: Documents  # whose text is shown
    document: Array  # index of the document
    start: Array  # first token in the document, or character where `in_characters`
    end: Array  # the token or character after the last
    label: Array  # code of the label
    in_characters: bool = False


@dataclass(frozen=True)
class ItemCounts:
    """The counts of one item, and everything else that it shows."""

    # (documents, kinds): what its scores are made of. The meaning of the columns is the item's own affair.
    rows: Array
    # The counts to show, under the keys of the result.
    totals: dict[str, int]
    # Its tables, which are made when they are asked for: with a row for each label, or where True for those of the gold
    # and one for all others.
    tables: Mapping[str, Callable[[bool], Table]] = field(default_factory=dict)
    # Gives the labels that these tables have rows for and the gold does not have.
    invented: Callable[[], list[str]] = list
    warnings: list[str] = field(default_factory=list)
    # Its scores that are no functions of summed counts.
    weighted: Weighted | None = None
    # What stands behind its scores that are means over labels.
    averages: Callable[[], list[Averages]] = list
    errors: list[ErrorRows] = field(default_factory=list)
    # {score: what was chosen to be this score}, such as {"cats_score": "macro F"}.
    descriptions: dict[str, str] = field(default_factory=dict)
    # Gold tokens that got several different answers, counted over all gold tokens.
    hedged: Integers = field(default_factory=lambda: np.empty(0, dtype=np.int64))
