"""LEA: entities weighted by their size, resolved by the share of their links (Moosavi and Strube 2016).

The resolution of an entity is the share of its links (pairs of its mentions) that some entity of the other side has;
its importance is its size. Recall is the sum of importance times resolution over the gold entities, divided by all
gold mentions; precision is the same with the sides exchanged.
"""

from collections.abc import Iterable, Sequence
from math import fsum

from scoring.families.coreference.measures.overlap import Cell, Overlap, pairs_of


def sums(overlap: Overlap) -> tuple[float, float]:
    """Add up importance times resolution over the gold entities, and over the system's.

    >>> sums(Overlap([3, 4], [2, 2, 4], [(0, 0, 2), (0, 1, 1), (1, 1, 1), (1, 2, 2)]))
    (1.6666666666666665, 2.6666666666666665)
    """
    return (
        _resolved(overlap.gold_sizes, overlap.system_sizes, overlap.cells),
        _resolved(overlap.system_sizes, overlap.gold_sizes, overlap.turned()),
    )


def _resolved(sizes: Sequence[int], other: Sequence[int], cells: Iterable[Cell]) -> float:
    """Sum over the entities of one side, from the sizes of both; in `cells` the own side's entity stands first."""
    common_links = [0] * len(sizes)
    for k, s, n in cells:
        if sizes[k] == 1:
            # A singleton has no pair. By the paper's convention it has a link to itself, which only an equal singleton
            # of the other side has.
            common_links[k] = int(other[s] == 1)
        elif n > 1:
            common_links[k] += pairs_of(n)
    # The sum is rounded once, so that the order of the entities does not change the last digit.
    return fsum(
        size * links / pairs_of(size) if size > 1 else links
        for size, links in zip(sizes, common_links, strict=True)
        if links
    )
