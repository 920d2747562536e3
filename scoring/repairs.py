"""Repairs: what the score that ranks would be if one kind of mistake, or all mistakes with one label, were mended.

A family tells the counts of the corpus and, for each repair, the counts that it would leave. Its own `metrics` makes
the scores of all of them in one call, since they are one more axis. What is computed and why: docs/repairs.md.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from scoring.columns import Array, Floats
from scoring.messages import Message

KINDS_OF_MISTAKE = Message.word("Kinds of mistake")
MEASURES = Message.word("One measure perfect")
_TIE = 1e-12  # below this a repair changes nothing but the last digits


@dataclass(frozen=True)
class Totals:
    """The totals of a result. A repair knows nothing else, so it can tell nothing that these do not.

    Numbers may be rounded, and tables may be missing or have one row for all labels that the gold does not have.
    """

    headline: str  # name of the score that ranks
    scores: Mapping[str, float | None]
    counts: Mapping[str, int | float]
    tables: Mapping[str, Sequence[Mapping[str, Any]]]

    @property
    def score(self) -> float | None:
        """Return the score that ranks."""
        return self.scores.get(self.headline)


@dataclass(frozen=True)
class Repair:
    """Something that could be right, and the score that ranks if it were and all else stayed as it is."""

    group: str  # what is mended one after the other, for people: "Kinds of mistake", "Relations by label"
    name: str  # for people a message; of a label the label itself
    n_items: int | None  # how many items of gold and system are wrong so; None where that is no number of items
    score: float
    gain: float  # by how much that is better than the score as it is, above 0 also where less is better


@dataclass(frozen=True)
class Mended:
    """The counts (kinds,) that a repair leaves, in the order that the family's metrics take."""

    group: str
    name: str
    n_items: int | None
    counts: Array


def repairs_of(
    now: float | None, mended: Sequence[Mended], score: Callable[[Array], Floats], *, lower_is_better: bool = False
) -> list[Repair]:
    """Return those that gain something, by group in the order of their first one, the largest gain of a group first.

    `now` is the score as it is, None where it does not apply: then there is nothing to gain. `score` makes the score
    that ranks of counts (repairs, kinds). `lower_is_better` says that it gains by falling.

    >>> halves = [Mended("Kinds", "missing", 2, np.array([6, 8])), Mended("Kinds", "spurious", 0, np.array([4, 8]))]
    >>> repairs_of(0.5, halves, lambda counts: counts[:, 0] / counts[:, 1])
    [Repair(group='Kinds', name='missing', n_items=2, score=0.75, gain=0.25)]
    """
    wrong = [repair for repair in mended if repair.n_items != 0]
    if now is None or not wrong:
        return []
    sign = -1 if lower_is_better else 1
    scores = score(np.stack([repair.counts for repair in wrong])).tolist()
    return ordered(
        Repair(repair.group, repair.name, repair.n_items, value, sign * (value - now))
        for repair, value in zip(wrong, scores, strict=True)
    )


def ordered(repairs: Sequence[Repair] | Iterator[Repair]) -> list[Repair]:
    """Return those that gain something, by group in the order of their first one, the largest gain of a group first."""
    gaining = [repair for repair in repairs if repair.gain > _TIE]
    groups = list(dict.fromkeys(repair.group for repair in gaining))
    return sorted(gaining, key=lambda repair: (groups.index(repair.group), -repair.gain))
