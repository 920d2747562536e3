"""The chart of a board's history: a step at each new best over the time, its interval, other runs, the references.

Coordinates are in the units of the template's viewBox.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import ceil, floor

from django.utils.translation import gettext as _

from evalsite.board_pages.board.charts import reference_word
from evalsite.contrib.history.progress import Best
from evalsite.results.page.charts import tick_step
from evalsite.wording import SHARE, day_and_month, in_digits, score
from scoring.scale import Scale

WIDTH, HEIGHT = 680, 340
LEFT, RIGHT, TOP, BOTTOM = 52, 150, 18, 34
LINE = 17  # that labels at the right need, one under the other
DAYS = (1, 2, 7, 14, 30, 61, 91, 182, 365)
MOST_DATES = 5


@dataclass(frozen=True)
class Point:
    x: float
    y: float
    low: float | None
    high: float | None
    best: Best


@dataclass(frozen=True)
class Label:
    """The right end of a line: where the line is, and where the words stand so that they keep apart."""

    line_y: float
    y: float
    text: str
    css: str


@dataclass(frozen=True)
class StepChart:
    points: list[Point]
    dots: list[tuple[int, int]]  # where further runs are, each place once
    n_below: int  # further runs that are worse than the axis shows
    path: str
    y_ticks: list[tuple[float, str]]
    x_ticks: list[tuple[float, str]]
    labels: list[Label]

    width, height = WIDTH, HEIGHT
    left, right, top, bottom = LEFT, WIDTH - RIGHT, TOP, HEIGHT - BOTTOM


def step_chart(
    bests: Sequence[Best],
    references: Sequence[tuple[str, float]],
    until: datetime,
    others: Sequence[tuple[datetime, float]] = (),
    *,
    scale: Scale = SHARE,
    lower_is_better: bool = False,
) -> StepChart:
    """Draw the chart; `references` are (kind, score), `others` (time, score); the last step ends at `until`."""
    held = [end for best in bests for end in (best.score, *(best.interval or ()))] + [
        value for _kind, value in references
    ]
    low, high, ticks = _scale(min(held), max(held), scale)
    start = bests[0].when
    until = max(until, bests[-1].when)
    length = max((until - start).total_seconds(), 3600.0)

    def x(when: datetime) -> float:
        return round(LEFT + 12 + (when - start).total_seconds() / length * (WIDTH - LEFT - RIGHT - 12), 1)

    def y(value: float) -> float:
        return round(TOP + (high - value) / (high - low) * (HEIGHT - TOP - BOTTOM), 1)

    points = []
    for best in bests:
        ends = tuple(map(y, best.interval)) if best.interval else (None, None)
        points.append(Point(x(best.when), y(best.score), ends[0], ends[1], best))
    path = f"M{points[0].x} {points[0].y}" + "".join(f" H{point.x} V{point.y}" for point in points[1:])
    later = [(when, value) for when, value in others if start <= when <= until]
    shown = [(when, value) for when, value in later if (value <= high if lower_is_better else value >= low)]
    wanted = [(y(bests[-1].score), _("best %(score)s") % {"score": score(bests[-1].score, scale)}, "is-best")]
    wanted += [(y(value), f"{reference_word(kind)} {score(value, scale)}", f"is-{kind}") for kind, value in references]
    return StepChart(
        points=points,
        dots=sorted({(round(x(when)), round(y(value))) for when, value in shown}),
        n_below=len(later) - len(shown),
        path=f"{path} H{WIDTH - RIGHT}",
        y_ticks=[(y(value), label) for value, label in ticks],
        x_ticks=[(x(day), day_and_month(day)) for day in _dates(start, start + timedelta(seconds=length))],
        labels=_apart(wanted),
    )


def _scale(least: float, most: float, scale: Scale) -> tuple[float, float, list[tuple[float, str]]]:
    """Return ends that are ticks, and the ticks."""
    step = tick_step(max(most - least, scale.least_span([least, most])), most=6)
    shown_step, percent = ((100 * step).normalize(), "\N{NO-BREAK SPACE}%") if scale.is_percent else (step, "")
    first, last = floor(least / float(step)), ceil(most / float(step))
    last = max(last, first + 1)
    ticks = [(float(k * step), in_digits(f"{k * shown_step:f}") + percent) for k in range(first, last + 1)]
    return ticks[0][0], ticks[-1][0], ticks


def _dates(start: datetime, stop: datetime) -> list[datetime]:
    """Return midnights (UTC) between both, a handful of them."""
    first = start.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    days = (stop - first).days + 1
    step = next((step for step in DAYS if days / step <= MOST_DATES), DAYS[-1] * max(1, days // (365 * MOST_DATES)))
    return [first + timedelta(days=k) for k in range(0, max(0, days), step)]


def _apart(wanted: Sequence[tuple[float, str, str]]) -> list[Label]:
    """Place labels from the top down, each at least a line under the one above."""
    labels: list[Label] = []
    for line_y, text, css in sorted(wanted):
        y = max(line_y, labels[-1].y + LINE) if labels else line_y
        labels.append(Label(line_y, y, text, css))
    return labels
