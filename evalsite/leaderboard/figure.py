"""A board as a figure for a paper or slides: names, dots with whiskers on one axis, and scores, in one SVG file.

It has its own colours and needs no style sheet, so that it looks alike wherever it is shown.
"""

import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from django.template.loader import render_to_string

from evalsite.leaderboard.charts import Axis, mark
from evalsite.leaderboard.rows import Row, common_axis
from evalsite.wording import interval, score

WIDTH = 960
CHART_X, CHART_WIDTH = 350, 400
ROW_HEIGHT = 26
LINE_HEIGHT = 22
MOST_SIGNS = 38  # of a name
SIGNS_A_LINE = 118  # of the sentence above
INK, ACCENT = "#1a2024", "#0b5960"
NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class Line:
    """A row of the figure; numbers are pixels, None where there is no score or no interval."""

    name: str
    places: str
    score: str
    y: float
    is_reference: bool
    is_leader: bool
    dot: float | None
    low: float | None
    high: float | None

    @property
    def colour(self) -> str:
        return ACCENT if self.is_leader else INK


def figure(title: str, finding: str, headline: str, source: str, rows: Sequence[Row]) -> str:
    """The SVG; all texts are plain. The gold itself is no row of it, nor is what teams report."""
    shown = [row for row in rows if row.is_compared]
    axis = common_axis(shown)
    said = textwrap.wrap(finding, SIGNS_A_LINE)
    top = 40 + LINE_HEIGHT * len(said) + 30
    lines = [_line(row, axis, top + ROW_HEIGHT * (number + 0.5)) for number, row in enumerate(shown)]
    bottom = top + ROW_HEIGHT * len(lines)
    drawn = render_to_string(
        "leaderboard/figure.svg",
        {
            "title": title,
            "said": [(40 + LINE_HEIGHT * (number + 1), text) for number, text in enumerate(said)],
            "headline": headline,
            "source": source,
            "lines": lines,
            "ticks": [(_x(tick.at), tick.label) for tick in axis.ticks] if axis else [],
            "references": [(_x(each.at), each.label, each.kind) for each in axis.lines] if axis else [],
            "top": top,
            "bottom": bottom,
            "left": CHART_X,
            "right": CHART_X + CHART_WIDTH,
            "width": WIDTH,
            "height": bottom + 60,
        },
    )
    return NOT_IN_XML.sub("", drawn)


def _line(row: Row, axis: Axis | None, y: float) -> Line:
    drawn = mark(axis, row.headline, row.interval) if axis and row.headline is not None else None
    said = score(row.headline, row.scale) + (f" {interval(row.interval, row.scale)}" if row.interval else "")
    return Line(
        name=textwrap.shorten(row.name, MOST_SIGNS, placeholder="…") or row.name[: MOST_SIGNS - 1] + "…",
        places=row.reference or row.places,
        score=said,
        y=y,
        is_reference=bool(row.reference),
        is_leader=row.rank == 1,
        dot=_x(drawn.dot) if drawn else None,
        low=_x(drawn.low) if drawn and drawn.low is not None else None,
        high=_x(drawn.high) if drawn and drawn.high is not None else None,
    )


def _x(percent: float) -> float:
    return round(CHART_X + CHART_WIDTH * percent / 100, 1)
