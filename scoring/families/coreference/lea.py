"""LEA: entities weighted by their size, resolved by the share of their links (Moosavi and Strube 2016)."""

from math import fsum

from scoring.families.coreference.overlap import Overlap, pairs_of


def recall_sum(overlap: Overlap) -> float:
    """The resolution of the gold entities, each times its size; a singleton counts if the system has it too."""
    resolved = [0] * len(overlap.gold)
    for k, s, n in overlap.cells:
        if overlap.gold[k] == 1:
            resolved[k] = int(overlap.system[s] == 1)
        else:
            resolved[k] += pairs_of(n)
    return fsum(
        size * found / pairs_of(size) if size > 1 else found
        for size, found in zip(overlap.gold, resolved, strict=True)
        if found
    )
