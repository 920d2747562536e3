"""MUC: the links that keep an entity together (Vilain et al. 1995).

An entity of n mentions needs n - 1 links, whichever they are. The other side cuts it into pieces, and each cut costs
a link. Singletons have no links, so MUC does not see them.
"""

from scoring.families.coreference.measures.overlap import Overlap


def links(overlap: Overlap) -> tuple[int, int, int]:
    """Count correct links, links of the gold, links of the system.

    A gold entity falls into its cells that are not empty, and its mentions that the system lacks, one piece each. So
    of its size - 1 links, size - cells - lacking mentions are left: its common mentions less its cells. Summed, that
    is the same for the system's entities, so one number serves recall and precision. Added singletons have no links.

    >>> links(Overlap([3, 4], [2, 2, 4], [(0, 0, 2), (0, 1, 1), (1, 1, 1), (1, 2, 2)]))
    (2, 5, 5)
    """
    return (
        sum(n for _, _, n in overlap.cells) - len(overlap.cells),
        sum(overlap.gold_sizes) - len(overlap.gold_sizes),
        sum(overlap.system_sizes) - len(overlap.system_sizes),
    )
