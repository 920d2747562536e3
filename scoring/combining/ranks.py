"""Ranks with ties, of one board and of ten thousand at once, and teams by the mean of their ranks."""

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from scoring.columns import Flags, Floats
from scoring.evaluation import plain
from scoring.family import Record

_DECIMALS = 12  # to which equal scores agree


def fractional_ranks(scores: Floats, *, lower_is_better: bool = False) -> Floats:
    """Return ranks along the first axis, 1 for the best; ties share the mean of their places: (K, ...) to (K, ...).

    As `scipy.stats.rankdata` of the scores with the opposite sign, but for many columns at once.

    >>> fractional_ranks(np.array([[0.5, 0.1], [0.7, 0.1], [0.5, 0.3]]))
    array([[2.5, 2.5],
           [1. , 2.5],
           [2.5, 1. ]])
    """
    values = np.round(scores if lower_is_better else -scores, _DECIMALS)
    order = np.argsort(values, axis=0, kind="stable")
    rising = np.take_along_axis(values, order, axis=0)
    is_new = np.ones(rising.shape, dtype=bool)
    is_new[1:] = rising[1:] != rising[:-1]
    places = np.arange(1, len(rising) + 1, dtype=np.float64).reshape(-1, *(1,) * (rising.ndim - 1))
    # The first place of each run of equal values, carried down it; the last one, carried up.
    start = np.maximum.accumulate(np.where(is_new, places, 0), axis=0)
    is_last = np.ones(rising.shape, dtype=bool)
    is_last[:-1] = is_new[1:]
    end = np.minimum.accumulate(np.where(is_last, places, len(rising))[::-1], axis=0)[::-1]
    ranks = np.empty(rising.shape)
    np.put_along_axis(ranks, order, (start + end) / 2, axis=0)
    return ranks


def ranks_with_absent(scores: Floats, is_present: Flags, *, lower_is_better: bool) -> Floats:
    """Return ranks (K, ...) where the absent share the last places of all; `is_present` is (K,).

    Of four teams of which two are absent, each of these has (2 + 1 + 4) / 2.

    >>> is_present = np.array([True, False, True, False])
    >>> ranks_with_absent(np.array([0.5, np.nan, 0.7, np.nan]), is_present, lower_is_better=False)
    array([2. , 3.5, 1. , 3.5])
    """
    n_teams, n_present = len(scores), int(is_present.sum())
    ranks = np.full(scores.shape, (n_present + 1 + n_teams) / 2)
    ranks[is_present] = fractional_ranks(scores[is_present], lower_is_better=lower_is_better)
    return ranks


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
        """Return plain Python values, ready for JSON; without `draws`."""
        values = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "draws"}
        shown: dict[str, Any] = plain(values | {"separated": self.separated.tolist()})
        return shown
