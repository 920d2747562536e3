"""Bootstrap intervals and tests on rows of counts: files are read once, everything else is algebra on their rows.

* `limits`: what callers may ask for, and from where on a number means nothing
* `draws`: which units each resample holds, and which units two systems exchange in a trial
* `resampling`: the scores on all resamples, by the exact products of `sums`, and their intervals by `intervals`
* `pairs`: which of several systems differ; imported by name, because it needs SciPy
"""

from scoring.significance.draws import batches, seed_of, swap_batches, swaps, weights
from scoring.significance.intervals import bca_interval, moments, percentile_interval, quantile
from scoring.significance.resampling import (
    Block,
    Bootstrap,
    TableIntervals,
    bootstrap,
    points,
    resampled,
    totals,
)
from scoring.significance.sums import on_grid

__all__ = [
    "Block",
    "Bootstrap",
    "TableIntervals",
    "batches",
    "bca_interval",
    "bootstrap",
    "moments",
    "on_grid",
    "percentile_interval",
    "points",
    "quantile",
    "resampled",
    "seed_of",
    "swap_batches",
    "swaps",
    "totals",
    "weights",
]
