"""Rankings and judgements as the measures need them, after depth and `judged_only`."""

from dataclasses import dataclass

import numpy as np

from scoring.columns import Array, Flags, Floats, Integers, owners, ranks
from scoring.family import Options
from scoring.readers.ranking import Judgements, Run


@dataclass(frozen=True)
class Rankings:
    """The q queries of the gold, in order of their bytes, and the h judged documents of the run, by query and rank."""

    in_run: Flags  # (q,)
    n_retrieved: Integers  # (q,) n: documents of the run that count
    n_cut: Integers  # (q,) documents beyond the depth
    unit: Integers  # (h,) index of the query, rising
    rank: Integers  # (h,) from 1, rising within a query
    grade: Integers  # (h,) from 0
    least: int  # the least relevant grade, L
    n_relevant: Integers  # (q,) R
    n_other: Integers  # (q,) N: judged and not relevant
    ideal_unit: Integers  # (j,) of the judgements with a grade above 0: the query, rising
    ideal_rank: Integers  # (j,) from 1: the best grade first
    ideal_grade: Integers  # (j,)

    @property
    def is_relevant(self) -> Flags:
        """Return whether each hit reaches the least relevant grade: (h,)."""
        return np.asarray(self.grade >= self.least)

    @property
    def n_units(self) -> int:
        return len(self.in_run)

    def summed(self, values: Array, chosen: Flags | None = None) -> Floats:
        """Sum a column (h,) by query, or the chosen of its rows: (q,)."""
        unit = self.unit if chosen is None else self.unit[chosen]
        values = values if chosen is None else values[chosen]
        return np.bincount(unit, weights=values, minlength=self.n_units).astype(np.float64, copy=False)


def rankings(gold: Judgements, run: Run, options: Options) -> Rankings:
    """Rank both sides; depth is cut first, and then `judged_only`."""
    n_units = len(gold.queries)
    given = np.zeros(n_units, np.int64)
    units = [(gold.index_of.get(query, -1), n) for query, n in zip(run.queries, run.n_documents.tolist(), strict=True)]
    for unit, n in units:
        if unit >= 0:
            given[unit] = n
    depth = options["depth"]
    n_retrieved = given if depth is None else np.minimum(given, depth)
    stays = np.ones(len(run.rank), np.bool_) if depth is None else run.rank <= depth
    unit, rank, grade = run.unit[stays], run.rank[stays], run.grade[stays]
    if options["judged_only"]:
        n_judged = np.bincount(unit, minlength=n_units)
        rank, retrieved = ranks(n_judged) + 1, n_judged
    else:
        retrieved = n_retrieved
    least = options["relevance"]
    owner = owners(np.diff(gold.starts))
    return Rankings(
        given > 0,
        retrieved,
        given - n_retrieved,
        unit,
        rank,
        grade,
        least,
        _numbers(owner, gold.grades >= least, n_units),
        _numbers(owner, (gold.grades >= 0) & (gold.grades < least), n_units),
        *_ideal(owner, gold.grades, n_units),
    )


def _numbers(owner: Integers, chosen: Flags, n_units: int) -> Integers:
    return np.bincount(owner[chosen], minlength=n_units)


def _ideal(owner: Integers, grades: Integers, n_units: int) -> tuple[Integers, Integers, Integers]:
    """Return query, rank and grade of the judgements above 0, the best first.

    >>> _ideal(np.array([0, 0, 0, 1]), np.array([1, 0, 2, 1]), 2)
    (array([0, 0, 1]), array([1, 2, 1]), array([2, 1, 1]))
    """
    gains = grades > 0
    owner, grades = owner[gains], grades[gains]
    order = np.lexsort((-grades, owner))
    return owner[order], ranks(np.bincount(owner, minlength=n_units)) + 1, grades[order]
