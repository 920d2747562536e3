"""Precision, recall and F from counts, on arrays of any shape."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def ratio(numerator: ArrayLike, denominator: ArrayLike) -> NDArray[np.float64]:
    """Return the quotient of each pair, and 0 where the denominator is 0.

    Precision is 0 where nothing was found, recall where nothing was to be found: the usual choice of the programs
    that this engine reproduces. Families for which such a score does not apply give NaN instead.

    >>> ratio([3, 0, 2], [4, 0, 2])
    array([0.75, 0.  , 1.  ])
    """
    below = np.asarray(denominator, dtype=np.float64)
    empty = below == 0
    if not empty.any():
        return np.asarray(np.asarray(numerator, dtype=np.float64) / below)
    with np.errstate(divide="ignore", invalid="ignore"):
        quotient = np.asarray(np.asarray(numerator, dtype=np.float64) / below)
    np.copyto(quotient, 0.0, where=empty)
    return quotient


def share(part: ArrayLike, whole: ArrayLike) -> NDArray[np.float64]:
    """Return the quotient, and 1 where the whole is 0: where nothing was asked for, nothing is wrong.

    >>> share([3, 0], [4, 0])
    array([0.75, 1.  ])
    """
    return np.where(np.asarray(whole) == 0, 1.0, ratio(part, whole))


def harmonic_mean(precision: ArrayLike, recall: ArrayLike) -> NDArray[np.float64]:
    """Compute F1 = 2pr / (p + r), and 0 where both are 0.

    >>> harmonic_mean([0.5, 0.0], [1.0, 0.0]).round(3)
    array([0.667, 0.   ])

    Evaluated as (2·p)·r / (p + r): another order of the operations would change the last digit.
    """
    first = np.asarray(precision, dtype=np.float64)
    second = np.asarray(recall, dtype=np.float64)
    return ratio(2 * first * second, first + second)


def f_beta(precision: ArrayLike, recall: ArrayLike, beta: float) -> NDArray[np.float64]:
    """Return (1 + β²)pr / (β²p + r), and 0 where both are 0 (van Rijsbergen 1979).

    >>> f_beta([2 / 3, 0.0], [1.0, 0.0], 0.5).round(6)
    array([0.714286, 0.      ])
    """
    first = np.asarray(precision, dtype=np.float64)
    second = np.asarray(recall, dtype=np.float64)
    return ratio((1 + beta**2) * first * second, beta**2 * first + second)
