"""A comparison of systems as a frozen record: which differences are real."""

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.errors import ConfigurationError
from scoring.family import Record
from scoring.significance import percentile_interval

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Pair:
    """One system minus another; `low` and `high` are percentiles of the difference on the resamples.

    `p` is of this pair alone, `p_adjusted` among all pairs; `separated` says whether one of the two is better.
    """

    difference: float
    low: float | None
    high: float | None
    se: float
    p: float
    p_adjusted: float
    separated: bool


@dataclass(frozen=True, eq=False)
class Comparison:
    """Systems by falling score; those without a score come last and stand outside ranks and matrices.

    Matrices are (K, K) over the K ranked systems: row minus column, and `separated[i, j]` where i is better
    than j. `critical_value` bounds all differences at once, in standard errors; None without a joint test.
    `draws` (K, B) are the scores on the resamples, None where units were exchanged instead.
    """

    names: list[str]
    scores: list[float | None]
    ranks: list[int | None]
    rank_ranges: list[tuple[int, int] | None]
    groups: list[list[str]]
    difference: Array
    se: Array
    p: Array
    p_adjusted: Array
    separated: NDArray[np.bool_]
    critical_value: float | None
    table: list[Record]
    references: list[Record]
    sentence: str
    signature: str
    warnings: list[str]
    n_units: int
    n_resamples: int
    seed: int | None
    confidence_level: float
    draws: Array | None

    def pair(self, a: str, b: str) -> Pair:
        """System `a` minus system `b`; a ConfigurationError unless both are ranked."""
        i, j = self._place(a), self._place(b)
        low, high = None, None
        if self.draws is not None:
            low, high = percentile_interval(self.draws[i] - self.draws[j], self.confidence_level)
        return Pair(
            difference=float(self.difference[i, j]),
            low=low,
            high=high,
            se=float(self.se[i, j]),
            p=float(self.p[i, j]),
            p_adjusted=float(self.p_adjusted[i, j]),
            separated=bool(self.separated[i, j] or self.separated[j, i]),
        )

    def as_dict(self, *, matrices: bool = False) -> dict[str, Any]:
        """Plain Python values, ready for JSON; with the matrices, as lists, only if asked for."""
        left_out = {"draws"} | (set() if matrices else set(_MATRICES))
        values = {field.name: getattr(self, field.name) for field in fields(self) if field.name not in left_out}
        plain = {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in values.items()}
        plain["rank_ranges"] = [None if ends is None else list(ends) for ends in self.rank_ranges]
        return plain

    def _place(self, name: str) -> int:
        if name not in self.names[: len(self.difference)]:
            raise ConfigurationError(f"{name} is not among the ranked systems")
        return self.names.index(name)


_MATRICES = ("difference", "se", "p", "p_adjusted", "separated")
