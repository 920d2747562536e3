r"""The fast path: regular lines of phrases and relations, read thousands at a time.

A line is *regular* if it is written as nearly all programs write it:

    ID TAB START END;START END… TAB label TAB text          label TAB source ID TAB target ID

with numbers of one to eight ASCII digits, one blank inside a span, a semicolon and nothing else between spans, and a
label of one to sixteen bytes. The fast path gives up on any other line, and only on that line: it returns the
indices of the lines that it has read, and the careful path (`careful.py`) reads the others and explains every
problem. Both say the same of a regular line, as the test `test_many_lines_are_read_as_each_line_alone` shows.

A block of lines is an array of bytes, in which only the four separators TAB, line feed, blank and semicolon are
looked for. Two kinds of positions must be kept apart:

    bytes        1  TAB 4  SP  8  ;   9  SP  2  2  TAB C…t TAB x   LF
    offset       16 17  18 19  20 21  22 23  24 25 26  27… 34  35  36      an index into the bytes
    separator       0      1      2      3         4       5       6       an index into `Block.separators`

A column that holds a single number lies between two separators with consecutive indices, and so do START and END.
Of a line with three tabs, the separators after the first up to the second one end one number each.

Numbers and labels are then read eight bytes at a time: a *word* is the unsigned 64-bit integer whose bytes are the
eight bytes before an offset. The last of these bytes is the highest of the word (little-endian), so the bytes of a
short number or label are the high ones, and a mask sets the low ones, which belong to the text before, to zero.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.columns import Flags, Integers, owners, ranges

Bytes = NDArray[np.uint8]
Words = NDArray[np.uint64]

# A block of this size stays in the processor's cache while a dozen NumPy operations go over it.
_BLOCK_BYTES = 2**18
_LONGEST_INTEGER = 8  # digits: one word
LONGEST_LABEL = 16  # bytes: two words
_TAB, NEWLINE, BLANK, _SEMICOLON = b"\t\n ;"
_IS_SEPARATOR = np.isin(np.arange(256), list(b"\t\n ;"))
# The first byte of a column that is certainly not blank: printable ASCII, or the first byte of À to ÿ. Some letters
# beyond are blanks of Unicode, at which the careful path strips a line. No label begins with a zero byte either,
# which in a word could not be told from a shorter label.
_IS_VISIBLE = np.zeros(256, dtype=bool)
_IS_VISIBLE[0x21:0x7F] = True
_IS_VISIBLE[0xC3] = True


@dataclass(frozen=True)
class RegularPhrases:
    """The regular lines of a block of phrases, in order: n phrases with m spans in all."""

    rows: Integers  # (n,) index of the line in the block
    ids: Integers  # (n,)
    label: Integers  # (n,) index into `Labels.texts`
    n_spans: Integers  # (n,) at least 1
    starts: Integers  # (m,) code points of the whole text; the spans of a phrase stand beside each other
    ends: Integers  # (m,) end-exclusive


@dataclass(frozen=True)
class RegularRelations:
    """The regular lines of a block of relations, in order: n relations."""

    rows: Integers  # (n,) index of the line in the block
    label: Integers  # (n,) index into `Labels.texts`
    source: Integers  # (n,) ID of a phrase
    target: Integers  # (n,) ID of a phrase


def blocks(content: bytes) -> Iterator[bytes]:
    """Pieces of whole lines, of 256 KiB or of a single line that is longer; each line ends with a line feed."""
    start = 0
    while start < len(content):
        stop = content.rfind(b"\n", start, start + _BLOCK_BYTES) + 1
        if stop <= start:
            stop = content.find(b"\n", start) + 1 or len(content)
        yield content[start:stop]
        start = stop


def fast_phrases(block: "Block", labels: "Labels") -> RegularPhrases:
    r"""The lines `ID, spans, label, text` that are regular; new labels are added to `labels`.

    >>> labels = Labels()
    >>> lines = b"1\t4 8;9 22\tConcept\tx\n" b"+2\t27 31\tConcept\tx\n" b"3\t32 36\tReference\tx\n"
    >>> phrases = fast_phrases(Block(lines), labels)  # the second line is left to the careful path
    >>> phrases.rows, phrases.ids, phrases.n_spans
    (array([0, 2]), array([1, 3]), array([2, 1]))
    >>> phrases.starts, phrases.ends
    (array([ 4,  9, 32]), array([ 8, 22, 36]))
    >>> [labels.texts[k] for k in phrases.label]
    [b'Concept', b'Reference']
    """
    # One entry per line with three tabs (n lines). `…_tab` and `before` are indices of separators,
    # `…_start` and `…_end` offsets.
    rows, before, tabs, _ = block.lines_with_tabs(3)
    id_tab, span_tab, label_tab = tabs.T
    id_start, label_start = block.after(before), block.after(span_tab)
    label_end, text_start = block.separators[label_tab], block.separators[label_tab] + 1
    ids, fits = block.integers(id_start, block.separators[id_tab])
    # Each separator from the one after the ID's tab to the tab after the spans ends a number.
    offsets, owner, are_spans = spans_between(block, id_tab, span_tab)
    fits &= (id_tab == before + 1) & are_spans
    fits &= (label_end > label_start) & (label_end - label_start <= LONGEST_LABEL)
    fits &= block.is_visible(label_start) & block.is_visible(text_start)
    kept = np.flatnonzero(fits)
    code, has_code = labels.codes(block, label_start[kept], label_end[kept])
    fits[kept[~has_code]] = False
    if not fits.all():
        offsets = offsets[fits[owner]]
    return RegularPhrases(
        rows=rows[fits],
        ids=ids[fits],
        label=code[has_code],
        n_spans=(span_tab - id_tab)[fits] // 2,
        starts=offsets[0::2],
        ends=offsets[1::2],
    )


def spans_between(block: "Block", before: Integers, last: Integers) -> tuple[Integers, Integers, Flags]:
    """The numbers of n lists of spans, the list that each number is of, and which lists (n,) are well written.

    `before` and `last` are indices of separators: those in front of the first numbers, and those behind the last.
    """
    n_numbers = last - before
    owner = owners(n_numbers)
    separator = ranges(before + 1, n_numbers)
    offsets, well_written = block.integers(block.separators[separator - 1] + 1, block.separators[separator])
    kind = block.kinds[separator]
    is_last = separator == last[owner]
    # A blank follows each START, a semicolon each END, but another separator the last one.
    is_start = (separator - before[owner]) % 2 == 1
    well_written &= np.where(is_start, kind == BLANK, (kind == _SEMICOLON) | is_last)
    fits = (n_numbers > 0) & (n_numbers % 2 == 0)
    fits[owner[~well_written]] = False
    return offsets, owner, fits


def fast_relations(block: "Block", labels: "Labels") -> RegularRelations:
    r"""The lines `label, source ID, target ID` that are regular; new labels are added to `labels`.

    >>> relations = fast_relations(Block(b"is-a\t1\t2\n" b"\n" b"causes\t12\t3\n"), Labels())
    >>> relations.rows, relations.source, relations.target
    (array([0, 2]), array([ 1, 12]), array([2, 3]))
    """
    # One entry per line with two tabs. `…_tab`, `before` and `newline` are indices of separators.
    rows, before, tabs, newline = block.lines_with_tabs(2)
    label_tab, source_tab = tabs.T
    label_start, label_end = block.after(before), block.separators[label_tab]
    source, fits = block.integers(label_end + 1, block.separators[source_tab])
    target, is_number = block.integers(block.separators[source_tab] + 1, block.separators[newline])
    # Neither ID holds a separator; a label may hold blanks and semicolons.
    fits &= is_number & (source_tab == label_tab + 1) & (newline == source_tab + 1)
    fits &= (label_end > label_start) & (label_end - label_start <= LONGEST_LABEL)
    fits &= block.is_visible(label_start)
    kept = np.flatnonzero(fits)
    code, has_code = labels.codes(block, label_start[kept], label_end[kept])
    kept = kept[has_code]
    return RegularRelations(rows=rows[kept], label=code[has_code], source=source[kept], target=target[kept])


class Block:
    """Some whole lines as bytes, with the offsets of all their separators."""

    def __init__(self, lines: bytes) -> None:
        # Room before the first line, so that there are sixteen bytes before every offset: two words.
        self._padded = bytes(LONGEST_LABEL) + lines
        self._bytes = np.frombuffer(self._padded, dtype=np.uint8)
        # The word at index i is made of the bytes i … i + 7: neighbours overlap in seven bytes, nothing is copied.
        self._eights = np.ndarray((len(self._padded) - 7,), dtype="<u8", buffer=self._padded, strides=(1,))
        self.separators = np.flatnonzero(_IS_SEPARATOR[self._bytes])  # (separators,) offset of each
        self.kinds = self._bytes[self.separators]  # (separators,) which byte it is
        self._newlines = np.flatnonzero(self.kinds == NEWLINE)  # (lines,) index among the separators
        self._tabs = np.flatnonzero(self.kinds == _TAB)  # (tabs,) index among the separators
        self.n_lines = len(self._newlines)
        # (lines,) how many tabs each has.
        self.tabs_of_lines = np.diff(np.searchsorted(self._tabs, self._newlines), prepend=0)

    def lines_with_tabs(self, n_tabs: int) -> tuple[Integers, Integers, Integers, Integers]:
        """The n lines with exactly so many tabs, as four arrays.

        Their indices in the block (n,); then, as indices of separators, the line end before each line (n,), which is
        -1 for the first line, the tabs of each line (n, n_tabs), and its own line end (n,).
        """
        number = self.tabs_of_lines
        fits = number == n_tabs
        rows = np.flatnonzero(fits)
        tabs = self._tabs if len(rows) == self.n_lines else self._tabs[np.repeat(fits, number)]
        before = np.concatenate([[-1], self._newlines[:-1]])[rows]
        return rows, before, tabs.reshape(-1, n_tabs), self._newlines[rows]

    def line(self, row: int) -> str:
        """The text of a line without its line end."""
        start = int(self.separators[self._newlines[row - 1]]) + 1 if row else LONGEST_LABEL
        return self.text(start, int(self.separators[self._newlines[row]])).decode()

    def after(self, separators: Integers) -> Integers:
        """The offset behind each separator; behind number -1 the text begins."""
        return np.where(separators < 0, LONGEST_LABEL, self.separators[separators] + 1)

    def text(self, start: int, end: int) -> bytes:
        """The bytes between two offsets."""
        return self._padded[start:end]

    def byte(self, offset: Integers) -> Bytes:
        """The byte at each offset."""
        return self._bytes[offset]

    def is_visible(self, offset: Integers) -> Flags:
        """Whether the byte at each offset is the first one of a character that is certainly not blank."""
        visible: Flags = _IS_VISIBLE[self._bytes[offset]]
        return visible

    def words(self, end: Integers, length: Integers) -> Words:
        """The last `length` bytes before each offset `end`, at most eight, as one word; its other bytes are 0."""
        return self._eights[np.maximum(end - 8, 0)] & _mask(length)

    def integers(self, start: Integers, end: Integers) -> tuple[Integers, Flags]:
        r"""The numbers written between offsets, and which of them are one to eight ASCII digits.

        What is not such a number has any value.

        >>> block = Block(b"7\t1234\tx9\n")
        >>> block.integers(np.array([16, 18, 23]), np.array([17, 22, 25]))[0][:2]
        array([   7, 1234])
        >>> block.integers(np.array([16, 18, 23]), np.array([17, 22, 25]))[1]
        array([ True,  True, False])
        """
        length = end - start
        mask = _mask(length)
        # Leading zeros in place of the bytes that belong to the text before.
        digits = (self._eights[np.maximum(end - 8, 0)] & mask) | (_ZEROS & ~mask)
        # The digits are 0x30 … 0x39. In each byte, the high half is 3, and is still 3 with 6 added, which makes 0x40
        # of the byte behind '9'. A sum runs over into the next byte only from a byte that the first test refuses.
        fits = ((digits & _HIGH_HALVES) == _ZEROS) & (((digits + _SIXES) & _HIGH_HALVES) == _ZEROS)
        fits &= (length > 0) & (length <= _LONGEST_INTEGER)
        return eight_digits(digits), fits


def eight_digits(digits: Words) -> Integers:
    r"""The numbers of words that hold eight ASCII digits each, in eleven operations on whole words.

    For "00001234", with the first character, which is the lowest byte of the word, on the left:

        characters            '0' '0' '0' '0' '1' '2' '3' '4'
        1. minus '0'           0   0   0   0   1   2   3   4     digits d0 … d7
        2. times 10, plus      0   0   0   1  12  23  34  40     byte i is 10·d(i) + d(i+1), at most 99: no carry
           the next byte       ^       ^       ^       ^         only bytes 0, 2, 4 and 6 are needed: pairs p0 … p3
        3. bytes 0 and 4       p0 = 0         p2 = 12            as the two halves (32 bits) of one word
           bytes 2 and 6       p1 = 0         p3 = 34            as the halves of another, moved down by 16 bits
        4. each times a constant, so that the upper halves become
                               p0·1,000,000 + p2·100 = 1,200     (p0 + p2·2³²) · (100 + 1,000,000·2³²)
                               p1·10,000 + p3 = 34               (p1 + p3·2³²) · (1 + 10,000·2³²)
        5. their sum, moved down by 32 bits: 1,234

    In step 4, what would lie above 64 bits is lost, and the lower halves, p0·100 and p1, are too small for a carry.
    The method is that of `parse_eight_digits_unrolled` in the C++ library fast_float (D. Lemire, "Number parsing at a
    gigabyte per second", Software: Practice and Experience 51, 2021).

    >>> eight_digits(np.frombuffer(b"0000123487654321", dtype="<u8"))
    array([    1234, 87654321])
    """
    pairs = digits - _ZEROS
    pairs = pairs * _TEN + (pairs >> _EIGHT)
    high = (pairs & _BYTES_0_AND_4) * _HUNDRED_AND_MILLION
    low = ((pairs >> _SIXTEEN) & _BYTES_0_AND_4) * _ONE_AND_TEN_THOUSAND
    return ((high + low) >> _THIRTY_TWO).view(np.int64)


class Labels:
    """The labels of a file by the bytes that they are written with, numbered as they come.

    A label of up to sixteen bytes is two words, and these are mixed into one hash. The known hashes are sorted, so
    that the labels of a whole block are found by bisection. Where another label has the same hash, as somebody
    might contrive, the words differ: that label gets no number, and its lines are left to the careful path.
    """

    def __init__(self) -> None:
        self.texts: list[bytes] = []  # label by number
        self._hashes = np.zeros(0, dtype=np.uint64)  # (labels,) sorted
        self._codes = np.zeros(0, dtype=np.int64)  # (labels,) the number of the label with each hash
        self._words = np.zeros((2, 0), dtype=np.uint64)  # (2, labels) its words: the last eight bytes, those before

    def codes(self, block: Block, start: Integers, end: Integers) -> tuple[Integers, Flags]:
        """The number of the label between each pair of offsets, 1 to 16 bytes, and whether there is one."""
        words = block.words(end, np.minimum(end - start, 8)), block.words(end - 8, end - start - 8)
        hashes = words[0] ^ (words[1] * _GOLDEN)
        codes, known = self._look_up(hashes, words)
        if not known.all():
            unknown = np.flatnonzero(~known)
            _, first = np.unique(hashes[unknown], return_index=True)
            self._add(block, unknown[first], hashes, words, start, end)
            codes, known = self._look_up(hashes, words)
        return codes, known

    def _look_up(self, hashes: Words, words: tuple[Words, Words]) -> tuple[Integers, Flags]:
        if not len(self._hashes):
            return np.zeros(len(hashes), dtype=np.int64), np.zeros(len(hashes), dtype=bool)
        rank = np.minimum(np.searchsorted(self._hashes, hashes), len(self._hashes) - 1)
        same = (self._words[0][rank] == words[0]) & (self._words[1][rank] == words[1])
        return self._codes[rank], same

    def _add(
        self,
        block: Block,
        new: Integers,
        hashes: Words,
        words: tuple[Words, Words],
        start: Integers,
        end: Integers,
    ) -> None:
        """Numbers the labels with the indices `new`, each with another hash, but for those whose hash is taken."""
        new = new[~np.isin(hashes[new], self._hashes)]
        codes = len(self.texts) + np.arange(len(new))
        self.texts += [block.text(first, last) for first, last in zip(start[new], end[new], strict=True)]
        hashes = np.concatenate([self._hashes, hashes[new]])
        order = np.argsort(hashes)
        self._hashes = hashes[order]
        self._codes = np.concatenate([self._codes, codes])[order]
        self._words = np.hstack([self._words, [words[0][new], words[1][new]]])[:, order]


def _mask(length: Integers) -> Words:
    masks: Words = _MASKS[np.clip(length, 0, 8)]
    return masks


# _MASKS[n] keeps the n highest bytes of a word, which are the last n of its eight characters:
# n = 0: 0x0000000000000000, n = 1: 0xFF00000000000000, n = 2: 0xFFFF000000000000, … n = 8: 0xFFFFFFFFFFFFFFFF.
_MASKS = np.array([0, *((2**64 - 1) ^ (2 ** (8 * (8 - n)) - 1) for n in range(1, 9))], dtype=np.uint64)

# One byte eight times: the character '0', the high half of a byte, and the distance from behind '9' to 0x40.
_ZEROS, _HIGH_HALVES, _SIXES = (np.uint64(byte * 0x0101010101010101) for byte in (0x30, 0xF0, 0x06))

# The numbers of `eight_digits`, as unsigned words, because NumPy makes floats of uint64 and int64 together.
_TEN, _EIGHT, _SIXTEEN, _THIRTY_TWO = (np.uint64(number) for number in (10, 8, 16, 32))
_BYTES_0_AND_4 = np.uint64(0x000000FF000000FF)
_HUNDRED_AND_MILLION = np.uint64(100 + (1_000_000 << 32))
_ONE_AND_TEN_THOUSAND = np.uint64(1 + (10_000 << 32))

# 2⁶⁴ divided by the golden ratio, odd: the multiplier of Fibonacci hashing (Knuth, TAOCP 3, section 6.4). It is
# one-to-one on words and scatters their bits, so that labels with two words hardly ever share a hash.
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
