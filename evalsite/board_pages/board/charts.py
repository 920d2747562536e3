"""The chart in a board's rows: an axis for the whole column, and each score and interval as places on it.

All places are percentages of the column's width, so that dots stay round and lines run through rows of any height.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from evalsite.results.page.charts import tick_step
from evalsite.wording import SHARE, in_digits, score
from scoring.scale import Scale

MARGIN = 0.05  # of the span, free at both ends
MOST_STEPS = 6
LINE_HEIGHT = 16  # of the heading, in pixels


@dataclass(frozen=True)
class Tick:
    at: float
    number: str  # as programs write it
    is_percent: bool = False

    @property
    def label(self) -> str:
        return in_digits(self.number) + ("\N{NO-BREAK SPACE}%" if self.is_percent else "")

    @property
    def anchor(self) -> str:
        """Return the anchor, which keeps labels near an end inside."""
        if self.at < 2:
            return "start"
        return "end" if self.at > 98 else "middle"


@dataclass(frozen=True)
class Line:
    """A reference that runs through all rows; its label stands on a line of its own in the heading."""

    kind: str
    at: float
    value: float
    y: int
    scale: Scale = SHARE

    @property
    def label(self) -> str:
        return f"{reference_word(self.kind)} {score(self.value, self.scale)}"

    @property
    def anchor(self) -> str:
        return "start" if self.at < 50 else "end"

    @property
    def dx(self) -> int:
        """Return free space between the line and its label, in pixels."""
        return 4 if self.at < 50 else -4

    @property
    def top(self) -> int:
        return self.y - LINE_HEIGHT + 4


@dataclass(frozen=True)
class Axis:
    low: float
    high: float
    ticks: list[Tick]
    lines: list[Line]

    def at(self, value: float) -> float:
        return _percent(value, self.low, self.high)

    @property
    def height(self) -> int:
        """Return the height of the heading: a line per reference and one for the ticks."""
        return LINE_HEIGHT * len(self.lines) + LINE_HEIGHT + 8

    @property
    def tick_top(self) -> int:
        return self.height - 5


@dataclass(frozen=True)
class Mark:
    """A score on an axis: its dot, and the ends of its whisker where it has an interval."""

    dot: float
    low: float | None
    high: float | None


# What stands outside the ranks of a board, by the kind that is stored.
_REFERENCES: dict[str, Promise] = {
    "baseline": _("baseline"),
    "human": _("human"),
    "gold": _("gold"),
    "late": _("late"),
    "beyond": pgettext_lazy("run", "beyond the limits"),
    "reported": _("as the team says"),
    "unranked": pgettext_lazy("team", "not ranked"),
}


def reference_word(kind: str) -> str:
    return str(_REFERENCES.get(kind, kind))


def axis_of(values: Iterable[float], references: Sequence[tuple[str, float]] = (), scale: Scale = SHARE) -> Axis | None:
    """Return an axis that holds all values (scores and ends of intervals) and the references; None without any."""
    held = [*values, *(value for _, value in references)]
    if not held:
        return None
    low, high = _ends(min(held), max(held), scale.least_span(held))
    lines = [
        Line(kind, _percent(value, low, high), value, LINE_HEIGHT * number - 4, scale)
        for number, (kind, value) in enumerate(references, start=1)
    ]
    return Axis(low, high, _ticks(low, high, is_percent=scale.is_percent), lines)


def mark(axis: Axis, value: float, interval: Sequence[float] | None) -> Mark:
    if interval is None:
        return Mark(axis.at(value), None, None)
    low, high = interval
    return Mark(axis.at(value), axis.at(low), axis.at(high))


def _ends(least: float, most: float, least_span: float) -> tuple[float, float]:
    missing = max(0.0, least_span - (most - least)) / 2
    margin = MARGIN * max(least_span, most - least)
    return least - missing - margin, most + missing + margin


def _ticks(low: float, high: float, *, is_percent: bool) -> list[Tick]:
    """Put a handful of ticks at the multiples of 1, 2 or 5 times a power of ten that fall on the axis."""
    step = tick_step(high - low, most=MOST_STEPS)
    multiples = range(ceil(low / float(step)), floor(high / float(step)) + 1)
    shown_step = (100 * step).normalize() if is_percent else step  # without the noughts of the share
    return [Tick(_percent(float(k * step), low, high), f"{k * shown_step:f}", is_percent) for k in multiples]


def _percent(value: float, low: float, high: float) -> float:
    return round(100 * (value - low) / (high - low), 2)
