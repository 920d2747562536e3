"""Scores after units were exchanged between two systems, trial by trial.

Exchanging a unit moves its counts: the first system gets those of the second and the other way round. So the sums of
both systems after the exchange follow from the sums before it and the counts of the units that were exchanged.
"""

from collections.abc import Callable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from scoring.columns import Floats, Integers
from scoring.errors import ConfigurationError
from scoring.evaluation import Evaluation
from scoring.families import FAMILIES
from scoring.messages import Message
from scoring.rows import Rows
from scoring.significance import on_grid, swap_batches, totals

# Doubles that the sums of one batch of trials may fill.
_SWAPPED_VALUES = 2**22

# From pairs (P, 2) of systems by number to both scores (m, P) of each pair, batch by batch of m trials.
Swapper = Callable[[Integers], Iterator[tuple[Floats, Floats]]]


def swapper(results: Mapping[str, Evaluation], seed: int, n_trials: int) -> Swapper:
    """Return a function that gives the headline of both systems of each pair after units were exchanged.

    `results` are K systems by number. ConfigurationError where their score is not made from rows of equal shape.
    """
    shapes = {result.rows.shape for result in results.values()}
    first = next(iter(results.values()), None)
    if first is None:
        # No system has a score, so there is no pair either.
        return lambda pairs: iter(())
    metrics = FAMILIES[first.family].metrics_with(first.options)
    if len(shapes) > 1 or not first.rows.size or first.headline not in metrics(totals(first.rows)):
        raise ConfigurationError(
            Message(
                "randomisation-needs-rows", "randomisation needs rows of the same kinds from which the score is made"
            )
        )
    n_units, kinds = len(first.rows), first.rows.shape[1:]
    # All systems below each other, so that one matrix product per batch serves all pairs: (K · kinds, units).
    stacked = np.concatenate([on_grid(_columns(result.rows)) for result in results.values()])
    sums = stacked.sum(axis=1).reshape(len(results), -1)  # (K, kinds)

    def swapped(pairs: Integers) -> Iterator[tuple[Floats, Floats]]:
        one, other = pairs[:, 0], pairs[:, 1]
        batch = max(1, _SWAPPED_VALUES // max(1, len(pairs) * sums.shape[1]))
        for exchanged in swap_batches(seed, n_units, n_trials, batch):
            # The counts of the exchanged units, of each system: (m, units) @ (units, K · kinds) -> (m, K, kinds).
            parts = (exchanged.astype(np.float64) @ stacked.T).reshape(len(exchanged), *sums.shape)
            moved = parts[:, other] - parts[:, one]  # (m, P, kinds): what the first system of a pair gains
            first_sums, second_sums = sums[one] + moved, sums[other] - moved
            yield tuple(  # type: ignore[misc]
                metrics(counts.reshape(len(exchanged), len(pairs), *kinds))[first.headline]
                for counts in (first_sums, second_sums)
            )

    return swapped


def _columns(rows: NDArray[np.number] | Rows) -> Floats:
    """Return rows (units, ...) as (kinds, units); the groups of rows with groups are kinds here."""
    return np.ascontiguousarray(np.asarray(rows).reshape(len(rows), -1).T, dtype=np.float64)
