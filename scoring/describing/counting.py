"""The ways in which people count characters, and where a place stands that was counted in one of them.

Each way gives every code point of a text a width: one where code points are counted, two for a line end that counts as
carriage return and line feed, and so on. A place p counted so is the code point before which the widths sum up to p.
"""

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from scoring.columns import Integers, starts_from_sizes
from scoring.messages import Message

_LINE_FEED, _CARRIAGE_RETURN = 0x0A, 0x0D


@dataclass(frozen=True)
class Way:
    """One way of counting."""

    question: Message  # for the message: "are your offsets …?"
    suggestion: Message
    widths: Callable[[Integers], Integers]  # of code points (characters,) -> (characters,)


def code_points(text: str) -> Integers:
    """Return the code points of a text: (characters,)."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4").astype(np.int64)


def starts_of_characters(widths: Integers) -> Integers:
    """Return where each character begins in this way of counting, and last where the text ends: (characters + 1,)."""
    return starts_from_sizes(widths)


def places(counted: Integers, begins: Integers, *, are_ends: bool = False) -> Integers:
    """Return the code points at places (n,) counted in some way; -1 for one inside a character or outside the text.

    Where characters without width stand at a place, starts are behind them and ends before.

    >>> places(np.array([0, 2, 3, 9]), starts_of_characters(in_utf16(code_points("a🙂b"))))
    array([ 0, -1,  2, -1])
    >>> begins = starts_of_characters(blanks_as_none(code_points("a b")))
    >>> places(np.array([1]), begins), places(np.array([1]), begins, are_ends=True)
    (array([2]), array([1]))
    """
    index = np.searchsorted(begins, counted, side="left" if are_ends else "right") - (0 if are_ends else 1)
    is_there = (index >= 0) & (begins[np.clip(index, 0, len(begins) - 1)] == counted)
    return np.where(is_there, index, -1)


def in_utf8(points: Integers) -> Integers:
    """Return the width of each character in UTF-8.

    >>> in_utf8(code_points("aé…🙂"))
    array([1, 2, 3, 4])
    """
    return 1 + (points > 0x7F) + (points > 0x7FF) + (points > 0xFFFF)


def in_utf16(points: Integers) -> Integers:
    """Return the width of each character in UTF-16.

    >>> in_utf16(code_points("é🙂"))
    array([1, 2])
    """
    return 1 + (points > 0xFFFF).astype(np.int64)


def decomposed(points: Integers) -> Integers:
    """Count letters and accents as separate characters (NFD).

    >>> decomposed(code_points("aé"))
    array([1, 2])
    """
    widths = np.ones(len(points), dtype=np.int64)
    others, which = np.unique(points[points > 0x7F], return_inverse=True)
    lengths = np.array([len(unicodedata.normalize("NFD", chr(point))) for point in others.tolist()], dtype=np.int64)
    if len(others):
        widths[points > 0x7F] = lengths[which]
    return widths


def composed(points: Integers) -> Integers:
    """Count accents that are characters of their own with their letters.

    >>> composed(code_points("ae\u0301"))
    array([1, 1, 0])
    """
    others = np.unique(points[points > 0x7F])
    marks = [point for point in others.tolist() if unicodedata.combining(chr(point))]
    return _without(points, tuple(marks))


def line_ends_as_two(points: Integers) -> Integers:
    r"""Count a line feed as carriage return and line feed, if it is not already so.

    >>> line_ends_as_two(code_points("a\nb\r\nc"))
    array([1, 2, 1, 1, 1, 1])
    """
    follows = np.concatenate([[False], points[:-1] == _CARRIAGE_RETURN]) if len(points) else points > 0
    widths: Integers = 1 + ((points == _LINE_FEED) & ~follows).astype(np.int64)
    return widths


def line_ends_as_one(points: Integers) -> Integers:
    r"""Count carriage return and line feed as one.

    >>> line_ends_as_one(code_points("a\r\nb"))
    array([1, 0, 1, 1])
    """
    is_first = np.concatenate([points[1:] == _LINE_FEED, [False]]) if len(points) else points > 0
    widths: Integers = 1 - ((points == _CARRIAGE_RETURN) & is_first).astype(np.int64)
    return widths


def line_ends_as_none(points: Integers) -> Integers:
    r"""Count lines as if nothing stood between them.

    >>> line_ends_as_none(code_points("a\r\nb"))
    array([1, 0, 0, 1])
    """
    return _without(points, (_LINE_FEED, _CARRIAGE_RETURN))


def blanks_as_none(points: Integers) -> Integers:
    """Count visible characters alone.

    >>> blanks_as_none(code_points("a b"))
    array([1, 0, 1])
    """
    return _without(points, (0x20, 0xA0, 0x09, _LINE_FEED, _CARRIAGE_RETURN))


def _without(points: Integers, left_out: tuple[int, ...]) -> Integers:
    widths: Integers = 1 - np.isin(points, left_out).astype(np.int64)
    return widths


def one_each(points: Integers) -> Integers:
    return np.ones(len(points), dtype=np.int64)


# The likelier first: where two ways mend as many, the first one is named.
WAYS = (
    Way(
        Message("line-ends-as-two", "do your line ends count as two characters (CRLF)?"),
        Message("count-line-ends-as-one", "count each line end as one character"),
        line_ends_as_two,
    ),
    Way(
        Message("line-ends-as-one", "do your line ends (CRLF) count as one character?"),
        Message("count-line-ends-as-two", "count carriage return and line feed"),
        line_ends_as_one,
    ),
    Way(
        Message("offsets-in-utf-8", "are your offsets bytes of UTF-8?"),
        Message("count-no-bytes", "count characters (code points), not bytes"),
        in_utf8,
    ),
    Way(
        Message("offsets-in-utf-16", "are your offsets UTF-16 code units, as in Java and JavaScript?"),
        Message("count-code-points", "count code points"),
        in_utf16,
    ),
    Way(
        Message("accents-counted", "were accents counted as characters of their own (NFD)?"),
        Message("count-composed", "count the input's characters as they are (NFC)"),
        decomposed,
    ),
    Way(
        Message("accents-not-counted", "were accents that are characters of their own (NFD) left out of your count?"),
        Message("use-input-characters", "use the input's characters as they are"),
        composed,
    ),
    Way(
        Message("line-ends-left-out", "were line ends left out of your count?"),
        Message("count-line-ends-as-one", "count each line end as one character"),
        line_ends_as_none,
    ),
    Way(
        Message("blanks-left-out", "were blanks left out of your count?"),
        Message("count-blanks", "count all characters, blanks too"),
        blanks_as_none,
    ),
)
# Where offsets have to be UTF-16 code units.
UTF16_WAYS = (
    Way(
        Message("offsets-are-code-points", "are your offsets code points?"),
        Message("count-utf-16", "count UTF-16 code units, as the task does"),
        one_each,
    ),
    *(way for way in WAYS if way.widths is not in_utf16),
)
