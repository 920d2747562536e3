"""LEA: entities weighted by their size, resolved by the share of their links (Moosavi and Strube 2016)."""

from collections.abc import Iterable, Sequence
from math import fsum

from scoring.families.coreference.overlap import Cell, Overlap, pairs_of


def sums(overlap: Overlap) -> tuple[float, float]:
    """The resolution of the gold entities, each times its size, and alike of the system's: for recall and precision."""
    return (
        _resolved(overlap.gold, overlap.system, overlap.cells),
        _resolved(overlap.system, overlap.gold, overlap.turned()),
    )


def _resolved(own: Sequence[int], other: Sequence[int], cells: Iterable[Cell]) -> float:
    """A singleton counts if it is one on the other side too."""
    found = [0] * len(own)
    for k, s, n in cells:
        if own[k] == 1:
            found[k] = int(other[s] == 1)
        elif n > 1:
            found[k] += pairs_of(n)
    return fsum(
        size * links / pairs_of(size) if size > 1 else links for size, links in zip(own, found, strict=True) if links
    )
