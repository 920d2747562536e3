"""Rank correlation of the probabilities that both sides give to the characters of a document.

    text      Mirelle left Gorloin.
    gold      0.9 [0, 7)    0.2 [13, 20)
    system    0.6 [0, 12)

Where spans of a side overlap, the one that is written last counts, and a character under none has 0. The correlation
is Spearman's over the characters, of which equal ones share their mean rank. Where a side gives the same to all
characters it is 1 if both do, and else 0.

SemEval-2025 task 3 (Mu-SHROOM), `score_cor`.
"""

from dataclasses import replace
from typing import TypeVar

import numpy as np

from scoring.columns import Array, Flags, Floats, Integers, starts_run
from scoring.readers.mat import Side, Spans

_HALF = 0.5
_DIGITS = 8  # beyond which values count as equal where all of a side's are asked for
_Side = TypeVar("_Side", bound=Side)


def likely(side: _Side) -> _Side:
    """Return the side with those spans alone that are more probable than not; all where none has a probability."""
    spans = side.spans
    return side if spans.probability is None else replace(side, spans=spans.at(spans.probability > _HALF))


def correlations(gold: Spans, system: Spans, starts: Integers) -> Floats:
    """Compute the correlation of each document: (documents,); `starts` are those of `axis_starts`."""
    places = [(starts[side.document] + side.start, starts[side.document] + side.end) for side in (gold, system)]
    # Between any two edges all characters are alike.
    edges = np.unique(np.concatenate([starts, starts[1:] - 1, *places[0], *places[1]]))
    document = np.searchsorted(starts, edges[:-1], side="right") - 1
    is_text = edges[:-1] < starts[document + 1] - 1
    document, length = document[is_text], np.diff(edges)[is_text]
    values = [_painted(side, *of_side, edges)[is_text] for side, of_side in zip((gold, system), places, strict=True)]
    n_documents = len(starts) - 1
    constant = [_are_constant(of_side, document, n_documents) for of_side in values]
    n_characters = np.bincount(document, weights=length, minlength=n_documents)
    ranks = [_ranks(of_side, document, length, n_characters) - (n_characters[document] + 1) / 2 for of_side in values]
    products = [
        np.bincount(document, weights=length * one * other, minlength=n_documents)
        for one, other in ((ranks[0], ranks[1]), (ranks[0], ranks[0]), (ranks[1], ranks[1]))
    ]
    is_constant = constant[0] | constant[1]
    spread = np.where(is_constant, 1, np.sqrt(products[1] * products[2]))
    return np.where(is_constant, constant[0] == constant[1], products[0] / spread)


def _painted(spans: Spans, start: Integers, end: Integers, edges: Integers) -> Floats:
    """Return what the spans give to the characters behind each edge but the last.

    Each is painted once, from the last span on.

    `free` leads from an edge to the next one that is not painted yet, so that no span is walked through again.
    """
    values = np.zeros(len(edges) - 1)
    free = list(range(len(edges)))
    probability = np.ones(len(start)) if spans.probability is None else spans.probability
    columns = np.searchsorted(edges, start), np.searchsorted(edges, end), probability
    for first, last, value in reversed([*zip(*(column.tolist() for column in columns), strict=True)]):
        at = _next_free(free, first)
        while at < last:
            values[at], free[at] = value, at + 1
            at = _next_free(free, at + 1)
    return values


def _next_free(free: list[int], at: int) -> int:
    while free[at] != at:
        free[at] = free[free[at]]
        at = free[at]
    return at


def _are_constant(values: Floats, document: Integers, n_documents: int) -> Flags:
    """Return whether all characters have the same, as those of a text without any do: (documents,)."""
    low, high = np.full(n_documents, np.inf), np.full(n_documents, -np.inf)
    rounded = values.round(_DIGITS)
    np.minimum.at(low, document, rounded)
    np.maximum.at(high, document, rounded)
    return low >= high


def _ranks(values: Floats, document: Integers, length: Integers, n_characters: Array) -> Floats:
    """Return the mean rank, from 1, of the characters of each stretch among those of its document."""
    order = np.lexsort((values, document))
    before = np.append(0, np.cumsum(length[order]))
    is_first = starts_run(document[order], values[order])
    first = np.flatnonzero(is_first)
    last = np.append(first[1:], len(order))
    begins = np.append(0, np.cumsum(n_characters))[document[order][first]]
    mean = (before[first] + before[last] + 1) / 2 - begins
    ranks = np.empty(len(order))
    ranks[order] = mean[np.cumsum(is_first) - 1]
    return ranks
