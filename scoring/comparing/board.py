"""A board says who is compared: systems by number, best first, and the references beside them.

A *reference* is a baseline, a human run or a late one: it is tested against every ranked system, and changes neither
ranks nor p-values of the others.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scoring.columns import Floats, Integers
from scoring.errors import ConfigurationError
from scoring.messages import Message
from scoring.scale import Scale


@dataclass(frozen=True)
class Board:
    """Systems by number: the ranked ones, the best first, then the references that have a score."""

    ranked: list[str]  # K systems, the best first; equal scores in the order in which they were given
    references: list[str]  # R references with a score; they have the numbers from K on
    scores: Floats  # (K + R,): the headline, by number
    unranked: list[str]  # systems without a score, which have no number
    references_without_score: list[str]
    lower_is_better: bool  # whether the best has the lowest score instead of the highest

    @property
    def names(self) -> list[str]:
        """Return the names by number."""
        return self.ranked + self.references

    @property
    def pairs(self) -> Integers:
        """Return each ranked system with each one after it: (P, 2)."""
        return np.column_stack(np.triu_indices(len(self.ranked), 1)).astype(np.int64, copy=False)


@dataclass(frozen=True)
class Facts:
    """The facts of how a comparison is made."""

    n_units: int  # units of resampling in the gold
    unit: tuple[str, str]  # what they are: singular, plural
    n_resamples: int  # resamples drawn, or trials in which units are exchanged
    seed: int | None  # None where ready draws were given without it
    confidence_level: float  # 1 − this is the level of the tests
    method: str  # one of METHODS
    fields: dict[str, object]  # with which the signature begins: what was scored, and how
    scale: Scale  # how the score is said


def board_of(
    names: list[str], scores: list[float | None], references: Sequence[str], *, lower_is_better: bool
) -> Board:
    """Return the board of these systems; ConfigurationError if names are missing, doubled or unknown."""
    if not names:
        raise ConfigurationError(Message("nothing-to-compare", "nothing to compare"))
    # Names come from tables of any length: no list is searched for each of them.
    if doubled := [name for name, number in Counter(names).items() if number > 1]:
        raise ConfigurationError(Message("systems-of-one-name", "two systems are called {name}", name=min(doubled)))
    by_name = dict(zip(names, scores, strict=True))
    if unknown := [name for name in references if name not in by_name]:
        raise ConfigurationError(Message("reference-unknown", "unknown reference {name}", name=unknown[0]))
    apart = frozenset(references)
    systems = [name for name in names if name not in apart]
    if not systems:
        raise ConfigurationError(Message("no-system-to-rank", "no system left to rank"))
    scored = {name: score for name, score in by_name.items() if score is not None}
    # Sorting is stable: equal scores stay in the order in which they were given.
    sign = 1 if lower_is_better else -1
    ranked = sorted((name for name in systems if name in scored), key=lambda name: sign * scored[name])
    against = [name for name in references if name in scored]
    return Board(
        ranked=ranked,
        references=against,
        scores=np.array([scored[name] for name in ranked + against], dtype=np.float64),
        unranked=[name for name in systems if name not in scored],
        references_without_score=[name for name in references if name not in scored],
        lower_is_better=lower_is_better,
    )
