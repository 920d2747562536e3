"""Phrases and relations as columns: one array per property, one place per line of the file."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Phrases:
    """Key phrases in file order; phrase k stands in line k + 1.

    Its spans are `starts` and `ends` (both local to its sentence, end-exclusive) from `first[k]` up to
    `first[k + 1]`, and its label is `labels[label[k]]`. `ids` are int64, or Python integers where
    one is larger than that.
    """

    ids: NDArray[Any]
    labels: list[str]
    label: Integers
    sentence: Integers
    first: Integers
    starts: Integers
    ends: Integers

    def __len__(self) -> int:
        return len(self.ids)

    def spans(self, k: int) -> list[tuple[int, int]]:
        own = slice(self.first[k], self.first[k + 1])
        return list(zip(self.starts[own].tolist(), self.ends[own].tolist(), strict=True))


@dataclass(frozen=True)
class Relations:
    """Relations inside one sentence, in file order.

    `source` and `target` are indices of phrases, `line` of lines in the file, counted from 0. `is_new` is
    False for a relation that an earlier line states already.
    """

    labels: list[str]
    label: Integers
    source: Integers
    target: Integers
    line: Integers
    is_new: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.label)
