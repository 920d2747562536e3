"""Reduces a run's documents, query by query, to the ranks of those that are judged: all that is kept of them."""

from collections.abc import Callable, Mapping
from itertools import chain, repeat
from typing import Any

import numpy as np

from scoring.columns import Floats, Integers, owners
from scoring.readers.ranking.columns import Judgements, Name, Run
from scoring.readers.ranking.fast import Irregular
from scoring.readers.ranking.ordering import as_single, ranks_of

# Documents that are sorted together: single calls would cost more than the sorting where rankings are short.
_TOGETHER = 2**9


class Reducer:
    """Takes the queries of a run one by one; `run` then has what is left of them."""

    def __init__(self, gold: Judgements, options: Mapping[str, Any], kind: str) -> None:
        self._gold = gold
        self._adjusted = adjusting(options, kind)
        self.start()

    def start(self) -> None:
        """Begin anew, as if nothing had been taken."""
        self._sizes: dict[Name, int] = {}
        self._n_flat = 0
        self._done: list[tuple[Integers, Integers, Integers]] = []
        self._start_batch()

    def take(self, query: Name, documents: list[Name], scores: Floats) -> None:
        """Take a query with all its documents; Irregular if one of them stands twice."""
        if len(set(documents)) < len(documents):
            raise Irregular
        self._sizes[query] = len(documents)
        unit = self._gold.index_of.get(query)
        if unit is None:
            return
        self._n_flat += len(scores) > 1 and bool((scores == scores[0]).all())
        judged = self._gold.judged(unit)
        grades = np.fromiter(map(judged.get, documents, repeat(_ABSENT)), np.int64, len(documents))
        kept = np.flatnonzero(grades >= 0)
        n = len(kept)
        if not n:
            return
        self._wanted.append(kept + self._n_pending)
        self._units.append(np.full(n, unit))
        self._grades.append(grades[kept])
        self._names.append(documents)
        self._scores.append(self._adjusted(scores))
        self._n_pending += len(documents)
        if self._n_pending >= _TOGETHER:
            self._sort_batch()

    def run(self, path: str) -> Run:
        """Return what is left of all queries."""
        self._sort_batch()
        unit, rank, grade = (np.concatenate(column) for column in zip(_NOTHING, *self._done, strict=True))
        order = np.lexsort((rank, unit))
        queries = sorted(self._sizes)
        return Run(
            path=path,
            queries=queries,
            n_documents=np.fromiter(map(self._sizes.__getitem__, queries), np.int64, len(queries)),
            unit=unit[order],
            rank=rank[order],
            grade=grade[order],
            n_flat=self._n_flat,
        )

    def _start_batch(self) -> None:
        self._n_pending = 0
        self._names: list[list[Name]] = []
        self._scores: list[Floats] = []
        self._wanted: list[Integers] = []
        self._units: list[Integers] = []
        self._grades: list[Integers] = []

    def _sort_batch(self) -> None:
        if not self._names:
            return
        owner = owners(np.array([len(of_query) for of_query in self._names]))
        names = self._names[0] if len(self._names) == 1 else list(chain.from_iterable(self._names))
        ranks = ranks_of(np.concatenate(self._wanted), names, np.concatenate(self._scores), owner)
        self._done.append((np.concatenate(self._units), ranks, np.concatenate(self._grades)))
        self._start_batch()


_ABSENT = -1
_NOTHING = (np.zeros(0, np.int64),) * 3


def adjusting(options: Mapping[str, Any], kind: str) -> Callable[[Floats], Floats]:
    """Turn the numbers of a file of this kind into those that documents are ordered by, the largest first."""
    is_rank = options["order"] == "rank" and kind != "trec"
    is_single = options["precision"] == "single"

    def adjusted(numbers: Floats) -> Floats:
        numbers = -numbers if is_rank else numbers
        return as_single(numbers) if is_single else numbers

    return adjusted
