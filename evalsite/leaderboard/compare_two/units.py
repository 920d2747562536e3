"""The units in which two runs differ, in the order in which their pages follow each other."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

import numpy as np
from numpy.typing import NDArray

from evalsite.leaderboard.compare_two.candidates import Candidate
from evalsite.leaderboard.compare_two.scatter import address_of, top_of
from evalsite.wording import SHARE
from scoring.scale import Scale
from scoring.significance.limits import TIE

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ChangedUnit:
    """A unit with its scores in both runs, None where a run has none there."""

    name: str
    first: float | None
    second: float | None
    top: float = 1.0  # where the axes of the points end

    @property
    def difference(self) -> float | None:
        return None if self.first is None or self.second is None else self.first - self.second

    @property
    def has_changed(self) -> bool:
        return self.difference is not None and abs(self.difference) > TIE

    @property
    def at(self) -> str:
        """Its place among the points of both runs."""
        return (
            ""
            if self.first is None or self.second is None
            else address_of(self.first / self.top, self.second / self.top)
        )


def changed_units(names: Sequence[str], first: Array, second: Array, scale: Scale = SHARE) -> list[ChangedUnit]:
    """All units, the largest difference first; of unit scores (n,), in which NaN is none."""
    order = np.argsort(-np.nan_to_num(np.abs(first - second)), kind="stable").tolist()
    both = ~np.isnan(first) & ~np.isnan(second)
    top = top_of(first[both], second[both], scale)
    return [ChangedUnit(names[k], _number(first[k]), _number(second[k]), top) for k in order]


def query_of(first: Candidate, second: Candidate) -> str:
    """The two in the address of a page about them."""
    return "?" + urlencode({"a": first.key, "b": second.key})


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
