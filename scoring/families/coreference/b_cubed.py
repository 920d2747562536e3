"""B³: the share of each mention's entity that both sides have (Bagga and Baldwin 1998)."""

from itertools import chain, repeat
from math import fsum

from scoring.families.coreference.overlap import Overlap


def sums(overlap: Overlap) -> tuple[float, float]:
    """The recall and the precision of all mentions, added up; correctly rounded, whatever the order."""
    gold, system, cells = overlap.gold, overlap.system, overlap.cells
    added = (repeat(1 / system[s], n) for s, n in enumerate(overlap.added) if n)
    return (
        fsum(chain((n * n / gold[k] for k, _, n in cells), [sum(overlap.added)])),
        fsum(chain((n * n / system[s] for _, s, n in cells), *added)),
    )
