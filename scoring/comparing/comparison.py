"""A comparison of systems as a frozen record: which differences are real."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from scoring.columns import Flags, Floats
from scoring.display.svg import LOWER_IS_BETTER, draw_ranking, in_notebook
from scoring.errors import ConfigurationError
from scoring.evaluation import Evaluation, Interval
from scoring.families import FAMILIES
from scoring.family import Record
from scoring.messages import Message
from scoring.scale import Scale
from scoring.signature import changing
from scoring.significance import percentile_interval

Matrix = Floats  # (K, K) over the K ranked systems, the best first: row minus column


@dataclass(frozen=True)
class Pair:
    """The difference between two systems, the first minus the second, in the unit of the score."""

    difference: float  # exactly 0 for a tie
    low: float | None  # percentiles of the difference on the resamples, this pair by itself;
    high: float | None  # None where units were exchanged instead of drawn
    se: float  # standard error of the difference
    p: float  # two-sided p-value of this pair alone
    p_adjusted: float  # p-value of this pair among all pairs that are compared
    separated: bool  # whether one of the two is better, by `p_adjusted`


@dataclass(frozen=True, eq=False)
class Comparison:
    """Systems, the best first. Those without a score come last and stand outside ranks and matrices."""

    names: list[str]  # of the systems, in the order of all lists below
    scores: list[float | None]  # the headline; None for a system without a score
    ranks: list[int | None]  # 1 for the best; equal scores have equal ranks: 1, 2, 2, 4
    rank_ranges: list[tuple[int, int] | None]  # first and last rank that the tests leave open for the system
    groups: list[list[str]]  # names of systems that are not separated from the first one of their group
    difference: Matrix  # of the scores
    se: Matrix  # standard errors of the differences
    p: Matrix  # two-sided p-values of each pair alone, 1 on the diagonal
    p_adjusted: Matrix  # p-values of each pair among all pairs
    separated: Flags  # (K, K): whether the row's system is better than the column's
    critical_value: float | None  # bounds all differences at once, in standard errors; None without a joint test
    table: list[Record]  # one row for each system: `scoring.comparing.assembling` lists the columns
    references: list[Record]  # each reference with its score, and its tests `against` the ranked systems
    sentence: str  # the finding in one sentence
    signature: str  # one line that tells how to get the same numbers again
    warnings: list[str]  # such as resamples left out, or too few units
    n_units: int  # units of resampling in the gold
    n_resamples: int  # resamples drawn, or trials in which units were exchanged
    seed: int | None  # that the resamples follow from, where it is known
    confidence_level: float  # 1 − this is the level at which pairs are separated
    draws: Floats | None  # (K, B): scores on the resamples that were used; None where units were exchanged
    lower_is_better: bool = False  # whether the best has the lowest score; no difference turns its sign by it
    scale: Scale = field(default_factory=Scale)  # how the scores are said

    def pair(self, a: str, b: str) -> Pair:
        """Return system `a` minus system `b`; raise ConfigurationError unless both are ranked."""
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

    def svg(self, intervals: Mapping[str, Interval] | None = None) -> str:
        """Return the ranking as a board draws it; `intervals` are those of the scores, or percentiles of the draws."""
        shown = self.percentiles() if intervals is None else intervals
        return draw_ranking(
            self.table,
            self.references,
            shown,
            self.sentence,
            LOWER_IS_BETTER if self.lower_is_better else "",
            scale=self.scale,
        )

    def percentiles(self) -> dict[str, Interval]:
        """Return by system the interval of its score; nothing where units were exchanged instead of drawn."""
        if self.draws is None:
            return {}
        return {
            name: ends
            for name, draws in zip(self.names, self.draws, strict=False)
            if (ends := percentile_interval(draws, self.confidence_level))
        }

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the ranking as a board draws it."""
        return in_notebook(self.svg(), self.signature)

    def as_dict(self, *, matrices: bool = False) -> dict[str, Any]:
        """Return plain Python values, ready for JSON; the matrices, as lists of rows, only if they are asked for."""
        left_out = {"draws", "scale"} | (set() if matrices else set(_MATRICES))
        values = {column.name: getattr(self, column.name) for column in fields(self) if column.name not in left_out}
        plain = {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in values.items()}
        plain["rank_ranges"] = [None if ends is None else list(ends) for ends in self.rank_ranges]
        return plain

    def _place(self, name: str) -> int:
        if name not in self.names[: len(self.difference)]:
            raise ConfigurationError(Message("not-ranked", "{name} is not among the ranked systems", name=name))
        return self.names.index(name)


_MATRICES = ("difference", "se", "p", "p_adjusted", "separated")


def setting(result: Evaluation) -> str:
    """Return family and options as text, equal for a fresh result and a stored one, whose tuples have become lists."""
    return json.dumps([result.family, dict(changing(FAMILIES[result.family], result.options))], default=str)
