"""An evaluation as text, JSON or CSV."""

import csv
import io
import json
from collections.abc import Callable, Iterator

from scoring.evaluation import Evaluation, Interval
from scoring.families import FAMILIES


def as_text(result: Evaluation) -> str:
    """Scores with three decimals and their intervals, counts, and the signature."""
    titles = FAMILIES[result.family].score_titles
    scores = [
        (titles.get(name, name), _rounded(value, result.intervals.get(name))) for name, value in _headline_first(result)
    ]
    counts = [(name, f"{value:g}") for name, value in result.counts.items()]
    return "\n\n".join(["\n".join(_aligned(scores)), "\n".join(_aligned(counts)), result.signature]) + "\n"


def as_json(result: Evaluation) -> str:
    """Everything but the arrays, in full precision."""
    return json.dumps(result.as_dict(), ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def as_csv(result: Evaluation) -> str:
    """One row a score: name, value, ends of its interval, in full precision; then the counts."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["name", "value", "low", "high"])
    for name, value in _headline_first(result):
        rows.writerow([name, value, *result.intervals.get(name, (None, None))])
    rows.writerows([name, value, None, None] for name, value in result.counts.items())
    return text.getvalue()


FORMATS: dict[str, Callable[[Evaluation], str]] = {"text": as_text, "json": as_json, "csv": as_csv}


def _headline_first(result: Evaluation) -> list[tuple[str, float | None]]:
    return sorted(result.scores.items(), key=lambda score: score[0] != result.headline)


def _rounded(value: float | None, interval: Interval | None) -> str:
    if value is None:
        return "–"
    return f"{value:.3f}" + (f" [{interval[0]:.3f}, {interval[1]:.3f}]" if interval else "")


def _aligned(rows: list[tuple[str, str]]) -> Iterator[str]:
    width = max(len(name) for name, _ in rows)
    return (f"{name:<{width}}  {value}" for name, value in rows)
