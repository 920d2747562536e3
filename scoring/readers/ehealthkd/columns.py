"""Phrases and relations as columns: one array per property, and one entry per phrase or relation.

Each file passes through two states: *raw* is what its lines say, with offsets and IDs as they were written; `Phrases`
and `Relations` are what they mean, with phrases in their sentences and relations between phrases.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.columns import Flags, Integers

# IDs are int64, or Python integers (dtype object) where one of them is too large for 64 bits.
Ids = NDArray[Any]


@dataclass(frozen=True)
class RawPhrases:
    """The well-formed lines of a phrase file, in file order: n phrases with m spans in all."""

    lines: Integers  # (n,) line in the file, counted from 1
    ids: Ids  # (n,) as written; one may occur twice
    labels: list[str]  # each label of the file once
    label: Integers  # (n,) index into `labels`
    first: Integers  # (n + 1,) the spans of phrase k are those from first[k] up to first[k + 1]
    starts: Integers  # (m,) in the order listed; code points from the beginning of the whole text
    ends: Integers  # (m,) end-exclusive, likewise


@dataclass(frozen=True)
class RawRelations:
    """The well-formed lines of a relation file, in file order: n relations."""

    lines: Integers  # (n,) line in the file, counted from 1
    labels: list[str]  # each label of the file once; in lower case but for brat files
    label: Integers  # (n,) index into `labels`
    source: Ids  # (n,) ID of a phrase
    target: Ids  # (n,) ID of a phrase


@dataclass(frozen=True)
class Phrases:
    """The key phrases of one side in the order in which they are matched: n phrases with m spans in all.

    That is the order of the file, but for brat files, where the spans decide within each sentence.
    """

    ids: Ids  # (n,)
    labels: list[str]  # each label of the file once
    label: Integers  # (n,) index into `labels`
    sentence: Integers  # (n,) index of the sentence, from 0
    first: Integers  # (n + 1,) the spans of phrase k are those from first[k] up to first[k + 1]
    starts: Integers  # (m,) code points from the beginning of the phrase's sentence; may be negative
    ends: Integers  # (m,) end-exclusive, likewise; may lie beyond the sentence
    line: Integers  # (n,) index of the line in the file, counted from 0

    def __len__(self) -> int:
        return len(self.ids)

    def spans(self, k: int) -> list[tuple[int, int]]:
        """Return (start, end) of each span of phrase k."""
        of_phrase = slice(self.first[k], self.first[k + 1])
        return list(zip(self.starts[of_phrase].tolist(), self.ends[of_phrase].tolist(), strict=True))


@dataclass(frozen=True)
class Relations:
    """The relations of one side whose ends lie in one sentence, in file order: n relations."""

    labels: list[str]  # each label of the file once; in lower case but for brat files
    label: Integers  # (n,) index into `labels`
    source: Integers  # (n,) index of a phrase of the same side
    target: Integers  # (n,) index of a phrase of the same side
    line: Integers  # (n,) index of the line in the file, counted from 0
    is_new: Flags  # (n,) False for a relation that an earlier line has stated already: it does not count
    outside: Integers  # indices of the lines of relations between two sentences, which are left out

    def __len__(self) -> int:
        return len(self.label)


def coded_names(names: list[str]) -> tuple[list[str], Integers]:
    """Return each name once, in the order of its first occurrence, and each given one's index among them."""
    codes = {name: code for code, name in enumerate(dict.fromkeys(names))}
    return list(codes), np.array([*map(codes.__getitem__, names)], dtype=np.int64)


def ids_of(values: list[int]) -> Ids:
    """Return int64, or Python integers where one is too large: an ID is any integer."""
    try:
        return np.array(values, dtype=np.int64)
    except OverflowError:
        return np.array(values, dtype=object)
