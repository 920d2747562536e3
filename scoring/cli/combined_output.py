"""Combined scores and mean ranks as text, JSON, CSV and LaTeX, as `output.py` has evaluations and comparisons."""

from collections.abc import Callable

from scoring.cli.output import as_json, paragraphs
from scoring.combining.combine import Combination
from scoring.combining.ranks import COLUMNS, RankTable
from scoring.display.svg import rank_range
from scoring.display.tables import aligned, csv_text, tabular
from scoring.score import titled


def combination_as_text(combination: Combination) -> str:
    """Return the score with its interval, what it is made of, and the signature."""
    title = titled(combination.formula, lower_is_better=combination.lower_is_better)
    score = [(title, combination.scale.text(combination.score, combination.interval))]
    parts = [(name, combination.scales[name].text(value)) for name, value in combination.components.items()]
    return paragraphs(aligned(score), aligned(parts), combination.signature)


def ranks_as_text(ranks: RankTable) -> str:
    """Return how many teams the ranks are among, the table, and the signature."""
    return paragraphs(_among(ranks), aligned([_rank_headings(ranks), *_rank_rows(ranks)]), ranks.signature)


def ranks_as_csv(ranks: RankTable) -> str:
    """Return the table in full precision, with a column for the rank in each scenario."""
    columns = [name for name in COLUMNS if name != "ranks"]
    rows: list[list[object]] = [[*columns, *(f"rank {name}" for name in ranks.scores)]]
    for row in ranks.table:
        by_scenario = row["ranks"] or {}
        rows.append([*(row[name] for name in columns), *(by_scenario.get(name) for name in ranks.scores)])
    return csv_text(rows)


def ranks_as_latex(ranks: RankTable) -> str:
    """Return the table for a paper."""
    headings = _rank_headings(ranks)
    alignment = "ll" + "r" * (len(headings) - 2)
    return tabular([ranks.signature, _among(ranks)], alignment, headings, _rank_rows(ranks))


COMBINATION_FORMATS: dict[str, Callable[[Combination], str]] = {
    "text": combination_as_text,
    "json": lambda combination: as_json(combination.as_dict()),
}
RANK_FORMATS: dict[str, Callable[[RankTable], str]] = {
    "text": ranks_as_text,
    "json": lambda ranks: as_json(ranks.as_dict()),
    "csv": ranks_as_csv,
    "latex": ranks_as_latex,
}


def _among(ranks: RankTable) -> str:
    """Say how many teams the ranks are among, since more teams change everybody's ranks."""
    n_teams, n_scenarios = len(ranks.separated), len(ranks.scores)
    teams, scenarios = ("team" if n_teams == 1 else "teams"), ("scenario" if n_scenarios == 1 else "scenarios")
    return f"Ranks among {n_teams} {teams} in {n_scenarios} {scenarios}."


def _rank_headings(ranks: RankTable) -> list[str]:
    return ["rank", "team", "mean rank", "range", "Borda", *ranks.scores]


def _rank_rows(ranks: RankTable) -> list[list[str]]:
    """Return of each team range of ranks, name, mean rank with its range, Borda count, rank in each scenario."""
    return [
        ["–", row["name"], *("–" for _ in range(3 + len(ranks.scores)))]
        if row["rank"] is None
        else [
            rank_range(row),
            row["name"],
            f"{row['mean_rank']:.2f}",
            f"{row['low']:.2f}–{row['high']:.2f}",
            f"{row['borda']:g}",
            *(f"{row['ranks'][name]:g}" for name in ranks.scores),
        ]
        for row in ranks.table
    ]
