"""How much two spans have in common, from 0 for those that do not overlap to 1 for equal ones."""

import numpy as np
from numpy.typing import NDArray

from scoring.families.mat.matching.corpus_spans import CorpusSpans, Integers

_LABEL, _EXTENT = 0.1, 0.9


def similarity(gold: CorpusSpans, system: CorpusSpans, g: Integers, s: Integers) -> NDArray[np.float64]:
    """A tenth for the same label, and the shared part of what the two cover together."""
    shared = np.minimum(gold.end[g], system.end[s]) - np.maximum(gold.start[g], system.start[s])
    covered = np.maximum(gold.end[g], system.end[s]) - np.minimum(gold.start[g], system.start[s])
    same_label = gold.label[g] == system.label[s]
    worth: NDArray[np.float64] = _LABEL * same_label + _EXTENT * (shared / covered)
    # As the rule has it, and exact: 0.1 + 0.9 need not be 1.
    worth[same_label & (shared == covered)] = 1.0
    worth[shared <= 0] = 0.0
    return worth
