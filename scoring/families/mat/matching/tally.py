"""Basic counts as a list, before they are summed into arrays.

Matching finds counts in several steps and for thousands of labels, most of which are in few documents. A list of
cells that are not empty takes little room, and each table sums it in its own way: by label, or by document and group.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from scoring.columns import Integers, sums_by_cell
from scoring.families.mat.scores import BASIC


@dataclass(frozen=True)
class Tally:
    """n entries, each so many of a kind in a document for a label; the same three may come again and then add up."""

    document: Integers  # (n,) index of the document
    label: Integers  # (n,) index into the labels of both sides
    kind: Integers  # (n,) index into BASIC
    number: Integers  # (n,) how many spans or tokens

    @classmethod
    def of(cls, document: Integers, label: Integers, kind: int, number: Integers | None = None) -> Tally:
        """Make entries of one kind; each counts once if no numbers are given."""
        if number is None:
            number = np.ones(len(document), dtype=np.int64)
        return cls(document, label, np.full(len(document), kind), number)

    @classmethod
    def joined(cls, tallies: Iterable[Tally]) -> Tally:
        columns = zip(*((tally.document, tally.label, tally.kind, tally.number) for tally in tallies), strict=True)
        return cls(*(np.concatenate(column) for column in columns))

    def by_label(self, n_labels: int) -> Integers:
        """Sum over the documents: (labels, basic kinds).

        >>> Tally.of(np.array([0, 1, 1]), np.array([0, 0, 1]), kind=0).by_label(2)
        array([[2, 0, 0, 0, 0],
               [1, 0, 0, 0, 0]])
        """
        return sums_by_cell((n_labels, len(BASIC)), self.label, self.kind, number=self.number)

    def by_group(self, group: Integers, shape: tuple[int, int]) -> Integers:
        """Sum for groups of labels: (documents, groups, basic kinds).

        `shape` is (documents, groups); `group` (labels,) is the index of the group that each label belongs to.
        """
        cells = self.document, group[self.label], self.kind
        return sums_by_cell((*shape, len(BASIC)), *cells, number=self.number)
