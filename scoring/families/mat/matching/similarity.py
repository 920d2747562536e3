"""Tells how similar two spans are, by which pairing 2.x chooses its pairs.

    0                                             if they do not overlap
    1                                             if label and extent are the same, parts included
    0.1 * same label + 0.9 * shared / covered     otherwise

`shared` are the characters that lie in both, `covered` those from the first start to the last end. The extent weighs
nine times the label, so a long overlap with another label is preferred to a short one with the same label.
Source: documentation of the scorer of MAT 2.x.
"""

import numpy as np

from scoring.columns import Floats, Integers
from scoring.families.mat.matching.corpus_spans import CorpusSpans, same_shape
from scoring.families.mat.matching.overlaps import overlap_lengths

_LABEL, _EXTENT = 0.1, 0.9


def similarity(gold: CorpusSpans, system: CorpusSpans, g: Integers, s: Integers) -> Floats:
    """Return the similarity of each pair of indices, in the shape of both together: (p,), or a matrix (rows, columns).

    >>> from scoring.families.mat.matching.corpus_spans import sorted_spans
    >>> gold, system = sorted_spans(
    ...     np.array([(0, 0, 0, 10), (0, 0, 20, 30)]).T, np.array([(0, 0, 0, 5), (0, 1, 20, 30)]).T
    ... )
    >>> similarity(gold, system, np.array([[0], [1]]), np.array([0, 1])).round(3)
    array([[0.55, 0.  ],
           [0.  , 0.9 ]])
    """
    shared = overlap_lengths(gold, g, system, s)
    covered = np.maximum(gold.end[g], system.end[s]) - np.minimum(gold.start[g], system.start[s])
    same_label = gold.label[g] == system.label[s]
    similarities: Floats = _LABEL * same_label + _EXTENT * (shared / covered)
    # Exactly 1, as the rule says: the sum of 0.1 and 0.9 need not be 1 in floating point.
    similarities[same_label & (shared == covered) & same_shape(gold, g, system, s)] = 1.0
    # Without the overlap the label counts for nothing: such spans are never paired.
    similarities[shared <= 0] = 0.0
    return similarities
