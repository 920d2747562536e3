"""Chance that is the same in every process and every version of Python."""

import hashlib
import random
from collections.abc import Callable, Sequence
from typing import TypeVar

# Share of the chances that all systems have in common: their errors are correlated, as real ones are.
SHARED = 0.5

Item = TypeVar("Item")
Happens = Callable[..., bool]


def uniform(*key: object) -> float:
    """A number in [0, 1) that depends on nothing but the key."""
    return int.from_bytes(hashlib.sha256(repr(key).encode()).digest()[:6], "big") / 2**48


def chances(name: str, place: str, shared: float = SHARED) -> Happens:
    """happens(probability, *spot) for one system at one place of the data: hard spots are hard for everybody."""

    def happens(probability: float, *spot: object) -> bool:
        is_shared = uniform(name, place, "shared", *spot) < shared
        return uniform("everybody" if is_shared else name, place, *spot) < probability

    return happens


def choice(items: Sequence[Item], rng: random.Random) -> Item:
    return items[int(rng.random() * len(items))]


def shuffled(items: Sequence[Item], rng: random.Random) -> list[Item]:
    """Fisher and Yates on random() alone, whose stream is the same in every version of Python."""
    result = list(items)
    for last in range(len(result) - 1, 0, -1):
        other = int(rng.random() * (last + 1))
        result[last], result[other] = result[other], result[last]
    return result
