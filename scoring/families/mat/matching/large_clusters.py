"""The best one-to-one pairs in clusters whose matrix of all pairs would not fit into memory.

Two ways, both exact:

* `best_of_pairs` solves the assignment as a sparse problem of the pairs that overlap, given as a list.
* `best_in_large_cluster` is for clusters in which even that list is too long. It solves the problem of the most
  promising pairs alone, and derives a *price* for each span from the solution: the dual variables of the assignment
  problem, as in column generation. No listed pair is worth more than its two prices together. Pairs that are not
  listed yet but worth more are brought in, and the larger problem is solved, until there is none; by duality the sum
  is then the greatest over all pairs, listed or not.

In this module the *worth* of a pair is its similarity.
"""

from collections.abc import Iterator

import numpy as np

from scoring import lazy
from scoring.columns import Floats, Integers, coded, starts_run
from scoring.families.mat.matching.corpus_spans import CorpusSpans
from scoring.families.mat.matching.overlaps import blocks
from scoring.families.mat.matching.similarity import similarity

_Pairs = tuple[Integers, Integers]
# Index of the gold span, index of the system span, and worth of each of p pairs.
_WorthyPairs = tuple[Integers, Integers, Floats]

# Pairs brought in for each span in each round: with fewer there are more rounds, with more each takes longer.
_MOST_PROMISING = 12
# Differences of this size are rounding errors of prices, which are sums of similarities.
_TOLERANCE = 1e-12


def best_of_pairs(g: Integers, s: Integers, worth: Floats, shape: tuple[int, int]) -> _Pairs:
    """Return the one-to-one choice among p pairs that is worth most, for `shape` spans of gold and system.

    `g`, `s` and `worth` are (p,), each pair once, and each worth is more than 0.

    >>> best_of_pairs(np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([0.9, 0.5, 0.6]), (2, 2))
    (array([0, 1]), array([1, 0]))
    """
    n_gold, n_system = shape
    alone = np.arange(n_gold)
    # The solver wants a partner for every row. So each gold span has a column of its own behind those of the
    # system, which stands for no partner. All entries are raised by 1, because in a sparse matrix 0 is no entry;
    # as every solution has n_gold entries, that raises all sums alike and changes none of their order.
    entries = np.concatenate([worth + 1, np.ones(n_gold)])
    cells = (np.concatenate([g, alone]), np.concatenate([s, n_system + alone]))
    # Few runs come here, and SciPy's sparse matrices take longer to load than most runs to score.
    matrix = lazy.load("scipy.sparse", "csr_array")((entries, cells), shape=(n_gold, n_system + n_gold))
    rows, columns = lazy.load("scipy.sparse.csgraph", "min_weight_full_bipartite_matching")(matrix, maximize=True)
    has_partner = columns < n_system
    return rows[has_partner].astype(np.int64), columns[has_partner].astype(np.int64)


def best_in_large_cluster(gold: CorpusSpans, system: CorpusSpans) -> _Pairs:
    """Pair n and m spans one to one for the greatest worth, with only some of the pairs in memory at a time."""
    shape = len(gold), len(system)
    free_gold, free_system = np.zeros(len(gold)), np.zeros(len(system))
    # To begin with, the most similar partners of every span of either side.
    of_gold = list(_most_promising(gold, system, free_gold, free_system))
    of_system = [(g, s, worth) for s, g, worth in _most_promising(system, gold, free_system, free_gold)]
    g, s, worth = _joined([*of_gold, *of_system])
    while True:
        pairs = best_of_pairs(g, s, worth, shape)
        prices = _prices(g, s, worth, pairs, shape)
        n_pairs = len(g)
        g, s, worth = _joined([(g, s, worth), *_most_promising(gold, system, *prices)])
        if len(g) == n_pairs:
            return pairs


def _most_promising(
    gold: CorpusSpans, system: CorpusSpans, gold_price: Floats, system_price: Floats
) -> Iterator[_WorthyPairs]:
    """Return for each gold span (n,) up to twelve pairs that exceed their two prices (n,) and (m,) most, if any do."""
    for rows, columns in blocks(gold, system):
        # By how much each pair of the block (rows, columns) exceeds its prices.
        worth = similarity(gold, system, rows[:, np.newaxis], columns)
        gain = worth - gold_price[rows, np.newaxis] - system_price[columns]
        gaining = np.flatnonzero(gain.max(axis=1) > _TOLERANCE)
        gain, worth = gain[gaining], worth[gaining]
        # best (gaining rows, up to 12): the columns with the highest gain of each row, in no order.
        if gain.shape[1] > _MOST_PROMISING:
            best = np.argpartition(gain, -_MOST_PROMISING, axis=1)[:, -_MOST_PROMISING:]
        else:
            best = np.broadcast_to(np.arange(gain.shape[1]), gain.shape)
        row, rank = np.nonzero(np.take_along_axis(gain, best, axis=1) > _TOLERANCE)
        column = best[row, rank]
        yield rows[gaining[row]], columns[column], worth[row, column]


def _joined(parts: list[_WorthyPairs]) -> _WorthyPairs:
    """Join all pairs of these lists, each once, sorted by gold span, then system span."""
    g, s, worth = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    _, first = np.unique(coded(g, s), return_index=True)
    return g[first], s[first], worth[first]


def _prices(g: Integers, s: Integers, worth: Floats, pairs: _Pairs, shape: tuple[int, int]) -> tuple[Floats, Floats]:
    """Price both sides' spans, (n,) and (m,), so that `pairs` are proved to be the best among the listed ones.

    They are a solution of the dual problem: no listed pair is worth more than its two prices, each chosen pair is
    worth exactly its two prices, and a span without a partner costs nothing. A gold span's price is its *profit*:
    what its own pair is worth, less the price of its partner. A system span must then cost at least what any gold
    span would win by changing over to it. The lowest such prices are reached by raising them from 0 until no gold
    span wants to change; as in the method of Bellman and Ford, that takes at most n + 1 rounds.
    """
    n_gold, n_system = shape
    # The partner of each gold span (n,), n_system where there is none, and what the pair is worth, then 0.
    partner, own_worth = np.full(n_gold, n_system), np.zeros(n_gold)
    partner[pairs[0]] = pairs[1]
    is_taken = partner[g] == s
    own_worth[g[is_taken]] = worth[is_taken]
    # The listed pairs by system span, and where the pairs of each system span begin.
    order = np.argsort(s, kind="stable")
    g, s, worth = g[order], s[order], worth[order]
    begins = np.flatnonzero(starts_run(s))
    # The last price is that of having no partner.
    price = np.zeros(n_system + 1)
    for _ in range(n_gold + 1):
        # What the gold span of each pair (p,) would pay: the worth of the pair, less its present profit.
        wanted = worth - own_worth[g] + price[partner[g]]
        highest = np.maximum.reduceat(wanted, begins)
        # A smaller tolerance than that for gains, so that prices left a little low bring in no pair.
        is_higher = highest > price[s[begins]] + _TOLERANCE / 8
        if not is_higher.any():
            break
        price[s[begins[is_higher]]] = highest[is_higher]
    return own_worth - price[partner], price[:-1]
