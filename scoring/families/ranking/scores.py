"""The columns of a row, and the scores made from sums of rows: means over the queries that are scored."""

import numpy as np

from scoring.columns import Array, Floats
from scoring.families.ranking.names import GEOMETRIC, score_names
from scoring.families.ranking.options import DEFAULT_CUTOFFS
from scoring.family import Options, Scale
from scoring.prf import ratio

# With the usual cutoffs: 1 for a query that is scored and 0 for another one, and its value times this of each score,
# of geometric means the logarithm.
KINDS = ("weight", *score_names({"cutoffs": DEFAULT_CUTOFFS}))


def headline(options: Options) -> str:
    """Return the score that ranks."""
    name: str = options["headline"]
    return name


def scales(options: Options) -> dict[str, Scale]:
    """Return scales: a perfect run need not reach 1 in precision, nor a query without relevant ones; DCG is unbounded.

    Where BioASQ's average precision counts more than ten documents, it may exceed 1.
    """
    unbounded = [name for name in score_names(options) if name.startswith("dcg")]
    scales_of = {name: Scale(decimals=None, is_open=True, has_bounds=False) for name in unbounded}
    if "bioasq" in (options["measures"] or ()):
        scales_of["bioasq_map"] = Scale(depends_on_gold=True, has_bounds=False)
    if options.get("items") == "snippets":
        scales_of["snippet_map"] = Scale(depends_on_gold=True, has_bounds=False)
    return {headline(options): Scale(depends_on_gold=True)} | scales_of


def metrics(counts: Array, options: Options) -> dict[str, Floats]:
    """Compute all scores (...) from sums of rows (..., kinds); NaN where no query is scored."""
    sums = np.moveaxis(np.asarray(counts, dtype=np.float64), -1, 0)
    weight = sums[0]
    means = {
        name: np.where(weight == 0, np.nan, ratio(column, weight))
        for name, column in zip(score_names(options), sums[1:], strict=True)
    }
    return means | {name: np.exp(means[name]) for name in GEOMETRIC if name in means}
