"""The pairing of the scorer of MAT 2.x: one-to-one, with the greatest sum of similarities.

Spans that overlap one another, directly or by way of others, form a *cluster*; a pair never leaves its cluster, so
each is an assignment problem of its own. Most clusters are one span of either side, which are a pair. The others go,
by size, to one of three solvers that all find the greatest sum:

    up to a few thousand cells, or many overlaps      matrix of all pairs       scipy.optimize.linear_sum_assignment
    more cells, few of which overlap                  list of the pairs         large_clusters.best_of_pairs
    more overlaps than memory should hold             pairs brought in by need  large_clusters.best_in_large_cluster

Where several choices of pairs have the greatest sum, which of them is taken depends on the solver, but not on the run.
The same in plain Python: `assign` in tests/scoring/plain/mat.py.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from scoring import lazy
from scoring.columns import Integers, owners, pieces, ranks, starts_from_sizes
from scoring.families.mat.matching.corpus_spans import CorpusSpans
from scoring.families.mat.matching.large_clusters import best_in_large_cluster, best_of_pairs
from scoring.families.mat.matching.overlaps import n_overlaps, overlapping_pairs
from scoring.families.mat.matching.similarity import similarity

Pairs = tuple[Integers, Integers]

# A matrix of up to so many cells is the quickest way if they are few, or mostly pairs that overlap.
_FEW_CELLS = 2**12
# 128 MB for one; the other ways take longer by far where an upload has many spans to choose from.
_MOST_CELLS = 2**24
# Of a matrix so many cells are made together.
_CELLS_OF_ROWS = 2**18
# Clusters of few cells are prepared together, as many as fit into about a hundred MB.
_CELLS_AT_A_TIME = 2**22
# Above this, a list of pairs takes some hundreds of MB in the sparse solver.
_MOST_PAIRS = 2**21


@dataclass(frozen=True)
class _Clusters:
    """c clusters of neighbouring spans, which overlap no span of another cluster."""

    first_gold: Integers  # (c,) index of the first span of the gold
    n_gold: Integers  # (c,) number of spans of the gold, possibly 0
    first_system: Integers  # (c,) index of the first span of the system
    n_system: Integers  # (c,) number of spans of the system, possibly 0

    @property
    def n_cells(self) -> Integers:
        """Return how many pairs a matrix of all pairs of a cluster has: (c,)."""
        return self.n_gold * self.n_system

    def at(self, index: Integers) -> "_Clusters":
        return _Clusters(self.first_gold[index], self.n_gold[index], self.first_system[index], self.n_system[index])


def one_to_one(gold: CorpusSpans, system: CorpusSpans) -> Pairs:
    """Return the indices of paired spans, in the order of the gold; only spans that overlap are paired.

    The sum of their similarities is the greatest that there is. In the example the first span of the system is more
    like the first of the gold (0.1 + 0.9 * 4/8) than the second (0.9 * 4/10); the two other spans have no partner.

    >>> from scoring.families.mat.matching.corpus_spans import sorted_spans
    >>> gold, system = sorted_spans(
    ...     np.array([(0, 0, 0, 8), (0, 1, 0, 10)]).T, np.array([(0, 0, 4, 8), (0, 1, 20, 25)]).T
    ... )
    >>> one_to_one(gold, system)
    (array([0]), array([0]))
    """
    clusters = _clusters(gold, system)
    # One span of either side in one cluster: they overlap, so there is nothing to choose.
    single = np.flatnonzero((clusters.n_gold == 1) & (clusters.n_system == 1))
    pairs = [(clusters.first_gold[single], clusters.first_system[single])]
    cells = clusters.n_cells
    small = np.flatnonzero((cells > 1) & (cells <= _FEW_CELLS))
    for part in pieces(cells[small], _CELLS_AT_A_TIME):
        pairs.append(_in_small_clusters(gold, system, clusters.at(small[part])))
    for number in np.flatnonzero(cells > _FEW_CELLS).tolist():
        pairs.append(_in_large_cluster(gold, system, clusters.at(np.array([number]))))
    g, s = (np.concatenate(indices) for indices in zip(*pairs, strict=True))
    order = np.argsort(g)
    return g[order], s[order]


def _clusters(gold: CorpusSpans, system: CorpusSpans) -> _Clusters:
    """Return the clusters in the order of the text.

    A span that starts where all before it have ended begins a new one.
    """
    starts = np.concatenate([gold.start, system.start])
    order = np.argsort(starts, kind="stable")
    starts = starts[order]
    # The furthest end so far, of all spans of both sides in the order of their starts.
    furthest = np.maximum.accumulate(np.concatenate([gold.end, system.end])[order])
    begins = np.ones(len(starts), dtype=bool)
    begins[1:] = starts[1:] >= furthest[:-1]
    # Where the spans of each cluster begin on either side, and last where they end: (c + 1,).
    first_gold, first_system = (
        np.append(np.searchsorted(side.start, starts[begins]), len(side)) for side in (gold, system)
    )
    return _Clusters(first_gold[:-1], np.diff(first_gold), first_system[:-1], np.diff(first_system))


def _in_small_clusters(gold: CorpusSpans, system: CorpusSpans, clusters: _Clusters) -> Pairs:
    """Return the best pairs of several clusters: similarities for all of them at once, one matrix after the other.

    The cells of each matrix stand in one row, row by row of the matrix, and the matrices behind one another.
    """
    n_cells = clusters.n_cells
    cluster = owners(n_cells)
    row, column = np.divmod(ranks(n_cells), clusters.n_system[cluster])
    g, s = clusters.first_gold[cluster] + row, clusters.first_system[cluster] + column
    similarities = similarity(gold, system, g, s)
    starts, assign = starts_from_sizes(n_cells), _solver()
    is_taken = np.zeros(len(similarities), dtype=bool)
    for start, stop, width in zip(starts[:-1].tolist(), starts[1:].tolist(), clusters.n_system.tolist(), strict=True):
        rows, columns = assign(similarities[start:stop].reshape(-1, width), maximize=True)
        is_taken[start + rows * width + columns] = True
    # The solver pairs as many as it can; pairs that do not overlap are dropped, which leaves the sum as it is.
    is_taken &= similarities > 0
    return g[is_taken], s[is_taken]


def _solver() -> Callable[..., Pairs]:
    """Return SciPy's solver, which takes longer to load than most runs to score, and which most runs don't need."""
    solver: Callable[..., Pairs] = lazy.load("scipy.optimize", "linear_sum_assignment")
    return solver


def _in_matrix(spans: CorpusSpans, others: CorpusSpans) -> Pairs:
    """Pair spans and others, of which there are at least as many, as indices in the order of the spans."""
    # Negative, because the solver would copy a matrix of which the greatest sum is wanted.
    costs = np.empty((len(spans), len(others)))
    every = np.arange(len(others))
    step = max(1, _CELLS_OF_ROWS // len(others))
    for start in range(0, len(spans), step):
        rows = np.arange(start, min(start + step, len(spans)))
        np.negative(similarity(spans, others, rows[:, np.newaxis], every), out=costs[rows[0] : rows[-1] + 1])
    index, other = _solver()(costs)
    is_pair = costs[index, other] < 0
    return index[is_pair], other[is_pair]


def _in_large_cluster(gold: CorpusSpans, system: CorpusSpans, cluster: _Clusters) -> Pairs:
    """Return the best pairs of a single cluster, by the solver that fits its size."""
    first_gold, n_gold = int(cluster.first_gold[0]), int(cluster.n_gold[0])
    first_system, n_system = int(cluster.first_system[0]), int(cluster.n_system[0])
    golds = gold.at(np.arange(first_gold, first_gold + n_gold))
    others = system.at(np.arange(first_system, first_system + n_system))
    n_pairs, n_cells = int(n_overlaps(golds, others).sum()), n_gold * n_system
    if n_cells <= _MOST_CELLS and n_pairs > n_cells // 8:
        g, s = _in_matrix(golds, others) if n_gold <= n_system else _in_matrix(others, golds)[::-1]
    elif n_pairs <= _MOST_PAIRS:
        g, s = overlapping_pairs(golds, others)
        g, s = best_of_pairs(g, s, similarity(golds, others, g, s), (n_gold, n_system))
    else:
        g, s = best_in_large_cluster(golds, others)
    return first_gold + g, first_system + s
