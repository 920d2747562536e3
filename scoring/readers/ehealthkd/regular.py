"""Lines of the usual form read thousands at a time; unusual ones are left to the reader of single lines."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.readers.ehealthkd.columns import Integers

Bytes = NDArray[np.uint8]
Words = NDArray[np.uint64]
Flags = NDArray[np.bool_]

# Blocks of this size stay in the processor's cache while a dozen passes go over them.
_BLOCK_BYTES = 2**18
_LONGEST_INTEGER = 8
_LONGEST_LABEL = 16
_TAB, _NEWLINE, _BLANK, _SEMICOLON = b"\t\n ;"
_IS_SEPARATOR = np.isin(np.arange(256), list(b"\t\n ;"))
# First bytes of a column that is not blank: printable ASCII, or À to ÿ. Other letters may be blanks of Unicode.
_IS_VISIBLE = np.zeros(256, dtype=bool)
_IS_VISIBLE[0x21:0x7F] = True
_IS_VISIBLE[0xC3] = True


@dataclass(frozen=True)
class RegularPhrases:
    """Phrases of a block; `rows` are places of their lines in the block, spans lie one behind the other."""

    rows: Integers
    ids: Integers
    label: Integers
    n_spans: Integers
    starts: Integers
    ends: Integers


@dataclass(frozen=True)
class RegularRelations:
    rows: Integers
    label: Integers
    source: Integers
    target: Integers


def blocks(content: bytes) -> Iterator[bytes]:
    """Pieces of whole lines; each line ends with a line feed."""
    start = 0
    while start < len(content):
        stop = content.rfind(b"\n", start, start + _BLOCK_BYTES) + 1
        if stop <= start:
            stop = content.find(b"\n", start) + 1 or len(content)
        yield content[start:stop]
        start = stop


class Labels:
    """Labels by the bytes that they are written with, numbered as they come."""

    def __init__(self) -> None:
        self.texts: list[bytes] = []
        self._hashes = np.zeros(0, dtype=np.uint64)
        self._codes = np.zeros(0, dtype=np.int64)
        self._words = np.zeros((2, 0), dtype=np.uint64)

    def code(self, block: "Block", start: Integers, end: Integers) -> tuple[Integers, Flags]:
        """The numbers of the labels, and for which of them there is one; all have 1 to 16 bytes."""
        words = block.words(end, np.minimum(end - start, 8)), block.words(end - 8, end - start - 8)
        hashes = words[0] ^ (words[1] * _ODD)
        codes, found = self._look_up(hashes, words)
        if not found.all():
            unknown = np.flatnonzero(~found)
            _, first = np.unique(hashes[unknown], return_index=True)
            self._add(block, unknown[first], hashes, words, start, end)
            codes, found = self._look_up(hashes, words)
        return codes, found

    def _look_up(self, hashes: Words, words: tuple[Words, Words]) -> tuple[Integers, Flags]:
        if not len(self._hashes):
            return np.zeros(len(hashes), dtype=np.int64), np.zeros(len(hashes), dtype=bool)
        place = np.minimum(np.searchsorted(self._hashes, hashes), len(self._hashes) - 1)
        same = (self._words[0][place] == words[0]) & (self._words[1][place] == words[1])
        return self._codes[place], same

    def _add(
        self,
        block: "Block",
        new: Integers,
        hashes: Words,
        words: tuple[Words, Words],
        start: Integers,
        end: Integers,
    ) -> None:
        new = new[~np.isin(hashes[new], self._hashes)]
        codes = len(self.texts) + np.arange(len(new))
        self.texts += [block.text(first, last) for first, last in zip(start[new], end[new], strict=True)]
        hashes = np.concatenate([self._hashes, hashes[new]])
        order = np.argsort(hashes)
        self._hashes = hashes[order]
        self._codes = np.concatenate([self._codes, codes])[order]
        self._words = np.hstack([self._words, [words[0][new], words[1][new]]])[:, order]


class Block:
    """Some whole lines, with the places of all tabs, line ends, blanks and semicolons."""

    def __init__(self, lines: bytes) -> None:
        # Room before the first line, so that the eight bytes before any place can be looked at.
        self._padded = bytes(_LONGEST_LABEL) + lines
        self._bytes = np.frombuffer(self._padded, dtype=np.uint8)
        self._eights = np.ndarray((len(self._padded) - 7,), dtype="<u8", buffer=self._padded, strides=(1,))
        self.separators = np.flatnonzero(_IS_SEPARATOR[self._bytes])
        kinds = self._bytes[self.separators]
        self.kinds = kinds
        self._newlines = np.flatnonzero(kinds == _NEWLINE)
        self._tabs = np.flatnonzero(kinds == _TAB)
        self.n_lines = len(self._newlines)

    def rows(self, n_tabs: int) -> tuple[Integers, Integers, Integers, Integers]:
        """The lines with so many tabs: their places, and as places among the separators the line end
        before them, their tabs (rows, n_tabs) and their own line end."""
        number = np.diff(np.searchsorted(self._tabs, self._newlines), prepend=0)
        fits = number == n_tabs
        rows = np.flatnonzero(fits)
        tabs = self._tabs if len(rows) == self.n_lines else self._tabs[np.repeat(fits, number)]
        before = np.concatenate([[-1], self._newlines[:-1]])[rows]
        return rows, before, tabs.reshape(-1, n_tabs), self._newlines[rows]

    def line(self, row: int) -> str:
        start = self.after(np.array([self._newlines[row - 1] if row else -1]))[0]
        return self.text(int(start), int(self.separators[self._newlines[row]])).decode()

    def after(self, separators: Integers) -> Integers:
        """The place behind each separator; behind number -1 the text begins."""
        return np.where(separators < 0, _LONGEST_LABEL, self.separators[separators] + 1)

    def text(self, start: int, end: int) -> bytes:
        return self._padded[start:end]

    def is_visible(self, place: Integers) -> Flags:
        visible: Flags = _IS_VISIBLE[self._bytes[place]]
        return visible

    def words(self, end: Integers, length: Integers) -> Words:
        """The up to eight bytes before each place, the last one in the highest byte, others 0."""
        return self._eights[np.maximum(end - 8, 0)] & _mask(length)

    def integers(self, start: Integers, end: Integers) -> tuple[Integers, Flags]:
        """Numbers of one to eight ASCII digits, all digits of a number at once; and which are such numbers.

        Neighbouring digits, then pairs, then fours are joined by multiplications that hold both halves.
        """
        length = end - start
        mask = _mask(length)
        eight = (self._eights[np.maximum(end - 8, 0)] & mask) | (_ZEROS & ~mask)
        fits = ((eight & _HIGH) == _ZEROS) & (((eight + _SIXES) & _HIGH) == _ZEROS)
        fits &= (length > 0) & (length <= _LONGEST_INTEGER)
        eight -= _ZEROS
        eight = eight * _TEN + (eight >> _EIGHT)
        high = (eight & _PAIRS) * _HUNDRED_AND_MILLION
        low = ((eight >> _SIXTEEN) & _PAIRS) * _ONE_AND_TEN_THOUSAND
        return ((high + low) >> _THIRTY_TWO).view(np.int64), fits


def regular_phrases(block: Block, labels: Labels) -> RegularPhrases:
    """The lines `ID, spans, label, text` with short numbers, single blanks and a short label."""
    rows, before, tabs, _ = block.rows(3)
    id_tab, span_tab, label_tab = tabs.T
    id_start, label_start = block.after(before), block.after(span_tab)
    label_end, text_start = block.separators[label_tab], block.separators[label_tab] + 1
    ids, fits = block.integers(id_start, block.separators[id_tab])
    fits &= (id_tab == before + 1) & ((span_tab - id_tab) % 2 == 0)
    fits &= (label_end > label_start) & (label_end - label_start <= _LONGEST_LABEL)
    fits &= block.is_visible(label_start) & block.is_visible(text_start)
    n_numbers = span_tab - id_tab
    owner = np.repeat(np.arange(len(rows)), n_numbers)
    position = np.arange(len(owner)) - np.repeat(np.cumsum(n_numbers) - n_numbers, n_numbers)
    separator = id_tab[owner] + 1 + position
    offsets, well_written = block.integers(block.separators[separator - 1] + 1, block.separators[separator])
    kind = block.kinds[separator]
    is_last = separator == span_tab[owner]
    well_written &= np.where(position % 2 == 0, kind == _BLANK, (kind == _SEMICOLON) | is_last)
    fits[owner[~well_written]] = False
    kept = np.flatnonzero(fits)
    code, found = labels.code(block, label_start[kept], label_end[kept])
    fits[kept[~found]] = False
    if not fits.all():
        offsets = offsets[fits[owner]]
    return RegularPhrases(rows[fits], ids[fits], code[found], n_numbers[fits] // 2, offsets[0::2], offsets[1::2])


def regular_relations(block: Block, labels: Labels) -> RegularRelations:
    """The lines `label, source ID, target ID` with short numbers and a short label."""
    rows, before, tabs, newline = block.rows(2)
    label_tab, source_tab = tabs.T
    label_start, label_end = block.after(before), block.separators[label_tab]
    source, fits = block.integers(label_end + 1, block.separators[source_tab])
    target, is_number = block.integers(block.separators[source_tab] + 1, block.separators[newline])
    fits &= is_number & (source_tab == label_tab + 1) & (newline == source_tab + 1)
    fits &= (label_end > label_start) & (label_end - label_start <= _LONGEST_LABEL)
    fits &= block.is_visible(label_start)
    kept = np.flatnonzero(fits)
    code, found = labels.code(block, label_start[kept], label_end[kept])
    kept = kept[found]
    return RegularRelations(rows[kept], code[found], source[kept], target[kept])


def _mask(length: Integers) -> Words:
    masks: Words = _MASKS[np.clip(length, 0, 8)]
    return masks


# Of the eight bytes before a place the last 0, 1, …, 8.
_MASKS = np.array([0, *((2**64 - 1) ^ (2 ** (8 * (8 - n)) - 1) for n in range(1, 9))], dtype=np.uint64)
_ZEROS, _HIGH, _SIXES = (np.uint64(byte * 0x0101010101010101) for byte in (0x30, 0xF0, 0x06))
_TEN, _EIGHT, _SIXTEEN, _THIRTY_TWO = (np.uint64(number) for number in (10, 8, 16, 32))
_PAIRS = np.uint64(0x000000FF000000FF)
_HUNDRED_AND_MILLION = np.uint64(100 + (1000000 << 32))
_ONE_AND_TEN_THOUSAND = np.uint64(1 + (10000 << 32))
_ODD = np.uint64(0x9E3779B97F4A7C15)
