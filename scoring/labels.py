"""The labels under which tables count: those of both sides, or the gold's and one for all that a system invents.

A system may give each of its annotations a label of its own. A table with a row for each of them would say of single
annotations whether the gold has them, and cost time and memory for nothing that anybody wants to read.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import numpy as np

from scoring.columns import Integers

# In parentheses, and with a blank: most formats allow neither in a label.
NOT_IN_GOLD = "(not in the gold)"
OTHER = "(other)"  # all labels that are not in a list that the organiser gave


@dataclass(frozen=True)
class Labels:
    """The names of a table's rows, and the row of each label."""

    names: list[str]  # of the rows, in their order
    row: Integers  # (labels,) index into `names` for each code of a label
    invented: list[str] = field(default_factory=list)  # labels that have no row of their own

    def __len__(self) -> int:
        return len(self.names)


def all_labels(names: Sequence[str]) -> Labels:
    """Return a row for each label."""
    return Labels(list(names), np.arange(len(names)))


def gold_labels(names: Sequence[str], gold: Collection[str]) -> Labels:
    """Return a row for each label of the gold, and a last one for all others.

    >>> gold_labels(["LOC", "PER", "Z1", "Z2"], ["LOC", "PER"])  # doctest: +NORMALIZE_WHITESPACE
    Labels(names=['LOC', 'PER', '(not in the gold)'], row=array([0, 1, 2, 2]), invented=['Z1', 'Z2'])
    """
    of_gold = frozenset(gold)
    kept = [code for code, name in enumerate(names) if name in of_gold]
    row = np.full(len(names), len(kept))
    row[kept] = np.arange(len(kept))
    return Labels([*(names[code] for code in kept), NOT_IN_GOLD], row, [name for name in names if name not in of_gold])
