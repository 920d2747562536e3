"""The value of a bound formula, on numbers and on resamples alike."""

from collections.abc import Mapping, Sequence
from functools import reduce

import numpy as np

from scoring.columns import Floats
from scoring.combining.formula import Call, Chain, Component, Negative, Node


def value_of(node: Node, values: Mapping[Component, Floats | float]) -> Floats:
    """Return the formula on these values of its components, each of shape () or (B,); NaN where it is undefined.

    What is infinite, as x / 0, is undefined, and so is all that is made of it.

    >>> en, de = Component("en", "f1"), Component("de", "f1")
    >>> value_of(Chain(Call("mean", (en, de)), (("*", 2.0),)), {en: 0.6, de: np.array([0.8, 0.4])})
    array([1.4, 1. ])
    """
    with np.errstate(all="ignore"):
        return _value(node, values)


def _value(node: Node, values: Mapping[Component, Floats | float]) -> Floats:
    if isinstance(node, Component):
        return np.asarray(values[node], dtype=np.float64)
    if isinstance(node, Negative):
        return np.asarray(-_value(node.of, values))
    if isinstance(node, Call):
        return _FUNCTIONS[node.function]([_value(part, values) for part in node.arguments])
    if isinstance(node, Chain):
        result = _value(node.first, values)
        for sign, part in node.rest:
            result = _defined(_OPERATORS[sign](result, _value(part, values)))
        return result
    assert isinstance(node, float)
    return _defined(np.float64(node))


def _defined(values: Floats | np.float64) -> Floats:
    """Return NaN for what is infinite."""
    is_finite = np.isfinite(values)
    return np.asarray(values if is_finite.all() else np.where(is_finite, values, np.nan))


def _mean(values: Sequence[Floats]) -> Floats:
    return _defined(reduce(np.add, values) / len(values))


def _harmonic_mean(values: Sequence[Floats]) -> Floats:
    """Compute n / Σ 1/x: 0 if a value is 0, undefined if one is negative."""
    smallest = reduce(np.minimum, values)  # NaN where any is
    mean = len(values) / reduce(np.add, [1 / value for value in values])
    return _of_positive(mean, smallest)


def _geometric_mean(values: Sequence[Floats]) -> Floats:
    """Return the n-th root of the product: 0 if a value is 0, undefined if one is negative.

    By logarithms, since the product of many small scores is no longer a number.
    """
    smallest = reduce(np.minimum, values)
    mean = np.exp(reduce(np.add, [np.log(value) for value in values]) / len(values))
    return _of_positive(mean, smallest)


def _of_positive(mean: Floats, smallest: Floats) -> Floats:
    """Return a mean that is made for positive values, of values of which the smallest is known."""
    return _defined(np.where(smallest > 0, mean, np.where(smallest == 0, 0.0, np.nan)))


def _min(values: Sequence[Floats]) -> Floats:
    return np.asarray(reduce(np.minimum, values))


def _max(values: Sequence[Floats]) -> Floats:
    return np.asarray(reduce(np.maximum, values))


def _ln(values: Sequence[Floats]) -> Floats:
    """Return the natural logarithm, undefined of what is not positive."""
    return _defined(np.log(values[0]))


_OPERATORS = {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide}
_FUNCTIONS = {"mean": _mean, "hmean": _harmonic_mean, "gmean": _geometric_mean, "min": _min, "max": _max, "ln": _ln}
