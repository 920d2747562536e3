"""The mentions that gold and system entities of one document share, as a sparse table."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from scoring.readers.coreference.documents import Document

Cell = tuple[int, int, int]


@dataclass(frozen=True)
class Overlap:
    """Sizes of the entities of both sides, and the cells (gold entity, system entity, common mentions).

    `added` says for each system entity how many of its mentions have been added to the gold, each as an
    entity of its own; these are not among the sizes and cells. It is empty if nothing has been added.
    """

    gold: list[int]
    system: list[int]
    cells: list[Cell]
    added: list[int] = field(default_factory=list)

    @property
    def common(self) -> int:
        return sum(n for _, _, n in self.cells) + sum(self.added)

    @property
    def gold_mentions(self) -> int:
        return sum(self.gold) + sum(self.added)

    @property
    def gold_entities(self) -> int:
        return len(self.gold) + sum(self.added)

    def turned(self) -> Iterator[Cell]:
        """The cells with the sides exchanged."""
        return ((s, k, n) for k, s, n in self.cells)

    def with_singletons(self) -> "Overlap":
        """As scorch's command sees it: system mentions that the gold lacks are singletons of the gold."""
        added = list(self.system)
        for _, s, n in self.cells:
            added[s] -= n
        return replace(self, added=added)


def overlap(gold: Document, system: Document | None) -> Overlap:
    """One pass over the mentions, never over pairs of entities; None is a document without entities."""
    sizes = list(map(len, gold.entities))
    if system is None:
        return Overlap(sizes, [], [])
    entity_of = system.entity_of.get
    n_system = len(system.entities)
    # One number for each pair of entities: as tuples, the mentions would fill memory and time.
    shared = Counter(
        k * n_system + s for k, mentions in enumerate(gold.entities) for s in map(entity_of, mentions) if s is not None
    )
    cells = [(pair // n_system, pair % n_system, n) for pair, n in shared.items()]
    return Overlap(sizes, list(map(len, system.entities)), cells)


def pairs_of(n: int) -> int:
    return n * (n - 1) // 2
