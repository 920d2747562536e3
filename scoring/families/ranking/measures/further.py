"""The measures that an organiser adds (`measures`): of trec_eval's further ones, DCG, F1, rank-biased precision,
and the means of BioASQ.

Each function gives a value for each of the q queries, as those of measures.py do.
"""

from collections.abc import Callable, Iterator

import numpy as np

from scoring.columns import Floats, Integers, owners, ranks
from scoring.families.ranking.measures.rankings import Rankings
from scoring.families.ranking.measures.usual import LEAST, average_precision, bpref, discounted_gain, first_k
from scoring.families.ranking.names import RECALL_LEVELS
from scoring.family import Options
from scoring.prf import harmonic_mean, ratio

Values = Iterator[tuple[str, Floats]]

# As many documents as BioASQ takes of a question; since its eighth edition its program divides by no more than these.
MOST_TO_FIND = 10


def further_measures(rankings: Rankings, options: Options) -> dict[str, Floats]:
    """Compute {score: (q,)} of the measures that the options add; of gm_bpref the logarithm that is averaged."""
    return {
        name: values
        for measure in options.get("measures") or ()
        for name, values in _OF_MEASURE[measure](rankings, options)
    }


def _dcg(rankings: Rankings, options: Options) -> Values:
    """Yield Σ gain(g_i) / log2(i + 1): Järvelin and Kekäläinen 2002, with the discount of nDCG."""
    yield "dcg", discounted_gain(rankings, options, None)
    for k in options["cutoffs"]:
        yield f"dcg_{k}", discounted_gain(rankings, options, k)


def _f1(rankings: Rankings, options: Options) -> Values:
    """Yield the harmonic mean of a query's P@k and R@k."""
    for k in options["cutoffs"]:
        n_found = _n_found(rankings, k)
        yield f"f1_{k}", harmonic_mean(n_found / k, ratio(n_found, rankings.n_relevant))


def _rbp(rankings: Rankings, options: Options) -> Values:
    """Yield (1 - p) Σ over relevant documents of p^(i - 1): Moffat and Zobel 2008."""
    persistence = options["persistence"]
    weight = (1 - persistence) * persistence ** (rankings.rank - 1.0)
    yield "rbp", rankings.summed(weight, first_k(rankings, None))
    for k in options["cutoffs"]:
        yield f"rbp_{k}", rankings.summed(weight, first_k(rankings, k))


def _relative_p(rankings: Rankings, options: Options) -> Values:
    """Yield the relevant among the first k, divided by the most that can be there: also known as capped recall."""
    for k in options["cutoffs"]:
        yield f"relative_p_{k}", ratio(_n_found(rankings, k), np.minimum(k, rankings.n_relevant))


def _sets(rankings: Rankings, options: Options) -> Values:
    """Yield measures of all retrieved documents, whatever their order."""
    n_found = _n_found(rankings, None)
    precision, recall = ratio(n_found, rankings.n_retrieved), ratio(n_found, rankings.n_relevant)
    yield "set_p", precision
    yield "set_r", recall
    yield "set_f1", harmonic_mean(precision, recall)
    yield "set_map", ratio(n_found * n_found, rankings.n_retrieved * rankings.n_relevant)


def _interpolated(rankings: Rankings, options: Options) -> Values:
    """Yield at each level of recall the best precision at this or any higher level, as trec_eval 10 has it.

    A level r is reached with relevant document number ⌊rR + .5⌋; before version 10 of trec_eval it was ⌊rR + .9⌋.
    """
    chosen = first_k(rankings, None)
    n_found = np.bincount(rankings.unit[chosen], minlength=rankings.n_units)
    best = _best_from(n_found, (ranks(n_found) + 1) / rankings.rank[chosen])
    starts = np.cumsum(n_found) - n_found
    at_levels = []
    for level in RECALL_LEVELS:
        number = np.maximum(np.floor(level / 100 * rankings.n_relevant + 0.5).astype(np.int64), 1)
        is_reached = number <= n_found
        values = np.zeros(rankings.n_units)
        values[is_reached] = best[(starts + number - 1)[is_reached]]
        at_levels.append(values)
    yield "eleven_points", np.mean(at_levels, axis=0)
    yield from zip((f"iprec_{level}" for level in RECALL_LEVELS), at_levels, strict=True)


def _best_from(sizes: Integers, values: Floats) -> Floats:
    """Return the largest of each value and those behind it in its query.

    >>> _best_from(np.array([2, 1]), np.array([0.25, 0.5, 0.1]))
    array([0.5, 0.5, 0.1])
    """
    # Larger numbers for queries further up, and the place of a value among all: one running maximum, no digit lost.
    levels, place = np.unique(values, return_inverse=True)
    key = (len(sizes) - owners(sizes)) * (len(levels) + 1) + place
    best = np.maximum.accumulate(key[::-1])[::-1]
    return np.asarray(levels[best % (len(levels) + 1)])


def _gm_bpref(rankings: Rankings, options: Options) -> Values:
    yield "gm_bpref", np.log(np.maximum(bpref(rankings), LEAST))


def _bioasq(rankings: Rankings, options: Options) -> Values:
    """Yield Σ of precisions at relevant documents, by at most ten; for its mean of logarithms LEAST is added."""
    n_relevant = rankings.n_relevant
    value = average_precision(rankings, None) * ratio(n_relevant, np.minimum(n_relevant, MOST_TO_FIND))
    yield "bioasq_map", value
    yield "bioasq_gm_map", np.log(value + LEAST)


def _n_found(rankings: Rankings, k: int | None) -> Floats:
    return rankings.summed(rankings.is_relevant, first_k(rankings, k))


_OF_MEASURE: dict[str, Callable[[Rankings, Options], Values]] = {
    "dcg": _dcg,
    "f1": _f1,
    "rbp": _rbp,
    "relative_p": _relative_p,
    "sets": _sets,
    "iprec": _interpolated,
    "gm_bpref": _gm_bpref,
    "bioasq": _bioasq,
}
