"""Annotated spans of one side on one axis for the whole corpus, in the order of the text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.readers.mat import Gold, Side, Spans, System

Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class CorpusSpans:
    """Spans [start, end) in order of start, end and label.

    Positions lie on an axis on which the documents follow each other and never touch, so that spans of
    two documents never overlap. `label` counts the labels of both sides in code-point order. `key` is
    equal where start, end and label are, on both sides.
    """

    document: Integers
    label: Integers
    start: Integers
    end: Integers
    key: Integers

    def __len__(self) -> int:
        return len(self.start)

    def at(self, index: Integers | Flags) -> CorpusSpans:
        return CorpusSpans(self.document[index], self.label[index], self.start[index], self.end[index], self.key[index])

    def distinct(self) -> CorpusSpans:
        """Each span once."""
        first = np.ones(len(self), dtype=bool)
        first[1:] = self.key[1:] != self.key[:-1]
        return self if first.all() else self.at(first)


def sorted_labels(gold: Gold, system: System) -> list[str]:
    """The labels of both sides in code-point order, which is that of all tables."""
    return sorted({*gold.labels, *system.labels})


def axis_starts(signals: Sequence[str]) -> Integers:
    """Where each document begins on the axis, and last where the axis ends."""
    lengths = np.fromiter(map(len, signals), dtype=np.int64, count=len(signals))
    return np.concatenate([[0], np.cumsum(lengths + 1)])


def corpus_spans(gold: Gold, system: System, labels: list[str], starts: Integers) -> tuple[CorpusSpans, CorpusSpans]:
    """The spans of gold and system, repeated ones included."""
    places = {label: place for place, label in enumerate(labels)}
    columns = [_columns(side, side.spans, places, starts) for side in (gold, system)]
    _, label, start, end = (np.concatenate(both) for both in zip(*columns, strict=True))
    key = folded(folded(start, end - start), label)
    n_gold = len(columns[0][0])
    first, second = (
        CorpusSpans(*own, own_key) for own, own_key in zip(columns, (key[:n_gold], key[n_gold:]), strict=True)
    )
    return first.at(np.argsort(first.key)), second.at(np.argsort(second.key))


def folded(first: Integers, second: Integers) -> Integers:
    """Two columns as one that is equal where both are, and in their order. Nothing that comes back is negative."""
    if not len(first):
        return first
    low = int(second.min())
    width = int(second.max()) - low + 1
    if (int(first.max()) + 1) * width >= 2**62 or int(first.min()) < 0:
        _, first = np.unique(first, return_inverse=True)
        _, second = np.unique(second, return_inverse=True)
        low, width = 0, int(second.max()) + 1
    return first * width + (second - low)


def _columns(
    side: Side, spans: Spans, places: dict[str, int], starts: Integers
) -> tuple[Integers, Integers, Integers, Integers]:
    place = np.array([places[label] for label in side.labels], dtype=np.int64)
    origin = starts[spans.document]
    return spans.document, place[spans.label], origin + spans.start, origin + spans.end
