"""Evaluations as text, for reading and rounded; as JSON and CSV, for programs and at full precision."""

import json
from collections.abc import Callable
from typing import Any

from scoring.display.tables import aligned, csv_text
from scoring.errors import kind_of_warning
from scoring.evaluation import Evaluation
from scoring.families import FAMILIES
from scoring.score import titled


def as_text(result: Evaluation) -> str:
    """Return the scores with their intervals, with the digits that the family asks for; counts, and the signature."""
    titles = FAMILIES[result.family].titles(result.options)
    scores = [
        (
            titled(titles.get(name, name), lower_is_better=name in result.lower_is_better),
            result.scale(name).text(value, result.intervals.get(name)),
        )
        for name, value in _headline_first(result)
    ]
    counts = [(name, f"{value:g}") for name, value in result.counts.items()]
    return paragraphs(aligned(scores), aligned(counts), result.signature)


def as_csv(result: Evaluation) -> str:
    """Return one row a score: name, value, ends of its interval, in full precision; then the counts.

    Where less of some score is better, a last column says of each which one is.
    """
    tells = bool(result.lower_is_better)
    rows: list[list[object]] = [["name", "value", "low", "high", *(["better"] if tells else [])]]
    for name, value in _headline_first(result):
        better = ["lower" if name in result.lower_is_better else "higher"] if tells else []
        rows.append([name, value, *result.intervals.get(name, (None, None)), *better])
    rows += ([name, value, None, None, *([None] if tells else [])] for name, value in result.counts.items())
    return csv_text(rows)


def as_json(values: dict[str, Any]) -> str:
    if "warnings" in values:
        values = values | {"warning_kinds": [*map(kind_of_warning, values["warnings"])]}
    return json.dumps(values, ensure_ascii=False, allow_nan=False, indent=2) + "\n"


# What `--format` offers for each kind of result: the functions that make it.
FORMATS: dict[str, Callable[[Evaluation], str]] = {
    "text": as_text,
    "json": lambda result: as_json(result.as_dict()),
    "csv": as_csv,
}


def paragraphs(*texts: str) -> str:
    return "\n\n".join(texts) + "\n"


def _headline_first(result: Evaluation) -> list[tuple[str, float | None]]:
    """Return all scores, the one that ranks before the others, which stay in their order."""
    return sorted(result.scores.items(), key=lambda score: score[0] != result.headline)
