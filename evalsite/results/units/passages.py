"""A text as the page of a unit shows it: passages of pieces, each under the marks that lie over it."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Generic, TypeVar

DEEPEST = 4  # lines under a text; the marks below share the last one
MOST_LAYERS = 16  # marks over one character; those below are left out
_LONG = 200  # characters of a line that is cut at the ends of its sentences

_SENTENCE_END = re.compile(r"[.!?。！？]['\"»”’)\]]*\s+|[。！？]")


@dataclass(frozen=True)
class Mark:
    """Something over the characters from start to end; `lane` is which of the lines under the text is its own."""

    start: int
    end: int
    lane: int = field(default=0, kw_only=True)  # 0 is the nearest


M = TypeVar("M", bound=Mark)


@dataclass(frozen=True)
class Piece(Generic[M]):
    """Text without any boundary inside; `marks` lie over it, the outermost first.

    Those of `opening` begin with it, those of `closing` end with it. The text of a mark of no length is empty.
    """

    text: str
    marks: list[M]
    opening: list[M]
    closing: list[M]


@dataclass(frozen=True)
class Passage(Generic[M]):
    """A line or a sentence of the text, the same on both sides."""

    gold: list[Piece[M]]
    system: list[Piece[M]]
    depth: int  # lines under its text


def in_lanes(marks: Sequence[M]) -> list[M]:
    """Return overlapping marks on lines of their own; the one that begins first and is longest lies lowest.

    Without those for which no layer is left.
    """
    placed: list[M] = []
    cluster: list[M] = []
    end = 0
    for mark in sorted(marks, key=lambda mark: (mark.start, -mark.end)):
        if mark.start >= end:
            placed += _stacked(cluster)
            cluster = []
        cluster.append(mark)
        end = max(end, _end(mark))
    return placed + _stacked(cluster)


def _stacked(cluster: list[M]) -> list[M]:
    ends: list[int] = []  # where each line becomes free
    lines: list[tuple[int, M]] = []
    for mark in cluster:
        line = next((line for line, end in enumerate(ends) if end <= mark.start), len(ends))
        if line < MOST_LAYERS:
            ends[line : line + 1] = [_end(mark)]
            lines.append((line, mark))
    deepest = len(ends) - 1
    return [replace(mark, lane=min(deepest - line, DEEPEST - 1)) for line, mark in lines]


def _end(mark: Mark) -> int:
    """Return where a mark ends; one of no length takes up its place too."""
    return max(mark.end, mark.start + 1)


def cut(text: str, gold: Sequence[M], system: Sequence[M]) -> Iterator[Passage[M]]:
    """Leave out passages that are blank and bear no mark."""
    for (of_gold, of_system), depth in cut_all(text, [gold, system]):
        yield Passage(of_gold, of_system, depth)


def cut_all(text: str, sides: Sequence[Sequence[M]]) -> Iterator[tuple[list[list[Piece[M]]], int]]:
    """Cut as `cut` does, for any number of sides: the pieces of each side, and the lines under the text."""
    bounds = _bounds(text, [mark for side in sides for mark in side])
    by_side = [_by_passage(side, bounds) for side in sides]
    for number, (start, end) in enumerate(pairwise(bounds)):
        here = [side.get(number, []) for side in by_side]
        depth = max((mark.lane + 1 for side in here for mark in side), default=0)
        if depth or not text[start:end].isspace():
            yield [list(_pieces(text, start, end, marks)) for marks in here], depth


def _bounds(text: str, marks: Sequence[Mark]) -> list[int]:
    """Return where passages begin, and the end of the last: at lines, and in long lines at sentences outside of all
    marks."""
    covered = bytearray(len(text) + 1)
    for mark in marks:
        covered[mark.start + 1 : mark.end] = b"\1" * (mark.end - mark.start - 1)
    bounds = [0]
    for line in text.splitlines(keepends=True):
        start = bounds[-1]
        if len(line) > _LONG:
            ends = (start + match.end() for match in _SENTENCE_END.finditer(line))
            bounds += [end for end in ends if not covered[end] and end < start + len(line)]
        bounds.append(start + len(line))
    return bounds


def _by_passage(marks: Sequence[M], bounds: list[int]) -> dict[int, list[M]]:
    by_passage: dict[int, list[M]] = defaultdict(list)
    last = len(bounds) - 2
    for mark in marks:
        number = min(bisect_right(bounds, mark.start) - 1, last)
        by_passage[number].append(mark)
        while number < last and bounds[number + 1] < mark.end:
            number += 1
            by_passage[number].append(mark)
    return by_passage


def _pieces(text: str, start: int, end: int, marks: Sequence[M]) -> Iterator[Piece[M]]:
    """Cut into pieces; marks of no length have one of their own before the text that follows them."""
    waiting = sorted(marks, key=lambda mark: mark.start, reverse=True)
    empty = {mark.start for mark in marks if mark.start == mark.end}
    inside = {edge for mark in marks for edge in (mark.start, mark.end) if start < edge < end}
    over: list[M] = []
    for left, right in pairwise(sorted([start, end, *inside, *empty])):
        over = [mark for mark in over if mark.end > left]
        while waiting and waiting[-1].start <= left:
            over.append(waiting.pop())
        here = over if left < right else [mark for mark in over if mark.start < left or mark.end == left]
        here = sorted(here, key=lambda mark: -mark.lane)
        closing = [mark for mark in reversed(here) if mark.end == right]
        shown = text[left:right].rstrip("\r\n") if right == end else text[left:right]
        if shown or closing:
            yield Piece(shown, here, [mark for mark in here if mark.start == left], closing)
