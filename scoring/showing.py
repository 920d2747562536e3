"""How results look in a notebook, and in the files that `--svg` writes: rows of dots and whiskers."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from scoring.drawing import Mark, drawn
from scoring.scale import Interval, Scale

Record = Mapping[str, Any]  # a row of `Comparison.table`


LOWER_IS_BETTER = "Lower is better."
_LEAST_SPAN = 0.02  # of an axis, as a part of the size of its scores


def titled(title: str, *, lower_is_better: bool) -> str:
    """The title of a score, which says so where less of it is better.

    >>> titled("Root mean squared error", lower_is_better=True)
    'Root mean squared error (lower is better)'
    """
    return f"{title} (lower is better)" if lower_is_better else title


def scores_drawn(
    scores: Mapping[str, float | None],
    titles: Mapping[str, str],
    intervals: Mapping[str, Interval],
    title: str,
    scales: Mapping[str, Scale] | None = None,
) -> str:
    """The scores of one system, in their order; those that do not apply are left out.

    Scores of very different size would flatten each other: shares stand on one axis, and each power of ten beyond them
    on one of its own, in a drawing below the first.
    """
    on_axes: dict[int, list[Mark]] = {}
    for name, value in scores.items():
        if value is not None:
            said = (scales or {}).get(name, Scale()).said(value, intervals.get(name))
            mark = Mark(titles.get(name, name), value, intervals.get(name), numbers=said)
            on_axes.setdefault(_size(value), []).append(mark)
    return "".join(
        drawn(marks, "" if number else title, least_span=_LEAST_SPAN * 10**size)
        for number, (size, marks) in enumerate(sorted(on_axes.items()))
    )


def _size(value: float) -> int:
    """0 for what lies within −1 and 1, else the number of digits before the point."""
    return 0 if abs(value) <= 1 else len(f"{abs(value):.0f}")


def ranking_drawn(
    table: Sequence[Record],
    references: Sequence[Record],
    intervals: Mapping[str, Interval],
    sentence: str,
    source: str = "",
    *,
    scale: Scale | None = None,
) -> str:
    """Systems by rank as a board has them, then references; the sentence says which of them differ."""
    rows = [*table, *references]
    shown = (scale or Scale()).fitted([row["score"] for row in rows], [intervals.get(row["name"]) for row in rows])
    ranked = [
        Mark(row["name"], row["score"], intervals.get(row["name"]), places(row), _numbers_of(row, intervals, shown))
        for row in table
        if row["rank"] is not None
    ]
    outside = [
        Mark(
            row["name"],
            row["score"],
            intervals.get(row["name"]),
            "",
            _numbers_of(row, intervals, shown),
            is_reference=True,
        )
        for row in references
    ]
    least_span = shown.least_span(row["score"] for row in rows if row["score"] is not None)
    return drawn(ranked + outside, sentence, source, least_span=least_span)


def places(row: Record) -> str:
    low, high = row["rank_low"], row["rank_high"]
    return str(low) if low == high else f"{low}–{high}"


def _numbers_of(row: Record, intervals: Mapping[str, Interval], scale: Scale) -> str:
    return scale.said(row["score"], intervals.get(row["name"]))


def page(drawing: str, note: str) -> str:
    """A drawing with a line below it, as a notebook shows them."""
    return f"<div>{drawing}<p style='font-size:11px;opacity:.7;overflow-wrap:anywhere'>{escape(note)}</p></div>"
