"""BRAT's standoff lines beside a text: text-bound annotations, and if asked for lines about these (brat_structures).

    T1<TAB>PER 0 7<TAB>Mirelle
    T2<TAB>LOC 0 3;8 11<TAB>Mir lef

The offsets count. The words behind the second tab are a help for readers, and here a means to see what offsets count:
a file made on Windows may have counted a text with CRLF where the gold has LF, or the other way round.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from scoring.columns import Integers
from scoring.messages import Message
from scoring.readers.blank_lines import numbered_lines
from scoring.readers.mat.collecting import Collector, MalformedDocument, StatedWords, decode_utf8
from scoring.readers.mat.formats.brat_structures import STRUCTURE, Structure, Structures, TextBound, read_structure
from scoring.readers.mat.line_ends import LineEnds, with_other_ends
from scoring.readers.mat.offsets import Utf16, is_longer_in_utf16

_LINE = re.compile(r"(T[0-9]+)\t([^\s\t]+) (-?[0-9]+ -?[0-9]+(?:;-?[0-9]+ -?[0-9]+)*)\t(.*)", re.DOTALL)
# Numbers of so many digits fit into 64 bits, and are beyond any text.
_LARGEST_DIGITS = 18
# BRAT shows the newlines of an annotation as spaces.
_AS_SPACES = str.maketrans("\r\n", "  ")
_MOST_CHARACTERS_SHOWN = 40
_LINE_ENDS = Message(
    "line-ends-text-beside",
    "line ends: the text beside these annotations differs from the gold's in CRLF and LF alone, and "
    "the offsets fit neither; count them in the gold's text",
)

Part = tuple[int, int]  # start and end


@dataclass(frozen=True)
class BratSettings:
    in_utf16: bool  # whether offsets count UTF-16 code units
    discontinuous: str  # of annotations in several parts: error, outer or parts
    with_structures: bool = False  # whether relations, events and attributes count


@dataclass(frozen=True)
class Texts:
    """Holds what the offsets of a document may count."""

    signal: str  # the text to which they are brought
    other: str | None  # the document's own text, where it differs from that in its line ends; None without
    are_alike: bool = True  # whether the words can be compared at all: not with a text that is not the gold's


class Line(NamedTuple):
    """An annotation that counts, or that a structure may be about."""

    number: int  # of its line, from 1
    id: str
    label: str
    parts: list[Part]  # as written
    words: str | None  # what stands between the offsets, as written; None where nothing is said
    counts: bool
    probability: float | None = None


def read_brat(content: bytes, texts: Texts, collector: Collector, settings: BratSettings) -> None:
    """Read the annotations of a file that count; all other lines are ignored."""
    try:
        text = decode_utf8(content).removeprefix("\ufeff")
    except MalformedDocument as error:
        collector.report_error(error)
        return
    structures: list[Structure] = []
    lines = list(_lines(text, collector, settings, structures))
    add_lines(lines, texts, collector, settings, structures)


def add_lines(
    lines: Sequence[Line],
    texts: Texts,
    collector: Collector,
    settings: BratSettings,
    structures: Sequence[Structure] = (),
) -> None:
    """Add the annotations of a document to the collector, at the places in its text that their offsets count."""
    placed = _Placed.of(lines, texts.signal, settings)
    if placed.wrong and texts.are_alike:
        other = texts.other or with_other_ends(texts.signal)
        # Most often not one of these fits the other text: then the many that are right need no second look.
        if len(_Placed.of([lines[k] for k in placed.wrong], other, settings).wrong) < len(placed.wrong):
            moved = _Placed.of(lines, other, settings)
            if len(moved.wrong) < len(placed.wrong):
                collector.note_line_ends()
                placed = moved.in_text(texts.signal)
    if texts.other is not None and 2 * len(placed.wrong) > sum(line.counts for line in lines):
        collector.report(_LINE_ENDS)
        return
    # An event stands for its trigger.
    triggers = {one.trigger for one in structures if collector.counts(one.type)}
    placed.add_to(collector, settings, triggers)
    if settings.with_structures:
        _add_structures(placed.spans(settings), structures, collector)
    if texts.are_alike:
        placed.note_words(collector)


def _add_structures(spans: dict[str, TextBound], structures: Sequence[Structure], collector: Collector) -> None:
    """Add those that count; what refers to nothing becomes a problem."""
    by_id = Structures(spans, {one.id: one for one in structures if one.id[0] in "RE"})
    for one in structures:
        if collector.counts(one.type):
            try:
                (start, end), shape = by_id.placed(one)
                collector.add(one.type, one.type, [start], [end], shape)
            except MalformedDocument as error:
                collector.report(error.args[0], one.number)


def _lines(text: str, collector: Collector, settings: BratSettings, structures: list[Structure]) -> Iterable[Line]:
    """Yield the annotations that count; what cannot be read becomes a problem.

    Structures go to their list if asked for.
    """
    for number, row in numbered_lines(text):
        row = row.removesuffix("\r")
        try:
            if row.startswith("T"):
                line = _line(row, number, collector)
                if line.counts and len(line.parts) > 1 and settings.discontinuous == "error":
                    raise MalformedDocument(
                        Message(
                            "discontinuous-annotation-one-start",
                            "discontinuous annotation: one start and one end are expected",
                        )
                    )
                if not line.counts:
                    # It is counted as ignored; its offsets do not matter, unless a structure is about it.
                    collector.add(line.label, line.label, [0], [0])
                if line.counts or settings.with_structures:
                    yield line
            elif settings.with_structures and STRUCTURE.match(row):
                structures.append(read_structure(row, number))
            elif row.strip() and not (row[0].isalpha() or row[0] in "#*"):
                raise MalformedDocument(
                    Message("not-valid-brat-line", "not valid BRAT: a line begins with T, another letter or #")
                )
        except MalformedDocument as error:
            collector.report(error.args[0], number)


def _line(row: str, number: int, collector: Collector) -> Line:
    fields = _LINE.fullmatch(row)
    if fields is None:
        raise MalformedDocument(
            Message("not-valid-brat-expected-tab", "not valid BRAT: expected T1<TAB>label start end<TAB>text")
        )
    id_, label, offsets, words = fields.groups()
    parts = sorted(map(_part, offsets.split(";"))) if ";" in offsets else [_part(offsets)]
    return Line(number, id_, label, parts, words, collector.counts(label))


@dataclass(frozen=True)
class _Placed:
    """Annotations in a text which their offsets are taken to count."""

    lines: Sequence[Line]
    text: str
    parts: list[list[Part]]  # of each line, in code points

    @classmethod
    def of(cls, lines: Sequence[Line], text: str, settings: BratSettings) -> "_Placed":
        if not settings.in_utf16 or not is_longer_in_utf16(text):
            return cls(lines, text, [line.parts for line in lines])
        units = Utf16(text)
        starts, ends = map(units.to_code_points, _columns(line.parts for line in lines))
        return cls(lines, text, _of_lines(lines, starts, ends))

    def in_text(self, signal: str) -> "_Placed":
        """Return the same annotations in the text with other line ends."""
        old, new = LineEnds.of(self.text), LineEnds.of(signal)
        starts, ends = _columns(self.parts)
        outside = (starts < 0) | (ends > old.length)
        starts, ends = (np.where(outside, -1, new.from_lf(old.to_lf(offsets))) for offsets in (starts, ends))
        return _Placed(self.lines, signal, _of_lines(self.lines, starts, ends))

    @cached_property
    def wrong(self) -> list[int]:
        """Return the lines whose words are not the text between their offsets."""
        return [k for k, line in enumerate(self.lines) if line.counts and not self._fits(line.words, self.parts[k])]

    def spans(self, settings: BratSettings) -> dict[str, TextBound]:
        """Return the annotations by ID, but for those that lie nowhere in the text."""
        spans = {}
        for line, parts in zip(self.lines, self.parts, strict=True):
            if not self._outside(parts):
                span = TextBound(line.label, tuple(parts))
                spans[line.id] = span if settings.discontinuous == "parts" else TextBound(span.label, (span.extent,))
        return spans

    def add_to(self, collector: Collector, settings: BratSettings, triggers: set[str]) -> None:
        """Hand over all annotations but `triggers`; those that lie nowhere in the text become problems."""
        # What fits its words lies in the text.
        wrong = set(self.wrong)
        for k, (line, parts) in enumerate(zip(self.lines, self.parts, strict=True)):
            if not line.counts or line.id in triggers:
                continue
            if k in wrong and self._outside(parts):
                collector.report(self._problem(line.parts, parts), line.number)
            elif len(parts) == 1:
                ((start, end),) = parts
                collector.add(line.label, line.label, [start], [end])
                if k in wrong and line.words is not None:
                    collector.note_said(StatedWords(line.number, line.words))
                if line.probability is not None:
                    collector.note_probability(line.probability)
            else:
                shape = tuple(parts) if settings.discontinuous == "parts" else ()
                collector.add(line.label, line.label, [parts[0][0]], [max(end for _, end in parts)], shape)

    def note_words(self, collector: Collector) -> None:
        """Note words that are not the text between their offsets."""
        for k in self.wrong:
            collector.note_words(self.lines[k].number, self._words(self.parts[k], _MOST_CHARACTERS_SHOWN))

    def _fits(self, words: str | None, parts: list[Part]) -> bool:
        if words is None:
            return not self._outside(parts)
        if len(parts) == 1:
            ((start, end),) = parts
            # The lengths first: a few signs must not be compared with all of a long text, for each of many lines.
            if len(words) != end - start or not 0 <= start < end <= len(self.text):
                return False
            marked = self.text[start:end]
            return marked == words or marked.translate(_AS_SPACES) == words
        length = sum(end - start for start, end in parts) + len(parts) - 1
        return len(words) == length and not self._outside(parts) and self._words(parts) == words

    def _words(self, parts: list[Part], most: int | None = None) -> str:
        """Return the text of the parts, with a blank between them, as BRAT writes it."""
        cut = (self.text[start : end if most is None else min(end, start + most)] for start, end in parts)
        return " ".join(cut).translate(_AS_SPACES)

    def _outside(self, parts: list[Part]) -> bool:
        length = len(self.text)
        return any(not 0 <= start < end <= length for start, end in parts)

    def _problem(self, written: list[Part], parts: list[Part]) -> str:
        """Return what is wrong with the first part that lies nowhere in the text."""
        start, end = next(one for one, part in zip(written, parts, strict=True) if self._outside([part]))
        return offset_problem(start, end)


def offset_problem(start: int, end: int) -> str:
    """Say that an annotation has no length, or lies nowhere in the text."""
    return Message(
        "what-start-from",
        "{what}: from {start} to {end}",
        what=Message("zero-length-annotation", "zero-length annotation")
        if start == end
        else Message("offset-out-range", "offset out of range"),
        start=start,
        end=end,
    )


def _columns(parts_of_lines: Iterable[list[Part]]) -> tuple[Integers, Integers]:
    """Return starts and ends of all parts of all lines."""
    parts = [part for parts in parts_of_lines for part in parts]
    starts, ends = (np.array([part[side] for part in parts], dtype=np.int64) for side in (0, 1))
    return starts, ends


def _of_lines(lines: Sequence[Line], starts: Integers, ends: Integers) -> list[list[Part]]:
    """Return the parts of each line; `starts` and `ends` hold those of all lines."""
    parts = list(zip(starts.tolist(), ends.tolist(), strict=True))
    stops = list(accumulate((len(line.parts) for line in lines), initial=0))
    return [parts[first:last] for first, last in zip(stops, stops[1:], strict=False)]


def _part(text: str) -> Part:
    """Start and end; numbers beyond any text are cut, because Python refuses to convert very long ones."""
    start, _, end = text.partition(" ")
    return int(start[:_LARGEST_DIGITS]), int(end[:_LARGEST_DIGITS])
