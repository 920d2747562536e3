"""Sentences, their offsets, and the comparison of a system's sentences with the gold's."""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import zip_longest

import numpy as np
from numpy.typing import NDArray

from scoring.errors import Problem

_SHOWN = 80
_LISTED = 20


@dataclass(frozen=True)
class Sentences:
    """Stripped sentences; offsets count code points of the text that they form when joined by newlines."""

    texts: list[str]

    def padded(self, number: int) -> "Sentences":
        """With as many empty sentences added at the end."""
        return Sentences(self.texts + [""] * number) if number else self

    @cached_property
    def ends(self) -> NDArray[np.int64]:
        """Offset of the newline behind each sentence."""
        return np.cumsum(self.lengths) + np.arange(len(self.texts))

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        return self.ends - self.lengths

    @cached_property
    def lengths(self) -> NDArray[np.int64]:
        return np.fromiter(map(len, self.texts), dtype=np.int64, count=len(self.texts))


@dataclass(frozen=True)
class Comparison:
    """A system's sentences beside the gold's.

    `tolerated` differ from the gold only in composition of characters or kind of blank, `left_out` take no
    part in the scoring; both are indices. `padding` is the number of empty sentences to add to the system's.
    """

    tolerated: list[int] = field(default_factory=list)
    left_out: list[int] = field(default_factory=list)
    padding: int = 0
    problems: list[Problem] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)


def split_lines(text: str) -> list[str]:
    """Lines end at a line feed, a carriage return or both, and at no other of Unicode's line ends."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if lines[-1] == "":
        lines.pop()
    return lines


def parse_sentences(text: str) -> Sentences:
    return Sentences([line.strip() for line in split_lines(text)])


def fold(text: str) -> str:
    """The composed form, with every kind of blank as U+0020: two texts that fold alike read alike."""
    composed = unicodedata.normalize("NFC", text)
    return "".join(" " if unicodedata.category(char) == "Zs" else char for char in composed)


def compare_checked(gold: Sequence[str], system: Sequence[str], file: str) -> Comparison:
    """Every sentence has to be there, unaltered: who may alter or drop sentences chooses what is scored."""
    shared = min(len(gold), len(system))
    different = [i for i in range(shared) if gold[i] != system[i]]
    tolerated = [i for i in different if fold(gold[i]) == fold(system[i])]
    forgiven = set(tolerated)
    altered = [i for i in different if i not in forgiven]
    padded = not any(gold[shared:]) and not any(system[shared:])
    problems = list(_alterations(gold, system, altered[:_LISTED], file))
    if not padded and len(problems) < _LISTED:
        problems.append(_length_problem(len(gold), len(system), file))
    more = len(altered) + (not padded) - len(problems)
    if more:
        problems.append(Problem(f"and {more} more", file))
    return Comparison(
        tolerated=tolerated,
        padding=max(0, len(gold) - len(system)),
        problems=problems,
        warnings=[*_tolerations(tolerated, file), *_padding(len(gold), len(system), file)],
    )


def compare_officially(gold: Sequence[str], system: Sequence[str], file: str) -> Comparison:
    """As the challenge's own program: pairs by index, and a pair whose texts differ is left out."""
    left_out = [i for i, (ours, theirs) in enumerate(zip_longest(gold, system)) if ours is None or ours != theirs]
    warnings = [Problem("sentence left out, because it is not that of the gold", file, i + 1) for i in left_out]
    return Comparison(left_out=left_out, warnings=warnings)


def _alterations(gold: Sequence[str], system: Sequence[str], altered: Sequence[int], file: str) -> Iterator[Problem]:
    lines = {text: i + 1 for i, text in reversed(list(enumerate(gold)))} if altered else {}
    for i in altered:
        found, expected = _around_difference(system[i], gold[i])
        message = f"the sentence differs from the input: found {found}, expected {expected}"
        if system[i] in lines and system[i]:
            message += f" (this is line {lines[system[i]]} of the input)"
        yield Problem(message, file, i + 1)


def _around_difference(found: str, expected: str) -> tuple[str, str]:
    """Both texts, quoted and cut to some characters around the first that differs."""
    place = next((i for i, (a, b) in enumerate(zip(found, expected, strict=False)) if a != b), None)
    start = max(0, (min(len(found), len(expected)) if place is None else place) - _SHOWN // 2)
    return _cut(found, start), _cut(expected, start)


def _cut(text: str, start: int) -> str:
    """Quoted; characters that would not be seen are escaped."""
    shown = text[start : start + _SHOWN]
    visible = shown if shown.isprintable() else ascii(shown)[1:-1]
    return f"“{'…' if start else ''}{visible}{'…' if len(text) > start + _SHOWN else ''}”"


def _length_problem(n_gold: int, n_system: int, file: str) -> Problem:
    if n_system < n_gold:
        return Problem(f"ends after {n_system} sentences; the input has {n_gold}", file, n_system + 1)
    return Problem(f"additional sentence; the input has {n_gold}", file, n_gold + 1)


def _tolerations(tolerated: Sequence[int], file: str) -> Iterator[Problem]:
    if tolerated:
        more = f" (and {len(tolerated) - 1} more sentences)" if len(tolerated) > 1 else ""
        message = f"blanks or composed characters differ from the input; scored as the input's text{more}"
        yield Problem(message, file, tolerated[0] + 1)


def _padding(n_gold: int, n_system: int, file: str) -> Iterator[Problem]:
    if n_gold != n_system:
        message = f"{n_system} sentences, the input has {n_gold}: they differ by empty lines at the end"
        yield Problem(message, file, min(n_gold, n_system) + 1)
