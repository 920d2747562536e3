"""One team's combined score as a frozen record."""

from dataclasses import dataclass, fields
from typing import Any

from scoring.columns import Floats
from scoring.evaluation import Interval, plain
from scoring.scale import Scale

MISSING = ("unranked", "zero")  # what becomes of a team without an evaluation of a scenario that the formula names


@dataclass(frozen=True, eq=False)
class Combination:
    """A formula's value for one team, and what it is made of."""

    score: float | None  # None where it is undefined, or a component is
    interval: Interval | None  # percentiles of `draws`
    draws: Floats | None  # (n_resamples,): NaN where undefined; None without resamples
    formula: str  # as it was given, but for blanks
    components: dict[str, float | None]  # {"scenario.score": value}, in the order of the formula
    n_units: int  # of the smallest scenario that the formula names
    seeds: dict[str, int]  # {scenario: what its resamples follow from}
    signature: str  # one line that tells how to get the same number again
    warnings: list[str]  # such as few units
    lower_is_better: bool  # of the whole formula
    scale: Scale  # how the score is said
    scales: dict[str, Scale]  # {"scenario.score": how it is said}
    n_resamples: int
    confidence_level: float

    def as_dict(self) -> dict[str, Any]:
        """Plain Python values, ready for JSON; without `draws` and scales."""
        left_out = ("draws", "scale", "scales")
        values: dict[str, Any] = plain(
            {field.name: getattr(self, field.name) for field in fields(self) if field.name not in left_out}
        )
        return values
