"""Numbers on another scale than the task's, in an order that no items have, or that stand for none."""

from collections.abc import Iterator

import numpy as np

from scoring.columns import Flags, Floats
from scoring.describing.contents import Contents, Numbers
from scoring.describing.description import Oddity
from scoring.messages import Message

_FEWEST = 10
_FEWEST_SORTED, _FEWEST_VALUES = 30, 10  # numbers, and different ones among them, that are in order by no chance
_HALF = 0.5
_FEW, _FEWEST_EQUAL = 0.02, 3  # equal numbers that may stand for none
_FAR = 3  # times as far from all others as these are from each other
_LOWEST = 0.06  # of the task's scale: what a whole run does not fill
_SCALES = (1.0, 5.0, 10.0, 100.0, 1000.0)
# The ends of scales on which people rate: there the size of numbers tells something even where correlations rank.
_RATINGS = (1.0, 5.0, 10.0, 100.0)


def scale_of(values: Floats) -> tuple[float, float]:
    """Return the usual scale on which all numbers lie, rounded so that it tells nothing of a single one.

    >>> scale_of(np.array([0.2, 4.8])), scale_of(np.array([-0.3, 0.7]))
    ((0.0, 5.0), (-1.0, 1.0))
    """
    finite = values[np.isfinite(values)]
    largest = float(np.abs(finite).max(initial=0.0))
    high = next((scale for scale in _SCALES if largest <= scale), 10.0 ** np.ceil(np.log10(max(largest, 1.0))))
    return (-high if finite.min(initial=0.0) < 0 else 0.0), high


def odd_numbers(contents: Contents) -> Iterator[Oddity]:
    """Yield `order` where numbers rise from row to row, `range` where they lie on another scale or stand for none."""
    for numbers in contents.numbers:
        if len(numbers.values) >= _FEWEST:
            for look in (_in_order, _stand_ins, _outside, _squeezed):
                if odd := look(numbers):
                    n, message, suggestion = odd
                    kind = "order" if look is _in_order else "range"
                    yield Oddity(kind, message, n, len(numbers.values), contents.file, suggestion=suggestion)
                    break


_Found = tuple[int, Message, Message]


def _in_order(numbers: Numbers) -> _Found | None:
    """Find numbers that rise from row to row while the items stand in the task's own order."""
    steps = np.diff(numbers.values)
    if len(set(np.diff(numbers.unit).tolist())) != 1 or not ((steps >= 0).all() or (steps <= 0).all()):
        return None
    n, things = len(numbers.values), Message.word(numbers.name[1])
    if steps[0] and (steps == steps[0]).all():
        return (
            n,
            Message(
                "numbers-count",
                "All {n:,} {things} count from {first:g} to {last:g}.",
                n=n,
                things=things,
                first=numbers.values[0],
                last=numbers.values[-1],
            ),
            Message("column-of-index", "is this a column of row numbers? write the system's numbers"),
        )
    if n < _FEWEST_SORTED or len(np.unique(numbers.values)) < _FEWEST_VALUES:
        return None
    return (
        n,
        Message("numbers-sorted", "All {n:,} {things} are sorted, though their items are not.", n=n, things=things),
        Message("sort-whole-rows", "was one column sorted by itself? sort whole rows"),
    )


def _stand_ins(numbers: Numbers) -> _Found | None:
    """Find one number far from all others, which lie on the task's scale."""
    for extreme in (numbers.values.min(), numbers.values.max()):
        is_same = numbers.values == extreme
        n, rest = int(np.count_nonzero(is_same)), numbers.values[~is_same]
        if n < max(_FEWEST_EQUAL, _FEW * len(is_same)) or not len(rest) or numbers.low <= extreme <= numbers.high:
            continue
        if np.count_nonzero(_is_outside(numbers, rest)) >= _HALF * len(rest):
            continue
        if min(abs(rest.min() - extreme), abs(rest.max() - extreme)) > _FAR * max(np.ptp(rest), numbers.high):
            return (
                n,
                Message(
                    "numbers-stand-in",
                    "{n:,} of {of:,} {things} are {value:g}, far from all others.",
                    n=n,
                    of=len(is_same),
                    things=Message.word(numbers.name[1]),
                    value=extreme,
                ),
                Message("missing-as-number", "does it stand for missing ones? predict these, or leave them out"),
            )
    return None


def _outside(numbers: Numbers) -> _Found | None:
    if not (numbers.is_scaled or numbers.high in _RATINGS):
        return None
    is_outside = _is_outside(numbers, numbers.values)
    n = int(np.count_nonzero(is_outside))
    if n < _HALF * len(is_outside):
        return None
    return n, _on_other_scale(numbers, n), _suggestion(numbers)


def _is_outside(numbers: Numbers, values: Floats) -> Flags:
    """Return whether values (n,) lie far beyond the scale, or are negative where the task's are not."""
    width = numbers.high - numbers.low
    is_outside: Flags = (values < numbers.low - width / 2) | (values > numbers.high + width / 2)
    return is_outside | (values < -width / 100) if numbers.low >= 0 else is_outside


def _squeezed(numbers: Numbers) -> _Found | None:
    """Find numbers that fill but the lowest part of the task's scale: those from 0 to 1, and shares of a percentage."""
    largest = float(numbers.values.max())
    is_share = largest <= 1 and numbers.high > 1
    if (
        not (numbers.is_scaled or numbers.high in _RATINGS)
        or numbers.low < 0
        or not (is_share or largest <= _LOWEST * numbers.high)
    ):
        return None
    return len(numbers.values), _on_other_scale(numbers, len(numbers.values)), _suggestion(numbers)


def _on_other_scale(numbers: Numbers, n: int) -> Message:
    return Message(
        "numbers-other-scale",
        "{n:,} of {of:,} {things} lie on another scale than the task's, which goes from {low:g} to {high:g}: the run's"
        " go from {least:g} to {most:g}.",
        n=n,
        of=len(numbers.values),
        things=Message.word(numbers.name[1]),
        low=numbers.low,
        high=numbers.high,
        least=numbers.values.min(),
        most=numbers.values.max(),
    )


def _suggestion(numbers: Numbers) -> Message:
    low, high = scale_of(numbers.values)
    if numbers.values.max() <= 0 <= numbers.low:
        return Message("turn-sign", "turn their sign?")
    if low < 0 <= numbers.low or high == numbers.high:
        return Message("bring-to-scale", "bring them to the task's scale")
    if high < numbers.high:
        return Message("multiply-by", "multiply them by {factor:g}?", factor=numbers.high / high)
    return Message("divide-by", "divide them by {factor:g}?", factor=high / numbers.high)
