"""Basic counts of some documents and labels as a list, before they are summed into arrays."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.families.mat.matching.corpus_spans import Integers
from scoring.families.mat.scores import BASIC


@dataclass(frozen=True)
class Tally:
    """Basic counts as a list: so many of a kind in a document for a label; the same cell may come again."""

    document: Integers
    label: Integers
    kind: Integers
    number: Integers

    @classmethod
    def of(cls, document: Integers, label: Integers, kind: int, number: Integers | None = None) -> Tally:
        if number is None:
            number = np.ones(len(document), dtype=np.int64)
        return cls(document, label, np.full(len(document), kind), number)

    @classmethod
    def joined(cls, tallies: Iterable[Tally]) -> Tally:
        columns = zip(*((own.document, own.label, own.kind, own.number) for own in tallies), strict=True)
        return cls(*(np.concatenate(column) for column in columns))

    def by_label(self, n_labels: int) -> NDArray[np.int64]:
        """Sums over the documents: (labels, basic kinds)."""
        return summed(self.label * len(BASIC) + self.kind, self.number, (n_labels, len(BASIC)))

    def by_group(self, group: Integers, shape: tuple[int, int]) -> NDArray[np.int64]:
        """Sums (documents, groups, basic kinds) for that `shape`; `group` (labels,) is where each label belongs."""
        cell = (self.document * shape[1] + group[self.label]) * len(BASIC) + self.kind
        return summed(cell, self.number, (*shape, len(BASIC)))


def summed(cell: Integers, number: Integers, shape: tuple[int, ...]) -> NDArray[np.int64]:
    """An array of this shape with the numbers added to its cells."""
    sums = np.bincount(cell, weights=number, minlength=int(np.prod(shape)))
    return sums.astype(np.int64).reshape(shape)
