"""CEAF: entities matched one to one, by common mentions or by the share of them (Luo 2005).

CEAF by mentions (the paper's φ3) adds up the n common mentions of the entities that are matched, CEAF by entities (φ4)
their 2n / (size of k + size of s). Either matching is chosen so that its sum is the greatest.

Singletons that scorch adds to the gold need no rows in the table. Each has one cell only, with the system entity s
that it comes from, and weighs 1, or 2 / (1 + size of s) by entities. So a system entity with added mentions that is
matched with none of the table's gold entities is matched with one of its own singletons, and a gold entity is worth
only what it shares *beyond* that.
"""

from collections import defaultdict
from collections.abc import Iterable
from math import lcm

from scoring.families.coreference.measures.assignment import Pair, best_pairs
from scoring.families.coreference.measures.overlap import Overlap


def mention_sum(overlap: Overlap) -> int:
    """Return the most mentions that gold and system entities share in a one-to-one matching.

    >>> mention_sum(Overlap([3, 4], [2, 2, 4], [(0, 0, 2), (0, 1, 1), (1, 1, 1), (1, 2, 2)]))
    4
    """
    with_added = _with_added(overlap)
    # `s in with_added` as a number is what the entity has without this cell: one mention, or none.
    pairs = best_pairs([(k, s, n - (s in with_added)) for k, s, n in overlap.cells if n > (s in with_added)])
    return sum(_common(overlap, pairs)) + len(with_added - {s for _, s in pairs})


def entity_sum(overlap: Overlap) -> float:
    """Return the greatest sum of 2n / (sizes of both) in a one-to-one matching.

    In the example K1 goes with R1 for 4/5, and K2 with R3 for 4/8. With h and i added to the gold, K2 is worth more
    with R2, which leaves R3 to one of these: 4/5 + 2/6 + 2/5.

    >>> example = Overlap([3, 4], [2, 2, 4], [(0, 0, 2), (0, 1, 1), (1, 1, 1), (1, 2, 2)])
    >>> entity_sum(example), entity_sum(example.with_singletons())
    (1.3, 1.5333333333333334)
    """
    gold, system = overlap.gold_sizes, overlap.system_sizes
    # What a system entity weighs with one of its own added singletons.
    alone = {s: 2 / (1 + system[s]) for s in _with_added(overlap)}
    gains = ((k, s, 2 * n / (gold[k] + system[s]) - alone.get(s, 0)) for k, s, n in overlap.cells)
    pairs = best_pairs([gain for gain in gains if gain[2] > 0])
    left = alone.keys() - {s for _, s in pairs}
    matched = [(2 * n, gold[k] + system[s]) for (k, s), n in zip(pairs, _common(overlap, pairs), strict=True)]
    return _sum([*matched, *((2, 1 + system[s]) for s in left)])


def _common(overlap: Overlap, pairs: list[Pair]) -> list[int]:
    """Return the common mentions of each pair of entities."""
    n_system = len(overlap.system_sizes)
    common = {k * n_system + s: n for k, s, n in overlap.cells}
    return [common[k * n_system + s] for k, s in pairs]


def _with_added(overlap: Overlap) -> set[int]:
    """Return the system entities of which mentions have been added to the gold."""
    return {s for s, n in enumerate(overlap.added) if n}


def _sum(fractions: Iterable[tuple[int, int]]) -> float:
    """Sum fractions exactly and round once: whichever of several best matchings was found, it is the same.

    >>> _sum([(1, 3), (1, 6), (1, 3)])
    0.8333333333333334
    """
    # Fractions of one denominator are added first: there are far fewer sizes of entities than entities.
    numerators: dict[int, int] = defaultdict(int)
    for numerator, denominator in fractions:
        numerators[denominator] += numerator
    common = lcm(*numerators)
    return sum(numerator * (common // denominator) for denominator, numerator in numerators.items()) / common
