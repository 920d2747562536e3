"""Shows all scenarios of a phase: teams down, scenarios across, each with the ranks that the data leave open."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.core.paginator import Paginator
from django.http import QueryDict

from evalsite.board_pages.board.access import PhaseAccess
from evalsite.board_pages.board.rows import Row, rows_with_names
from evalsite.board_pages.board.sentence import sentence_in_html
from evalsite.board_pages.board.visibility import team_names_of
from evalsite.challenges.models import Scenario
from evalsite.leaderboard.combined_score import NAME, CombinedScore
from evalsite.leaderboard.making.editions import editions_of, parse_edition_query
from evalsite.leaderboard.models import Edition
from evalsite.translating.engine import from_engine
from evalsite.wording import better_low

ROWS_A_PAGE = 100
MAX_UNFOLDED = 3  # scenarios whose findings stand above the table; those of more are folded away
MAX_WITH_INTERVALS = 6  # scenarios that have room for their intervals


@dataclass(frozen=True)
class Line:
    """A team or reference, with its row in each scenario, or None where it has none."""

    first: Row  # that of the first scenario in which it stands
    cells: list[Row | None]
    combined: Row | None = None  # its row on the board of the combined score, where there is one


@dataclass(frozen=True)
class Across:
    """A scenario with the sentence above its board."""

    scenario: Scenario
    headline: str
    finding: str
    n_teams: int
    is_sorted: bool


def overview(query: QueryDict, access: PhaseAccess) -> dict[str, Any]:
    """Return the context of the page; rows stand in the order of what decides the task, or of one scenario."""
    phase, scenarios, visibility = access.phase, access.scenarios, access.visibility
    language, kind = query.get("language", ""), query.get("kind", "")
    if grid := access.grid("board"):
        scenarios = grid.narrowed(language, kind)
    edition_query = parse_edition_query(query.get("on", ""))
    editions = {edition.board.scenario_id: edition for edition in editions_of(phase, edition_query)}
    team_names = team_names_of(visibility)
    boards = {
        scenario: rows_with_names(editions[scenario.pk], scenario, visibility, team_names)
        for scenario in scenarios
        if scenario.pk in editions
    }
    numbers = [str(scenario.number) for scenario in scenarios]
    chosen = query.get("sort", "")
    decides = access.boards[0]
    if chosen not in (*numbers, NAME):
        chosen = str(decides.number)
    order = numbers.index(chosen) if chosen in numbers else 0
    lines = _lines([boards.get(scenario, []) for scenario in scenarios], order)
    combined = next((board for board in access.boards if isinstance(board, CombinedScore)), None)
    if not edition_query.is_newest:
        combined = None
    together = combined.edition if combined else None
    rows = rows_with_names(together, combined, visibility, team_names) if together and combined else []
    is_by_combined = bool(rows) and chosen == NAME
    if rows:
        lines = _with_combined(lines, rows, is_by_combined=is_by_combined)
    return {
        "across": [
            _across(scenario, editions, boards, is_sorted=number == order and not is_by_combined)
            for number, scenario in enumerate(scenarios)
        ],
        "combined": combined,
        "combined_rows": rows,
        "n_combined": sum(row.rank is not None for row in rows),
        "combined_finding": sentence_in_html(together, rows) if together else "",
        "is_by_combined": is_by_combined,
        "edition_query": edition_query,
        "are_findings_folded": len(scenarios) > MAX_UNFOLDED,
        "is_narrow": len(scenarios) > MAX_WITH_INTERVALS,
        "n_lines": len(lines),
        "page": Paginator(lines, ROWS_A_PAGE).get_page(query.get("page")),
        "is_anonymous": not visibility.shows_names,
        "narrowed_to": {"language": language, "kind": kind, "n": len(scenarios)},
    }


def _across(
    scenario: Scenario,
    editions: Mapping[UUID, Edition],
    boards: Mapping[Scenario, Sequence[Row]],
    *,
    is_sorted: bool,
) -> Across:
    title = from_engine(scenario.score_titles[scenario.headline])
    rows = boards.get(scenario, [])
    return Across(
        scenario,
        better_low(title, lower_is_better=scenario.lower_is_better),
        sentence_in_html(editions[scenario.pk], rows) if scenario in boards else "",
        sum(not row.reference for row in rows),
        is_sorted,
    )


def _with_combined(lines: Sequence[Line], rows: Sequence[Row], *, is_by_combined: bool) -> list[Line]:
    """Add the combined row to each line; those without one come last, where that is the order."""
    place = {_key(row): number for number, row in enumerate(rows)}
    keys = [_key(line.first) for line in lines]
    all_lines = [
        replace(line, combined=rows[place[key]] if key in place else None)
        for line, key in zip(lines, keys, strict=True)
    ]
    if not is_by_combined:
        return all_lines
    order = sorted(range(len(all_lines)), key=lambda number: place.get(keys[number], len(place)))
    return [all_lines[number] for number in order]


def _lines(boards: Sequence[Sequence[Row]], order: int) -> list[Line]:
    """Order lines by one board; who is not on it follows in the order of the others."""
    cells: dict[tuple[str, str], list[Row | None]] = {}
    for number in sorted(range(len(boards)), key=lambda number: number != order):
        for row in boards[number]:
            cells.setdefault(_key(row), [None] * len(boards))[number] = row
    return [Line(next(row for row in rows if row), rows) for rows in cells.values()]


def _key(row: Row) -> tuple[str, str]:
    """Return the key of a line: of a team one, of references each its own."""
    return row.entry["team"], row.key if row.reference else ""
