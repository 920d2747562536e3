"""Scores after units were exchanged between two systems, trial by trial."""

from collections.abc import Callable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from scoring.columns import Floats, Integers
from scoring.errors import ConfigurationError
from scoring.evaluation import Evaluation
from scoring.families import FAMILIES
from scoring.significance import on_grid, swap_batches, totals

_SWAPPED_VALUES = 2**22

Swapper = Callable[[Integers], Iterator[tuple[Floats, Floats]]]


def swapper(results: Mapping[str, Evaluation], seed: int, n_trials: int) -> Swapper:
    """Scores of both systems of each pair after units were exchanged, (m, P) each, batch by batch of trials."""
    shapes = {result.rows.shape for result in results.values()}
    first = next(iter(results.values()), None)
    if first is None:
        return lambda pairs: iter(())  # nobody is ranked
    metrics = FAMILIES[first.family].metrics_with(first.options)
    if len(shapes) > 1 or not first.rows.size or first.headline not in metrics(totals(first.rows)):
        raise ConfigurationError("randomisation needs rows of the same kinds from which the score is made")
    n_units, kinds = len(first.rows), first.rows.shape[1:]
    columns = [on_grid(_columns(result.rows)) for result in results.values()]
    stacked = np.concatenate(columns)  # (systems · kinds, units)
    sums = stacked.sum(axis=1).reshape(len(results), -1)

    def swapped(pairs: Integers) -> Iterator[tuple[Floats, Floats]]:
        one, other = pairs[:, 0], pairs[:, 1]
        batch = max(1, _SWAPPED_VALUES // max(1, len(pairs) * sums.shape[1]))
        for exchanged in swap_batches(seed, n_units, n_trials, batch):
            parts = (exchanged.astype(np.float64) @ stacked.T).reshape(len(exchanged), *sums.shape)
            moved = parts[:, other] - parts[:, one]
            first_sums, second_sums = sums[one] + moved, sums[other] - moved
            yield tuple(  # type: ignore[misc]
                metrics(counts.reshape(len(exchanged), len(pairs), *kinds))[first.headline]
                for counts in (first_sums, second_sums)
            )

    return swapped


def _columns(rows: NDArray[np.number]) -> Floats:
    """Rows (units, ...) as (kinds, units)."""
    return np.ascontiguousarray(rows.reshape(len(rows), -1).T, dtype=np.float64)
