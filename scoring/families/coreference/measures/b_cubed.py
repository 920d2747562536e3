"""B³: for each mention the share of its entity that both sides have (Bagga and Baldwin 1998).

The recall of a gold mention is the share of its gold entity that lies in its system entity; a mention that the system
lacks has 0. Precision is the same with the sides exchanged. Here the values of all mentions are added up: the n
mentions of a cell all have recall n / size of k, which makes n² / size of k.
"""

from itertools import chain, repeat
from math import fsum

from scoring.families.coreference.measures.overlap import Overlap


def sums(overlap: Overlap) -> tuple[float, float]:
    """Add up the recall of all mentions, and their precision.

    `fsum` rounds once, so that the order of entities and mentions in the files does not change the last digit.

    >>> sums(Overlap([3, 4], [2, 2, 4], [(0, 0, 2), (0, 1, 1), (1, 1, 1), (1, 2, 2)]))
    (2.9166666666666665, 4.0)
    """
    gold, system, cells = overlap.gold_sizes, overlap.system_sizes, overlap.cells
    # An added singleton is found whole, for recall 1; in its system entity it is alone, for precision 1 / size of s.
    added = (repeat(1 / system[s], n) for s, n in enumerate(overlap.added) if n)
    return (
        fsum(chain((n * n / gold[k] for k, _, n in cells), [sum(overlap.added)])),
        fsum(chain((n * n / system[s] for _, s, n in cells), *added)),
    )
