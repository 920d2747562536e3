"""The blocks of units that are left out in turn where a judge gives a run one total."""

import hashlib
from collections.abc import Sequence

N_BLOCKS = 20  # the fewest units that a comparison takes; more would ask a judge more often
WHOLE = "all"  # what the score of all units is called, beside `names_of_blocks`


def names_of_blocks() -> list[str]:
    """Return what the scores without a block are called."""
    return [f"without {number}" for number in range(1, N_BLOCKS + 1)]


def blocks_of(units: Sequence[str], seed: str) -> list[int]:
    """Return the block of each unit, from 0: in the order of digests, so that it is the same on every machine.

    >>> blocks_of([f"u{number}" for number in range(40)], "task/phase/1").count(0)
    2
    """
    digests = [hashlib.sha256(f"{seed}\n{unit}".encode()).digest() for unit in units]
    block_of = [0] * len(units)
    for place, at in enumerate(sorted(range(len(units)), key=digests.__getitem__)):
        block_of[at] = place % N_BLOCKS
    return block_of
