"""A board as a file: all its entries, with what the visitor may see of them and nothing else."""

import csv
import io
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from evalsite.challenges.models import Phase, Scenario
from evalsite.leaderboard.editions import complete
from evalsite.leaderboard.models import Edition
from evalsite.leaderboard.rows import Row, Sight, finding_of, rows_of
from evalsite.wording import NOTHING, interval, score, signed
from scoring.latex import tabular

OPEN_GOLD = "The gold of this phase is open: a run can be made from it."
FORMULA = ("=", "+", "-", "@", "\t", "\r")
NUMBERS = (
    "difference_to_leader",
    "difference_low",
    "difference_high",
    "p_to_leader",
    "probability_best",
)
FACTS = ("signature", "n_units", "n_resamples", "confidence_level", "seed", "critical_value", "warnings")


@dataclass(frozen=True)
class Exported:
    edition: Edition
    phase: Phase
    scenario: Scenario
    rows: Sequence[Row]
    columns: Sequence[str]  # that the visitor has chosen to see

    @property
    def scores(self) -> list[str]:
        """Names of all scores, the headline first."""
        known = {name for row in self.rows for name in row.entry["scores"]}
        titles = [self.scenario.headline, *self.scenario.score_titles]
        return [name for name in dict.fromkeys(titles) if name in known]

    @property
    def signature(self) -> str:
        """Of the comparison, or of the first entry where there is none."""
        alone = next((row.entry["signature"] for row in self.rows), "")
        return str(self.edition.comparison.get("signature") or alone)


def export(
    suffix: str, edition: Edition, phase: Phase, scenario: Scenario, sight: Sight, columns: Sequence[str]
) -> tuple[str, str]:
    """(content type, content) of the file with this suffix, which is one of FORMATS."""
    content_type, write = FORMATS[suffix]
    complete(edition)
    return content_type, write(Exported(edition, phase, scenario, rows_of(edition, scenario, sight), columns))


def as_csv(board: Exported) -> str:
    """One line an entry, in full precision; cells that a spreadsheet would calculate begin with an apostrophe."""
    text = io.StringIO(newline="")
    lines = csv.writer(text)  # lines end as RFC 4180 has them, so that what looks like an end is quoted
    ends = [(name, f"{name}_low", f"{name}_high") for name in board.scores]
    lines.writerow(
        ["rank", "rank_low", "rank_high", "group", "team", "method", "reference"]
        + [heading for headings in ends for heading in headings]
        + [*NUMBERS, "identical_to", "n_runs", "date"]
    )
    for row in board.rows:
        entry = row.entry
        texts = (row.group, "" if row.reference else row.team, row.method, row.reference)
        scores = [(row.score(name), *(row.interval_of(name) or (None, None))) for name in board.scores]
        lines.writerow(
            [entry["rank"], entry.get("rank_low"), entry.get("rank_high"), *map(harmless, texts)]
            + [value for values in scores for value in values]
            + [entry.get(name) for name in NUMBERS]
            + [harmless(row.twin), row.n_runs, entry["date"]]
        )
    return text.getvalue()


def harmless(text: str) -> str:
    """Text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(FORMULA) else text


def as_json(board: Exported) -> str:
    """Everything in full precision, with how it was made."""
    facts = board.edition.comparison
    found = {
        "task": board.phase.task.title,
        "phase": board.phase.name,
        "scenario": {"number": board.scenario.number, "name": board.scenario.name},
        "family": board.scenario.family,
        "headline": board.scenario.headline,
        "unit": list(board.scenario.unit),
        "made": board.edition.made.isoformat() if board.edition.made else None,
        "is_final": board.edition.is_final,
        "gold_version": board.edition.gold.version if board.edition.gold else None,
        "finding": finding_of(board.edition, board.rows),
        "gold_is_open": board.phase.gold_released,
        "comparison": {name: facts[name] for name in FACTS if name in facts} or None,
        "entries": [_entry(row) for row in board.rows],
    }
    return json.dumps(found, ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def _entry(row: Row) -> dict[str, Any]:
    entry = row.entry
    return {
        "rank": row.rank,
        "rank_range": [entry["rank_low"], entry["rank_high"]] if entry.get("rank_low") else None,
        "group": row.group or None,
        "team": None if row.reference else row.team,
        "method": row.method or None,
        "reference": row.reference or None,
        "scores": entry["scores"],
        "intervals": {name: [low, entry["highs"][name]] for name, low in entry["lows"].items()},
        **{name: entry.get(name) for name in NUMBERS},
        "identical_to": row.twin or None,
        "n_runs": row.n_runs,
        "date": entry["date"],
        "signature": entry["signature"],
    }


def as_latex(board: Exported) -> str:
    """For a paper: ranked entries, then the references; the scores that were chosen beside the one that ranks."""
    titles = board.scenario.score_titles
    further = [name for name in board.scores[1:] if name in board.columns]
    headings = ["rank", "system", titles[board.scenario.headline], "difference", "group"]
    ranked = [_cells(row, further) for row in board.rows if not row.reference]
    references = [_cells(row, further) for row in board.rows if row.reference]
    comments = [board.signature, finding_of(board.edition, board.rows), OPEN_GOLD if board.phase.gold_released else ""]
    return tabular(
        [comment for comment in comments if comment],
        "llllc" + "r" * len(further),
        headings + [titles[name] for name in further],
        ranked,
        references,
    )


def _cells(row: Row, further: Sequence[str]) -> list[str]:
    ends = row.interval
    shown = score(row.headline) + (f" {interval(ends)}" if ends else "")
    difference = NOTHING
    if row.difference:
        value, low, high = row.difference
        difference = f"{signed(value)} [{signed(low)}, {signed(high)}]"
    places = row.reference or row.places or NOTHING
    return [places, row.name, shown, difference, row.group or NOTHING, *(score(row.score(name)) for name in further)]


FORMATS: dict[str, tuple[str, Callable[[Exported], str]]] = {
    "csv": ("text/csv; charset=utf-8", as_csv),
    "json": ("application/json", as_json),
    "tex": ("application/x-tex; charset=utf-8", as_latex),
}
