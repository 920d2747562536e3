"""Sums of many numbers that are rounded once, as `math.fsum` gives them, with the speed of array operations."""

import math

from scoring.columns import Floats

_FEW = 4_096  # numbers that fsum adds faster
_LAYERS = 4  # of numbers that lie so far apart that these do not hold them, fsum makes the sum


def exact_sum(numbers: Floats) -> float:
    """The sum of (n,), correctly rounded, whatever their order.

    Each number is cut into layers of so few bits that the sum of a layer is exact in any order (Rump, Ogita & Oishi
    2008, Accurate floating-point summation): with σ a power of two above n · max|x|, (σ + x) − σ is x rounded to a
    multiple of σ · 2⁻⁵³, and what is left of x is exact.

    >>> import numpy as np
    >>> exact_sum(np.array([0.1] * 10)), exact_sum(np.repeat([1e16, 1.0, -1e16], 5_000))
    (1.0, 5000.0)
    """
    if len(numbers) <= _FEW:
        return math.fsum(numbers.tolist())
    left = numbers
    layers: list[float] = []
    for _ in range(_LAYERS):
        largest = float(max(left.max(), -left.min()))
        if largest == 0:
            return math.fsum(layers)
        # 2n, so that σ + x keeps its exponent and no sum of a layer needs more bits than there are.
        sigma = math.ldexp(1.0, math.frexp(largest)[1] + math.frexp(2 * len(left))[1])
        layer = (left + sigma) - sigma
        layers.append(float(layer.sum()))
        left = left - layer
    return math.fsum(layers) if not left.any() else math.fsum(numbers.tolist())
