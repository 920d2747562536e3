"""The mentions that gold and system entities of one document share, as a sparse table.

Each metric of this family is computed from this table alone. Take two gold entities K1 = {a, b, c} and
K2 = {d, e, f, g}, and three system entities R1 = {a, b}, R2 = {c, d} and R3 = {f, g, h, i}:

             R1 (2)   R2 (2)   R3 (4)
    K1 (3)     2        1        .        a, b | c
    K2 (4)     .        1        2        d | f, g      the system lacks e and has invented h and i

The table has four cells, and six mentions are common to both sides. The modules of the metrics compute this example
in their docstrings, and `docs/families/coreference.md` goes through all of it.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from scoring.readers.coreference.documents import Document

# Gold entity k, system entity s, and the number n of mentions that they share, at least 1. Both entities are indices.
Cell = tuple[int, int, int]


@dataclass(frozen=True)
class Overlap:
    """The table of one document, and the sizes of the entities of both sides."""

    # The number of mentions of each gold entity.
    gold_sizes: list[int]
    # The number of mentions of each system entity.
    system_sizes: list[int]
    # The cells that are not empty, in no particular order.
    cells: list[Cell]
    # For each system entity how many of its mentions have been added to the gold, each as an entity of its own; empty
    # if none has been added. These are neither among the sizes nor the cells: thousands of them cost nothing.
    added: list[int] = field(default_factory=list)

    @property
    def common_mentions(self) -> int:
        """Count the mentions that both sides have, added ones included."""
        return sum(n for _, _, n in self.cells) + sum(self.added)

    @property
    def gold_mentions(self) -> int:
        """Count all mentions of the gold, added ones included."""
        return sum(self.gold_sizes) + sum(self.added)

    @property
    def system_mentions(self) -> int:
        """Count all mentions of the system."""
        return sum(self.system_sizes)

    @property
    def gold_entities(self) -> int:
        """Count all entities of the gold, added singletons included."""
        return len(self.gold_sizes) + sum(self.added)

    @property
    def system_entities(self) -> int:
        """Count all entities of the system."""
        return len(self.system_sizes)

    def turned(self) -> Iterator[Cell]:
        """Yield the cells with the sides exchanged: what is recall with the cells is precision with these."""
        return ((s, k, n) for k, s, n in self.cells)

    def with_singletons(self) -> "Overlap":
        """Return the table as scorch's command has it: a system mention that the gold lacks is its singleton.

        >>> Overlap([3, 4], [2, 2, 4], [(0, 0, 2), (0, 1, 1), (1, 1, 1), (1, 2, 2)]).with_singletons().added
        [0, 0, 2]
        """
        added = list(self.system_sizes)
        for _, s, n in self.cells:
            added[s] -= n
        return replace(self, added=added)


def overlap(gold: Document, system: Document | None) -> Overlap:
    """Make the table of one document in one pass over the mentions; None is a document without entities."""
    gold_sizes = list(map(len, gold.entities))
    if system is None:
        return Overlap(gold_sizes, [], [])
    entity_of = system.entity_of.get
    n_system = len(system.entities)
    # One number for each pair of entities, because a tuple for each mention would cost more memory and time.
    shared = Counter(
        k * n_system + s for k, mentions in enumerate(gold.entities) for s in map(entity_of, mentions) if s is not None
    )
    cells = [(pair // n_system, pair % n_system, n) for pair, n in shared.items()]
    return Overlap(gold_sizes, list(map(len, system.entities)), cells)


def pairs_of(n: int) -> int:
    """Return the number of pairs among n things, C2(n)."""
    return n * (n - 1) // 2
