"""The phases of a task on one axis of time."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from evalsite.challenges.models import Phase

WIDTH = 1000  # of the drawing, in its own units
_MARGIN = 0.02  # of the time shown, at each end


@dataclass(frozen=True)
class Bar:
    phase: Phase
    start: int
    width: int
    now: int


def timeline(phases: Iterable[Phase]) -> list[Bar]:
    """By their openings. What stays open reaches to the end of the axis."""
    rows, now = sorted(phases, key=lambda phase: phase.opens), timezone.now()
    if not rows:
        return []
    moments = [now, *(phase.opens for phase in rows), *(phase.closes for phase in rows if phase.closes)]
    first, last = min(moments), max(moments) + timedelta(days=1)
    margin = _MARGIN * (last - first)

    def place(time: datetime) -> int:
        return round(WIDTH * ((time - first) + margin) / ((last - first) + 2 * margin))

    return [
        Bar(phase, place(phase.opens), max(4, (place(phase.closes) if phase.closes else WIDTH) - place(phase.opens)),
            place(now))
        for phase in rows
    ]  # fmt: skip
