"""BRAT's standoff lines beside a text, of which those of text-bound annotations are read:

    T1<TAB>PER 0 7<TAB>Mirelle

The words behind the second tab have to be the text between the offsets, so that a shift by one cannot go unnoticed.
"""

import re
from dataclasses import dataclass

import numpy as np

from scoring.readers.mat.collecting import Collector, MalformedDocument, decode_utf8
from scoring.readers.mat.offsets import Utf16, is_longer_in_utf16

_LINE = re.compile(r"T[0-9]+\t([^\s\t]+) (-?[0-9]+ -?[0-9]+(?:;-?[0-9]+ -?[0-9]+)*)\t(.*)", re.DOTALL)
# Numbers of so many digits fit into 64 bits, and are beyond any text.
_LARGEST_DIGITS = 18
# BRAT shows the newlines of an annotation as spaces.
_AS_SPACES = str.maketrans("\r\n", "  ")


@dataclass(frozen=True)
class BratSettings:
    in_utf16: bool  # whether offsets count UTF-16 code units
    takes_outer: bool  # whether an annotation in several parts goes from its first start to its last end


def read_brat(content: bytes, signal: str, collector: Collector, settings: BratSettings) -> None:
    """The text-bound annotations of a file whose text is `signal`; all other lines are ignored."""
    try:
        text = decode_utf8(content).removeprefix("\ufeff")
    except MalformedDocument as error:
        collector.report_error(error)
        return
    lines = _Lines(signal, collector, settings)
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.removesuffix("\r")
        try:
            if line.startswith("T"):
                lines.read(line)
            elif line.strip() and not (line[0].isalpha() or line[0] in "#*"):
                raise MalformedDocument("not valid BRAT: a line begins with T, another letter or #")
        except MalformedDocument as error:
            collector.report(str(error), number)


class _Lines:
    """Lines that begin with T; MalformedDocument says what is wrong with one."""

    def __init__(self, signal: str, collector: Collector, settings: BratSettings) -> None:
        self._signal = signal
        self._collector = collector
        self._settings = settings
        self._units = Utf16(signal) if settings.in_utf16 and is_longer_in_utf16(signal) else None

    def read(self, line: str) -> None:
        """Adds the annotation of a line to the collector."""
        fields = _LINE.fullmatch(line)
        if fields is None:
            raise MalformedDocument("not valid BRAT: expected T1<TAB>label start end<TAB>text")
        label, offsets, text = fields.groups()
        fragments = [_fragment(fragment) for fragment in offsets.split(";")]
        if not self._collector.counts(label):
            # It is counted as ignored; its offsets do not matter.
            self._collector.add(label, label, [0], [0])
            return
        start, end = self._in_code_points(*self._extent(fragments))
        # The words of several fragments leave out what stands between them: there is nothing to compare.
        if len(fragments) == 1 and not self._is_text(text, start, end):
            shown = self._signal[start : min(end, start + 40)].translate(_AS_SPACES)
            raise MalformedDocument(f"text of the annotation differs: {shown!r} stands from {start} to {end}")
        self._collector.add(label, label, [start], [end])

    def _is_text(self, text: str, start: int, end: int) -> bool:
        # The lengths first: a few signs must not be compared with all of a long text, for each of many lines.
        return len(text) == end - start and self._signal[start:end].translate(_AS_SPACES) == text

    def _extent(self, fragments: list[tuple[int, int]]) -> tuple[int, int]:
        """The first start and the last end of all fragments."""
        if len(fragments) > 1 and not self._settings.takes_outer:
            raise MalformedDocument("discontinuous annotation: one start and one end are expected")
        return min(start for start, _ in fragments), max(end for _, end in fragments)

    def _in_code_points(self, start: int, end: int) -> tuple[int, int]:
        """The offsets, checked and in code points; they are needed here to compare the texts."""
        if start == end:
            raise MalformedDocument(f"zero-length annotation: from {start} to {end}")
        first, beyond = start, end
        if self._units:
            first, beyond = self._units.to_code_points(np.array([start, end])).tolist()
        if not 0 <= first < beyond <= len(self._signal):
            raise MalformedDocument(f"offset out of range: from {start} to {end}")
        return first, beyond


def _fragment(text: str) -> tuple[int, int]:
    """Start and end; numbers beyond any text are cut, because Python refuses to convert very long ones."""
    start, end = (int(digits[:_LARGEST_DIGITS]) for digits in text.split(" "))
    return start, end
