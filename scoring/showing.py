"""How results look in a notebook, and in the files that `--svg` writes: rows of dots and whiskers."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from scoring.drawing import Mark, drawn

Interval = tuple[float, float]
Record = Mapping[str, Any]  # a row of `Comparison.table`


def scores_drawn(
    scores: Mapping[str, float | None], titles: Mapping[str, str], intervals: Mapping[str, Interval], title: str
) -> str:
    """The scores of one system, in their order; those that do not apply are left out."""
    marks = [
        Mark(titles.get(name, name), value, intervals.get(name), numbers=numbers(value, intervals.get(name)))
        for name, value in scores.items()
        if value is not None
    ]
    return drawn(marks, title)


def ranking_drawn(
    table: Sequence[Record],
    references: Sequence[Record],
    intervals: Mapping[str, Interval],
    sentence: str,
    source: str = "",
) -> str:
    """Systems by rank as a board has them, then references; the sentence says which of them differ."""
    ranked = [
        Mark(row["name"], row["score"], intervals.get(row["name"]), places(row), _numbers_of(row, intervals))
        for row in table
        if row["rank"] is not None
    ]
    outside = [
        Mark(row["name"], row["score"], intervals.get(row["name"]), "", _numbers_of(row, intervals), is_reference=True)
        for row in references
    ]
    return drawn(ranked + outside, sentence, source)


def places(row: Record) -> str:
    low, high = row["rank_low"], row["rank_high"]
    return str(low) if low == high else f"{low}–{high}"


def _numbers_of(row: Record, intervals: Mapping[str, Interval]) -> str:
    return numbers(row["score"], intervals.get(row["name"]))


def numbers(value: float | None, interval: Interval | None) -> str:
    """Three decimals with a true minus, and the interval behind them.

    >>> numbers(0.6214, (-0.59, 0.6534))
    '0.621 [−0.590, 0.653]'
    """
    if value is None:
        return "–"
    text = f"{value:.3f}" + (f" [{interval[0]:.3f}, {interval[1]:.3f}]" if interval else "")
    return text.replace("-", "−")


def signed_numbers(value: float, interval: Interval | None) -> str:
    """Of a difference.

    >>> signed_numbers(-0.0512, (-0.1, 0.02))
    '−0.051 [−0.100, +0.020]'
    """
    text = f"{value:+.3f}" + (f" [{interval[0]:+.3f}, {interval[1]:+.3f}]" if interval else "")
    return text.replace("-", "−")


def page(drawing: str, note: str) -> str:
    """A drawing with a line below it, as a notebook shows them."""
    return f"<div>{drawing}<p style='font-size:11px;opacity:.7;overflow-wrap:anywhere'>{escape(note)}</p></div>"
