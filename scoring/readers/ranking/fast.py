"""The fast path: regular lines taken apart a block at a time, and never explained.

It takes regular input alone: every line has the right number of columns, every value can be read, all lines of a
query stand together (or, `scattered`, are kept until the end), no document stands twice. It gives up on anything else
with `Irregular`, and the careful path (`careful.py`) reads the whole file again and says what is wrong. What both take
they read alike, as the test `test_both_paths_read_the_same` shows.

    block     q1 Q0 d7 1 9.5 run \\n q1 Q0 d2 2 9.1 run \\n …
    tokens    q1  Q0  d7  1  9.5  run  q1  Q0  d2  2  9.1  run  …      one list; every sixth from 0 is a query
    changes   where a query differs from the one before: the segments that go to `take`
"""

import re
from array import array
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from operator import ne
from typing import NamedTuple

import numpy as np

from scoring.columns import Flags, Floats, Integers
from scoring.readers.ranking.columns import Name
from scoring.readers.ranking.kinds import BLANKS, Source

Values = Callable[[list[bytes]], Floats]  # texts to numbers; ValueError where one is none
# Takes a query, its documents and their values; `Irregular` if a document stands twice.
Take = Callable[[Name, list[Name], Floats], None]

_BLOCK = 2**16  # bytes: tokens of more fall out of the processor's caches
_COMMENT = re.compile(rb"^[ \t\v\f\r]*+#[^\n]*+", re.MULTILINE)
_PADDED = re.compile(rb"[ \r\v\f][\t\n]|[\t\n][ \r\v\f]")
_IS_BLANK = bytes(byte in BLANKS for byte in range(256))
_IS_TAB = bytes(byte == ord("\t") for byte in range(256))


class Irregular(Exception):  # noqa: N818 - no error of anybody's
    """Something that the careful path has to look at."""


class Scattered(Irregular):
    """The lines of a query do not stand together."""


class Shape(NamedTuple):
    """Holds where a line has what: gold and runs differ."""

    n_columns: int
    document: int
    value: int
    tag: int | None = None


TREC_RUN = Shape(6, 2, 4, 5)
TREC_GOLD = Shape(4, 2, 3)
TABS = Shape(3, 1, 2)


def scores(texts: list[bytes]) -> Floats:
    """Return numbers without underscores as Python reads them, all finite; ValueError if one is none.

    >>> scores([b"1.5", b"-.5e1"])
    array([ 1.5, -5. ])
    """
    numbers = np.fromiter(map(float, texts), np.float64, len(texts))
    if not np.isfinite(numbers).all():
        raise ValueError
    return numbers


def grades(texts: list[bytes]) -> Floats:
    """Return whole numbers from -1000 to 1000; ValueError if one is none."""
    numbers = np.fromiter(map(int, texts), np.float64, len(texts))
    if not (np.abs(numbers) <= MOST_GRADE).all():
        raise ValueError
    return numbers


MOST_GRADE = 1000


def read(source: Source, shape: Shape, values: Values, take: Take, *, scattered: bool = False) -> None:
    """Read every query of the file with its documents and values; Irregular if the careful path is needed."""
    gathered = _Gathered(take)
    tag: set[bytes] = set()
    for block in _blocks(source):
        if not block.isascii():
            _check_utf8(block)
        tokens = _tokens(block, shape)
        if shape.tag is not None:
            tag.update(tokens[shape.tag :: shape.n_columns])
            if len(tag) > 1:
                raise Irregular
        queries, documents = tokens[:: shape.n_columns], tokens[shape.document :: shape.n_columns]
        numbers = _numbers(tokens[shape.value :: shape.n_columns], values, may_have_underscores=b"_" in block)
        for start, stop in _segments(queries):
            gathered.add(queries[start], documents[start:stop], numbers[start:stop], keep=scattered)
    gathered.close_all()


def _numbers(texts: list[bytes], values: Values, *, may_have_underscores: bool) -> Floats:
    """Return the values; Irregular if one is none.

    Python takes 1_000 too, and beside that nothing that the format lacks.
    """
    if may_have_underscores and b"_" in b"".join(texts):
        raise Irregular
    try:
        return values(texts)
    except (ValueError, OverflowError):
        raise Irregular from None


class _Gathered:
    """The queries whose lines may go on: the last one, or all where they are scattered."""

    def __init__(self, take: Take) -> None:
        self._take = take
        self._open: dict[Name, tuple[list[Name], array[float]]] = {}
        self._closed: set[Name] = set()

    def add(self, query: Name, documents: list[Name], values: Floats, *, keep: bool) -> None:
        if query not in self._open:
            if query in self._closed:
                raise Scattered
            if not keep:
                self.close_all()
            self._open[query] = [], array("d")
        gathered, numbers = self._open[query]
        gathered += documents
        numbers.frombytes(values.tobytes())

    def close_all(self) -> None:
        for query, (documents, values) in self._open.items():
            self._take(query, documents, np.frombuffer(values))
        self._closed.update(self._open)
        self._open.clear()


def _blocks(source: Source) -> Iterator[bytes]:
    """Yield whole lines, about as many as fit into a block."""
    content, start = source.content, source.start
    while start < len(content):
        end = content.rfind(b"\n", start, start + _BLOCK) + 1
        if not end:
            # A line longer than a block.
            end = content.find(b"\n", start) + 1 or len(content)
        if start + _BLOCK >= len(content):
            end = len(content)
        yield content[start:end]
        start = end


def _check_utf8(block: bytes) -> None:
    try:
        block.decode()
    except UnicodeDecodeError:
        raise Irregular from None


def _tokens(block: bytes, shape: Shape) -> list[bytes]:
    """Return all columns of all lines that count, line by line; Irregular if a line has more or fewer."""
    if b"#" in block:
        block = _COMMENT.sub(b"", block)
    if not block:
        return []
    return _between_tabs(block) if shape is TABS else _between_blanks(block, shape.n_columns)


def _between_blanks(block: bytes, n_columns: int) -> list[bytes]:
    is_blank = _blanks(block)
    begins = ~is_blank
    begins[1:] &= is_blank[:-1]
    if not _are_even(np.flatnonzero(begins), _line_ends(block), n_columns):
        in_line = _per_line(block, begins)
        if ((in_line != n_columns) & (in_line != 0)).any():
            raise Irregular
    return block.split()


def _blanks(block: bytes) -> Flags:
    """Return which bytes of a block are blanks.

    >>> _blanks(b"a\\tb \\x01").tolist()
    [False, True, False, True, False]
    """
    characters = np.frombuffer(block, np.uint8)
    is_low = characters <= ord(" ")
    # Usually these two are all that is as low, and comparing is faster than looking each byte up.
    n_usual = np.count_nonzero(characters == ord(" ")) + np.count_nonzero(characters == ord("\n"))
    return is_low if np.count_nonzero(is_low) == n_usual else _flags(block, _IS_BLANK)


def _are_even(begins: Integers, ends: Integers, n_columns: int) -> bool:
    """Tell whether so many tokens begin in each line, none of which is blank: the first of a line behind the end of the
    line before, the last before the line's own.

    >>> _are_even(np.array([0, 2, 4, 6]), np.array([3, 7]), 2), _are_even(np.array([0, 2, 4, 6]), np.array([5, 7]), 2)
    (True, False)
    """
    if len(begins) != n_columns * len(ends):
        return False
    return bool((begins[n_columns - 1 :: n_columns] < ends).all() and (begins[n_columns::n_columns] > ends[:-1]).all())


def _between_tabs(block: bytes) -> list[bytes]:
    block = block.rstrip(b"\r\n")
    if not block:
        return []
    if (_per_line(block, _flags(block, _IS_TAB)) != TABS.n_columns - 1).any():
        raise Irregular
    is_padded = _PADDED.search(block) or block[:1] in b" \r\v\f" or block[-1:] in b" \r\v\f"
    fields = block.replace(b"\n", b"\t").split(b"\t")
    if is_padded:
        fields = list(map(bytes.strip, fields))
    if b"" in fields:
        raise Irregular
    return fields


def _flags(block: bytes, table: bytes) -> Flags:
    return np.frombuffer(block.translate(table), np.bool_)


def _per_line(block: bytes, flags: Flags) -> Integers:
    """Return how many flags are set in each line of a block that is not empty.

    >>> _per_line(b"a b\\nc\\n", np.array([True, False, True, False, True, False]))
    array([2, 1])
    """
    return np.diff(np.cumsum(flags, dtype=np.int64)[_line_ends(block)], prepend=0)


def _line_ends(block: bytes) -> Integers:
    """Return where each line of a block that is not empty ends: at its line feed, or the last byte."""
    ends = np.flatnonzero(np.frombuffer(block, np.uint8) == ord("\n"))
    return ends if len(ends) and ends[-1] == len(block) - 1 else np.append(ends, len(block) - 1)


def _segments(queries: Sequence[Name]) -> Iterator[tuple[int, int]]:
    """Start and stop of each run of equal queries.

    >>> list(_segments([b"a", b"a", b"b"]))
    [(0, 2), (2, 3)]
    """
    if not queries:
        return
    changes = np.fromiter(map(ne, islice(queries, 1, None), queries), np.bool_, len(queries) - 1)
    bounds = [0, *(np.flatnonzero(changes) + 1).tolist(), len(queries)]
    yield from zip(bounds, bounds[1:], strict=False)
