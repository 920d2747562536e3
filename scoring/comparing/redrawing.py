"""The draws of a stored evaluation that keeps none: the same numbers, made again from its rows and its seed.

Draws are nine tenths of a stored evaluation. They follow from the counts of each unit and the seed, to the last digit,
unless the score that ranks is no function of sums, such as an area under a curve.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from scoring.columns import Floats
from scoring.evaluation import Evaluation
from scoring.evaluation import stored_draws as kept_draws
from scoring.families import FAMILIES
from scoring.significance import Block, resampled


def draws_of(result: Evaluation) -> Floats | None:
    """Return the headline on each resample, (n_resamples,), as stored or made again; None without any."""
    if result.draws is not None or not result.n_resamples or result.seed is None:
        return result.draws
    return headline_draws(result, result.seed, result.n_resamples)


def headline_draws(result: Evaluation, seed: int, n_resamples: int) -> Floats | None:
    """Return the headline on resamples with this seed, (n_resamples,), as stored or made again; None without rows.

    The first resamples of a longer series are those of a shorter one with the same seed.
    """
    if result.draws is not None and result.seed == seed and len(result.draws) >= n_resamples:
        return result.draws[:n_resamples]
    values = redrawn(result, seed, n_resamples)
    return values[result.headline][0] if result.headline in values else None


def redrawn(result: Evaluation, seed: int, n_resamples: int) -> Mapping[str, Floats]:
    """Return scores of sums on resamples with this seed: {name: (1, n_resamples)}; nothing without rows."""
    if not result.rows.size:
        return {}
    metrics = FAMILIES[result.family].metrics_with(result.options)
    return resampled(Block(result.rows, metrics), seed, n_resamples)


def stored_draws(path: str | Path) -> Floats | None:
    """Return the draws of the evaluation at this path, made again where it was stored without them; None without any.

    Raises ConfigurationError if the file is no stored evaluation.
    """
    kept = kept_draws(path)
    return draws_of(Evaluation.load(path)) if kept is None else kept


def store_thinned(evaluation: str | Path, target: str | Path) -> bool:
    """Store at `target` the evaluation at this path without its draws.

    False, and nothing is stored, where it has none, or where they could not be made again to the last digit. Raises
    ConfigurationError if the file is no stored evaluation.
    """
    whole = Evaluation.load(evaluation)
    thinned = replace(whole, draws=None)
    again = draws_of(thinned)
    if whole.draws is None or again is None or not np.array_equal(whole.draws, again, equal_nan=True):
        return False
    thinned.save(target)
    return True
