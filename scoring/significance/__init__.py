"""Bootstrap intervals on rows of counts: files are read once, everything else is algebra on their rows."""

from scoring.significance.draws import batches, seed_of, weights
from scoring.significance.intervals import bca_interval, moments, percentile_interval
from scoring.significance.resampling import Block, Bootstrap, TableIntervals, bootstrap, points, resampled, totals

__all__ = [
    "Block",
    "Bootstrap",
    "TableIntervals",
    "batches",
    "bca_interval",
    "bootstrap",
    "moments",
    "percentile_interval",
    "points",
    "resampled",
    "seed_of",
    "totals",
    "weights",
]
