"""Holds what became of each edit, and how many of each kind a sentence has beside the annotator who counts."""

from dataclasses import dataclass

import numpy as np

from scoring.columns import Integers
from scoring.families.edits.scores import KINDS
from scoring.readers.edits import Annotated

Counts = tuple[int, int, int]  # of right, wrong and missed edits
TP, FP, FN = range(3)


@dataclass(frozen=True)
class Matches:
    """The edits of all sentences, each once, with what became of it."""

    gold: Annotated
    chosen: Integers  # (sentences,) the group of the annotator who counts
    sentence: Integers  # (n,) index
    kind: Integers  # (n,) index into KINDS
    type: Integers  # (n,) index into `types`, of the gold's type where it has the edit, else of the run's
    types: list[str]
    n_cut: int = 0  # sentences in which all that differs was counted as one edit, as there was too much

    @property
    def rows(self) -> Integers:
        """Return (sentences, kinds) how many edits there are."""
        n = len(KINDS)
        return np.bincount(self.sentence * n + self.kind, minlength=len(self.chosen) * n).reshape(-1, n)


def added(one: Counts, other: Counts) -> Counts:
    """Return the sum of both."""
    return one[TP] + other[TP], one[FP] + other[FP], one[FN] + other[FN]
