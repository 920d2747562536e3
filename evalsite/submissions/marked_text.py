"""A text with the spans of gold and system as its page shows them: passages of pieces, each under its spans."""

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

Record = dict[str, Any]

# What a pair of spans can be, the nearest first, and the word that stands beside the label in the text.
KINDS = {
    "match": "",
    "spanclash": "extent",
    "tagclash": "label",
    "bothclash": "both",
    "missing": "missing",
    "spurious": "spurious",
}
MOST_PASSAGES = 500
MOST_PAIRS = 500
_LONG = 200  # characters of a line that is cut at the ends of its sentences
_DEEPEST = 4  # lines under a text; the spans below share the last one

_SENTENCE_END = re.compile(r"[.!?。！？]['\"»”’)\]]*\s+|[。！？]")


@dataclass(frozen=True)
class Mark:
    """A span on one side: `anchor` is its place on the page, `pair` that of the row that tells what it met."""

    start: int
    end: int
    label: str
    kind: str
    anchor: str
    pair: str
    lane: int = 0  # which of the lines under the text is its own; 0 is the nearest

    @property
    def word(self) -> str:
        return KINDS[self.kind]


@dataclass(frozen=True)
class Piece:
    """Text without any boundary inside; `marks` lie over it, those of `closing` end with it."""

    text: str
    marks: list[Mark]
    closing: list[Mark]


@dataclass(frozen=True)
class Passage:
    """A line or a sentence of the text, the same on both sides."""

    gold: list[Piece]
    system: list[Piece]
    depth: int  # lines under its text


@dataclass(frozen=True)
class Row:
    """What one span of the gold and one of the system are to each other; None where a side has none."""

    number: int
    kind: str
    gold: Record | None
    system: Record | None


@dataclass(frozen=True)
class MarkedText:
    """`counts` is the number of pairs of each kind, whatever is shown of them."""

    passages: list[Passage]
    rows: list[Row]
    counts: dict[str, int]
    show: str
    n_passages_left_out: int
    n_rows_left_out: int


def marked_text(record: Record, show: str = "") -> MarkedText:
    """`show` is one of KINDS, "errors", or "" for all; passages without such a span are left out."""
    rows = [_row(number, pair) for number, pair in enumerate(record["pairs"], start=1)]
    found = Counter(row.kind for row in rows)
    counts = {kind: found[kind] for kind in KINDS}
    show = show if show in ("errors", *KINDS) else ""
    kinds = _shown_kinds(show)
    shown = [row for row in rows if row.kind in kinds]
    gold = _marks(record["gold"], rows, "gold", kinds)
    system = _marks(record["system"], rows, "system", kinds)
    passages = list(_passages(record["text"], gold, system))
    if show:
        passages = [each for each in passages if any(piece.marks for piece in each.gold + each.system)]
    return MarkedText(
        passages[:MOST_PASSAGES],
        shown[:MOST_PAIRS],
        counts,
        show,
        max(0, len(passages) - MOST_PASSAGES),
        max(0, len(shown) - MOST_PAIRS),
    )


def _row(number: int, pair: Record) -> Row:
    return Row(number, pair["type"], _side(pair, "ref"), _side(pair, "hyp"))


def _side(pair: Record, prefix: str) -> Record | None:
    if pair[f"{prefix}label"] is None:
        return None
    return {name: pair[prefix + name] for name in ("label", "start", "end", "content")}


def _shown_kinds(show: str) -> list[str]:
    if show == "errors":
        return [kind for kind in KINDS if kind != "match"]
    return [show] if show else list(KINDS)


def _marks(spans: Sequence[Record], rows: Sequence[Row], side: str, kinds: Sequence[str]) -> list[Mark]:
    """A mark for each span that has a row of these kinds; its own kind is the first of KINDS among them.

    Equal spans share their rows out among themselves as long as there are enough.
    """
    waiting: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    for row in rows:
        if part := getattr(row, side):
            waiting[_key(part)].append(row)
    alike = Counter(_key(span) for span in spans)
    marks = []
    for number, span in enumerate(spans, start=1):
        own = waiting[_key(span)]
        if alike[_key(span)] > 1 and len(own) > 1:
            own = [own.pop(0)]
        shown = [row for row in own if row.kind in kinds]
        if shown:
            best = min(shown, key=lambda row: list(KINDS).index(row.kind))
            place = (f"{side}-{number}", f"pair-{best.number}")
            marks.append(Mark(span["start"], span["end"], span["label"], best.kind, *place))
    return _in_lanes(marks)


def _key(span: Record) -> tuple[Any, ...]:
    return span["start"], span["end"], span["label"]


def _in_lanes(marks: list[Mark]) -> list[Mark]:
    """Overlapping marks on lines of their own; the one that begins first and is longest lies lowest."""
    placed: list[Mark] = []
    cluster: list[Mark] = []
    end = 0
    for mark in sorted(marks, key=lambda mark: (mark.start, -mark.end)):
        if mark.start >= end:
            placed += _stacked(cluster)
            cluster = []
        cluster.append(mark)
        end = max(end, mark.end)
    return placed + _stacked(cluster)


def _stacked(cluster: list[Mark]) -> list[Mark]:
    ends: list[int] = []  # where each line becomes free
    lines = []
    for mark in cluster:
        line = next((line for line, end in enumerate(ends) if end <= mark.start), len(ends))
        ends[line : line + 1] = [mark.end]
        lines.append(line)
    deepest = len(ends) - 1
    return [replace(mark, lane=min(deepest - line, _DEEPEST - 1)) for mark, line in zip(cluster, lines, strict=True)]


def _passages(text: str, gold: list[Mark], system: list[Mark]) -> Iterator[Passage]:
    """Without those that are blank and bear no mark."""
    bounds = _bounds(text, gold + system)
    gold_here, system_here = _by_passage(gold, bounds), _by_passage(system, bounds)
    for number, (start, end) in enumerate(pairwise(bounds)):
        of_gold, of_system = gold_here.get(number, []), system_here.get(number, [])
        depth = max((mark.lane + 1 for mark in of_gold + of_system), default=0)
        if depth or not text[start:end].isspace():
            yield Passage(list(_pieces(text, start, end, of_gold)), list(_pieces(text, start, end, of_system)), depth)


def _bounds(text: str, marks: list[Mark]) -> list[int]:
    """Where passages begin, and the end of the last: at lines, and in long lines at sentences outside of all marks."""
    covered = bytearray(len(text) + 1)
    for mark in marks:
        covered[mark.start + 1 : mark.end] = b"\1" * (mark.end - mark.start - 1)
    bounds = [0]
    for line in text.splitlines(keepends=True):
        start = bounds[-1]
        if len(line) > _LONG:
            ends = (start + found.end() for found in _SENTENCE_END.finditer(line))
            bounds += [end for end in ends if not covered[end] and end < start + len(line)]
        bounds.append(start + len(line))
    return bounds


def _by_passage(marks: list[Mark], bounds: list[int]) -> dict[int, list[Mark]]:
    found: dict[int, list[Mark]] = defaultdict(list)
    for mark in marks:
        number = bisect_right(bounds, mark.start) - 1
        while bounds[number] < mark.end:
            found[number].append(mark)
            number += 1
    return found


def _pieces(text: str, start: int, end: int, marks: list[Mark]) -> Iterator[Piece]:
    inside = {edge for mark in marks for edge in (mark.start, mark.end) if start < edge < end}
    for left, right in pairwise(sorted({start, end} | inside)):
        over = [mark for mark in marks if mark.start < right and mark.end > left]
        over.sort(key=lambda mark: -mark.lane)
        closing = [mark for mark in reversed(over) if mark.end == right]
        shown = text[left:right].rstrip("\r\n") if right == end else text[left:right]
        if shown or closing:
            yield Piece(shown, over, closing)
