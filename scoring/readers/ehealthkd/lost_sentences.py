"""Finds the sentences that a system's file has lost or added, where all that follow stand on other lines."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Lost:
    """Indices of sentences, in order."""

    missing: list[int] = field(default_factory=list)  # of the gold's
    added: list[int] = field(default_factory=list)  # of the system's
    altered: list[tuple[int, int]] = field(default_factory=list)  # of the gold's, and of the system's in its place

    @property
    def n(self) -> int:
        """Count all that differ."""
        return len(self.missing) + len(self.added) + len(self.altered)


def find_lost(gold: Sequence[str], system: Sequence[str]) -> Lost:
    """Walk both sides at once: a sentence that the gold has further down tells that those before it are missing.

    >>> find_lost(["a", "b", "c", "d"], ["a", "c", "x", "d", "e"])
    Lost(missing=[1], added=[2, 4], altered=[])
    """
    lines: dict[str, list[int]] = {}
    for k, text in enumerate(gold):
        lines.setdefault(text, []).append(k)
    lost = Lost()
    at = 0
    for k, text in enumerate(system):
        later = lines.get(text, [])
        place = bisect_left(later, at)
        if place < len(later):
            lost.missing.extend(range(at, later[place]))
            at = later[place] + 1
        elif at + 1 < len(gold) and k + 1 < len(system) and system[k + 1] == gold[at + 1]:
            lost.altered.append((at, k))
            at += 1
        else:
            lost.added.append(k)
    lost.missing.extend(range(at, len(gold)))
    return lost
