"""The one score: a weighted mean, or a weighted sum."""

import numpy as np

from scoring.columns import Array, Floats
from scoring.family import Options
from scoring.scale import Scale

KINDS = ("weighted", "weight")  # weight times score, weight
TOTALS: dict[str, tuple[int, ...]] = {}  # no total is a sum of one of them
SCORE = "score"


def headline(options: Options) -> str:
    """Return the only score there is."""
    return SCORE


def metrics(counts: Array, options: Options) -> dict[str, Floats]:
    """Compute {"score": (...)} from sums (..., 2); NaN where no weight was drawn."""
    weighted, weight = np.moveaxis(np.asarray(counts, dtype=np.float64), -1, 0)
    has_weight = weight > 0
    divisor = weight if options["statistic"] == "mean" else np.ones_like(weight)
    score = np.divide(weighted, divisor, out=np.full(weighted.shape, np.nan), where=has_weight)
    return {SCORE: score}


def are_mixed(options: Options) -> bool:
    """Return whether the rows of blocks follow from all totals, that of the whole run among them."""
    return options["blocks"] is not None


def lower_is_better(options: Options) -> frozenset[str]:
    return frozenset([SCORE] if options["direction"] == "lower" else [])


def scales(options: Options) -> dict[str, Scale]:
    """Return what the range says: nothing else is known of the size of scores."""
    low, high = ends(options)
    full = None if options["range"] is None else low if options["direction"] == "lower" else high
    return {SCORE: Scale(decimals=None, full=full, depends_on_gold=options["statistic"] == "sum")}


def best(options: Options) -> float:
    """Return the best score of a unit, as far as a range says what that is; of a sum the highest one."""
    low, high = ends(options)
    return low if options["direction"] == "lower" and options["statistic"] == "mean" else high


def ends(options: Options) -> tuple[float, float]:
    """Return the range of scores; from 0 to 1 where none is given."""
    if options["range"] is None:
        return 0.0, 1.0
    low, _, high = options["range"].partition("..")
    return float(low), float(high)
