"""BLANC: pairs of mentions in one entity, and pairs in two (Luo et al. 2014)."""

from dataclasses import dataclass

from scoring.families.coreference.overlap import Overlap, pairs_of


@dataclass(frozen=True)
class Links:
    """Links that both sides have, links of the gold, links of the system."""

    correct: int
    gold: int
    system: int


def coreference(overlap: Overlap) -> Links:
    return Links(
        sum(pairs_of(n) for _, _, n in overlap.cells),
        sum(map(pairs_of, overlap.gold)),
        sum(map(pairs_of, overlap.system)),
    )


def non_coreference(overlap: Overlap, links: Links) -> Links:
    """In closed form: all pairs of common mentions, less those that one side or the other has in one entity."""
    in_gold = [0] * len(overlap.gold)
    in_system = list(overlap.added) or [0] * len(overlap.system)
    for k, s, n in overlap.cells:
        in_gold[k] += n
        in_system[s] += n
    together = sum(map(pairs_of, in_gold)) + sum(map(pairs_of, in_system)) - links.correct
    return Links(
        pairs_of(overlap.common) - together,
        pairs_of(overlap.gold_mentions) - links.gold,
        pairs_of(sum(overlap.system)) - links.system,
    )
