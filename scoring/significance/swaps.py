"""Trials of approximate randomisation: which units two systems exchange."""

from collections.abc import Iterator

import numpy as np

from scoring.columns import Flags


def swaps(seed: int, n_units: int, start: int, stop: int) -> Flags:
    """Whether each unit is exchanged in the trials start, …, stop − 1: (stop − start, n_units).

    Each flag is one bit of the raw words of PCG64, the least significant first; a trial begins with a new word. All
    pairs of systems share the trials.

    >>> swaps(42, n_units=6, start=0, stop=2).astype(int)
    array([[1, 0, 1, 1, 1, 1],
           [0, 1, 1, 1, 1, 1]])
    """
    n_words = -(-n_units // 64)  # of one trial, rounded up
    # Another stream than the bootstrap's, which is seeded with the number alone.
    bits = np.random.PCG64([seed, 1])
    bits.advance(start * n_words)
    words = bits.random_raw((stop - start) * n_words).astype("<u8", copy=False)
    flags = np.unpackbits(words.view(np.uint8), bitorder="little")
    return flags.reshape(stop - start, n_words * 64)[:, :n_units].astype(bool)


def swap_batches(seed: int, n_units: int, n_trials: int, batch: int) -> Iterator[Flags]:
    """The swaps of all trials, in slices of `batch` trials; the slicing changes no number."""
    for start in range(0, n_trials, batch):
        yield swaps(seed, n_units, start, min(start + batch, n_trials))
