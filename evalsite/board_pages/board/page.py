"""Builds the context of a board's ranked page from the query in its address."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict

from evalsite.board_pages.board.access import BoardAccess, PhaseAccess
from evalsite.board_pages.board.citing import compare_command
from evalsite.board_pages.board.exports import formats_of
from evalsite.board_pages.board.filtered import Fact, facts_of, filtered
from evalsite.board_pages.board.insiders import find_insiders
from evalsite.board_pages.board.power import power_of
from evalsite.board_pages.board.rows import Row, common_axis, find_links, matching, rows_of
from evalsite.board_pages.board.runs import runs_of
from evalsite.board_pages.board.sentence import contrasts, sentence_in_html, sentence_of
from evalsite.board_pages.board.tables import COMPARED, RankingTable, TableChoices, choices, usual_columns
from evalsite.challenges.access import Role
from evalsite.challenges.models import Phase
from evalsite.leaderboard.combined.making import is_fresh
from evalsite.leaderboard.combined_score import Scored
from evalsite.leaderboard.imported import imported_tables
from evalsite.leaderboard.imported import rows_of as imported_rows_of
from evalsite.leaderboard.making.best_runs import BEYOND, REPORTED
from evalsite.leaderboard.making.editions import (
    EditionQuery,
    complete,
    edition_of,
    last_compared,
    parse_edition_query,
    span_of,
)
from evalsite.leaderboard.making.gold_copies import GOLD
from evalsite.leaderboard.models import Edition, ImportedTable
from evalsite.leaderboard.tasks import enqueue_combined
from scoring.significance.limits import CORRECTED_BELOW, FEWEST_UNITS

ROWS_A_PAGE = 100


@dataclass(frozen=True)
class BoardQuery:
    """The query of a board's address."""

    parameters: QueryDict

    @property
    def words(self) -> str:
        return self.parameters.get("q", "").strip()

    @cached_property
    def edition_query(self) -> EditionQuery:
        return parse_edition_query(*(self.parameters.get(name, "") for name in ("on", "gold", "engine")))

    @property
    def team(self) -> str:
        """Return the key of the row whose runs are shown."""
        return self.parameters.get("team", "")

    def columns(self, scenario: Scored) -> list[str]:
        """Return the chosen columns, separated by commas or repeated; without any in the address the usual ones."""
        if "columns" not in self.parameters:
            return usual_columns(scenario)
        names = ",".join(self.parameters.getlist("columns")).split(",")
        return [name for name in choices(scenario) if name in names]

    def carried(self, *left_out: str) -> list[tuple[str, str]]:
        """Return what a form has to carry on: the query without its own fields, the page and the opened row."""
        dropped = {*left_out, "page", "team"}
        return [(name, value) for name, values in self.parameters.lists() if name not in dropped for value in values]

    def address(self, **changed: str | None) -> str:
        """Return the address of this page with some of the query changed, or left out where None."""
        query = [(name, value) for name, value in self._pairs if name not in changed]
        return "?" + urlencode([*query, *((name, value) for name, value in changed.items() if value is not None)])

    @cached_property
    def _pairs(self) -> list[tuple[str, str]]:
        return [(name, value) for name, values in self.parameters.lists() for value in values]


def ranking(query: BoardQuery, access: BoardAccess) -> dict[str, Any]:
    """Return the context of the page's template."""
    phase, scenario, visibility = access.phase, access.scenario, access.visibility
    facts = facts_of(phase, scenario, query.parameters)
    edition = asked_for(query, access, facts)
    rows = rows_of(edition, scenario, visibility)
    shown = matching(rows, query.words)
    offered = _offered(scenario, edition)
    table = table_of(query, edition, rows, shown, scenario, offered, facts)
    find_links(table.on_page)
    signs = contrasts(edition, rows, table.on_page)
    return {
        "board": edition.board,
        "collects": access.own_golds is not None and access.own_golds.in_force.version == 0,  # an input
        "edition": edition,
        "span": span_of(edition.board),
        "board_query": query,
        "finding": sentence_in_html(edition, rows),
        "plain_finding": str(sentence_of(edition, rows) or ""),
        "reproduce": compare_command(edition, scenario),
        "table": table,
        "signs": signs,
        "rows": rows,
        "lines": table.lines(signs),
        "headings": table.headings(lambda name: query.address(sort=name, page=None, team=None)),
        "choosable": [fact for fact in facts if not fact.is_number],
        "filters": [fact for fact in facts if fact.chosen],
        "kept": {
            "filters": query.carried(*(fact.name for fact in facts)),
            "search": query.carried("q"),
            "columns": query.carried("columns"),
            "on": query.carried("on", "gold", "engine"),
        },
        "downloads": [(suffix, form.title) for suffix, form in formats_of(phase).items() if form.title],
        "columns": [(name, title, name in table.chosen.columns) for name, title in offered.items()],
        "n_shown": len(shown),
        "insiders": find_insiders(phase, rows),
        "is_anonymous": not visibility.shows_names,
        "hides_names": visibility.role >= Role.VIEWER and phase.is_anonymous and not phase.is_released,
        "intervals": _intervals(edition),
        "power": power_of(
            edition, scenario.unit, visibility.own_teams, scale=edition.precision.roughly(scenario.scale)
        ),
        "is_few": edition.comparison.get("n_units", FEWEST_UNITS) < FEWEST_UNITS,
        **_addresses(query, edition),
        **_kinds_of_rows(rows),
        **_from_elsewhere(imported_beside(query, phase, scenario, facts)),
    }


def _addresses(query: BoardQuery, edition: Edition) -> dict[str, Any]:
    """Return where this edition stays to be found, and the one that was compared last where this one is not."""
    permanent = _permanent(edition)
    compared = None if edition.is_compared else last_compared(edition.board)
    return {
        "citable": "?" + urlencode({name: value for name, value in permanent.items() if value}),
        "compared": compared,
        "compared_address": query.address(**_permanent(compared), page=None, team=None) if compared else "",
        "permanent": query.address(**permanent, page=None, team=None),
    }


def _kinds_of_rows(rows: Sequence[Row]) -> dict[str, Any]:
    """Return how many rows there are of teams, and of which kinds there are any, as the notes below a board say."""
    of_teams = [row for row in rows if not row.reference]
    kinds = {row.reference for row in rows}
    return {
        "n_rows": len(rows),
        "n_teams": len(of_teams),
        "n_ranked": sum(row.rank is not None for row in of_teams),
        "n_runs": sum(row.n_runs for row in of_teams),
        "own": [row for row in of_teams if row.is_own],
        "has_references": len(of_teams) < len(rows),
        "has_gold": GOLD in kinds,
        "has_reported": REPORTED in kinds,
        "has_late": any(row.is_late for row in rows),
        "has_beyond_limit": BEYOND in kinds,
        "has_twins": any(row.entry.get("identical_to") for row in rows),
        "unranked": [row for row in rows if row.because],
        "lost": [row for row in rows if row.is_lost],
    }


def asked_for(query: BoardQuery, access: BoardAccess, facts: list[Fact]) -> Edition:
    """Return the edition that the address names, with the entries that its filters leave."""
    in_force = access.own_golds.in_force if access.own_golds else None
    edition = edition_of(access.phase, access.scenario, query.edition_query, gold=in_force)
    is_filtered = any(fact.chosen for fact in facts) and bool(edition.board.pk)
    return filtered(edition, access.scenario, facts) if is_filtered else edition


def imported_beside(query: BoardQuery, phase: Phase, scenario: Scored, facts: list[Fact]) -> list[ImportedTable]:
    """Return the imported tables, which stand beside the newest board alone: they are in no edition, and no filter
    knows of them.
    """
    is_whole = query.edition_query.is_newest and not any(fact.chosen for fact in facts)
    return imported_tables(phase, scenario) if is_whole else []


def _from_elsewhere(tables: Sequence[ImportedTable]) -> dict[str, Any]:
    """Return the tables with their rows, those that were computed from the gold apart."""
    with_rows = [(table, list(imported_rows_of(table))) for table in tables]
    return {
        "imported": [(table, rows) for table, rows in with_rows if not any(row.gold_version for row in rows)],
        "computed": [(table, rows) for table, rows in with_rows if any(row.gold_version for row in rows)],
    }


def _permanent(edition: Edition) -> dict[str, str | None]:
    """Name the edition by day and gold, which may change within a day, and by the engine where that has changed."""
    gold = edition.gold
    engine = edition.engine if gold and edition.engine != gold.engine else None
    return {"on": str(edition.day), "gold": str(gold.version) if gold else None, "engine": engine}


def table_of(
    query: BoardQuery,
    edition: Edition,
    rows: Sequence[Row],
    shown: Sequence[Row],
    scenario: Scored,
    offered: Collection[str],
    facts: Sequence[Fact] = (),
) -> RankingTable:
    """Return the table of the `shown` rows, with the chosen ones of the `offered` columns."""
    chosen = [name for name in query.columns(scenario) if name in offered]
    if any(name in edition.further_names for name in chosen):
        complete(edition)
    opened = next((row for row in shown if row.key == query.team and row.sees_runs), None) if query.team else None
    closed = query.address(team=None)
    joint = "&" if len(closed) > 1 else ""
    columns = TableChoices(
        columns=chosen,
        opened=opened,
        runs=runs_of(opened, edition) if opened else (),
        facts=facts,
        address=lambda key: closed if key is None else f"{closed}{joint}team={key}",
    )
    order = query.parameters.getlist("sort")
    table = RankingTable(list(shown), scenario, common_axis(rows), columns, order_by=order)
    table.paginate(per_page=ROWS_A_PAGE)
    table.page = table.paginator.get_page(query.parameters.get("page"))
    return table


def _offered(scenario: Scored, edition: Edition) -> dict[str, str]:
    """Return the columns for which the edition has values, with their titles."""
    names = {name for entry in edition.entries[:1] for name in entry["scores"]}
    names |= {name for name in edition.further_names if edition.precision.shows(name)}
    titles = scenario.score_titles
    return {
        name: title
        for name, title in choices(scenario).items()
        if (name in names if name in titles else name not in COMPARED or edition.comparison)
    }


def _intervals(edition: Edition) -> dict[str, Any] | None:
    """Describe how the intervals were made, if all were made alike; None where there are none."""
    made = {(entry["n_units"], entry["n_resamples"], entry["confidence_level"]) for entry in edition.entries}
    if len(made) != 1:
        return None
    ((n_units, n_resamples, level),) = made
    if not n_resamples or n_units < 2:
        return None
    methods = [entry["interval_method"] for entry in edition.entries]
    return {
        "n_units": n_units,
        "n_resamples": n_resamples,
        "percent": f"{100 * level:g}",
        "is_few": n_units < CORRECTED_BELOW and not {"bca", "mover"}.isdisjoint(methods),
        "is_jackknife": all(method == "jackknife" for method in methods),
        "has_rare_labels": "mover" in methods,
    }


def is_coming(access: PhaseAccess) -> bool:
    """Return whether the phase's combined score misses results, and let it be made anew then."""
    combined = access.combined.get(access.phase.pk)
    if combined is None or is_fresh(combined):
        return False
    enqueue_combined(access.phase.pk)
    return True
