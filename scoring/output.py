"""An evaluation as text, JSON or CSV; a comparison also as LaTeX; what a test can tell as text or JSON.

Text and LaTeX are for reading, rounded; JSON and CSV are for programs, at full precision.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence

import scoring
from scoring.comparing.comparison import Comparison
from scoring.comparing.finding import listed
from scoring.comparing.sizes import rounded_up, two_digits
from scoring.evaluation import Evaluation, Interval
from scoring.families import FAMILIES
from scoring.family import Record
from scoring.latex import tabular
from scoring.scale import Scale
from scoring.showing import titled
from scoring.spreadsheets import csv_text


def as_text(result: Evaluation) -> str:
    """Scores with their intervals, with the digits that the family asks for; counts, and the signature."""
    titles = FAMILIES[result.family].titles(result.options)
    scores = [
        (
            titled(titles.get(name, name), lower_is_better=name in result.lower_is_better),
            result.scale(name).said(value, result.intervals.get(name)),
        )
        for name, value in _headline_first(result)
    ]
    counts = [(name, f"{value:g}") for name, value in result.counts.items()]
    return "\n\n".join(["\n".join(aligned(scores)), "\n".join(aligned(counts)), result.signature]) + "\n"


def as_json(result: Evaluation) -> str:
    """Everything but the arrays, in full precision."""
    return json.dumps(result.as_dict(), ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def as_csv(result: Evaluation) -> str:
    """One row a score: name, value, ends of its interval, in full precision; then the counts.

    Where less of some score is better, a last column says of each which one is.
    """
    tells = bool(result.lower_is_better)
    rows: list[list[object]] = [["name", "value", "low", "high", *(["better"] if tells else [])]]
    for name, value in _headline_first(result):
        better = ["lower" if name in result.lower_is_better else "higher"] if tells else []
        rows.append([name, value, *result.intervals.get(name, (None, None)), *better])
    rows += ([name, value, None, None, *([None] if tells else [])] for name, value in result.counts.items())
    return csv_text(rows)


FORMATS: dict[str, Callable[[Evaluation], str]] = {"text": as_text, "json": as_json, "csv": as_csv}

Intervals = Mapping[str, Interval]  # of the score itself, by system


def comparison_as_text(comparison: Comparison, intervals: Intervals) -> str:
    """The finding, the table of ranks, and the signature."""
    rows = [_headings(comparison), *_rows(comparison, intervals)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    against = [_reference(row, comparison) for row in comparison.references]
    return "\n\n".join([comparison.sentence, "\n".join(lines), *against, comparison.signature]) + "\n"


def comparison_as_json(comparison: Comparison, intervals: Intervals) -> str:
    """Everything, the matrices too, in full precision."""
    return json.dumps(comparison.as_dict(matrices=True), ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def comparison_as_csv(comparison: Comparison, intervals: Intervals) -> str:
    """The table of ranks, in full precision."""
    headings = [
        titled(column, lower_is_better=comparison.lower_is_better and column == "score")
        for column in comparison.table[0]
    ]
    return csv_text([headings, *(row.values() for row in comparison.table)])


def comparison_as_latex(comparison: Comparison, intervals: Intervals) -> str:
    """The table of ranks for a paper; needs the package booktabs. The signature stands in a comment."""
    comments = [comparison.signature, comparison.sentence]
    return tabular(comments, "llllc", _headings(comparison), _rows(comparison, intervals))


COMPARISON_FORMATS: dict[str, Callable[[Comparison, Intervals], str]] = {
    "text": comparison_as_text,
    "json": comparison_as_json,
    "csv": comparison_as_csv,
    "latex": comparison_as_latex,
}


def power_as_text(power: "scoring.Power", unit: tuple[str, str], differences: Sequence[float]) -> str:
    """What these units tell, and how many of them tell each of the differences."""
    often = f"{100 * power.power:g} % of all cases"
    told = (
        f"These {power.n_units:,} {unit[1]} tell differences of about {two_digits(power.detectable)} apart in {often},"
        f" and of {two_digits(power.threshold)} in half."
    )
    needed = [(f"{each:g}", f"{rounded_up(power.needed(each)):,}") for each in differences]
    table = "\n".join(aligned([("difference", f"{unit[1]} needed, if like these"), *needed]))
    level = f"{100 * power.confidence_level:g} %"
    tested = f"All pairs of {power.n_systems} systems tested together, confidence {level}."
    return "\n\n".join([told, table, tested]) + "\n"


def power_as_json(power: "scoring.Power", unit: tuple[str, str], differences: Sequence[float]) -> str:
    """Everything, in full precision."""
    facts = power.as_dict(tuple(differences)) | {"unit": list(unit)}
    return json.dumps(facts, ensure_ascii=False, allow_nan=False, indent=2) + "\n"


POWER_FORMATS: dict[str, Callable[["scoring.Power", tuple[str, str], Sequence[float]], str]] = {
    "text": power_as_text,
    "json": power_as_json,
}


def _headings(comparison: Comparison) -> list[str]:
    score = titled("score", lower_is_better=comparison.lower_is_better)
    return ["rank", "system", score, "difference", "group"]


def _rows(comparison: Comparison, intervals: Intervals) -> list[list[str]]:
    """The cells of each system; all scores, and all differences, with the same number of digits."""
    table, scale = comparison.table, comparison.scale
    fitted = scale.fitted([row["score"] for row in table], [intervals.get(row["name"]) for row in table])
    return [_cells(row, intervals, fitted) for row in table]


def _headline_first(result: Evaluation) -> list[tuple[str, float | None]]:
    """All scores, the one that ranks before the others, which stay in their order."""
    return sorted(result.scores.items(), key=lambda score: score[0] != result.headline)


def aligned(rows: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Names and values in two columns."""
    width = max(len(name) for name, _ in rows)
    return (f"{name:<{width}}  {value}" for name, value in rows)


def _cells(row: Record, intervals: Intervals, scale: Scale) -> list[str]:
    """Range of ranks, name, score and difference to the leader with their intervals, group."""
    if row["rank"] is None:
        return ["–", row["name"], "–", "–", "–"]
    low, high = row["rank_low"], row["rank_high"]
    ends = (row["difference_low"], row["difference_high"])
    return [
        str(low) if low == high else f"{low}–{high}",
        row["name"],
        scale.said(row["score"], intervals.get(row["name"])),
        _signed(row["difference_to_leader"], None if None in ends else ends, scale),
        row["group"],
    ]


def _signed(value: float, interval: Interval | None, scale: Scale) -> str:
    """A difference with its interval; a dash for no difference at all."""
    return scale.signed(value, interval) if interval or value else "–"


def _reference(row: Record, comparison: Comparison) -> str:
    """What the reference is better or worse than, and what cannot be told apart from it."""
    shown = comparison.scale.fitted([*comparison.scores, row["score"]]).said(row["score"])
    told_apart = [other for other in row["against"] if other["separated"]]
    # A difference is system minus reference.
    higher = [other["system"] for other in told_apart if other["difference"] > 0]
    lower = [other["system"] for other in told_apart if other["difference"] < 0]
    better, worse = (lower, higher) if comparison.lower_is_better else (higher, lower)
    undecided = [other["system"] for other in row["against"] if not other["separated"]]
    parts = [("worse than", better), ("better than", worse), ("cannot be told apart from", undecided)]
    return f"Reference {row['name']}, {shown}: " + (
        "; ".join(f"{words} {listed(names)}" for words, names in parts if names) or "not compared"
    )
