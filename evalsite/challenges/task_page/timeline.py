"""Draws the phases of a task on one axis of time."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from evalsite.base import moment
from evalsite.base.fields import FIRST_YEAR, LAST_YEAR
from evalsite.challenges.models import Phase

WIDTH = 1000  # of the drawing, in its own units
_MARGIN = 0.02  # of the time shown, at each end
_FIRST, _LAST = datetime(FIRST_YEAR, 1, 1, tzinfo=UTC), datetime(LAST_YEAR, 12, 31, tzinfo=UTC)


@dataclass(frozen=True)
class Bar:
    phase: Phase
    start: int
    width: int
    now: int


def timeline(phases: Iterable[Phase]) -> list[Bar]:
    """Return the bars in the order of their openings; a phase that stays open reaches to the end of the axis."""
    rows, now = sorted(phases, key=lambda phase: phase.opens), moment.now()
    if not rows:
        return []
    moments = [now, *(phase.opens for phase in rows), *(phase.closes for phase in rows if phase.closes)]
    # Rows that were stored before years were bounded may be of any.
    first, last = max(min(moments), _FIRST), min(max(moments), _LAST) + timedelta(days=1)
    margin = _MARGIN * (last - first)

    def position(time: datetime) -> int:
        inside = min(max(time, first), last)
        return round(WIDTH * ((inside - first) + margin) / ((last - first) + 2 * margin))

    bars = []
    for phase in rows:
        start, end = position(phase.opens), position(phase.closes) if phase.closes else WIDTH
        bars.append(Bar(phase, start, max(4, end - start), position(now)))
    return bars
