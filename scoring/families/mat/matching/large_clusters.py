"""The best one-to-one pairs where so many spans overlap that no matrix holds them.

A problem of the most promising pairs alone is solved, and its prices show which of all pairs could still do
better; they join it until there is none. So the sum is the greatest of all, whatever was left out.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

from scoring.families.mat.matching.corpus_spans import CorpusSpans, Integers
from scoring.families.mat.matching.overlaps import blocks
from scoring.families.mat.matching.similarity import similarity

_Pairs = tuple[Integers, Integers]
_Floats = NDArray[np.float64]
_Priced = tuple[Integers, Integers, _Floats]

_MOST_PROMISING = 12
_TOLERANCE = 1e-12


def best_of_pairs(g: Integers, s: Integers, worth: _Floats, shape: tuple[int, int]) -> _Pairs:
    """The one-to-one choice among these pairs that is worth most; no worth is 0."""
    n_gold, n_system = shape
    nobody = np.arange(n_gold)
    # Every gold span has a column of its own, which stands for no partner. One more for all, as 0 is no entry.
    entries = np.concatenate([worth + 1, np.ones(n_gold)])
    places = (np.concatenate([g, nobody]), np.concatenate([s, n_system + nobody]))
    rows, columns = min_weight_full_bipartite_matching(
        csr_array((entries, places), shape=(n_gold, n_system + n_gold)), maximize=True
    )
    paired = columns < n_system
    return rows[paired].astype(np.int64), columns[paired].astype(np.int64)


def best_in_crowd(gold: CorpusSpans, system: CorpusSpans) -> _Pairs:
    """The same for all pairs that overlap, of which only some are in memory at a time."""
    shape = len(gold), len(system)
    own = list(_most_promising(gold, system, np.zeros(len(gold)), np.zeros(len(system))))
    others = [
        (g, s, worth) for s, g, worth in _most_promising(system, gold, np.zeros(len(system)), np.zeros(len(gold)))
    ]
    g, s, worth = _joined([*own, *others], len(system))
    while True:
        pairs = best_of_pairs(g, s, worth, shape)
        prices = _prices(g, s, worth, pairs, shape)
        n_pairs = len(g)
        g, s, worth = _joined([(g, s, worth), *_most_promising(gold, system, *prices)], len(system))
        if len(g) == n_pairs:
            return pairs


def _most_promising(
    gold: CorpusSpans, system: CorpusSpans, gold_price: _Floats, system_price: _Floats
) -> Iterator[_Priced]:
    """For each gold span the pairs that are worth most above their prices, if they are worth more than these."""
    for rows, columns in blocks(gold, system):
        worth = similarity(gold, system, rows[:, np.newaxis], columns)
        gain = worth - gold_price[rows, np.newaxis] - system_price[columns]
        gaining = np.flatnonzero(gain.max(axis=1) > _TOLERANCE)
        gain, worth = gain[gaining], worth[gaining]
        if gain.shape[1] > _MOST_PROMISING:
            best = np.argpartition(gain, -_MOST_PROMISING, axis=1)[:, -_MOST_PROMISING:]
        else:
            best = np.broadcast_to(np.arange(gain.shape[1]), gain.shape)
        row, place = np.nonzero(np.take_along_axis(gain, best, axis=1) > _TOLERANCE)
        column = best[row, place]
        yield rows[gaining[row]], columns[column], worth[row, column]


def _joined(pieces: list[_Priced], n_system: int) -> _Priced:
    g, s, worth = (np.concatenate(columns) for columns in zip(*pieces, strict=True))
    _, first = np.unique(g * n_system + s, return_index=True)
    return g[first], s[first], worth[first]


def _prices(g: Integers, s: Integers, worth: _Floats, pairs: _Pairs, shape: tuple[int, int]) -> tuple[_Floats, _Floats]:
    """Prices of both sides' spans that prove the pairs to be the best of these: the dual of the assignment.

    No pair is worth more than its two prices, those taken are worth just that, and spans without a partner
    cost nothing. The lowest prices of the system follow by going up from 0.
    """
    n_gold, n_system = shape
    partner, own_worth = np.full(n_gold, n_system), np.zeros(n_gold)
    partner[pairs[0]] = pairs[1]
    is_taken = partner[g] == s
    own_worth[g[is_taken]] = worth[is_taken]
    order = np.argsort(s, kind="stable")
    g, s, worth = g[order], s[order], worth[order]
    begins = np.flatnonzero(np.diff(s, prepend=-1))
    # The last price is that of having no partner.
    price = np.zeros(n_system + 1)
    for _ in range(n_gold + 1):
        wanted = worth - own_worth[g] + price[partner[g]]
        highest = np.maximum.reduceat(wanted, begins)
        higher = highest > price[s[begins]] + _TOLERANCE / 8
        if not higher.any():
            break
        price[s[begins[higher]]] = highest[higher]
    return own_worth - price[partner], price[:-1]
