"""Scales: with how many digits a score is said, as a share or in per cent, and what is perfect."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_05UP, ROUND_HALF_UP, Decimal
from math import floor, inf, isfinite, log10

Interval = tuple[float, float]

_LEAST_SPAN = 0.02  # of an axis, as a part of what the scores may reach
_THOUSANDS_APART = 10_000  # the least number of which they are: one of four digits is read at once
_DIGITS = 3  # significant ones of a value that no interval goes with
_DIGITS_OF_HALF = 2  # of half the width of an interval, which its ends have
_MANY_DECIMALS = 4  # more than most pages show
_DIGITS_BUT_0 = frozenset("123456789")
_MOST_DECIMALS = 12  # beyond it lie the last digits of a double


@dataclass(frozen=True)
class Scale:
    """The way in which a score is said; computing and storing go on at full precision.

    The default suits a share from 0 to 1. A score without bounds, as an error in the unit of the gold, is said best
    with `decimals=None`: the digits then follow the intervals.
    """

    decimals: int | None = 3  # None: so many that the width of an interval shows two digits
    digits: int | None = None  # significant ones of each number, instead of decimals: as of what is told roughly
    is_percent: bool = False  # a share that is said in per cent: 0.123 with one decimal as "12.3 %"
    full: float | None = None  # where all is right; None: 0 where less is better, else 1
    has_bounds: bool = True  # False keeps a score without bounds from being taken for a share where it has `decimals`
    is_open: bool = False  # whether no score says that all is right, as of judgements made elsewhere
    # Whether `full` holds for a unit alone, since what a perfect run has in all depends on the gold: as of precision at
    # 10 where fewer documents are relevant, or of a sum.
    depends_on_gold: bool = False

    def fitted(self, values: Iterable[float | None], intervals: Iterable[Interval | None] = ()) -> "Scale":
        """Return the same with as many decimals as these values need, so that all of a column have the same number.

        >>> Scale(decimals=None).fitted([0.00412], [(0.00398, 0.00431)]).decimals
        5
        >>> Scale(decimals=None).fitted([0.00412]).is_share
        False
        >>> Scale(decimals=None).fitted([1234.5, 17.25], [(1190.0, 1280.0), None]).decimals
        0
        """
        if self.decimals is not None:
            return self
        widths = [100 * width if self.is_percent else width for width in map(_width, intervals) if width]
        sizes = [abs(value) * (100 if self.is_percent else 1) for value in values if value]
        held = [_decimals(width, 2) for width in widths] or [_decimals(max(sizes, default=1.0), _DIGITS)]
        return replace(self, decimals=max(held), has_bounds=False)

    def text(self, value: float | None, interval: Interval | None = None) -> str:
        """Return the value with a true minus, and the interval behind it.

        >>> Scale().text(0.6214, (-0.59, 0.6534)), Scale(decimals=1, is_percent=True).text(0.1234, (0.11, 0.13))
        ('0.621 [−0.590, 0.653]', '12.3 % [11.0, 13.0]')
        >>> Scale(decimals=None).text(0.00412, (0.00398, 0.00431)), Scale().text(None)
        ('0.00412 [0.00398, 0.00431]', '–')
        """
        if value is None:
            return "–"
        scale = self.fitted([value], [interval])
        ends = f" [{scale.number(interval[0])}, {scale.number(interval[1])}]" if interval else ""
        return scale.number(value) + (" %" if self.is_percent else "") + ends

    def signed(self, value: float, interval: Interval | None = None, brackets: tuple[str, str] = ("[", "]")) -> str:
        """Return a difference with its sign, and its interval behind it; what is rounded to 0 has no sign.

        A difference of two percentages is told in percentage points.

        >>> Scale().signed(-0.0512, (-0.1, 0.02)), Scale(decimals=1, is_percent=True).signed(0.012)
        ('−0.051 [−0.100, +0.020]', '+1.2 pp')
        >>> Scale().signed(-0.0001)
        '0.000'
        """
        scale = self.fitted([value], [interval])
        ends = ""
        if interval:
            opening, closing = brackets
            ends = f" {opening}{scale.number(interval[0], '+')}, {scale.number(interval[1], '+')}{closing}"
        return scale.number(value, "+") + (" pp" if self.is_percent else "") + ends

    def perfect(self, *, lower_is_better: bool) -> float:
        """Return the score where all is right; of an open scale an infinite one, which nothing reaches."""
        if self.is_open:
            return -inf if lower_is_better else inf
        if self.full is not None:
            return self.full
        return 0.0 if lower_is_better else 1.0

    def number(self, value: float, sign: str = "") -> str:
        """Return the value alone, as an end of an interval is said; with `sign` "+" a positive one has its sign, too.

        What is rounded to 0 has none. Of a scale whose decimals follow the intervals, `fitted` is to be called first.

        From 10,000 on thousands stand apart.

        >>> [Scale(decimals=0).number(score) for score in (9825.0, 2829900.0, -2535246.0)]
        ['9825', '2,829,900', '−2,535,246']
        >>> [Scale(digits=2).number(each, "+") for each in (0.6412, -0.0996, 0.00042, 0.0)]
        ['+0.64', '−0.10', '+0.00042', '0.000']
        """
        value = _without_noise(100 * value if self.is_percent else value)
        decimals = self.decimals
        if self.digits and value:
            value = significant(value, self.digits)
            decimals = _decimals(abs(value), self.digits)
        thousands = "," if abs(value) >= _THOUSANDS_APART else ""
        text = f"{value:{sign}{thousands}.{decimals}f}".replace("-", "−")
        return text.lstrip("+−") if _DIGITS_BUT_0.isdisjoint(text) else text

    @property
    def is_share(self) -> bool:
        """Return whether scores lie between 0 and 1, and so could be said in per cent."""
        has_bounds = self.has_bounds and self.decimals is not None and not self.is_open
        return has_bounds and self.full in (None, 1.0)

    def least_span(self, values: Iterable[float]) -> float:
        """Return the least that an axis of these scores has to hold, so that a small difference does not look large.

        >>> Scale().least_span([0.5]), Scale(full=100.0, decimals=1).least_span([50.0])
        (0.02, 2.0)
        >>> round(Scale(decimals=None).least_span([0.004, 0.005]), 6)
        0.0001
        """
        if self.is_share:
            return _LEAST_SPAN
        if self.full and self.decimals is not None:
            return _LEAST_SPAN * abs(self.full)
        return _LEAST_SPAN * max(map(abs, values), default=0.0) or _LEAST_SPAN


def brackets_to_leader(difference: Sequence[float]) -> tuple[str, str]:
    """Return the brackets round the interval of a difference to the leader: a round one where 0 is no part of it.

    It ends at 0 itself only where the step-down test tells the two apart although the interval reaches beyond 0.

    >>> brackets_to_leader((-0.19, 0.0)), brackets_to_leader((0.0, 0.1)), brackets_to_leader((0.0, 0.0))
    (('[', ')'), ('(', ']'), ('[', ']'))
    """
    low, high = difference
    return ("(" if low == 0 < high else "["), (")" if low < 0 == high else "]")


def significant(value: float, digits: int) -> float:
    """Return the number with so many significant digits.

    >>> significant(0.00996, 2), significant(-1234.0, 2)
    (0.01, -1200.0)
    """
    return float(f"{value:.{digits - 1}e}")


def shortened(value: float, digits: int) -> float:
    """Return the number with so many decimals, of which a page that shows fewer says the same as of the number itself.

    Rounded twice, 0.62149 would be 0.6215 and then 0.622. So where the last digit would be 0 or 5 the rest is cut off,
    and such a digit goes up if there was a rest (`ROUND_05UP` of the General Decimal Arithmetic, made for this).

    >>> shortened(2 / 3, 4), shortened(0.62149, 4), shortened(0.6215, 4), shortened(0.62152, 4)
    (0.6667, 0.6214, 0.6215, 0.6216)
    """
    if not isfinite(value):
        return value
    exact, unit = Decimal(repr(_without_noise(value))), Decimal((0, (1,), -digits))
    rounded = exact.quantize(unit, ROUND_HALF_UP)
    if int(rounded.scaleb(digits)) % 5 == 0:  # the last digit is 0 or 5
        rounded = exact.quantize(unit, ROUND_05UP)
    return float(rounded) + 0.0  # no minus zero


def _without_noise(value: float) -> float:
    """Return the number without what sums of shares have in their last digits, which is no part of it."""
    return float(f"{value:.13g}")


def rounded_ends(interval: Sequence[float]) -> tuple[float, ...]:
    """Return both ends with as many decimals as two digits of half the width ask for: no resample is worth more.

    Rounding them once more changes nothing.

    >>> rounded_ends((0.60834, 0.67213)), rounded_ends((0.12345, 0.87654)), rounded_ends((0.5004, 0.6996))
    ((0.608, 0.672), (0.12, 0.88), (0.5, 0.7))
    """
    ends = tuple(interval)
    held = decimals_of_ends(ends)
    while True:
        ends = tuple([_rounded_end(end, held) for end in interval])
        if decimals_of_ends(ends) >= held:
            return ends
        held = decimals_of_ends(ends)


def decimals_of_ends(interval: Sequence[float]) -> int:
    """Return how many decimals the ends have; below 0 they are rounded to tens, hundreds and so on.

    >>> decimals_of_ends((0.608, 0.672)), decimals_of_ends((0.5, 0.7)), decimals_of_ends((1190.0, 1580.0))
    (3, 2, -1)
    """
    half = _without_noise(abs(interval[1] - interval[0]) / 2)
    return _DIGITS_OF_HALF - 1 - floor(log10(half)) if half and isfinite(half) else _MOST_DECIMALS


def _rounded_end(end: float, decimals: int) -> float:
    """Round an end to so many decimals; of many, those that a page leaves out change none that it shows."""
    return round(end, decimals) + 0.0 if decimals < _MANY_DECIMALS else shortened(end, decimals)


def _width(interval: Interval | None) -> float:
    if not interval:
        return 0.0
    low, high = rounded_ends(interval)
    return _without_noise(high - low)


def _decimals(size: float, digits: int) -> int:
    """Return how many decimals show this many significant digits of a number of this size.

    >>> _decimals(0.00033, 2), _decimals(47.0, 2), _decimals(8.1, 3)
    (5, 0, 2)
    """
    if not isfinite(size):
        return 0
    return min(_MOST_DECIMALS, max(0, digits - 1 - floor(log10(size))))
