"""What must hold of annotations and texts once all documents are read; every problem is reported."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.errors import Problem
from scoring.readers.mat.collecting import Collected
from scoring.readers.mat.columns import Integers, Tokens

RESERVED = "<all>"
_LISTED = 100


@dataclass(frozen=True)
class Texts:
    """The documents' names and signals, None for one that could not be read or is not there."""

    names: list[str]
    signals: list[str | None]

    @property
    def lengths(self) -> Integers:
        """Without a signal nothing can be said to lie beyond it."""
        unknown = np.iinfo(np.int64).max
        return np.array([unknown if text is None else len(text) for text in self.signals], dtype=np.int64)


@dataclass(frozen=True)
class Misplaced:
    """Which annotations have no extent, and which lie outside their text."""

    empty: NDArray[np.bool_]
    outside: NDArray[np.bool_]


def misplaced(collected: Collected, start: Integers, end: Integers, lengths: Integers) -> Misplaced:
    """`start` and `end` count code points and are -1 where no character begins; `lengths` (documents,)."""
    empty = collected.start == collected.end
    outside = (start < 0) | (end <= start) | (end > lengths[collected.document])
    return Misplaced(empty, outside & ~empty)


def place_problems(collected: Collected, wrong: Misplaced, chosen: NDArray[np.bool_], texts: Texts) -> list[Problem]:
    """Misplaced annotations among those chosen, with their offsets as in the file."""
    return _at_most(
        [
            Problem(f"{message}: {_shown(collected, k)}", texts.names[collected.document[k]])
            for message, found in (("zero-length annotation", wrong.empty), ("offset out of range", wrong.outside))
            for k in np.flatnonzero(chosen & found).tolist()
        ]
    )


def overlap_problems(tokens: Tokens, texts: Texts) -> list[Problem]:
    """Tokens that overlap the next one."""
    overlapping = (tokens.document[1:] == tokens.document[:-1]) & (tokens.start[1:] < tokens.end[:-1])
    return _at_most(
        [
            Problem(
                f"tokens overlap: {_extent(tokens, k)} and {_extent(tokens, k + 1)}", texts.names[tokens.document[k]]
            )
            for k in np.flatnonzero(overlapping).tolist()
        ]
    )


def label_problems(labels: list[str], document: Integers, label: Integers, texts: Texts) -> list[Problem]:
    """Documents with the label that stands for all labels in the tables."""
    if RESERVED not in labels:
        return []
    found = np.unique(document[label == labels.index(RESERVED)]).tolist()
    return [Problem(f'reserved label "{RESERVED}": rename it', texts.names[place]) for place in found]


def signal_problems(texts: Texts, gold: list[str]) -> list[Problem]:
    """Documents whose text is not the gold's."""
    return [
        Problem(f"signal differs from gold at offset {_first_difference(signal, expected)}", name)
        for name, signal, expected in zip(texts.names, texts.signals, gold, strict=True)
        if signal is not None and signal != expected
    ]


def differing_tokens(tokens: Tokens, gold: Tokens, documents: list[int]) -> list[int]:
    """Those of the documents whose tokens are not the gold's."""
    if all(np.array_equal(own, others) for own, others in zip(_columns(tokens), _columns(gold), strict=True)):
        return []
    return [place for place in documents if not np.array_equal(_of(tokens, place), _of(gold, place))]


def _columns(tokens: Tokens) -> tuple[Integers, Integers, Integers]:
    return tokens.document, tokens.start, tokens.end


def _of(tokens: Tokens, document: int) -> Integers:
    first, last = np.searchsorted(tokens.document, [document, document + 1])
    return np.stack([tokens.start[first:last], tokens.end[first:last]])


def _first_difference(text: str, other: str) -> int:
    """The length of the common beginning, by halving what is left."""
    same, most = 0, min(len(text), len(other))
    while same < most:
        middle = (same + most + 1) // 2
        if text[same:middle] == other[same:middle]:
            same = middle
        else:
            most = middle - 1
    return same


def _shown(collected: Collected, k: int) -> str:
    return f"{collected.types[collected.type[k]]} from {collected.start[k]} to {collected.end[k]}"


def _extent(tokens: Tokens, k: int) -> str:
    return f"from {tokens.start[k]} to {tokens.end[k]}"


def _at_most(problems: list[Problem]) -> list[Problem]:
    """At most a hundred of each document."""
    by_file: dict[str | None, list[Problem]] = {}
    for problem in problems:
        by_file.setdefault(problem.file, []).append(problem)
    return [problem for file, own in by_file.items() for problem in _cut(own, file)]


def _cut(problems: list[Problem], file: str | None) -> list[Problem]:
    surplus = len(problems) - _LISTED
    return problems if surplus <= 0 else [*problems[:_LISTED], Problem(f"and {surplus} more", file)]
