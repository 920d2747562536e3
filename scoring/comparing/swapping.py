"""Scores after units were exchanged between two systems, trial by trial.

Exchanging a unit moves its counts: the first system gets those of the second and the other way round. So the sums of
both systems after the exchange follow from the sums before it and the counts of the units that were exchanged.

Where a family says so (`ScoreNotes.exchange`), single numbers are exchanged instead, and the score is made anew.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from scoring.columns import Floats, Integers
from scoring.errors import ConfigurationError
from scoring.evaluation import Evaluation
from scoring.families import FAMILIES
from scoring.family import Exchange
from scoring.messages import Message
from scoring.rows import Rows
from scoring.significance import on_grid, swap_batches, totals

# Doubles that the sums of one batch of trials may fill.
_SWAPPED_VALUES = 2**22
_EXCHANGED_VALUES = 2**16  # and the numbers of one, of which the score makes more

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
    if exchanges := _exchanges(list(results.values())):
        return partial(_exchanged, exchanges, seed, n_trials)
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


def _exchanges(results: Sequence[Evaluation]) -> list[Exchange]:
    """Return what the runs exchange in place of units; nothing unless all of them have it."""
    make = FAMILIES[results[0].family].scores.exchange
    made = [make(exchange.numbers, exchange.options) for exchange in results if make and exchange.numbers is not None]
    exchanges = [exchange for exchange in made if exchange is not None]
    return exchanges if len(exchanges) == len(results) else []


def _exchanged(
    exchanges: Sequence[Exchange], seed: int, n_trials: int, pairs: Integers
) -> Iterator[tuple[Floats, Floats]]:
    """Yield both scores (m, P) of each pair after single numbers were exchanged."""
    numbers, [score, *_] = [of_system for of_system, _ in exchanges], [make for _, make in exchanges]
    batch = max(1, _EXCHANGED_VALUES // max(1, len(numbers[0])))
    for exchanged in swap_batches(seed, len(numbers[0]), n_trials if len(pairs) else 0, batch):
        sides = [
            (score(np.where(exchanged, second, first)), score(np.where(exchanged, first, second)))
            for first, second in ((numbers[one], numbers[other]) for one, other in pairs.tolist())
        ]
        firsts, seconds = zip(*sides, strict=True)
        yield np.stack(firsts, axis=1), np.stack(seconds, axis=1)


def _columns(rows: NDArray[np.number] | Rows) -> Floats:
    """Return rows (units, ...) as (kinds, units); the groups of rows with groups are kinds here."""
    return np.ascontiguousarray(np.asarray(rows).reshape(len(rows), -1).T, dtype=np.float64)
