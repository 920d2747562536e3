"""The scores of single units in two runs: a point for those that share a place, its area as large as they are many."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import floor, log10

import numpy as np
from django.utils.translation import gettext as _
from numpy.typing import NDArray

from evalsite.results.page.charts import N_TENTHS
from evalsite.results.units.wording import unit_name
from evalsite.wording import SHARE, amount, in_digits
from scoring.scale import Scale
from scoring.significance.limits import TIE

Array = NDArray[np.float64]
SIZE, LEFT, TOP, RIGHT, BOTTOM = 360, 52, 24, 24, 56  # of the plot, and the room around it
RADIUS, LARGEST = 3.5, 18.0  # of one unit, where there is room; of the fullest place


@dataclass(frozen=True)
class Point:
    x: float
    y: float
    radius: float
    css: str
    first: str
    second: str
    count: int
    at: str = ""  # both scores, as the address of the units here has them
    unit: str = ""  # the name of a unit that stands here alone

    @property
    def title(self) -> str:
        values = {"first": self.first, "second": self.second, "units": unit_name(self.unit) or amount(self.count)}
        return _("%(first)s and %(second)s: %(units)s") % values


@dataclass(frozen=True)
class Scatter:
    """`points` are places, the fullest first; the three numbers are of units."""

    points: list[Point]
    n_first: int
    n_equal: int
    n_second: int
    n_left_out: int
    is_coarse: bool
    low: float  # where both axes begin,
    top: float  # and where they end; of shares 1
    is_percent: bool

    left, upper, size = LEFT, TOP, SIZE
    width, height = LEFT + SIZE + RIGHT, TOP + SIZE + BOTTOM

    @property
    def square(self) -> list[list[Point | None]] | None:
        """Return the places where the first is right or wrong (rows), and the second; None where one is partly right.

        So [[both right, first alone], [second alone, neither]].
        """
        ends = {"1": 0, "0": 1}
        if self.top != 1 or self.is_percent or {point.first for point in self.points} - ends.keys():
            return None
        if {point.second for point in self.points} - ends.keys():
            return None
        places: list[list[Point | None]] = [[None, None], [None, None]]
        for point in self.points:
            places[ends[point.first]][ends[point.second]] = point
        return places

    @property
    def right(self) -> int:
        return LEFT + SIZE

    @property
    def bottom(self) -> int:
        return TOP + SIZE

    @property
    def middle(self) -> int:
        return LEFT + SIZE // 2

    @property
    def x_ticks(self) -> list[tuple[float, str]]:
        return [(LEFT + at * SIZE, label) for at, label in self._ticks]

    @property
    def y_ticks(self) -> list[tuple[float, str]]:
        return [(self.bottom - at * SIZE, label) for at, label in self._ticks]

    @property
    def _ticks(self) -> list[tuple[float, str]]:
        percent = "\N{NO-BREAK SPACE}%" if self.is_percent else ""
        shown = [(at, self.top * (self.low + at * (1 - self.low))) for at in (0.0, 0.5, 1.0)]
        return [(at, in_digits(f"{value * (100 if self.is_percent else 1):g}") + percent) for at, value in shown]


def scatter_of(
    first: Array,
    second: Array,
    scale: Scale = SHARE,
    *,
    is_coarse: bool,
    lower_is_better: bool = False,
    names: Sequence[str] | None = None,
) -> Scatter | None:
    """Draw unit scores (n,), none negative; None where no unit has both. With `names` points lead to their units.

    The axes end where all is right, or at a round number above the highest score. `is_coarse` puts a unit into the
    tenth that it falls in: exact scores of single units are each team's own.
    """
    defined = ~np.isnan(first) & ~np.isnan(second)
    one, other = first[defined], second[defined]
    if not len(one) or min(one.min(), other.min()) < 0:
        return None
    top = top_of(one, other, scale)
    one, other = one / top, other / top
    places = np.stack([_placed(one, is_coarse), _placed(other, is_coarse)], axis=1)
    distinct, example, counts = np.unique(places, axis=0, return_index=True, return_counts=True)
    named = np.flatnonzero(defined)[example].tolist()
    low = 0.5 if min(one.min(), other.min()) >= 0.5 else 0.0
    stretch = SIZE / (1 - low)
    radius = min(RADIUS, LARGEST / float(np.sqrt(counts.max())))
    points = [
        Point(
            x=round(LEFT + (x - low) * stretch, 1),
            y=round(TOP + (1 - y) * stretch, 1),
            radius=round(radius * float(np.sqrt(count)), 1),
            css="is-equal" if x == y else "is-first" if (x > y) != lower_is_better else "is-second",
            first=_words(x, is_coarse, top),
            second=_words(y, is_coarse, top),
            count=count,
            at=address_of(x, y) if names is not None else "",
            unit=names[place] if names is not None and count == 1 else "",
        )
        for (x, y), count, place in zip(distinct.tolist(), counts.tolist(), named, strict=True)
    ]
    ahead = np.sign(np.where(np.abs(one - other) <= TIE, 0, one - other))
    return Scatter(
        points=sorted(points, key=lambda point: -point.count),
        n_first=int((ahead < 0 if lower_is_better else ahead > 0).sum()),
        n_equal=int((ahead == 0).sum()),
        n_second=int((ahead > 0 if lower_is_better else ahead < 0).sum()),
        n_left_out=int((~defined).sum()),
        is_coarse=is_coarse,
        low=low,
        top=top,
        is_percent=scale.is_percent,
    )


def top_of(first: Array, second: Array, scale: Scale) -> float:
    """Return the end of the axes: 1 for shares, full marks where there are such, else 1, 2 or 5 times 10, 100, …"""
    highest = float(np.nanmax(np.stack([first, second]), initial=0.0))
    usual = scale.full or 1.0
    if not highest or (highest <= usual and (scale.is_share or scale.full)):
        return usual
    power = Decimal(10) ** floor(log10(highest))
    return next(float(power * factor) for factor in (1, 2, 5, 10) if float(power * factor) >= highest)


def address_of(x: float, y: float) -> str:
    """Return the place of units that have these scores, to two decimals."""
    return f"{x:.2f},{y:.2f}"


def _placed(values: Array, is_coarse: bool) -> Array:
    if not is_coarse:
        return np.round(values, 2)
    middles = (np.minimum(values * N_TENTHS, N_TENTHS - 1).astype(int) + 0.5) / N_TENTHS
    return np.where((values <= 0) | (values >= 1), values, middles)


def _words(value: float, is_coarse: bool, top: float) -> str:
    """Write a place between 0 and 1 as the score that stands there, or as those of its tenth."""
    if top != 1:
        ends = (value,) if not is_coarse or value in (0, 1) else (value - 0.05, value + 0.05)
        return in_digits("–".join(f"{top * end:.3g}" for end in ends))
    if not is_coarse or value in (0, 1):
        return in_digits(f"{value:.2f}".rstrip("0").rstrip("."))
    return in_digits(f"{value - 0.05:.1f}–{value + 0.05:.1f}")
