r"""The fast path: cells of a regular csv or tsv file found by looking at all its bytes at once.

It takes a file whose rows all have the same number of fields, and in which quotes stand around whole fields only;
anything else it gives up, and the careful path (`careful.py`) reads and explains it. Empty lines between the rows of
several fields are passed over: rows of other languages become such lines.

    bytes        a , " x , y " \n b , z \n
    is quote     . . 1 . . . 1  . . . .  .       whether the number of quotes before a byte is odd tells what is inside
    inside       . . 0 1 1 1 1  0 . . .  .
    ends         ^ (1)          ^ (7)  ^ ^       delimiters and line ends that are not inside: two for each row
"""

from dataclasses import dataclass

import numpy as np

from scoring.columns import Flags, Integers
from scoring.readers.tables.cells import WORD, Bytes, Cells, Places

_QUOTE, _LINE_FEED = ord('"'), ord("\n")


@dataclass(frozen=True)
class Split:
    """Where the fields of a file are."""

    buffer: Bytes
    starts: Places  # (rows,): where each row begins
    ends: Places  # (rows, fields): where each field ends
    has_gaps: bool  # whether there are empty lines between rows
    quotes: Integers | None  # where quotes are; None where none counts
    doubled: Integers  # where a second one of two quotes inside a field is

    def column(self, field: int) -> tuple[Cells, Flags]:
        """The cells of a field, without their quotes, and (rows,) whether one has doubled quotes inside."""
        ends = self.ends[:, field]
        starts = (self.ends[:, field - 1] + 1 if field else self.starts).astype(np.int32)
        sizes = (ends - starts).astype(np.int32)
        if self.quotes is None:
            return Cells(self.buffer, starts, sizes), np.zeros(len(starts), dtype=bool)
        is_quoted = (self.buffer[starts] == _QUOTE) & (sizes > 0)
        has_doubled = is_quoted & (np.searchsorted(self.doubled, ends) > np.searchsorted(self.doubled, starts))
        return Cells(self.buffer, starts + is_quoted, sizes - 2 * is_quoted), has_doubled

    def lines(self, first: int) -> Integers | range:
        """The line on which each row begins, where the first one begins on `first`."""
        if self.quotes is None and not self.has_gaps:
            return range(first, first + len(self.ends))
        line_feeds = np.flatnonzero(self.buffer == _LINE_FEED)
        return np.searchsorted(line_feeds, self.starts) + first


def split(content: bytes, start: int, sign: str, n_fields: int, *, quotes: bool) -> Split | None:
    """The fields of the rows from byte `start` on; None if they are not regular."""
    end = len(content)
    while end > start and content[end - 1] == _LINE_FEED:
        end -= 1
    # A line feed behind the last row, and room for the last word of the last cell.
    buffer = np.frombuffer(content[start:end] + b"\n" + bytes(WORD), np.uint8)
    if end == start:
        none = np.zeros(0, dtype=np.int32)
        return Split(buffer, none, np.zeros((0, n_fields), dtype=np.int32), False, None, none.astype(np.int64))
    text = buffer[: end - start + 1]
    is_end = (text == ord(sign)) | (text == _LINE_FEED)
    places = np.flatnonzero(text == _QUOTE) if quotes and content.find(b'"', start) >= 0 else None
    if places is not None:
        if not _stand_around_fields(text, places, sign):
            return None
        # The number of quotes before a byte may wrap round at 256, which is even.
        is_end &= np.cumsum(text == _QUOTE, dtype=np.uint8) % 2 == 0
    all_ends = np.flatnonzero(is_end).astype(np.int32)
    starts = np.concatenate([np.zeros(1, dtype=np.int32), all_ends[:-1] + 1])  # of the fields
    is_gap = _are_empty_lines(text, starts, all_ends) if n_fields > 1 and b"\n\n" in content[start:end] else None
    if is_gap is not None:
        all_ends, starts = all_ends[~is_gap], starts[~is_gap]
    if len(all_ends) % n_fields:
        return None
    ends = all_ends.reshape(-1, n_fields)
    if not (text[ends[:, -1]] == _LINE_FEED).all() or (text[ends[:, :-1]] == _LINE_FEED).any():
        return None
    if n_fields == 1 and _has_blank_lines(text, ends[:, 0]):
        return None
    return Split(buffer, starts[::n_fields], ends, is_gap is not None, places, _doubled(places))


def _are_empty_lines(text: Bytes, starts: Places, ends: Places) -> Flags:
    """Of each field whether it is an empty line: it begins a line and ends at once with it."""
    begins_line = np.ones(len(starts), dtype=bool)
    begins_line[1:] = text[ends[:-1]] == _LINE_FEED
    return np.asarray(begins_line & (starts == ends) & (text[ends] == _LINE_FEED))


def _stand_around_fields(text: Bytes, places: Integers, sign: str) -> bool:
    """Whether every quote opens or closes a field, or is one of two inside."""
    if len(places) % 2:
        return False
    opening, closing = places[0::2], places[1::2]
    before = text[np.maximum(opening - 1, 0)]
    is_second = np.zeros(len(opening), dtype=bool)
    is_second[1:] = opening[1:] == closing[:-1] + 1
    opens = (opening == 0) | (before == ord(sign)) | (before == _LINE_FEED) | is_second
    behind = text[closing + 1]  # a line feed is behind all
    closes = (behind == ord(sign)) | (behind == _LINE_FEED) | (behind == _QUOTE)
    return bool(opens.all() and closes.all())


def _doubled(places: Integers | None) -> Integers:
    if places is None:
        return np.zeros(0, dtype=np.int64)
    opening = places[2::2]
    return np.asarray(opening[opening == places[1:-1:2] + 1])


def _has_blank_lines(text: Bytes, ends: Places) -> bool:
    """In a file of one column: whether a line has nothing but blanks, which no flag tells of longer ones."""
    sizes = np.diff(ends, prepend=-1) - 1
    starts = ends - sizes
    return bool(((sizes == 0) | (text[starts] <= ord(" "))).any())
