"""An evaluation as text, JSON or CSV; a comparison also as LaTeX; what a test can tell as text or JSON.

Text and LaTeX are for reading, with three decimals; JSON and CSV are for programs, at full precision.
"""

import csv
import io
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

Intervals = Mapping[str, Interval]  # of the score itself, by system


def comparison_as_text(comparison: Comparison, intervals: Intervals) -> str:
    """The finding, the table of ranks, and the signature."""
    rows = [_HEADINGS, *(_cells(row, intervals) for row in comparison.table)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    against = [_reference(row) for row in comparison.references]
    return "\n\n".join([comparison.sentence, "\n".join(lines), *against, comparison.signature]) + "\n"


def comparison_as_json(comparison: Comparison, intervals: Intervals) -> str:
    """Everything, the matrices too, in full precision."""
    return json.dumps(comparison.as_dict(matrices=True), ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def comparison_as_csv(comparison: Comparison, intervals: Intervals) -> str:
    """The table of ranks, in full precision."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(comparison.table[0])
    rows.writerows(row.values() for row in comparison.table)
    return text.getvalue()


def comparison_as_latex(comparison: Comparison, intervals: Intervals) -> str:
    """The table of ranks for a paper; needs the package booktabs. The signature stands in a comment."""
    rows = [_cells(row, intervals) for row in comparison.table]
    return tabular([comparison.signature, comparison.sentence], "llllc", _HEADINGS, rows)


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
    table = "\n".join(_aligned([("difference", f"{unit[1]} needed, if like these"), *needed]))
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

_HEADINGS = ["rank", "system", "score", "difference", "group"]


def _headline_first(result: Evaluation) -> list[tuple[str, float | None]]:
    """All scores, the one that ranks before the others, which stay in their order."""
    return sorted(result.scores.items(), key=lambda score: score[0] != result.headline)


def _rounded(value: float | None, interval: Interval | None) -> str:
    """Three decimals, and the interval behind them.

    >>> _rounded(0.6214, (0.59, 0.6534)), _rounded(None, None)
    ('0.621 [0.590, 0.653]', '–')
    """
    if value is None:
        return "–"
    return f"{value:.3f}" + (f" [{interval[0]:.3f}, {interval[1]:.3f}]" if interval else "")


def _aligned(rows: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Names and values in two columns."""
    width = max(len(name) for name, _ in rows)
    return (f"{name:<{width}}  {value}" for name, value in rows)


def _cells(row: Record, intervals: Intervals) -> list[str]:
    """Range of ranks, name, score and difference to the leader with their intervals, group."""
    if row["rank"] is None:
        return ["–", row["name"], "–", "–", "–"]
    low, high = row["rank_low"], row["rank_high"]
    ends = (row["difference_low"], row["difference_high"])
    return [
        str(low) if low == high else f"{low}–{high}",
        row["name"],
        _rounded(row["score"], intervals.get(row["name"])),
        _signed(row["difference_to_leader"], None if None in ends else ends),
        row["group"],
    ]


def _signed(value: float, interval: Interval | None) -> str:
    """A difference with its sign, and its interval behind it; a dash for no difference at all."""
    if interval is None:
        return _with_sign(value) if value else "–"
    return f"{_with_sign(value)} [{_with_sign(interval[0])}, {_with_sign(interval[1])}]"


def _with_sign(value: float) -> str:
    """Three decimals with a sign and a true minus; what is rounded to 0 has no sign.

    >>> _with_sign(-0.0512), _with_sign(-0.0001)
    ('−0.051', '0.000')
    """
    return f"{value:+.3f}".replace("-", "−") if f"{value:.3f}" not in ("0.000", "-0.000") else "0.000"


def _reference(row: Record) -> str:
    """What the reference is better or worse than, and what cannot be told apart from it."""
    shown = _rounded(row["score"], None)
    better = [other["system"] for other in row["against"] if other["separated"] and other["difference"] > 0]
    worse = [other["system"] for other in row["against"] if other["separated"] and other["difference"] < 0]
    undecided = [other["system"] for other in row["against"] if not other["separated"]]
    parts = [("worse than", better), ("better than", worse), ("cannot be told apart from", undecided)]
    return f"Reference {row['name']}, {shown}: " + (
        "; ".join(f"{words} {listed(names)}" for words, names in parts if names) or "not compared"
    )
