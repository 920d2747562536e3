"""Teams by their mean rank over scenarios, as a frozen record."""

from dataclasses import dataclass, fields
from typing import Any

from scoring.columns import Flags, Floats
from scoring.evaluation import plain
from scoring.family import Record

MISSING = ("unranked", "last")  # what becomes of a team without a score in some scenario
# The columns of `RankTable.table`, one row for each team; of an unranked one all but the name are None.
COLUMNS = (
    "name",
    "mean_rank",  # the mean of `ranks`
    "low",  # between these the true mean rank lies, of all teams at once
    "high",
    "rank",  # 1 + the number of teams with a lower mean rank
    "rank_low",  # first and last rank that the ranges leave open
    "rank_high",
    "borda",  # Σ (teams − rank) over the scenarios
    "ranks",  # {scenario: rank}; equal teams share the mean of their places
    "draw_low",  # percentiles of the mean ranks on the resamples, which are no interval: noise pushes ranks together
    "draw_high",
)


@dataclass(frozen=True, eq=False)
class RankTable:
    """Teams by rising mean rank. Those without one come last and stand outside the matrices."""

    table: list[Record]  # one row for each team, of `COLUMNS`
    names: list[str]  # of the teams, in the order of the table
    separated: Flags  # (K, K) of the ranked teams: whether the row's range lies wholly before the column's
    critical_value: float | None  # bounds all differences of all scenarios at once, in standard errors
    draws: Floats  # (K, B): mean ranks on the resamples that were used
    warnings: list[str]  # such as scenarios with too few units
    signature: str  # one line that tells how to get the same numbers again
    scores: dict[str, str]  # {scenario: the score that ranks there}
    n_units: dict[str, int]  # {scenario: its units of resampling}
    n_resamples: int
    confidence_level: float

    def as_dict(self) -> dict[str, Any]:
        """Plain Python values, ready for JSON; without `draws`."""
        values = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "draws"}
        shown: dict[str, Any] = plain(values | {"separated": self.separated.tolist()})
        return shown
