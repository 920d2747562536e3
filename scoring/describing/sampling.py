"""Which annotations of a large run are looked at."""

import numpy as np

from scoring.columns import Integers

# Usual runs are looked at whole; of a larger one so many tell the same, and reading it takes longer.
MOST_LOOKED_AT = 2_000


def sampled(n: int, most: int = MOST_LOOKED_AT) -> Integers:
    """Indices below n, all of them or `most` that are spread evenly.

    >>> sampled(3), sampled(9, most=3)
    (array([0, 1, 2]), array([0, 3, 6]))
    """
    return np.arange(n) if n <= most else np.arange(most) * n // most
