"""Numbers on another scale than the task's, in an order that no items have, or that stand for none."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from scoring.columns import Flags, Floats
from scoring.describing.contents import Contents, Numbers
from scoring.findings import Finding
from scoring.messages import Message

_FEWEST = 10
_FEWEST_SORTED, _FEWEST_VALUES = 30, 10  # numbers, and different ones among them, that are in order by no chance
_HALF = 0.5
_FEW, _FEWEST_EQUAL = 0.02, 3  # equal numbers that may stand for none
_FAR = 3  # times as far from all others as these are from each other
_LOWEST = 0.1  # of the task's scale: what a whole run does not fill
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


def odd_numbers(contents: Contents) -> Iterator[Finding]:
    """Yield `order` where numbers rise from row to row, `range` where they lie on another scale or stand for none."""
    for numbers in contents.numbers:
        if len(numbers.values) >= _FEWEST:
            for look in (_in_order, _ends_alike, *_OF_SCALE):
                if odd := look(numbers):
                    n, message, advice = odd
                    if advice.kind == "turn-sign-or-add" and contents.beside:
                        advice = _add(numbers) if contents.beside.fit(0) > 0 else _TURN
                    kind = _KINDS.get(look, "range")
                    suggestion = advice if _helps(advice, numbers) else None
                    yield Finding.odd(kind, message, n, len(numbers.values), contents.file, suggestion=suggestion)
                    break


_Found = tuple[int, Message, Message]

# {kind of a suggestion: the numbers as they would be}, of those that a program can follow.
_MENDS: dict[str, Callable[[Floats, Message], Floats]] = {
    "turn-sign": lambda values, advice: -values,
    "add-high": lambda values, advice: values + advice.values["high"],
    "subtract-one": lambda values, advice: values - 1,
    "multiply-by": lambda values, advice: values * advice.values["factor"],
    "divide-by": lambda values, advice: values / advice.values["factor"],
    "percent-divide": lambda values, advice: values / 100,
}


def _helps(advice: Message, numbers: Numbers) -> bool:
    """Return whether nothing is odd in the scale of numbers that follow the advice, if a program can follow it."""
    if advice.kind not in _MENDS:
        return True
    mended = replace(numbers, values=_MENDS[advice.kind](numbers.values, advice))
    return not any(look(mended) for look in _OF_SCALE)


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
        if _is_per_cent(numbers, extreme, rest):
            return n, _on_other_scale(numbers, len(is_same)), Message("percent-divide", "per cent? divide by 100")
        is_far = min(abs(rest.min() - extreme), abs(rest.max() - extreme)) > _FAR * max(np.ptp(rest), numbers.high)
        if is_far or _is_below_alone(numbers, float(extreme), rest):
            return (
                n,
                Message(
                    "numbers-stand-in",
                    "{n:,} of {of:,} {things} are {value:g}, far from the others."
                    if is_far
                    else "{n:,} of {of:,} {things} are {value:g}; all others lie on the task's scale.",
                    n=n,
                    of=len(is_same),
                    things=Message.word(numbers.name[1]),
                    value=extreme,
                ),
                Message("missing-as-number", "does it stand for missing ones? predict these, or leave them out"),
            )
    return None


def _ends_alike(numbers: Numbers) -> _Found | None:
    """Find a run that has one number for all its last items, and others before."""
    values = numbers.values
    n = len(values) - int(np.flatnonzero(values != values[-1]).max(initial=-1)) - 1
    if not max(_FEWEST_SORTED, _BELOW * len(values)) <= n < len(values) or len(np.unique(values)) < _FEWEST_VALUES:
        return None
    message = Message(
        "numbers-end-alike",
        "The last {n:,} of {of:,} {things} are all {value:g}.",
        n=n,
        of=len(values),
        things=Message.word(numbers.name[1]),
        value=values[-1],
    )
    return n, message, Message("broke-off", "did the run break off before its end?")


def _is_below_alone(numbers: Numbers, extreme: float, rest: Floats) -> bool:
    """Return whether one whole number stands below a scale that begins at 0, and all others on it."""
    is_on_scale = (rest >= 0) & (rest <= numbers.high * (1 + _LOWEST))
    return numbers.low == 0 and extreme < 0 and extreme == int(extreme) and bool(is_on_scale.all())


def _is_per_cent(numbers: Numbers, extreme: float, rest: Floats) -> bool:
    """Return whether shares from 0 to 1 may have been given in per cent: up to 100, and none between 0 and 1."""
    are_shares = numbers.low == 0 and numbers.high == 1 and extreme == 100
    return are_shares and bool(((rest == 0) | ((rest >= 1) & (rest < extreme))).all())


def _outside(numbers: Numbers) -> _Found | None:
    if not (numbers.is_scaled or numbers.high in _RATINGS):
        return None
    is_outside = _is_outside(numbers, numbers.values)
    n = int(np.count_nonzero(is_outside))
    if n < _HALF * len(is_outside):
        return None
    return n, _on_other_scale(numbers, n), _suggestion(numbers)


def _from_one(numbers: Numbers) -> _Found | None:
    """Find whole numbers that go from 1 to one more than the end of a scale that begins at 0."""
    values = numbers.values
    is_shifted = numbers.low == 0 and values.min() == 1 and values.max() == numbers.high + 1
    if not is_shifted or not numbers.is_scaled or (values % 1).any():
        return None
    return len(values), _on_other_scale(numbers, len(values)), Message("subtract-one", "subtract 1 from each?")


def _is_outside(numbers: Numbers, values: Floats) -> Flags:
    """Return whether values (n,) lie far beyond the scale, or are negative where the task's are not."""
    width = numbers.high - numbers.low
    is_outside: Flags = (values < numbers.low - width / 2) | (values > numbers.high + width / 2)
    return is_outside | (values < -width / 100) if numbers.low >= 0 else is_outside


def _squeezed(numbers: Numbers) -> _Found | None:
    """Find numbers that fill but the lowest part of the task's scale: those from 0 to 1, and shares of a percentage."""
    largest = float(numbers.values.max())
    is_share = largest <= 1 and numbers.high > 1
    if not np.ptp(numbers.values):
        return None  # one number for all lies where it lies
    if (
        not (numbers.is_scaled or numbers.high in _RATINGS)
        or numbers.low < 0
        or not (is_share or largest <= _LOWEST * numbers.high)
    ):
        return None
    return len(numbers.values), _on_other_scale(numbers, len(numbers.values)), _suggestion(numbers)


_BELOW = 0.2  # of the numbers
_TIMES = 10  # the task's scale beyond its ends


def _below(numbers: Numbers) -> _Found | None:
    """Find many numbers below a scale that begins at 0, as standardised ones are."""
    width = numbers.high - numbers.low
    n = int(np.count_nonzero(numbers.values < -width / 100))
    if numbers.low < 0 or not numbers.is_scaled or n < _BELOW * len(numbers.values):
        return None
    return n, _on_other_scale(numbers, n), Message("bring-to-scale", "bring them to the task's scale")


def _far_away(numbers: Numbers) -> _Found | None:
    """Find numbers far beyond the scale on which most lie."""
    width = numbers.high - numbers.low
    is_far = (numbers.values < numbers.low - _TIMES * width) | (numbers.values > numbers.high + _TIMES * width)
    n = int(np.count_nonzero(is_far))
    n_on_scale = int(np.count_nonzero(~_is_outside(numbers, numbers.values)))
    if not n or n_on_scale <= _HALF * len(numbers.values):
        return None
    message = Message(
        "numbers-far-away",
        "{n:,} of {of:,} {things} lie far beyond the task's scale, which goes from {low:g} to {high:g}: {value:g}, for"
        " example.",
        n=n,
        of=len(is_far),
        things=Message.word(numbers.name[1]),
        low=numbers.low,
        high=numbers.high,
        value=numbers.values[is_far][0],
    )
    return n, message, Message("look-at-numbers", "was a point or a blank lost?")


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
        least=numbers.values.min() + 0.0,  # no -0
        most=numbers.values.max() + 0.0,
    )


def _suggestion(numbers: Numbers) -> Message:
    low, high = scale_of(numbers.values)
    if np.array_equal(np.sort(numbers.values), np.arange(1, len(numbers.values) + 1)):
        return Message("ranks-for-numbers", "are these ranks? give numbers on the task's scale")
    if numbers.values.max() <= 0 <= numbers.low:
        return _turned(numbers)
    if low < 0 <= numbers.low or high == numbers.high:
        return Message("bring-to-scale", "bring them to the task's scale")
    if high < numbers.high:
        return Message("multiply-by", "multiply them by {factor:g}?", factor=numbers.high / high)
    # Other usual scales, and the task's own where points were lost; one that the numbers do not fill is none of these.
    powers = (numbers.high * 10.0**power for power in range(1, 16))
    largest = numbers.values.max()
    end = min(scale for scale in (high, *powers) if largest <= scale)
    if largest <= _FILLED * end:
        return Message("bring-to-scale", "bring them to the task's scale")
    return Message("divide-by", "divide them by {factor:g}?", factor=end / numbers.high)


_FILLED = 0.5  # of a scale

_TURN = Message("turn-sign", "turn their sign?")


def _turned(numbers: Numbers) -> Message:
    """Say how numbers below 0 come to the task's scale; distances with a minus and numbers with the other sign look
    alike where they are no smaller than that scale is wide.
    """
    if numbers.low or numbers.values.min() < -numbers.high:
        return _TURN
    return Message(
        "turn-sign-or-add",
        "turn their sign? or, if the lowest mean the least, add {high:g} to each?",
        high=numbers.high,
    )


def _add(numbers: Numbers) -> Message:
    return Message("add-high", "add {high:g} to each?", high=numbers.high)


_OF_SCALE = (_stand_ins, _outside, _from_one, _squeezed, _below, _far_away)
_KINDS = {_in_order: "order", _ends_alike: "partial"}
