"""BLANC: links between mentions of one entity, and links between mentions of two (Recasens and Hovy 2010).

Each pair of mentions on a side is a coreference link if both are in one entity, else a non-coreference link. A link is
correct if the other side has both mentions and a link of the same kind between them. With mentions that only one side
has, the rules are those of Luo et al. 2014.
"""

from dataclasses import dataclass

from scoring.families.coreference.measures.overlap import Overlap, pairs_of


@dataclass(frozen=True)
class Links:
    """The links of one kind in one document."""

    # Links that both sides have.
    correct: int
    gold: int
    system: int


def coreference(overlap: Overlap) -> Links:
    """Count links inside entities: of each cell all pairs are correct.

    >>> coreference(Overlap([3, 4], [2, 2, 4], [(0, 0, 2), (0, 1, 1), (1, 1, 1), (1, 2, 2)]))
    Links(correct=2, gold=9, system=8)
    """
    # Added singletons have no pairs, in the gold or in common.
    return Links(
        sum(pairs_of(n) for _, _, n in overlap.cells),
        sum(map(pairs_of, overlap.gold_sizes)),
        sum(map(pairs_of, overlap.system_sizes)),
    )


def non_coreference(overlap: Overlap, links: Links) -> Links:
    """Count links between entities, given the coreference `links`: in closed form, without looking at pairs.

    Of all pairs of common mentions, those are correct that neither side has in one entity. So the pairs in each row of
    the table are subtracted, and those in each column. The pairs in each cell are subtracted twice then: once is added.

    >>> example = Overlap([3, 4], [2, 2, 4], [(0, 0, 2), (0, 1, 1), (1, 1, 1), (1, 2, 2)])
    >>> non_coreference(example, coreference(example))
    Links(correct=8, gold=12, system=20)
    """
    # The common mentions of each gold entity (sums of rows) and of each system entity (sums of columns).
    of_gold = [0] * len(overlap.gold_sizes)
    # Added mentions are common too, and each is a row of its own, without pairs.
    of_system = list(overlap.added) or [0] * len(overlap.system_sizes)
    for k, s, n in overlap.cells:
        of_gold[k] += n
        of_system[s] += n
    in_one_entity = sum(map(pairs_of, of_gold)) + sum(map(pairs_of, of_system)) - links.correct
    return Links(
        pairs_of(overlap.common_mentions) - in_one_entity,
        pairs_of(overlap.gold_mentions) - links.gold,
        pairs_of(overlap.system_mentions) - links.system,
    )
