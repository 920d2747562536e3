"""MUC: the links that keep an entity together (Vilain et al. 1995)."""

from scoring.families.coreference.overlap import Overlap


def links(overlap: Overlap) -> tuple[int, int, int]:
    """Correct links, links of the gold, links of the system.

    An entity falls apart into its non-empty cells and its mentions that the other side lacks, so the
    links that are left are common mentions less cells. Singletons have no links, added ones neither.
    """
    return (
        sum(n for _, _, n in overlap.cells) - len(overlap.cells),
        sum(overlap.gold) - len(overlap.gold),
        sum(overlap.system) - len(overlap.system),
    )
