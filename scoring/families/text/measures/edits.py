"""The fewest edits of TER (Snover et al. 2006), with shifts of words, exactly as sacreBLEU's `lib_ter` finds them.

As long as that saves edits, a run of words of the text is shifted: of up to a thousand candidates the one that saves
most. For each of them sacreBLEU fills a table of edits in plain Python, so that texts which are made to have many cost
tenths of a second a segment. Here the tables of all candidates of a round are filled together, line by line.

    text       on the mat the cat sat
    reference  the cat sat on the mat       one edit: "on the mat" is shifted to the end
"""

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterator, Sequence
from math import ceil
from typing import NamedTuple

import numpy as np

from scoring.columns import Array, Integers

# sacreBLEU's limits, of which the first three are Tercom's.
MAX_SHIFT_SIZE, MAX_SHIFT_DIST, BEAM_WIDTH, MAX_SHIFT_CANDIDATES = 10, 50, 25, 1000
# Cells of tables for a text and a reference: those of a thousand candidates of 2,500 words. No shift is looked for
# beyond them.
BUDGET = 2**27
_OF_A_ROUND = 50  # what a round does beside its candidates takes as long as so many of them
_AT_ONCE = 2**20  # words of candidates
_SHORT = 2**13  # words of both, whose edits fit into 16 bits


class Edits(NamedTuple):
    number: int
    are_fewest: bool  # whether shifts were looked for to the end


class _Shift(NamedTuple):
    """A run of words moves; of two that save as much the larger tuple is taken."""

    length: int
    minus_start: int
    minus_target: int  # before which word it comes, as sacreBLEU counts

    @property
    def turn(self) -> tuple[int, int, int]:
        """Return from where to where words change places, and by how many of them these turn to the left."""
        start, end, target = -self.minus_start, self.length - self.minus_start, -self.minus_target
        if target < start:
            return target, end, start - target
        return start, target if target > end else target + self.length, self.length


class _Alignment(NamedTuple):
    place: list[int]  # of each word of the reference in the text
    is_edited: list[bool]  # each word of the text
    is_missed: list[bool]  # each word of the reference


def fewest_edits(text: Sequence[str], reference: Sequence[str], budget: int = BUDGET) -> Edits:
    """Count the edits that make the reference of the text.

    >>> fewest_edits("on the mat the cat sat".split(), "the cat sat on the mat".split())
    Edits(number=1, are_fewest=True)
    """
    if not text or not reference:
        return Edits(len(text) + len(reference), True)
    tables = _Tables(len(text), reference)
    words = tables.codes(text)
    n_shifts = n_candidates = 0
    while True:
        budget -= _OF_A_ROUND * tables.n_cells
        if budget < 0:
            return Edits(n_shifts + int(tables.edits(words[:, None])[0]), False)
        n_edits, alignment = tables.align(words)
        shifts = tables.shifts(words.tolist(), alignment, MAX_SHIFT_CANDIDATES - n_candidates)
        n_candidates += len(shifts)
        if not shifts or n_candidates >= MAX_SHIFT_CANDIDATES:
            return Edits(n_shifts + n_edits, True)
        budget -= len(shifts) * tables.n_cells
        if budget < 0:
            return Edits(n_shifts + n_edits, False)
        left, shift = tables.best(words, shifts)
        if left >= n_edits:
            return Edits(n_shifts + n_edits, True)
        words = _shifted(words, [shift])[:, 0]
        n_shifts += 1


class _Tables:
    """The edits of texts of so many words beside a reference.

    A cell has the edits that make so many words of the reference of so many of the text. As in sacreBLEU only cells
    around the diagonal are filled (a beam). The lines of a table stand for the words of the shorter side, so that they
    are few and long.
    """

    def __init__(self, n_words: int, reference: Sequence[str]) -> None:
        self._index = {word: code for code, word in enumerate(dict.fromkeys(reference))}
        self._reference = [self._index[word] for word in reference]
        self._places: dict[int, list[int]] = {}
        for place, code in enumerate(self._reference):
            self._places.setdefault(code, []).append(place)
        self._by_reference = len(reference) < n_words
        self._bands = _bands(n_words, len(reference))
        if self._by_reference:
            self._bands = _turned(self._bands, len(reference))
        self.n_cells = int((self._bands[:, 1] - self._bands[:, 0]).sum())

    def codes(self, text: Sequence[str]) -> Integers:
        """Return a number for each word: equal ones for equal words, and -1 for those that the reference lacks."""
        return np.array([self._index.get(word, -1) for word in text])

    def edits(self, words: Integers) -> Array:
        """Count the edits of texts, which are the columns of `words`, without shifts."""
        last = deque(self._lines(words), maxlen=1).pop()
        return np.asarray(last[-1])

    def best(self, words: Integers, shifts: list[_Shift]) -> tuple[int, _Shift]:
        """Return the shift that leaves the fewest edits, with these."""
        step = max(1, _AT_ONCE // len(words))
        several = [shifts[start : start + step] for start in range(0, len(shifts), step)]
        left = np.concatenate([self.edits(_shifted(words, some)) for some in several]).tolist()
        n_least = min(left)
        return n_least, max(shift for n_left, shift in zip(left, shifts, strict=True) if n_left == n_least)

    def align(self, words: Integers) -> tuple[int, _Alignment]:
        """Count the edits without shifts, and follow them back: first what is kept or replaced, then what is left out.

        This is Tercom's preference, and decides which words are shifted.
        """
        lines = [line[:, 0].tolist() for line in self._lines(words[:, None])]
        bands = self._bands.tolist()
        text, reference = words.tolist(), self._reference
        alignment = _Alignment([0] * len(reference), [True] * len(text), [True] * len(reference))

        def cell(n_text: int, n_reference: int) -> float:
            number, place = (n_reference, n_text) if self._by_reference else (n_text, n_reference)
            first, end = bands[number]
            return lines[number][place - first] if first <= place < end else np.inf

        i, j = len(text), len(reference)
        while i or j:
            n_edits = cell(i, j)
            if i and j and cell(i - 1, j - 1) + (text[i - 1] != reference[j - 1]) == n_edits:
                i, j = i - 1, j - 1
                alignment.place[j] = i
                alignment.is_edited[i] = alignment.is_missed[j] = text[i] != reference[j]
            elif i and cell(i - 1, j) + 1 == n_edits:
                i -= 1
            else:
                j -= 1
                alignment.place[j] = i - 1
        return lines[-1][-1], alignment

    def shifts(self, text: list[int], alignment: _Alignment, most: int) -> list[_Shift]:
        """Return the shifts of wrong words to where the reference has them and the text has not; about `most` at most.

        Those of a run to different places stay together.
        """
        shifts: list[_Shift] = []
        place, is_edited, is_missed = alignment
        for start, other, length in self._common_runs(text):
            if not any(is_edited[start : start + length]) or not any(is_missed[other : other + length]):
                continue
            if start <= place[other] < start + length:
                continue
            targets = {place[word] + 1 if word >= 0 else 0 for word in range(other - 1, other + length)}
            shifts += [_Shift(length, -start, -target) for target in targets]
            if len(shifts) >= most:
                break
        return shifts

    def _common_runs(self, text: list[int]) -> Iterator[tuple[int, int, int]]:
        """Yield where runs of words of both sides start, in the text and in the reference, and how long they are."""
        for start, word in enumerate(text[: len(self._reference) + MAX_SHIFT_DIST]):
            places = self._places.get(word, [])
            near = slice(bisect_left(places, start - MAX_SHIFT_DIST), bisect_right(places, start + MAX_SHIFT_DIST))
            run = text[start : start + MAX_SHIFT_SIZE]
            for other in places[near]:
                for length, (of_run, its) in enumerate(zip(run, self._reference[other:], strict=False), 1):
                    if of_run != its:
                        break
                    yield start, other, length

    def _lines(self, words: Integers) -> Iterator[Array]:
        """Yield the cells of each line, (cells of the band, texts); the first stands before the first word."""
        reference = np.array(self._reference)[:, None]
        along, across = (reference, words) if self._by_reference else (words, reference)
        kind = np.int16 if len(along) + len(across) < _SHORT else np.int32
        none = np.full((len(across) + 2, words.shape[1]), np.iinfo(kind).max // 2, kind)
        steps = np.arange(len(across) + 1, dtype=kind)[:, None]
        (before, until), *bands = self._bands.tolist()
        line = np.repeat(steps[before:until], words.shape[1], axis=1)
        yield line
        across = np.concatenate((across[:1], across))  # no cell is left of the first
        for word, (first, end) in zip(along, bands, strict=True):
            # The line above, from the cell that is left of this line's first.
            inside = line[max(0, first - 1 - before) : end - before]
            above = np.concatenate((none[: before == first], inside, none[: max(0, end - until)]))
            line = np.minimum(above[:-1] + (across[first:end] != word), above[1:] + kind(1))
            # No cell is more than one above the one to its left.
            line -= steps[: end - first]
            np.minimum.accumulate(line, axis=0, out=line)
            line += steps[: end - first]
            before, until = first, end
            yield line


def _bands(n_words: int, n_reference: int) -> Integers:
    """Return from which cell to which each row of sacreBLEU's table is filled, that before the first word included."""
    ratio = n_reference / n_words
    width = max(BEAM_WIDTH, ceil(ratio / 2 + BEAM_WIDTH) if ratio / 2 > BEAM_WIDTH else 0)
    diagonal = np.floor(np.arange(n_words + 1) * ratio).astype(int)
    bands = np.column_stack((np.maximum(0, diagonal - width), np.minimum(n_reference + 1, diagonal + width)))
    bands[-1, 1] = n_reference + 1
    bands[0] = 0, bands[1, 1]  # the others of the first row lead nowhere
    return bands


def _turned(bands: Integers, n_reference: int) -> Integers:
    """Transpose the bands: for each reference column, its first and last row."""
    column = np.arange(n_reference + 1)
    first, end = bands.T
    return np.column_stack((np.searchsorted(end, column, "right"), np.searchsorted(first, column, "right")))


def _shifted(words: Integers, shifts: list[_Shift]) -> Integers:
    """Return the words after each of the shifts, in columns."""
    first, end, by = np.array([shift.turn for shift in shifts]).T
    end = np.minimum(end, len(words))
    place = np.arange(len(words))[:, None]
    source = np.where((first <= place) & (place < end), first + (place - first + by) % (end - first), place)
    return words[source]
