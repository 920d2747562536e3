"""Combined scores and mean ranks as text, JSON, CSV and LaTeX, in the manner of `output.py`."""

import json
from collections.abc import Callable

from scoring.combining.combination import Combination
from scoring.combining.rank_table import COLUMNS, RankTable
from scoring.family import Record
from scoring.latex import tabular
from scoring.output import aligned
from scoring.showing import titled
from scoring.spreadsheets import csv_text


def combination_as_text(found: Combination) -> str:
    """The score with its interval, what it is made of, and the signature."""
    title = titled(found.formula, lower_is_better=found.lower_is_better)
    score = [(title, found.scale.said(found.score, found.interval))]
    parts = [(name, found.scales[name].said(value)) for name, value in found.components.items()]
    return "\n\n".join(["\n".join(aligned(score)), "\n".join(aligned(parts)), found.signature]) + "\n"


def combination_as_json(found: Combination) -> str:
    """Everything but the draws, in full precision."""
    return json.dumps(found.as_dict(), ensure_ascii=False, allow_nan=False, indent=2) + "\n"


COMBINATION_FORMATS: dict[str, Callable[[Combination], str]] = {
    "text": combination_as_text,
    "json": combination_as_json,
}


def ranks_as_text(found: RankTable) -> str:
    """How many teams the ranks are among, the table, and the signature."""
    rows = [headings(found), *(cells(found, row) for row in found.table)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n\n".join([among(found), "\n".join(lines), found.signature]) + "\n"


def ranks_as_json(found: RankTable) -> str:
    """Everything but the draws, in full precision."""
    return json.dumps(found.as_dict(), ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def ranks_as_csv(found: RankTable) -> str:
    """The table in full precision, with a column for the rank in each scenario."""
    plain = [name for name in COLUMNS if name != "ranks"]
    rows: list[list[object]] = [[*plain, *(f"rank {name}" for name in found.scores)]]
    for row in found.table:
        ranks = row["ranks"] or {}
        rows.append([*(row[name] for name in plain), *(ranks.get(name) for name in found.scores)])
    return csv_text(rows)


def ranks_as_latex(found: RankTable) -> str:
    """The table for a paper; needs the package booktabs. The signature stands in a comment."""
    rows = [cells(found, row) for row in found.table]
    return tabular([found.signature, among(found)], "ll" + "r" * (len(headings(found)) - 2), headings(found), rows)


RANK_FORMATS: dict[str, Callable[[RankTable], str]] = {
    "text": ranks_as_text,
    "json": ranks_as_json,
    "csv": ranks_as_csv,
    "latex": ranks_as_latex,
}


def among(found: RankTable) -> str:
    """More teams change everybody's ranks, so that it is said how many there are."""
    n_teams, n_scenarios = len(found.separated), len(found.scores)
    teams, scenarios = ("team" if n_teams == 1 else "teams"), ("scenario" if n_scenarios == 1 else "scenarios")
    return f"Ranks among {n_teams} {teams} in {n_scenarios} {scenarios}."


def headings(found: RankTable) -> list[str]:
    return ["rank", "team", "mean rank", "range", "Borda", *found.scores]


def cells(found: RankTable, row: Record) -> list[str]:
    """Range of ranks, name, mean rank with its range, Borda count, rank in each scenario."""
    if row["rank"] is None:
        return ["–", row["name"], *("–" for _ in headings(found)[2:])]
    low, high = row["rank_low"], row["rank_high"]
    return [
        str(low) if low == high else f"{low}–{high}",
        row["name"],
        f"{row['mean_rank']:.2f}",
        f"{row['low']:.2f}–{row['high']:.2f}",
        f"{row['borda']:g}",
        *(f"{row['ranks'][name]:g}" for name in found.scores),
    ]
