"""The pairing of the later scorer: one-to-one, with the greatest sum of similarities."""

from collections.abc import Iterator

import numpy as np
from scipy.optimize import linear_sum_assignment

from scoring.families.mat.matching.corpus_spans import CorpusSpans, Integers
from scoring.families.mat.matching.large_clusters import best_in_crowd, best_of_pairs
from scoring.families.mat.matching.overlaps import n_overlaps, overlapping_pairs, ranges
from scoring.families.mat.matching.similarity import similarity

_Pairs = tuple[Integers, Integers]

# A matrix of up to so many cells is the quickest way if they are few, or mostly pairs that overlap.
_FEW_CELLS = 2**12
_MOST_CELLS = 2**22
_CELLS_AT_A_TIME = 2**22
_MOST_PAIRS = 2**21


def one_to_one(gold: CorpusSpans, system: CorpusSpans) -> _Pairs:
    """The indices of paired spans, in the order of the gold.

    Only spans that overlap are paired, and the sum of their similarities is the greatest that there is.
    Runs of spans that overlap one another, directly or by way of others, are each a problem of its own.
    """
    first_gold, first_system = _runs(gold, system)
    n_gold, n_system = np.diff(first_gold), np.diff(first_system)
    single = np.flatnonzero((n_gold == 1) & (n_system == 1))
    found = [(first_gold[single], first_system[single])]
    cells = n_gold * n_system
    for runs in _pieces(np.flatnonzero((cells > 1) & (cells <= _FEW_CELLS)), cells):
        found.append(_in_small_runs(gold, system, first_gold[runs], n_gold[runs], first_system[runs], n_system[runs]))
    for run in np.flatnonzero(cells > _FEW_CELLS).tolist():
        g, s = (np.arange(first[run], first[run + 1]) for first in (first_gold, first_system))
        own, other = _in_large_run(gold.at(g), system.at(s))
        found.append((g[own], s[other]))
    g, s = (np.concatenate(indices) for indices in zip(*found, strict=True))
    order = np.argsort(g)
    return g[order], s[order]


def _runs(gold: CorpusSpans, system: CorpusSpans) -> _Pairs:
    """Where the spans of each run begin on either side; last, where they end."""
    starts = np.concatenate([gold.start, system.start])
    order = np.argsort(starts, kind="stable")
    starts = starts[order]
    reach = np.maximum.accumulate(np.concatenate([gold.end, system.end])[order])
    begins = np.ones(len(starts), dtype=bool)
    begins[1:] = starts[1:] >= reach[:-1]
    first_gold, first_system = (np.searchsorted(side.start, starts[begins]) for side in (gold, system))
    return np.append(first_gold, len(gold)), np.append(first_system, len(system))


def _pieces(runs: Integers, cells: Integers) -> Iterator[Integers]:
    sizes = np.cumsum(cells[runs])
    bounds = np.searchsorted(sizes, np.arange(_CELLS_AT_A_TIME, sizes[-1] if len(runs) else 0, _CELLS_AT_A_TIME))
    return (piece for piece in np.split(runs, bounds) if len(piece))


def _in_small_runs(
    gold: CorpusSpans,
    system: CorpusSpans,
    first_gold: Integers,
    n_gold: Integers,
    first_system: Integers,
    n_system: Integers,
) -> _Pairs:
    run, cell = ranges(np.zeros_like(n_gold), n_gold * n_system)
    row, column = np.divmod(cell, n_system[run])
    g, s = first_gold[run] + row, first_system[run] + column
    worth = similarity(gold, system, g, s)
    stops = np.cumsum(n_gold * n_system)
    taken = np.zeros(len(worth), dtype=bool)
    for start, stop, height, width in zip(
        (stops - n_gold * n_system).tolist(), stops.tolist(), n_gold.tolist(), n_system.tolist(), strict=True
    ):
        rows, columns = linear_sum_assignment(worth[start:stop].reshape(height, width), maximize=True)
        taken[start + rows * width + columns] = True
    taken &= worth > 0
    return g[taken], s[taken]


def _in_large_run(gold: CorpusSpans, system: CorpusSpans) -> _Pairs:
    n_pairs, n_cells = int(n_overlaps(gold, system).sum()), len(gold) * len(system)
    if n_cells <= _MOST_CELLS and n_pairs > n_cells // 8:
        whole = (np.array([0]), np.array([len(gold)]), np.array([0]), np.array([len(system)]))
        return _in_small_runs(gold, system, *whole)
    if n_pairs <= _MOST_PAIRS:
        g, s = overlapping_pairs(gold, system)
        return best_of_pairs(g, s, similarity(gold, system, g, s), (len(gold), len(system)))
    return best_in_crowd(gold, system)
