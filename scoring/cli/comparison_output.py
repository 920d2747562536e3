"""Comparisons and the power of a test as text, JSON, CSV and LaTeX.

Text and LaTeX are for reading, rounded; JSON and CSV are for programs, at full precision. LaTeX needs the package
booktabs, and has the signature in a comment.
"""

from collections.abc import Callable, Mapping, Sequence

import scoring
from scoring.cli.output import as_json, paragraphs
from scoring.comparing.comparison import Comparison
from scoring.comparing.sentence import listed
from scoring.comparing.sizes import rounded_up, two_digits
from scoring.display.svg import rank_range
from scoring.display.tables import aligned, csv_text, tabular
from scoring.evaluation import Interval
from scoring.family import Record
from scoring.scale import Scale, brackets_to_leader
from scoring.score import titled

Intervals = Mapping[str, Interval]  # of the score itself, by system


def comparison_as_text(comparison: Comparison, intervals: Intervals) -> str:
    """Return the finding, the table of ranks, and the signature."""
    table = aligned([_headings(comparison), *_rows(comparison, intervals)])
    references = [_reference(row, comparison) for row in comparison.references]
    return paragraphs(comparison.sentence, table, *references, comparison.signature)


def comparison_as_csv(comparison: Comparison, intervals: Intervals) -> str:
    """Return the table of ranks, in full precision."""
    headings = [
        titled(column, lower_is_better=comparison.lower_is_better and column == "score")
        for column in comparison.table[0]
    ]
    return csv_text([headings, *(row.values() for row in comparison.table)])


def comparison_as_latex(comparison: Comparison, intervals: Intervals) -> str:
    """Return the table of ranks for a paper."""
    comments = [comparison.signature, comparison.sentence]
    return tabular(comments, "llllc", _headings(comparison), _rows(comparison, intervals))


def power_as_text(power: "scoring.Power", unit: tuple[str, str], differences: Sequence[float]) -> str:
    """Return what these units tell, and how many of them tell each of the differences."""
    often = f"{100 * power.power:g} % of all cases"
    finding = (
        f"With these {power.n_units:,} {unit[1]}, a difference of about {two_digits(power.detectable)} is detected in"
        f" {often}, and one of {two_digits(power.threshold)} in half."
    )
    needed = [(f"{difference:g}", f"{rounded_up(power.needed(difference)):,}") for difference in differences]
    table = aligned([("difference", f"{unit[1]} needed, if like these"), *needed])
    level = f"{100 * power.confidence_level:g} %"
    return paragraphs(finding, table, f"All pairs of {power.n_systems} systems tested together, confidence {level}.")


# What `--format` offers for each kind of result: the functions that make it.
COMPARISON_FORMATS: dict[str, Callable[[Comparison, Intervals], str]] = {
    "text": comparison_as_text,
    "json": lambda comparison, intervals: as_json(comparison.as_dict(matrices=True)),
    "csv": comparison_as_csv,
    "latex": comparison_as_latex,
}
POWER_FORMATS: dict[str, Callable[["scoring.Power", tuple[str, str], Sequence[float]], str]] = {
    "text": power_as_text,
    "json": lambda power, unit, differences: as_json(power.as_dict(tuple(differences)) | {"unit": list(unit)}),
}


def _headings(comparison: Comparison) -> list[str]:
    score = titled("score", lower_is_better=comparison.lower_is_better)
    return ["rank", "system", score, "difference", "group"]


def _rows(comparison: Comparison, intervals: Intervals) -> list[list[str]]:
    """Return the cells of each system; all scores, and all differences, have the same number of digits."""
    table, scale = comparison.table, comparison.scale
    fitted = scale.fitted([row["score"] for row in table], [intervals.get(row["name"]) for row in table])
    return [_cells(row, intervals, fitted) for row in table]


def _cells(row: Record, intervals: Intervals, scale: Scale) -> list[str]:
    """Return range of ranks, name, score and difference to the leader with their intervals, group."""
    if row["rank"] is None:
        return ["–", row["name"], "–", "–", "–"]
    ends = (row["difference_low"], row["difference_high"])
    return [
        rank_range(row),
        row["name"],
        scale.text(row["score"], intervals.get(row["name"])),
        _signed(row["difference_to_leader"], None if None in ends else ends, scale),
        row["group"],
    ]


def _signed(value: float, interval: Interval | None, scale: Scale) -> str:
    """Return a difference to the leader with its interval; a dash for no difference at all."""
    if interval:
        return scale.signed(value, interval, brackets_to_leader(interval))
    return scale.signed(value) if value else "–"


def _reference(row: Record, comparison: Comparison) -> str:
    """Say what the reference is better or worse than, and what cannot be told apart from it."""
    score = comparison.scale.fitted([*comparison.scores, row["score"]]).text(row["score"])
    separated = [other for other in row["against"] if other["separated"]]
    # A difference is system minus reference.
    higher = [other["system"] for other in separated if other["difference"] > 0]
    lower = [other["system"] for other in separated if other["difference"] < 0]
    better, worse = (lower, higher) if comparison.lower_is_better else (higher, lower)
    undecided = [other["system"] for other in row["against"] if not other["separated"]]
    parts = [("worse than", better), ("better than", worse), ("cannot be told apart from", undecided)]
    return f"Reference {row['name']}, {score}: " + (
        "; ".join(f"{words} {listed(names)}" for words, names in parts if names) or "not compared"
    )
