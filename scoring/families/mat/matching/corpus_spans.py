"""The spans of one side as columns on one axis for the whole corpus, in the order of the text.

An offset becomes a position on the *corpus axis* by adding where its document starts:

    document       0 "Mirelle left."    1 "Gorloin"    (end)
    axis_starts    0                    14             22

Relations, events and attributes of BRAT stand on the axis once more, behind all documents: they never overlap what
they are about.

Between two documents one position stays free, so spans of two documents do not even touch, and one sorted sweep
finds the overlaps of the whole corpus. All matching works on these columns; nothing loops over documents.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scoring.columns import Flags, Integers, coded_together, starts_from_sizes, starts_run
from scoring.readers.mat import Gold, Shape, Side, System, is_structure

# Document, label, start, end and shape.
_N_COLUMNS = 5


@dataclass(frozen=True)
class CorpusSpans:
    """n spans of one side, in order of start, end and label; duplicates stand beside each other."""

    document: Integers  # (n,) index of the document, in the order of the gold's file names
    label: Integers  # (n,) index into the labels of both sides, in code-point order
    start: Integers  # (n,) position of the first character on the corpus axis
    end: Integers  # (n,) position behind the last character
    place: Integers  # (n,) in the order in which they were read
    key: Integers  # (n,) equal where start, end, label and shape are, on either side; in the order of the spans
    shape: Integers | None = None  # (n,) index into the shapes of both sides; None if all spans are in one part

    def __len__(self) -> int:
        return len(self.start)

    def at(self, index: Integers | Flags) -> CorpusSpans:
        """Return the spans at these indices, or those that are flagged."""
        shape = None if self.shape is None else self.shape[index]
        document, label, start, end = (column[index] for column in (self.document, self.label, self.start, self.end))
        return CorpusSpans(document, label, start, end, self.place[index], self.key[index], shape)

    def distinct(self) -> CorpusSpans:
        """Return the spans without duplicates, which are spans of the same label, start, end and shape.

        >>> gold, _ = sorted_spans(np.array([(0, 0, 0, 7), (0, 1, 0, 7), (0, 0, 0, 7)]).T, np.empty((4, 0), int))
        >>> gold.label, gold.distinct().label
        (array([0, 0, 1]), array([0, 1]))
        """
        is_first = starts_run(self.key)
        return self if is_first.all() else self.at(is_first)


def sorted_labels(gold: Gold, system: System) -> list[str]:
    """Return the labels of both sides in code-point order, which is that of all tables."""
    return sorted({*gold.labels, *system.labels})


def axis_starts(signals: Sequence[str]) -> Integers:
    """Return where each of n documents starts on the corpus axis, and last where the axis ends: (n + 1,).

    >>> axis_starts(["Mirelle left.", "Gorloin"])
    array([ 0, 14, 22])
    """
    lengths = np.fromiter(map(len, signals), dtype=np.int64, count=len(signals))
    # One more than the length: spans that end and start at the border of two documents must not touch.
    return starts_from_sizes(lengths + 1)


def places(spans: CorpusSpans, starts: Integers) -> tuple[Integers, Integers]:
    """Start and end of each span as offsets in its document: (n,) and (n,)."""
    origin = starts[spans.document]
    if spans.shape is not None:
        origin = origin + spans.start // starts[-1] * starts[-1]
    return spans.start - origin, spans.end - origin


def corpus_spans(gold: Gold, system: System, labels: list[str], starts: Integers) -> tuple[CorpusSpans, CorpusSpans]:
    """Return the spans of gold and system, duplicates included; `starts` are those of `axis_starts`."""
    codes = {label: code for code, label in enumerate(labels)}
    shapes = {shape: code for code, shape in enumerate(dict.fromkeys([*gold.shapes, *system.shapes]))}
    return sorted_spans(_columns(gold, codes, shapes, starts), _columns(system, codes, shapes, starts))


def sorted_spans(
    gold: Sequence[Integers] | Integers, system: Sequence[Integers] | Integers
) -> tuple[CorpusSpans, CorpusSpans]:
    """Sort both sides from their columns document, label, start, end and shape, (n,) and (m,) each, in any order.

    Without shapes all spans are in one part.

    >>> gold, system = sorted_spans(np.array([(0, 1, 13, 20), (0, 0, 0, 7)]).T, np.array([(0, 1, 13, 20)]).T)
    >>> gold.start, gold.key, system.key
    (array([ 0, 13]), array([ 0, 27]), array([27]))
    """
    has_shapes = len(gold) == len(system) == _N_COLUMNS and any(side[-1].any() for side in (gold, system))
    gold_key, system_key = coded_together(*(_key_columns(side, has_shapes) for side in (gold, system)))
    return _in_order(gold, gold_key, has_shapes), _in_order(system, system_key, has_shapes)


def same_shape(gold: CorpusSpans, g: Integers, system: CorpusSpans, s: Integers) -> Flags | np.bool_:
    """Return whether the spans of each pair of indices have the same parts, in the shape of both together."""
    if gold.shape is None or system.shape is None:
        return np.True_
    is_same: Flags = gold.shape[g] == system.shape[s]
    return is_same


def _key_columns(columns: Sequence[Integers] | Integers, has_shapes: bool) -> tuple[Integers, ...]:
    _, label, start, end, *shape = columns
    # The length in place of the end: it orders alike, and small numbers keep the key within 64 bits.
    return start, end - start, label, *(shape if has_shapes else [])


def _in_order(columns: Sequence[Integers] | Integers, key: Integers, has_shapes: bool) -> CorpusSpans:
    document, label, start, end, *shape = columns
    spans = CorpusSpans(document, label, start, end, np.arange(len(key)), key, shape[0] if has_shapes else None)
    # Stable, so that of equal ones the first that was read stands first.
    return spans.at(np.argsort(key, kind="stable"))


def _columns(
    side: Side, codes: dict[str, int], shapes: dict[Shape, int], starts: Integers
) -> tuple[Integers, Integers, Integers, Integers, Integers]:
    """Return document, label, start, end and shape of each span as read.

    Labels and shapes are the codes of both sides, places those on the axis.
    """
    spans = side.spans
    label_codes = np.array([codes[label] for label in side.labels], dtype=np.int64)
    origin = starts[spans.document]
    shape_codes = np.array([shapes[shape] for shape in side.shapes], dtype=np.int64)
    if any(map(is_structure, side.shapes)):
        origin = origin + starts[-1] * np.array([*map(is_structure, side.shapes)])[spans.shape]
    places = origin + spans.start, origin + spans.end
    return spans.document, label_codes[spans.label], *places, shape_codes[spans.shape]
