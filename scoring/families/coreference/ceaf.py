"""CEAF: entities matched one to one, by common mentions or by the share of them (Luo 2005)."""

from collections import defaultdict
from collections.abc import Iterable
from math import lcm

from scoring.families.coreference.assignment import Pair, best_pairs
from scoring.families.coreference.overlap import Overlap


def mention_sum(overlap: Overlap) -> int:
    """The most mentions that gold and system entities share in a one-to-one matching.

    A system entity with added mentions may be matched with one of these; so a gold entity has to share
    more than one with it.
    """
    added = _with_added(overlap)
    pairs = best_pairs([(k, s, n - (s in added)) for k, s, n in overlap.cells if n > (s in added)])
    return sum(_common(overlap, pairs)) + len(added - {s for _, s in pairs})


def entity_sum(overlap: Overlap) -> float:
    """The greatest sum of 2n / (sizes of both) in a one-to-one matching."""
    gold, system = overlap.gold, overlap.system
    alone = {s: 2 / (1 + system[s]) for s in _with_added(overlap)}
    gains = ((k, s, 2 * n / (gold[k] + system[s]) - alone.get(s, 0)) for k, s, n in overlap.cells)
    pairs = best_pairs([gain for gain in gains if gain[2] > 0])
    left = alone.keys() - {s for _, s in pairs}
    matched = [(2 * n, gold[k] + system[s]) for (k, s), n in zip(pairs, _common(overlap, pairs), strict=True)]
    return _sum([*matched, *((2, 1 + system[s]) for s in left)])


def _common(overlap: Overlap, pairs: list[Pair]) -> list[int]:
    """The common mentions of each pair of entities."""
    n_system = len(overlap.system)
    common = {k * n_system + s: n for k, s, n in overlap.cells}
    return [common[k * n_system + s] for k, s in pairs]


def _with_added(overlap: Overlap) -> set[int]:
    return {s for s, n in enumerate(overlap.added) if n}


def _sum(fractions: Iterable[tuple[int, int]]) -> float:
    """Exact, and rounded once: whichever of several best matchings was found, the sum is the same."""
    numerators: dict[int, int] = defaultdict(int)
    for numerator, denominator in fractions:
        numerators[denominator] += numerator
    common = lcm(*numerators)
    return sum(numerator * (common // denominator) for denominator, numerator in numerators.items()) / common
