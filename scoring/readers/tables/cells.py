"""Cells of a column as places in one array of bytes, and what can be asked of a million of them at once.

A cell is told by where it starts and how many bytes it has, so that no cell becomes an object of Python before
somebody asks for its text. Cells are compared by *keys*, 64 bits made of their bytes:

    bytes of the file     i t e m 0 0 0 1 2 , X      starts [0, 10], sizes [9, 1]
    words of 8 bytes      "item0001", "2"            of the first cell; the last word is filled up with zeros
    key                   mixed from the words with random factors; of a cell of up to 8 bytes its word itself

Two cells with one key are compared byte by byte before they count as equal, so no choice of cells can make different
ones equal, and the factors differ from process to process, so none can make many keys collide.
"""

import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.columns import Flags, Integers, ranges
from scoring.unicode_text import composed

Bytes = NDArray[np.uint8]
Keys = NDArray[np.uint64]
Places = NDArray[np.integer]

WORD = 8
_LONG = 8 * WORD  # bytes from which on a cell is hashed by Python: few have so many
_GATHERED = 2**18  # cells whose bytes are gathered at a time
_FILL = bytes(WORD)  # behind the last cell, so that its last word can be read whole
_MASKS = np.array([(1 << 8 * n) - 1 for n in range(WORD + 1)], dtype=np.uint64)
_FACTORS = np.array([secrets.randbits(64) | 1 for _ in range(_LONG // WORD)], dtype=np.uint64)
_SHIFT = np.uint64(29)


@dataclass(frozen=True)
class Cells:
    """n cells; `Cells.of` makes them from texts."""

    buffer: Bytes  # UTF-8, with 8 zero bytes at the end
    starts: Places  # (n,) where each begins in `buffer`
    sizes: Places  # (n,) in bytes

    @classmethod
    def of(cls, texts: Iterable[str]) -> "Cells":
        """Cells of these texts as they are.

        >>> Cells.of(["é", "", "ab"]).sizes
        array([2, 0, 2])
        """
        contents = [text.encode() for text in texts]
        sizes = np.fromiter(map(len, contents), np.int64, len(contents))
        return cls(np.frombuffer(b"".join(contents) + _FILL, np.uint8), np.cumsum(sizes) - sizes, sizes)

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, row: int) -> str:
        return self._bytes_of(row).decode()

    def taken(self, rows: NDArray[np.integer] | Flags) -> "Cells":
        """Some of them, by index or flag."""
        return Cells(self.buffer, self.starts[rows], self.sizes[rows])

    def texts(self) -> list[str]:
        """All as texts. A NUL ends each while they are cut apart: readers refuse it in every file."""
        found: list[str] = []
        for start in range(0, len(self), _GATHERED):
            found += self.joined(b"\0", slice(start, start + _GATHERED)).decode().split("\0")[:-1]
        return found

    def joined(self, ending: bytes, rows: slice = slice(None)) -> bytes:
        """The bytes of these cells, with this one byte behind each."""
        sizes = self.sizes[rows].astype(np.int64)
        # A byte more of each, which becomes its ending.
        joined = self.buffer[ranges(self.starts[rows], sizes + 1)]
        joined[np.cumsum(sizes + 1) - 1] = ending[0]
        return joined.tobytes()

    def keys(self) -> Keys:
        """(n,): equal for equal cells."""
        key = self.words(0)
        for place in range(1, _LONG // WORD):
            rows = np.flatnonzero(self.sizes > place * WORD)
            if not len(rows):
                return key
            mixed = key[rows] * _FACTORS[place]
            key[rows] = (mixed ^ (mixed >> _SHIFT)) * _FACTORS[0] + self.taken(rows).words(place)
        for row in np.flatnonzero(self.sizes > _LONG).tolist():
            key[row] = np.uint64(hash(self._bytes_of(row)) % 2**64)
        return key

    def codes(self) -> tuple[Integers, Integers]:
        """(n,) the number of each one's value, in the order of first sight, and (values,) the first row of each value.

        >>> Cells.of(["b", "a", "b"]).codes()
        (array([0, 1, 0]), array([0, 1]))
        """
        key = self.keys()
        values = np.unique(key)
        code = np.searchsorted(values, key)
        # Written from the last row to the first: of equal cells the first one stays.
        row = np.zeros(len(values), dtype=np.int64)
        row[code[::-1]] = np.arange(len(key))[::-1]
        if not self.equals(np.arange(len(key)), self, row[code]).all():
            return self._plain_codes()
        order = np.argsort(row)
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        return place[code], row[order]

    def values(self) -> tuple[Integers, list[str]]:
        """(n,) the number of each one's value, and the texts of these values in the order of first sight.

        >>> Cells.of(["b", "a", "b"]).values()
        (array([0, 1, 0]), ['b', 'a'])
        """
        code, row = self.codes()
        return code, self.taken(row).texts()

    def equals(self, rows: Places, other: "Cells", other_rows: Places) -> Flags:
        """Whether these cells (m,) are the same as those (m,) of the others, byte by byte."""
        own, others = self.taken(rows), other.taken(other_rows)
        equal = own.sizes == others.sizes
        for place in range(_LONG // WORD):
            open_rows = np.flatnonzero(equal & (own.sizes > place * WORD))
            if not len(open_rows):
                return np.asarray(equal)
            equal[open_rows] = own.taken(open_rows).words(place) == others.taken(open_rows).words(place)
        for row in np.flatnonzero(equal & (own.sizes > _LONG)).tolist():
            equal[row] = own._bytes_of(row) == others._bytes_of(row)
        return np.asarray(equal)

    def firsts(self) -> Integers | None:
        """(n,) for each the first row with an equal cell; None if all cells differ.

        >>> Cells.of(["b", "a", "b"]).firsts()
        array([0, 1, 0])
        """
        ordered = np.sort(self.keys())
        if not (ordered[1:] == ordered[:-1]).any():
            return None
        code, row = self.codes()
        return row[code] if len(row) < len(self) else None

    def is_blank(self) -> Flags:
        """(n,): whether it is empty; cells of a table have no blanks around them."""
        return np.asarray(self.sizes == 0)

    def replaced(self, rows: Integers, texts: Sequence[str], which: Integers | None = None) -> "Cells":
        """With other texts in these rows (m,): text `which[i]` in row i, or text i."""
        new = Cells.of(texts)
        if which is not None:
            new = new.taken(which)
        buffer = np.concatenate([self.buffer, new.buffer])
        starts, sizes = self.starts.astype(np.int64), self.sizes.astype(np.int64)
        starts[rows] = new.starts + len(self.buffer)
        sizes[rows] = new.sizes
        return Cells(buffer, starts, sizes)

    def words(self, place: int) -> Keys:
        """(n,): the word of 8 bytes at this place of each cell, zero beyond its end."""
        # One word for each byte that it may begin at; a little-endian one has its first byte in the lowest place.
        words = np.ndarray((len(self.buffer) - WORD + 1,), "<u8", self.buffer, strides=(1,))
        at = np.minimum(self.starts + place * WORD, len(words) - 1) if place else self.starts
        found = words[at]
        left = self.sizes - place * WORD
        if len(left) and left.min() < WORD:
            found &= _MASKS[np.clip(left, 0, WORD)]
        return np.asarray(found, dtype=np.uint64)

    def _bytes_of(self, row: int) -> bytes:
        start = int(self.starts[row])
        return self.buffer[start : start + int(self.sizes[row])].tobytes()

    def _plain_codes(self) -> tuple[Integers, Integers]:
        """As `codes`, where two keys collide."""
        numbers: dict[bytes, int] = {}
        code = np.array([numbers.setdefault(self._bytes_of(row), len(numbers)) for row in range(len(self))])
        row = np.zeros(len(numbers), dtype=np.int64)
        row[code[::-1]] = np.arange(len(code))[::-1]
        return code, row


def tidy(text: str) -> str:
    r"""A cell without the blanks around it, in Unicode's composed form (NFC): two cells are equal if this is.

    >>> tidy(" nin\u0303o\t")
    'niño'
    """
    return composed(text.strip())


def tidied(cells: Cells, change: Flags, make: Callable[[str], str] = tidy) -> Cells:
    """The cells with `make` of their text where `change` (n,) asks for it; each different text is made once."""
    rows = np.flatnonzero(change)
    if not len(rows):
        return cells
    which, texts = cells.taken(rows).values()
    return cells.replaced(rows, [make(text) for text in texts], which)


def needs_tidying(cells: Cells) -> Flags:
    """(n,): whether a cell has a blank at either end, or anything but ASCII."""
    starts, sizes = cells.starts.astype(np.int64), cells.sizes.astype(np.int64)
    has_any = sizes > 0
    first = cells.buffer[starts]
    last = cells.buffer[np.maximum(starts + sizes - 1, 0)]
    changes = (first <= ord(" ")) | (last <= ord(" "))
    if not cells.buffer.size or cells.buffer.max() >= 0x80:
        # The largest byte of each cell: of the stretches from start to end, and between, every second one.
        ends = np.stack([starts, starts + np.maximum(sizes, 1)], axis=1).ravel()
        changes |= np.maximum.reduceat(cells.buffer, ends)[::2] >= 0x80
    return np.asarray(changes & has_any)
