"""Lines with their numbers, where long runs of blank lines cost nothing: two million of them fit into a zip of 2 kB."""

import re
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any, AnyStr

# A run that is worth leaving out, behind a line's end: where blank lines are single, looking for one costs little.
# The `+` behind a number or a star gives no character back, so that a long line costs what it is long.
_RUN: dict[type, re.Pattern[Any]] = {str: re.compile(r"\n\s{16,}+"), bytes: re.compile(rb"\n\s{16,}+")}
_BLANKS: dict[type, re.Pattern[Any]] = {str: re.compile(r"\s*+"), bytes: re.compile(rb"\s*+")}


def _ignore(number: int, n_lines: int) -> None:
    pass


def numbered_lines(
    text: AnyStr, first: int = 1, left_out: Callable[[int, int], None] = _ignore
) -> Iterator[tuple[int, AnyStr]]:
    r"""Yield number and text of each line, without its line feed; of a long run of blank lines the first one alone.

    Blank is what `isspace` says. `left_out` is told of the others: the number of the first, and how many there are.

    >>> list(numbered_lines("a\n \n\nb"))
    [(1, 'a'), (2, ' '), (3, ''), (4, 'b')]
    >>> list(numbered_lines("a\n" + "\n" * 1000 + " b\n", left_out=lambda *run: print(*run)))
    3 999
    [(1, 'a'), (2, ''), (1002, ' b'), (1003, '')]
    """
    feed = _feed(text)
    at, number = 0, first
    for begin, end in _runs(text):
        yield from enumerate(text[at : begin - 1].split(feed), number)
        number += text.count(feed, at, begin)
        n_lines = text.count(feed, begin, end)
        left_out(number, n_lines)
        number, at = number + n_lines, end
    yield from enumerate(text[at:].split(feed), number)


def _feed(text: AnyStr) -> AnyStr:
    return b"\n" if isinstance(text, bytes) else "\n"


def _runs(text: AnyStr) -> Iterator[tuple[int, int]]:
    """Yield where the lines of each long run begin and end, behind its first one."""
    feed = _feed(text)
    at_start = _BLANKS[type(text)].match(text)
    assert at_start is not None  # it takes the empty text, too
    behind = ((run.start() + 1, run.end()) for run in _RUN[type(text)].finditer(text, at_start.end()))
    for start, stop in chain([at_start.span()], behind):
        begin, end = text.find(feed, start, stop) + 1, text.rfind(feed, start, stop) + 1
        if begin < end:
            yield begin, end
