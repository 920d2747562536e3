"""Scores as dots and intervals as whiskers on one axis, as the boards draw them: SVG that needs nothing else.

Lines and letters take the colour of the text around them, so that a drawing fits a light page, a dark one and paper.
This is how results look in a notebook, and in the files that `--svg` writes.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from html import escape
from math import ceil, floor, log10
from textwrap import wrap
from typing import Any

from scoring.scale import Interval, Scale

LOWER_IS_BETTER = "Lower is better."

Record = Mapping[str, Any]  # a row of `Comparison.table`

_NAMES, _CHART, _NUMBERS, _EDGE = 220, 300, 190, 8  # widths in pixels
_ROW, _HEAD, _FOOT = 24, 34, 30  # heights
_MOST_STEPS = 6
_LEAST_SPAN = 0.02  # an axis of one score has a width too, as a part of the size of its scores,
_MARGIN = 0.05  # and room at both ends
_LONGEST_NAME, _LONGEST_LINE = 26, 92  # characters
_LINE = 18  # height of a line of the title
_FONT = "font-family='Source Sans 3, Segoe UI, Helvetica, Arial, sans-serif' font-size='13'"


def rank_range(row: Record) -> str:
    """Return the ranks that the tests leave open for a system, as a reader sees them.

    >>> rank_range({"rank_low": 2, "rank_high": 4}), rank_range({"rank_low": 1, "rank_high": 1})
    ('2–4', '1')
    """
    low, high = row["rank_low"], row["rank_high"]
    return str(low) if low == high else f"{low}–{high}"


def in_notebook(drawing: str, note: str) -> str:
    """Return HTML of a drawing with a line below it."""
    return f"<div>{drawing}<p style='font-size:11px;opacity:.7;overflow-wrap:anywhere'>{escape(note)}</p></div>"


def draw_scores(
    scores: Mapping[str, float | None],
    titles: Mapping[str, str],
    intervals: Mapping[str, Interval],
    title: str,
    scales: Mapping[str, Scale],
) -> str:
    """Draw the scores of one system in their order, without those that do not apply.

    Scores of very different size would flatten each other: shares stand on one axis, and each power of ten beyond them
    on one of its own, in a drawing below the first.
    """
    on_axes: dict[int, list[Mark]] = {}
    for name, value in scores.items():
        if value is not None:
            numbers = scales.get(name, Scale()).text(value, intervals.get(name))
            mark = Mark(titles.get(name, name), value, intervals.get(name), numbers=numbers)
            on_axes.setdefault(_size(value), []).append(mark)
    return "".join(
        draw(marks, "" if number else title, least_span=_LEAST_SPAN * 10**size)
        for number, (size, marks) in enumerate(sorted(on_axes.items()))
    )


def _size(value: float) -> int:
    """Return 0 for what lies within −1 and 1, else the number of digits before the point."""
    return 0 if abs(value) <= 1 else len(f"{abs(value):.0f}")


def draw_ranking(
    table: Sequence[Record],
    references: Sequence[Record],
    intervals: Mapping[str, Interval],
    sentence: str,
    source: str = "",
    *,
    scale: Scale,
) -> str:
    """Draw systems by rank as a board has them, then references, below the sentence that says which of them differ."""
    rows = [*table, *references]
    fitted = scale.fitted([row["score"] for row in rows], [intervals.get(row["name"]) for row in rows])

    def mark(row: Record, ranks: str, *, is_reference: bool = False) -> Mark:
        interval = intervals.get(row["name"])
        return Mark(row["name"], row["score"], interval, ranks, fitted.text(row["score"], interval), is_reference)

    ranked = [mark(row, rank_range(row)) for row in table if row["rank"] is not None]
    outside = [mark(row, "", is_reference=True) for row in references]
    least_span = fitted.least_span(row["score"] for row in rows if row["score"] is not None)
    return draw(ranked + outside, sentence, source, least_span=least_span)


@dataclass(frozen=True)
class Mark:
    """A row: what is drawn, and what stands on both sides of it."""

    name: str
    value: float | None
    interval: tuple[float, float] | None
    before: str = ""  # such as the range of places
    numbers: str = ""
    is_reference: bool = False  # drawn hollow, with a dashed line through all rows


def draw(
    marks: Sequence[Mark], title: str, source: str = "", *, around_zero: bool = False, least_span: float = _LEAST_SPAN
) -> str:
    """Return the rows as an SVG document, whose title says the finding.

    `around_zero` adds a line at 0, for differences; `least_span` is the least length of the axis, in the values' unit.
    """
    held = [end for mark in marks for end in (*(mark.interval or ()), mark.value) if end is not None]
    low, high = _ends([*held, *([0.0] if around_zero else [])] or [0.0, 1.0], least_span)
    lines = wrap(title, _LONGEST_LINE) or [""]
    head = _HEAD + _LINE * (len(lines) - 1)
    height = head + _ROW * len(marks) + _FOOT + (18 if source else 0)
    width = _NAMES + _CHART + _NUMBERS + 2 * _EDGE

    def at(value: float) -> float:
        return round(_EDGE + _NAMES + _CHART * (value - low) / (high - low), 1)

    bottom = head + _ROW * len(marks)
    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' width='{width}' "
        f"style='max-width:100%;height:auto' role='img' {_FONT} fill='currentColor' stroke='none'>",
        f"<title>{_text(title)}</title>",
        f"<desc>{_text('; '.join(_words(mark) for mark in marks))}</desc>",
        *(
            f"<text x='{_EDGE}' y='{18 + _LINE * number}' font-weight='600'>{_text(line)}</text>"
            for number, line in enumerate(lines)
        ),
    ]
    for tick, label in _ticks(low, high):
        parts += [
            _line(at(tick), head, at(tick), bottom, "stroke-opacity='.15'"),
            f"<text x='{at(tick)}' y='{bottom + 18}' text-anchor='middle' fill-opacity='.7'>{label}</text>",
        ]
    if around_zero:
        parts.append(_line(at(0), head, at(0), bottom, "stroke-opacity='.7'"))
    for mark in marks:
        if mark.is_reference and mark.value is not None:
            parts.append(_line(at(mark.value), head, at(mark.value), bottom, "stroke-dasharray='4 3'"))
    indent = 44 if any(mark.before for mark in marks) else 0
    for number, mark in enumerate(marks):
        middle = head + _ROW * number + _ROW / 2
        dot = None if mark.value is None else at(mark.value)
        parts += _row(mark, middle, indent, dot, mark.interval and (at(mark.interval[0]), at(mark.interval[1])))
    if source:
        parts.append(f"<text x='{_EDGE}' y='{height - 6}' font-size='11' fill-opacity='.7'>{_text(source)}</text>")
    return "\n".join([*parts, "</svg>"]) + "\n"


def _row(mark: Mark, y: float, indent: int, dot: float | None, ends: tuple[float, float] | None) -> Iterable[str]:
    name = mark.name if len(mark.name) <= _LONGEST_NAME else mark.name[: _LONGEST_NAME - 1] + "…"
    yield f"<text x='{_EDGE + indent}' y='{y + 4}'>{_text(name)}</text>"
    if mark.before:
        yield f"<text x='{_EDGE}' y='{y + 4}' fill-opacity='.7'>{_text(mark.before)}</text>"
    if ends:
        yield _line(ends[0], y, ends[1], y, "stroke-width='1.5'")
    if dot is not None:
        fill = "fill='none' stroke='currentColor' stroke-width='1.5'" if mark.is_reference else ""
        yield f"<circle cx='{dot}' cy='{y}' r='4.5' {fill}/>"
    yield f"<text x='{_EDGE + _NAMES + _CHART + 16}' y='{y + 4}'>{_text(mark.numbers)}</text>"


def _line(x1: float, y1: float, x2: float, y2: float, style: str) -> str:
    return f"<line x1='{x1}' y1='{y1}' x2='{x2}' y2='{y2}' stroke='currentColor' {style}/>"


def _words(mark: Mark) -> str:
    return " ".join(part for part in (mark.before, mark.name, mark.numbers) if part)


def _ends(held: Sequence[float], least_span: float) -> tuple[float, float]:
    least, most = min(held), max(held)
    missing = max(0.0, least_span - (most - least)) / 2
    margin = _MARGIN * max(least_span, most - least)
    return least - missing - margin, most + missing + margin


def _ticks(low: float, high: float) -> list[tuple[float, str]]:
    """Return ticks at multiples of 1, 2 or 5 times a power of ten, written with their own number of decimals."""
    power = Decimal(10) ** floor(log10((high - low) / _MOST_STEPS))
    fits = (power * factor for factor in (1, 2, 5, 10) if (high - low) / float(power * factor) <= _MOST_STEPS)
    step = next(fits).normalize()
    numbers = range(ceil(low / float(step)), floor(high / float(step)) + 1)
    return [(float(k * step), f"{k * step:f}".replace("-", "−")) for k in numbers]


def _text(text: str) -> str:
    """Escape the text, without characters that XML has no place for."""
    return escape("".join(char if char.isprintable() else " " for char in text))
