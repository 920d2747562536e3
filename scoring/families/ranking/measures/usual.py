"""The measures of each query, as trec_eval 10 counts them, for all queries at once.

g is the grade of a document, L the least relevant one, R the number of relevant documents of the gold, N that of
judged ones that are not relevant. Every function gives a value for each of the q queries; a plain counterpart that
goes through one ranking at a time is tests/scoring/plain/ranking.py.
"""

from collections.abc import Callable, Iterator

import numpy as np

from scoring.columns import Flags, Floats, Integers, ranks, starts_from_sizes
from scoring.families.ranking.measures.rankings import Rankings
from scoring.family import Options
from scoring.prf import ratio

Gain = Callable[[Integers], Floats]  # of grades from 0 on

# trec_eval's least value of a query in the geometric mean (m_gm_map.c, MIN_GEO_MEAN).
LEAST = 0.00001


def measures(rankings: Rankings, options: Options) -> dict[str, Floats]:
    """Compute {score: (q,)} of the measures that there always are; of gm_map the logarithm that is averaged."""
    return dict(_whole(rankings, options)) | dict(_by_cutoff(rankings, options))


def _whole(rankings: Rankings, options: Options) -> Iterator[tuple[str, Floats]]:
    average = average_precision(rankings, None)
    yield "ndcg", _ndcg(rankings, options, None)
    yield "map", average
    yield "mrr", _reciprocal_rank(rankings, None)
    yield "rprec", _r_precision(rankings)
    yield "bpref", bpref(rankings)
    yield "gm_map", np.log(np.maximum(average, LEAST))


def _by_cutoff(rankings: Rankings, options: Options) -> Iterator[tuple[str, Floats]]:
    for k in options["cutoffs"]:
        within = rankings.rank <= k
        n_found = rankings.summed(rankings.is_relevant, within)
        yield f"ndcg_{k}", _ndcg(rankings, options, k)
        yield f"map_{k}", average_precision(rankings, k)
        yield f"mrr_{k}", _reciprocal_rank(rankings, k)
        yield f"p_{k}", n_found / k  # also where fewer than k were retrieved
        yield f"r_{k}", ratio(n_found, rankings.n_relevant)
        yield f"success_{k}", (n_found > 0).astype(np.float64)
        n_judged = rankings.summed(np.ones(len(within)), within)
        yield f"judged_{k}", ratio(n_judged, np.minimum(k, rankings.n_retrieved))


def first_relevant(rankings: Rankings) -> Integers:
    """Return the rank of each query's first relevant document, 0 without one: (q,)."""
    first = np.zeros(rankings.n_units, np.int64)
    is_relevant = rankings.is_relevant
    # The first one of a query is written last.
    first[rankings.unit[is_relevant][::-1]] = rankings.rank[is_relevant][::-1]
    return first


def _linear(grades: Integers) -> Floats:
    return grades.astype(np.float64)


def _exponential(grades: Integers) -> Floats:
    """Compute 2^g - 1 (Burges et al. 2005); trec_eval has the linear gain alone."""
    return np.ldexp(1.0, grades) - 1


_GAINS: dict[str, Gain] = {"linear": _linear, "exponential": _exponential}


def discounted_gain(rankings: Rankings, options: Options, k: int | None) -> Floats:
    """Sum gain(g_i) / log2(i + 1) over the run's documents."""
    gain = _GAINS[options["gain"]]
    return rankings.summed(_discounted(gain(rankings.grade), rankings.rank, k))


def _ndcg(rankings: Rankings, options: Options, k: int | None) -> Floats:
    """Divide Σ gain(g_i) / log2(i + 1) by the same sum over the gold's grades in falling order.

    Järvelin and Kekäläinen 2002, with trec_eval's discount; 0 where no grade is above 0.
    """
    ideal = _discounted(_GAINS[options["gain"]](rankings.ideal_grade), rankings.ideal_rank, k)
    return ratio(
        discounted_gain(rankings, options, k),
        np.bincount(rankings.ideal_unit, weights=ideal, minlength=rankings.n_units),
    )


def _discounted(gains: Floats, rank: Integers, k: int | None) -> Floats:
    discounted = gains / np.log2(rank + 1)
    return discounted if k is None else np.where(rank <= k, discounted, 0.0)


def average_precision(rankings: Rankings, k: int | None) -> Floats:
    """Sum over relevant documents (relevant ones among the first i) / i, divided by R, also for a cutoff."""
    chosen = first_k(rankings, k)
    n_chosen = np.bincount(rankings.unit[chosen], minlength=rankings.n_units)
    # Documents stand by query and rank, so the relevant ones up to each are those before it in its query, and itself.
    precisions = (ranks(n_chosen) + 1) / rankings.rank[chosen]
    summed = np.bincount(rankings.unit[chosen], weights=precisions, minlength=rankings.n_units)
    return ratio(summed, rankings.n_relevant)


def first_k(rankings: Rankings, k: int | None) -> Flags:
    """Return which documents are relevant and among the first k, or among all: (h,)."""
    return rankings.is_relevant if k is None else rankings.is_relevant & (rankings.rank <= k)


def _reciprocal_rank(rankings: Rankings, k: int | None) -> Floats:
    first = first_relevant(rankings)
    has_one = first > 0 if k is None else (first > 0) & (first <= k)
    return np.where(has_one, 1 / np.maximum(first, 1), 0.0)


def _r_precision(rankings: Rankings) -> Floats:
    n_relevant = rankings.n_relevant
    among_first = rankings.summed(rankings.is_relevant, rankings.rank <= n_relevant[rankings.unit])
    return ratio(among_first, n_relevant)


def bpref(rankings: Rankings) -> Floats:
    """Compute 1/R Σ over retrieved relevant documents of 1 - min(m, R) / min(N, R).

    There m are the judged ones above that are not relevant; 1 where m is 0 (Buckley and Voorhees 2004, as trec_eval's
    m_bpref.c corrects it).
    """
    is_relevant = rankings.is_relevant
    before = starts_from_sizes(~is_relevant)[:-1]  # not relevant ones before each, of all queries
    first = np.searchsorted(rankings.unit, np.arange(rankings.n_units))  # where each query begins
    start = np.append(before, 0)[np.minimum(first, len(before))]  # those before its first document
    unit = rankings.unit[is_relevant]
    above = before[is_relevant] - start[unit]
    n_relevant, n_other = rankings.n_relevant[unit], rankings.n_other[unit]
    share = ratio(np.minimum(above, n_relevant), np.minimum(n_other, n_relevant))
    summed = np.bincount(unit, weights=1 - share, minlength=rankings.n_units)
    return ratio(summed, rankings.n_relevant)
