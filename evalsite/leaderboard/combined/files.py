"""A combined board as a file: CSV, JSON and LaTeX, as the visitor may see it."""

import csv
import io
import json
from collections.abc import Callable
from typing import Any

from evalsite.challenges.models import Phase
from evalsite.leaderboard.combined.page import CombinedBoard, CombinedRow
from scoring.display.tables import harmless, tabular

FACTS = ("signature", "n_units", "n_resamples", "confidence_level", "warnings", "scenarios")
NUMBERS = ("difference_to_leader", "difference_low", "difference_high", "p_to_leader", "probability_best", "borda")


def as_csv(phase: Phase, board: CombinedBoard) -> str:
    """A line for each entry; cells that a spreadsheet would calculate begin with an apostrophe."""
    text = io.StringIO(newline="")
    lines = csv.writer(text)
    parts = board.facts.get("parts", [])
    numbers = [name for name in NUMBERS if any(name in row.entry for row in board.rows)]
    score = "mean_rank" if board.is_ranks else "score"
    head = ["rank", "rank_low", "rank_high", "group", "team", "reference", score, f"{score}_low", f"{score}_high"]
    lines.writerow([*head, *numbers, *map(harmless, parts), "lacking"])
    for row in board.rows:
        entry = row.entry
        places = [entry["rank"], entry["rank_low"], entry["rank_high"], entry.get("group")]
        values = [entry["score"], entry["low"], entry["high"], *(entry.get(name) for name in numbers)]
        shares = [entry["parts"].get(name) for name in parts]
        told = [harmless(row.name), entry["reference"]]
        lines.writerow([*places, *told, *values, *shares, harmless("; ".join(entry["lacking"]))])
    return text.getvalue()


def as_json(phase: Phase, board: CombinedBoard) -> str:
    return json.dumps(as_record(phase, board), ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def as_record(phase: Phase, board: CombinedBoard) -> dict[str, Any]:
    """Everything, as exactly as the visitor may read it, with how it was made."""
    return {
        "task": phase.task.title,
        "phase": phase.name,
        "kind": board.combined.kind,
        "formula": board.combined.formula if not board.is_ranks else None,
        "lower_is_better": board.is_ranks or board.combined.lower_is_better,
        "missing": board.combined.missing,
        "made": board.combined.made.isoformat() if board.combined.made else None,
        "is_newest": board.is_fresh,
        "finding": str(board.finding or ""),
        "comparison": {name: board.facts[name] for name in FACTS if name in board.facts} or None,
        "entries": [_entry(row) for row in board.rows],
    }


def _entry(row: CombinedRow) -> dict[str, Any]:
    kept = ("rank", "rank_low", "rank_high", "group", "score", "low", "high", *NUMBERS, "parts", "lacking")
    named = {"team": "" if row.entry["reference"] else row.name, "reference": row.entry["reference"]}
    named["method"] = row.name if row.entry["reference"] else ""
    return named | {name: row.entry[name] for name in kept if name in row.entry}


def as_latex(phase: Phase, board: CombinedBoard) -> str:
    """For a paper, with three decimals; needs the package booktabs."""
    heading = "mean rank" if board.is_ranks else board.combined.formula
    ranked = [[row.places or "–", row.name, row.said] for row in board.rows if not row.entry["reference"]]
    others = [["–", row.name, row.said] for row in board.rows if row.entry["reference"]]
    comments = [str(board.facts.get("signature", "")), str(board.finding or "")]
    return tabular(comments, "lll", ["rank", "system", heading], ranked, others)


FORMATS: dict[str, tuple[str, Callable[[Phase, CombinedBoard], str]]] = {
    "csv": ("text/csv; charset=utf-8", as_csv),
    "json": ("application/json", as_json),
    "tex": ("application/x-tex; charset=utf-8", as_latex),
}
