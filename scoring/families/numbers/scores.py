"""The columns of a row of counts, and the scores made from sums of rows.

Sums of rows are enough for errors, and for correlations of the values. These are made once more from the weights of
rows (scorer.py), with each column less its own mean, which keeps more digits; what stands here serves where units of
two systems are exchanged, and there both need the same centre, the gold's mean.
"""

import numpy as np

from scoring.columns import Array, Flags, Floats
from scoring.families.numbers.combining import over_columns
from scoring.families.numbers.measures.agreement import scores_of_sums
from scoring.families.numbers.names import column_scores
from scoring.families.numbers.pairs import SUMS, Paired, centres_of, sum_columns
from scoring.family import Options

# Those of SUMS with both columns less the mean of the gold; and for each row 1 if the system is near enough, and
# −ln of the probability that it gave to the truth.
KINDS = (*SUMS, "within", "log_loss")
_WITHIN, _LOG_LOSS, _SQUARED, _ROWS = (KINDS.index(kind) for kind in ("within", "log_loss", "squared", "rows"))
# So that .8 and .7 differ by exactly .1.
_SLACK = 1e-9
# The smallest step of a double above 1: a probability of 0 for what is true costs 36, not infinitely much.
_EPSILON = 2.0**-52

# The totals of the corpus that are sums of one of the kinds.
TOTALS = {"items": (_ROWS,)}


def metrics(counts: Array, options: Options) -> dict[str, Floats]:
    """Compute scores (...) of sums of counts (..., kinds), or (..., columns, kinds) of several columns."""
    if len(options["columns"]) == 1:
        return _of_column(counts, options)
    return over_columns([_of_column(counts[..., k, :], options) for k in range(counts.shape[-2])], options)


def _of_column(counts: Array, options: Options) -> dict[str, Floats]:
    sums = np.asarray(counts, dtype=np.float64)
    names = column_scores(options)
    with np.errstate(divide="ignore", invalid="ignore"):
        means = sums / sums[..., _ROWS, np.newaxis]
    scores = {"within": means[..., _WITHIN], "log_loss": means[..., _LOG_LOSS], "brier": means[..., _SQUARED]}
    if options["kind"] == "real":
        zero = options["constant"] == "zero"
        scores |= scores_of_sums(sums[..., : len(SUMS)], zero_if_constant=zero)
    return {name: scores[name] for name in names if name in scores}


def counts_of(gold: Floats, system: Floats, tolerance: Floats | None, options: Options) -> Floats:
    """Return the kinds of each row of one column: (n, kinds).

    `tolerance` (n,) is how far off still counts as near.
    """
    if options["kind"] == "binary":
        # A curve needs no sums; those of the others are kept for a page of units, and numbers of any range are none.
        is_probability = options["range"] == "probability"
        gold, system = (column if is_probability else np.zeros_like(column) for column in (gold, system))
    centre = float(centres_of(gold, np.zeros(1, dtype=np.int64))[0])
    columns = np.empty((len(KINDS), len(gold)))
    sum_columns(gold, system, centre, centre, out=columns[: len(SUMS)])
    further = further_means(gold, system, tolerance, options)
    for kind in KINDS[len(SUMS) :]:
        columns[KINDS.index(kind)] = further.get(kind, 0.0)
    return columns.T


def further_means(gold: Floats, system: Floats, tolerance: Floats | None, options: Options) -> dict[str, Floats]:
    """Return what else is a mean over the rows: for each (n,), by the score's name."""
    if tolerance is not None:
        with np.errstate(over="ignore"):
            return {"within": is_near(system - gold, tolerance, options).astype(np.float64)}
    if options["kind"] == "binary" and options["range"] == "probability":
        of_truth = np.clip(np.where(gold == 1, system, 1 - system), _EPSILON, 1 - _EPSILON)
        return {"brier": (system - gold) ** 2, "log_loss": -np.log(of_truth)}
    return {}


def is_near(difference: Floats, tolerance: Floats, options: Options) -> Flags:
    """Return whether each difference is within its tolerance; the option says whether the edge is.

    >>> is_near(np.array([0.8 - 0.7, 0.05]), np.array([0.1, 0.1]), {"tolerance_edge": "out"})
    array([False,  True])
    """
    distance = np.abs(difference)
    return distance < tolerance - _SLACK if options["tolerance_edge"] == "out" else distance <= tolerance + _SLACK


def paired_with(paired: Paired, tolerance: Floats | None, options: Options) -> dict[str, Floats]:
    """Return the further means of rows that stand by segment.

    `tolerance` (n,) is in the order of the gold's table.
    """
    of_row = None if tolerance is None else tolerance[paired.row]
    return further_means(paired.gold, paired.system, of_row, options)
