"""Finds where a line fell out of plain lines, or slipped in, by how well they fit the gold before and behind it.

One line more or less shifts all lines behind it, and a file that lacks one looks like any other. For each place p the
lines before it are compared with the same place of the gold, those from p on with the place d later. Two lines are
alike by 2 · common / (sum of sizes) of their sets of words: 1 for the same words, 0 for none in common.

    gold      the sun    rain falls    snow melts    ice thaws       d = 4 - 3 = 1
    system    the sun    snow melts    ice thaws
    same place         1     0     0                 like[:p].sum(), from p = 0 on: 0 1 1 1
    one place later    0     1     1                 like[p:].sum():                2 2 1 0
                                                     sums 2 3 2 1: the first best is p = 1, the second line
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scoring.columns import Floats
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.segments.ids import SEGMENT
from scoring.readers.segments.lines import PlainLines

_FURTHEST = 100  # lines missing or too many; with more, no place explains it
_LEAST_ALIKE = 0.3  # per line; below, the texts are too different for a guess
_DIGITS = 9  # of sums, so that equal ones stay equal


@dataclass(frozen=True)
class _Line:
    """A line as it is compared."""

    words: frozenset[str]
    characters: frozenset[str]
    is_split: bool  # whether a blank inside parts words, as Chinese and Japanese do not have them


def wrong_number(gold: Sequence[str], system: PlainLines, noun: str = SEGMENT) -> Finding | None:
    """Return the problem of plain lines that are not as many as the gold has texts; None where they are.

    `gold` are the texts of the gold in order (of several references the first); nothing of them is told but the place
    where the system's lines begin to fit them later or earlier. `noun` is what the gold has.
    """
    missing = len(gold) - len(system.texts)
    if not missing:
        return None
    n_empty = sum(1 for text in system.texts if not text.strip())
    if n_empty and n_empty == -missing:
        n, n_2 = len(system.texts), len(gold)
        return Finding(lines_instead_empty(n, n_2, n_empty), system.file)
    parts: list[str] = [Message("lines-instead", "{n} lines instead of {n_2}", n=len(system.texts), n_2=len(gold))]
    place = _place(gold, system.texts) if abs(missing) <= _FURTHEST else None
    if place is not None:
        parts.append(_hint(place + 1, missing, noun))
    if system.odd:
        parts.append(system.odd.said)
    return Finding(Message.joined(parts, "; "), system.file, None if place is None else place + 1)


def lines_instead_empty(n: int, n_2: int, n_empty: int) -> Message:
    """Say that only empty lines are too many."""
    return Message(
        "lines-instead-empty",
        "{n} lines instead of {n_2}; {n_empty} of them are empty: take these out",
        n=n,
        n_2=n_2,
        n_empty=n_empty,
    )


def _hint(line: int, missing: int, noun: str) -> str:
    """Return what the place tells; `line` from 1.

    >>> _hint(42, 1, "segment")
    'from line 42 on they fit the gold 1 later: the segment of line 42 seems to be missing'
    >>> _hint(42, -2, "segment")
    'from line 44 on they fit the gold 2 earlier: lines 42 to 43 seem to be too many'
    """
    number = abs(missing)
    last = line + number - 1
    if missing > 0:
        what = Message.counted(
            "gold-lines-seem",
            "the {noun} of line {line} seems",
            "the {noun}s of lines {line} to {last} seem",
            number,
            noun=noun,
            line=line,
            last=last,
        )
        return Message(
            "from-line-on-they-fit",
            "from line {line} on they fit the gold {number} later: {what} to be missing",
            line=line,
            number=number,
            what=what,
        )
    what = Message.counted(
        "lines-seem", "line {line} seems", "lines {line} to {last} seem", number, line=line, last=last
    )
    return Message(
        "from-line-on-they",
        "from line {last} on they fit the gold {number} earlier: {what} to be too many",
        last=last + 1,
        number=number,
        what=what,
    )


def _place(gold: Sequence[str], system: Sequence[str]) -> int | None:
    """Return before how many lines, from 0, the shift is likeliest; None where no guess is made."""
    n = min(len(gold), len(system))
    if not n:
        return None
    gold_lines, system_lines = list(map(_line, gold)), list(map(_line, system))
    same = _alike(gold_lines, system_lines)
    shifted = _alike(gold_lines[len(gold) - n :], system_lines[len(system) - n :])
    # (n + 1,): lines before p at their own place, those from p on at the shifted one.
    sums = np.concatenate(([0.0], np.cumsum(same))) + shifted.sum() - np.concatenate(([0.0], np.cumsum(shifted)))
    best = int(np.argmax(np.round(sums, _DIGITS)))
    return best if sums[best] >= _LEAST_ALIKE * n - 10.0**-_DIGITS else None


def _line(text: str) -> _Line:
    words = text.split()
    return _Line(frozenset(words), frozenset("".join(words)), len(words) > 1)


def _alike(gold: Sequence[_Line], system: Sequence[_Line]) -> Floats:
    """Return how alike the lines at each place are, as far as both go: (n,) from 0 to 1."""
    n = min(len(gold), len(system))
    return np.fromiter(map(_likeness, gold, system), np.float64, n)


def _likeness(gold: _Line, system: _Line) -> float:
    """Return the likeness of two lines; by characters where one of them is a single word."""
    by_words = gold.is_split and system.is_split
    a, b = (gold.words, system.words) if by_words else (gold.characters, system.characters)
    return 2 * len(a & b) / (len(a) + len(b)) if a or b else 0.0
