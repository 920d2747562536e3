"""Lays tuples out as lines of a text of their own, so that they are matched, counted and shown as spans are.

    gold      TREATS(aspirin, headache)
    system    CAUSES(aspirin, headache)   TREATS(tea, headache)

    text      aspirin | headache          gold TREATS[0, 18)   system CAUSES[0, 18)
              tea | headache                                   system TREATS[19, 33)

Two tuples are equal if their documents, labels and fields are. Those that differ in the label alone have the same
line, and so clash; all others are missing or spurious. Where tuples have a start and an end, a line has a sign for
each place that these count, and two tuples of one line overlap where their spans do:

    text      3 | 1 ·····               [0, 5) of a tuple with the fields 3 and 1 is [6, 11)
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from scoring.columns import Integers, starts_from_sizes
from scoring.family import Options
from scoring.readers.mat import COLUMNS_OF_TUPLES, Gold, Shape, Side, System

PLACE = "·"
_BETWEEN = " | "
_AS_SPACES = str.maketrans("\r\n", "  ")


def laid_out(gold: Gold, system: System, options: Options) -> tuple[Gold, System]:
    """Return both sides with spans over texts whose lines are the tuples; as they are where they have spans anyway."""
    if not options.get("fields"):
        return gold, system
    shapes = {shape: code for code, shape in enumerate(dict.fromkeys([*gold.shapes, *system.shapes]))}
    document = np.concatenate([gold.spans.document, system.spans.document])
    shape = np.concatenate([_codes(gold, shapes), _codes(system, shapes)])
    # The lines (n,) of all documents, in the order in which they first come in each.
    cells, first, line = np.unique(document * len(shapes) + shape, return_index=True, return_inverse=True)
    order = np.lexsort((first, cells // len(shapes)))
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    line, cells = rank[line], cells[order]
    first_lines = np.searchsorted(cells // len(shapes), np.arange(len(gold.documents) + 1))
    names = [_BETWEEN.join(places).translate(_AS_SPACES) for places in shapes]
    begins = np.zeros(len(cells), dtype=np.int64)
    lines = [names[code] for code in (cells % len(shapes)).tolist()]
    ends = np.fromiter(map(len, lines), np.int64, len(lines))
    if _has_places(options):
        begins, room = ends + 1, np.zeros(len(cells), dtype=np.int64)
        np.maximum.at(room, line, np.concatenate([gold.spans.end, system.spans.end]))
        lines = [f"{name} {PLACE * places}" for name, places in zip(lines, room.tolist(), strict=True)]
        ends = begins + room
    texts, starts = _texts(lines, ends, first_lines)
    sides = []
    for side, of_side in ((gold, line[: len(gold.spans)]), (system, line[len(gold.spans) :])):
        spans, origin = side.spans, starts[of_side] + begins[of_side]
        places = (spans.start, spans.end) if _has_places(options) else (0, (ends - begins)[of_side])
        sides.append(replace(spans, start=origin + places[0], end=origin + places[1], shape=np.zeros_like(of_side)))
    return (
        replace(gold, spans=sides[0], shapes=[()], signals=texts),
        replace(system, spans=sides[1], shapes=[()]),
    )


def words_of(options: Options) -> Callable[[str, int, int], str]:
    """Return what makes the words that tables show of a span in a text, from its start and end."""
    return _fields_and_places if _has_places(options) else _words


def _words(text: str, start: int, end: int) -> str:
    return text[start:end]


def _fields_and_places(text: str, start: int, end: int) -> str:
    """Return the fields of a tuple, and its own start and end.

    >>> _fields_and_places("3 | 1 ·····", 6, 9)
    '3 | 1 0–3'
    """
    blank = text.rfind(" ", 0, start)
    line = text.rfind("\n", 0, blank) + 1
    return f"{text[line:blank]} {start - blank - 1}–{end - blank - 1}"


def _has_places(options: Options) -> bool:
    return bool(options.get("fields")) and len(options["columns"] or ()) > len(COLUMNS_OF_TUPLES)


def _codes(side: Side, shapes: dict[Shape, int]) -> Integers:
    return np.array([shapes[shape] for shape in side.shapes], dtype=np.int64)[side.spans.shape]


def _texts(lines: Sequence[str], lengths: Integers, first: Integers) -> tuple[list[str], Integers]:
    """Join the lines of each document, which begin at `first` (documents + 1,); also where each starts in its text."""
    texts = ["\n".join(lines[low:high]) for low, high in pairwise(first.tolist())]
    before = starts_from_sizes(lengths + 1)
    return texts, before[:-1] - np.repeat(before[first[:-1]], np.diff(first))
