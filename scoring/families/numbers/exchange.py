"""What the test PERM-BOTH exchanges between two runs that rank systems, and the score of what comes of it.

Deutsch et al. 2021, A Statistical Analysis of Summarization Evaluation Metrics Using Resampling Methods. Metrics have
scales of their own, so each run's numbers are standardised first; then single numbers change sides, each with
probability 1/2, and the score is made anew from each side.

    gold  A 1 2   run  A 1 3   other  A 30 10   standardised  -1.3 .4 1.3 -.4  and  1.3 -.4 .4 -1.3
          B 3 4        B 4 2          B 20  0   first and last exchanged: the run has 1.3 .4 1.3 -1.3
"""

from collections.abc import Callable

import numpy as np

from scoring.columns import Floats, Integers
from scoring.families.numbers.measures.systems import agreement, calibrated_pairs, likeness, permuted_p, signs_of
from scoring.families.numbers.scorer import Rows, Scorer
from scoring.family import Exchange, Options

_Score = Callable[[Floats], Floats]  # of numbers (m, cells): (m,)


def exchange(numbers: Floats, options: Options) -> Exchange | None:
    """Return what is exchanged of a run, and how a score is made of it; None where the score that ranks has no test.

    `numbers` (2, segments, systems) are those of the gold and of the run, NaN where a system is not judged. With
    calibrated ties the pairs of a segment are exchanged, right or wrong by their own run's ε, as in mt-metrics-eval's
    PairwisePermutationSigDiff; else the numbers, as in its PermutationSigDiff.
    """
    gold, run = numbers
    if options["headline"] == "tie_calibrated_accuracy":
        return _of_pairs(gold, run)
    make = _SCORES.get(options["headline"])
    if make is None:
        return None
    is_judged = ~np.isnan(gold.T)
    return _standardised(run.T[is_judged]), make(gold, options)


def _standardised(values: Floats) -> Floats:
    """Return (n,) with a mean of 0 and a standard deviation (over n) of 1; constant ones as 0."""
    spread = values.std()
    return (values - values.mean()) / spread if spread > 0 else np.zeros_like(values)


def _of_pairs(gold: Floats, run: Floats) -> Exchange:
    segment, right = calibrated_pairs(gold, run)
    number = np.bincount(segment, minlength=len(gold))
    weight = 1 / (number[segment] * np.count_nonzero(number))
    return right, lambda values: np.asarray(values @ weight)


def _pairwise(gold: Floats, options: Options) -> _Score:
    """Return the pairwise accuracy as a function of numbers (m, cells), which stand by system and segment."""
    sizes = np.count_nonzero(~np.isnan(gold), axis=0)
    starts = np.cumsum(sizes) - sizes
    means = np.nanmean(gold, axis=0)[np.newaxis]
    return lambda values: agreement(means, np.add.reduceat(values, starts, axis=1) / sizes)


def _soft(gold: Floats, options: Options) -> _Score:
    """Return the soft pairwise accuracy of the segments that all systems have."""
    is_complete = ~np.isnan(gold).any(axis=1)
    signs = signs_of(int(is_complete.sum()))
    of_gold = permuted_p(gold[is_complete], signs)
    is_judged = ~np.isnan(gold.T)

    def score(values: Floats) -> Floats:
        grid = np.full(is_judged.shape, np.nan)
        scores = np.empty(len(values))
        for place, numbers in enumerate(values):
            grid[is_judged] = numbers
            scores[place] = likeness(of_gold, permuted_p(grid.T[is_complete], signs))[0]
        return scores

    return score


def _correlation(gold: Floats, options: Options) -> _Score:
    """Return a correlation of all numbers, as the score that ranks is made."""
    of_gold = gold.T[~np.isnan(gold.T)][np.newaxis]
    row: Integers = np.arange(of_gold.shape[1])
    whole = np.ones_like(of_gold)

    def score(values: Floats) -> Floats:
        rows = (Rows(of_gold, numbers[np.newaxis], None, row, len(row), None) for numbers in values)
        scorers = (Scorer.of(side, options, by_slice=False, draws_kendall=False) for side in rows)
        return np.array([side.scores(whole)[options["headline"]][0, 0] for side in scorers])

    return score


_SCORES: dict[str, Callable[[Floats, Options], _Score]] = {
    "pairwise_accuracy": _pairwise,
    "soft_pairwise_accuracy": _soft,
    **dict.fromkeys(("pearson", "spearman", "kendall"), _correlation),
}
