"""Sentences, their offsets, and the comparison of a system's sentences with the gold's."""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import zip_longest

import numpy as np

from scoring.columns import Integers
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.causes import joined
from scoring.readers.ehealthkd.lost_sentences import Lost, find_lost
from scoring.readers.problems import and_more
from scoring.spelling.strings import composed

_SHOWN = 80  # characters of a sentence in a message
_LISTED = 20  # altered sentences in a refusal; where one is missing, all that follow differ


@dataclass(frozen=True)
class Sentences:
    """The sentences of one side, n of them; offsets count code points, not bytes.

    Offsets of phrases refer to the text that the stripped sentences form when joined by newlines, so that neither
    blanks around a sentence nor the kind of line end shift them.

    >>> sentences = Sentences(["Las vías", "Otra frase"])
    >>> sentences.starts, sentences.ends
    (array([0, 9]), array([ 8, 19]))
    """

    texts: list[str]  # each stripped of white space at both ends
    lines: list[int] | None = None  # the line of each in its file, from 1; None where every line is a sentence

    def padded(self, number: int) -> "Sentences":
        """Add as many empty sentences at the end."""
        return Sentences(self.texts + [""] * number) if number else self

    def line(self, k: int) -> int:
        """Return the line, from 1, of the sentence with index k; of one behind the last the line behind the last."""
        if self.lines is None:
            return k + 1
        return self.lines[k] if k < len(self.lines) else (self.lines[-1] if self.lines else 0) + 1

    @cached_property
    def ends(self) -> Integers:
        """Return the offset of the newline behind each sentence (n,)."""
        return np.cumsum(self.lengths) + np.arange(len(self.texts))

    @cached_property
    def starts(self) -> Integers:
        """Return the offset of the first character of each sentence (n,)."""
        return self.ends - self.lengths

    @cached_property
    def lengths(self) -> Integers:
        """Number of code points of each sentence (n,)."""
        return np.fromiter(map(len, self.texts), dtype=np.int64, count=len(self.texts))


@dataclass(frozen=True)
class Comparison:
    """A system's sentences compared with the gold's; the lists of integers are indices of sentences."""

    # Sentences that differ from the gold's in the composition of characters or the kind of blanks only.
    tolerated: list[int] = field(default_factory=list)
    # Sentences that take no part in the scoring; only where the challenge's program is followed to the letter.
    left_out: list[int] = field(default_factory=list)
    # Sentences that are scored with the system's own text; only where the programs of 2020 and 2021 are followed.
    differing: list[int] = field(default_factory=list)
    # Number of empty sentences to add at the end of the system's.
    padding: int = 0
    # Why the file is refused; empty if it is not.
    problems: list[Finding] = field(default_factory=list)
    warnings: list[Finding] = field(default_factory=list)


def split_lines(text: str) -> list[str]:
    """Cut lines at a line feed, a carriage return or both, and at no other of Unicode's line ends.

    `str.splitlines` would also end them at form feeds, U+0085 and U+2028, which the challenge's program keeps.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if lines[-1] == "":
        lines.pop()
    return lines


def parse_sentences(text: str) -> Sentences:
    return Sentences([line.strip() for line in split_lines(text)])


def fold(text: str) -> str:
    """Return the composed form (NFC), with every kind of blank as U+0020.

    Two texts with the same folded form look the same to a reader. Editors and scripts change composition and blanks
    without being asked; compatibility forms such as the ligature `ﬁ` and doubled blanks are not folded.

    >>> fold("nin\u0303o\u00a0sano") == "niño sano"
    True
    """
    return "".join(" " if unicodedata.category(char) == "Zs" else char for char in composed(text))


def compare_checked(gold: Sequence[str], system: Sequence[str], file: str) -> Comparison:
    """Require every sentence, unaltered but for what `fold` makes equal; otherwise there are problems.

    The challenge's program leaves altered sentences out instead, so that a participant could choose what is scored:
    altering the sentences that a system finds hard raises its F1.
    """
    shared = min(len(gold), len(system))
    different = [i for i in range(shared) if gold[i] != system[i]]
    tolerated = [i for i in different if fold(gold[i]) == fold(system[i])]
    is_tolerated = set(tolerated)
    altered = [i for i in different if i not in is_tolerated]
    # Many editors add empty lines at the end of a file, or take them away.
    same_but_empty = not any(gold[shared:]) and not any(system[shared:])
    if not same_but_empty and altered:
        lost = find_lost([*map(fold, gold)], [*map(fold, system)])
        if lost.n <= _LISTED or lost.n < len(altered) / 2:
            return Comparison(problems=[*_losses(gold, system, lost, file)])
    problems = list(_alterations(gold, system, altered[:_LISTED], file))
    if not same_but_empty and len(problems) < _LISTED:
        problems.append(_length_problem(len(gold), len(system), file))
    more = len(altered) + (not same_but_empty) - len(problems)
    if more:
        lines = joined((i + 1, i + 1) for i in altered[_LISTED:])
        problems += and_more(more, file, [replace(problems[0], n=more, lines=tuple(lines), is_mixed=True)])
    return Comparison(
        tolerated=tolerated,
        padding=max(0, len(gold) - len(system)),
        problems=problems,
        warnings=[*_tolerations(tolerated, file), *_padding(len(gold), len(system), file)],
    )


def compare_officially(gold: Sequence[str], system: Sequence[str], file: str) -> Comparison:
    """Pair as the challenge's own program does: by index, and a pair whose texts differ is left out.

    The command needs it to print the official numbers; `evaluate` never compares so.
    """
    left_out = [i for i, (ours, theirs) in enumerate(zip_longest(gold, system)) if ours is None or ours != theirs]
    warnings = [
        Finding(
            Message("sentence-left-out-because-not", "sentence left out, because it is not that of the gold"),
            file,
            i + 1,
        )
        for i in left_out
    ]
    return Comparison(left_out=left_out, warnings=warnings)


def _alterations(gold: Sequence[str], system: Sequence[str], altered: Sequence[int], file: str) -> Iterator[Finding]:
    # The first line of the input with each text, so that a reordering can be recognised.
    lines = {text: i + 1 for i, text in reversed(list(enumerate(gold)))} if altered else {}
    for i in altered:
        stated, expected = _around_difference(system[i], gold[i])
        line = lines.get(system[i]) if system[i] else None
        yield Finding(_difference(stated, expected, line), file, i + 1)


def _losses(gold: Sequence[str], system: Sequence[str], lost: Lost, file: str) -> Iterator[Finding]:
    """Yield a problem for all sentences that are missing, one for all that were added, and one for each altered one."""
    if lost.missing:
        first = lost.missing[0]
        values = {"line": first + 1, "text": _cut(gold[first], 0)}
        missing = Message.counted(
            "sentences-missing",
            "a sentence of the input is missing: line {line}, {text}",
            "{n:,} sentences of the input are missing, the first is line {line}, {text}",
            len(lost.missing),
            **values,
        )
        yield Finding(missing, file, min(first + 1, len(system)) or None)
    if lost.added:
        first = lost.added[0]
        added = Message.counted(
            "sentences-added",
            "a sentence is not of the input: {text}",
            "{n:,} sentences are not of the input, the first is {text}",
            len(lost.added),
            text=_cut(system[first], 0),
        )
        yield Finding(added, file, first + 1)
    for of_gold, of_system in lost.altered[:_LISTED]:
        yield Finding(_difference(*_around_difference(system[of_system], gold[of_gold]), None), file, of_system + 1)


def _difference(stated: str, expected: str, line: int | None) -> str:
    """Say how they differ; `line` is that of the input on which the system's own sentence stands."""
    if line is None:
        return Message(
            "sentence-differs-from-input-found",
            "the sentence differs from the input: found {own}, expected {expected}",
            own=stated,
            expected=expected,
        )
    return Message(
        "sentence-differs-from-input",
        "the sentence differs from the input: found {own}, expected {expected} (this is line {line} of the input)",
        own=stated,
        expected=expected,
        line=line,
    )


def _around_difference(stated: str, expected: str) -> tuple[str, str]:
    """Return both texts, quoted and cut to some characters around the first that differs."""
    shared = min(len(stated), len(expected))
    # Where none differs, one text is the beginning of the other, and the difference is at its end.
    differs_at = next((i for i in range(shared) if stated[i] != expected[i]), shared)
    start = max(0, differs_at - _SHOWN // 2)
    return _cut(stated, start), _cut(expected, start)


def _cut(text: str, start: int) -> str:
    """Return a text quoted; those characters alone that would not be seen are escaped."""
    shown = text[start : start + _SHOWN]
    visible = "".join(c if c.isprintable() or c == "\N{NO-BREAK SPACE}" else ascii(c)[1:-1] for c in shown)
    return f"“{'…' if start else ''}{visible}{'…' if len(text) > start + _SHOWN else ''}”"


def _length_problem(n_gold: int, n_system: int, file: str) -> Finding:
    if n_system < n_gold:
        return Finding(
            Message(
                "ends-after-sentences-input",
                "ends after {n_system} sentences; the input has {n_gold}",
                n_system=n_system,
                n_gold=n_gold,
            ),
            file,
            n_system + 1,
        )
    return Finding(
        Message("additional-sentence-input", "additional sentence; the input has {n_gold}", n_gold=n_gold),
        file,
        n_gold + 1,
    )


def _tolerations(tolerated: Sequence[int], file: str) -> Iterator[Finding]:
    if tolerated:
        n_more = len(tolerated) - 1
        more = Message("more-sentences", " (and {n_more} more sentences)", n_more=n_more) if n_more else ""
        message = Message(
            "blanks-composed-characters-differ",
            "blanks or composed characters differ from the input; scored as the input's text{more}",
            more=more,
        )
        yield Finding(message, file, tolerated[0] + 1)


def _padding(n_gold: int, n_system: int, file: str) -> Iterator[Finding]:
    if n_gold != n_system:
        message = Message(
            "sentences-input-they-differ",
            "{n_system} sentences, the input has {n_gold}: they differ by empty lines at the end",
            n_system=n_system,
            n_gold=n_gold,
        )
        yield Finding(message, file, min(n_gold, n_system) + 1)
