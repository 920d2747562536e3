"""Draws: which units each bootstrap resample holds, and which units two systems exchange in a trial.

Both are pure functions of the seed, the number of units and the number of the resample or trial.

A resample draws as many units as the gold has, with replacement. It is kept as its *weights*: how often each unit was
drawn. All systems on one gold share the seed, and with it the resamples, so that their scores on resample b can be
subtracted. Resample b depends on nothing else: not on how many there are, the batch, the process or the computer.
"""

import threading
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from scoring.columns import Flags, Integers

# Weights in a batch. Larger batches leave the processor's cache, and are slower.
_BATCH_WEIGHTS = 2**16
# Several systems are scored on one gold: the weights of the golds used last are cached, 16 MiB each and 64 MiB in all.
_CACHED_WEIGHTS = 2**24
_CACHED_BYTES = 2**26


def seed_of(gold_digest: str) -> int:
    """Return the seed that all systems on one gold share: 13 hexadecimal digits, which are exact in JSON and databases.

    >>> seed_of("bb98a35c4fe1e84f" + 48 * "0") == 0xBB98A35C4FE1E
    True
    """
    return int(gold_digest[:13], 16)


def weights(seed: int, n_units: int, start: int, stop: int) -> Integers:
    """Return how often each unit occurs in the resamples start, …, stop − 1: (stop − start, n_units).

    Made from the raw words of PCG64, which NumPy guarantees to stay as they are, unlike the methods of
    its `Generator`. A word of 64 bits gives two indices, its low half first, and a resample begins with a new word.
    A half h becomes the index (h · n_units) >> 32, by multiplication instead of division (Lemire 2019).

    >>> weights(42, n_units=5, start=0, stop=2)  # the units 0, 3, 3, 2, 2 and then 0, 3, 1, 0, 2
    array([[1, 0, 2, 2, 0],
           [2, 1, 1, 1, 0]])
    """
    n_words = -(-n_units // 2)  # of one resample, rounded up
    n_rows = stop - start
    bits = np.random.PCG64(seed)
    bits.advance(start * n_words)
    # Little-endian on every computer, so that the low half of a word comes first in the view below.
    words = bits.random_raw(n_rows * n_words).astype("<u8", copy=False)
    # (n_rows, n_units): of an odd number of units the last half of each resample is dropped.
    index = words.view("<u4").reshape(n_rows, -1)[:, :n_units].astype(np.uint64)
    index *= np.uint64(n_units)
    index >>= np.uint64(32)
    # Row r counts from r · n_units on, so that one bincount counts all rows.
    index += np.arange(n_rows, dtype=np.uint64)[:, np.newaxis] * np.uint64(n_units)
    return np.bincount(index.view(np.int64).ravel(), minlength=n_rows * n_units).reshape(n_rows, n_units)


def batches(seed: int, n_units: int, n_resamples: int, batch: int | None = None) -> Iterator[NDArray[np.integer]]:
    """Return the weights of all resamples, in slices of `batch` rows; the slicing changes no number.

    They may come in the smallest type that holds them: convert them before computing.
    """
    if batch is None and n_units * n_resamples <= _CACHED_WEIGHTS:
        return iter(_cache.get(seed, n_units, n_resamples))
    return _drawn(seed, n_units, n_resamples, batch or max(1, _BATCH_WEIGHTS // n_units))


def cache_weights(seed: int, n_units: int, n_resamples: int) -> None:
    """Draw the weights of a gold now, if they are few enough to be cached: a process forked later has them."""
    if 0 < n_units * n_resamples <= _CACHED_WEIGHTS:
        _cache.get(seed, n_units, n_resamples)


def n_drawn() -> int:
    """Return how often this process has drawn weights for its cache."""
    return _cache.n_drawn


def _drawn(seed: int, n_units: int, n_resamples: int, batch: int) -> Iterator[Integers]:
    for start in range(0, n_resamples, batch):
        yield weights(seed, n_units, start, min(start + batch, n_resamples))


Batches = tuple[NDArray[np.integer], ...]


class _Cache:
    """The weights of some golds, the one used last at the end."""

    def __init__(self) -> None:
        self.n_drawn = 0
        self._by_gold: dict[tuple[int, int, int], Batches] = {}
        self._lock = threading.Lock()

    def get(self, seed: int, n_units: int, n_resamples: int) -> Batches:
        gold = (seed, n_units, n_resamples)
        with self._lock:
            batches_of_gold = self._by_gold.pop(gold, None) or self._draw(*gold)
            self._by_gold[gold] = batches_of_gold
            while len(self._by_gold) > 1 and self._n_bytes() > _CACHED_BYTES:
                del self._by_gold[next(iter(self._by_gold))]
        return batches_of_gold

    def _draw(self, seed: int, n_units: int, n_resamples: int) -> Batches:
        """Return all batches, as bytes where no unit was drawn more than 255 times; shared, so they are read-only.

        The weights of a unit lie together: they are multiplied more often than drawn, in a third less time so.
        """
        self.n_drawn += 1
        drawn = _drawn(seed, n_units, n_resamples, max(1, _BATCH_WEIGHTS // n_units))
        cached = tuple(batch.astype(np.min_scalar_type(batch.max()), order="F") for batch in drawn)
        for batch in cached:
            batch.flags.writeable = False
        return cached

    def _n_bytes(self) -> int:
        return sum(batch.nbytes for batches in self._by_gold.values() for batch in batches)


_cache = _Cache()


def swaps(seed: int, n_units: int, start: int, stop: int) -> Flags:
    """Return whether each unit is exchanged in the trials start, …, stop − 1: (stop − start, n_units).

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
    """Return the swaps of all trials, in slices of `batch` trials; the slicing changes no number."""
    for start in range(0, n_trials, batch):
        yield swaps(seed, n_units, start, min(start + batch, n_trials))
