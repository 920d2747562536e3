"""Checks who may see the pages of a board, and collects what each of them shows: the board, its visitor, links."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any
from uuid import UUID

from django.core.cache import caches
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from evalsite.accounts.models import User
from evalsite.base.cache_keys import cache_key
from evalsite.base.contrib import board_pages
from evalsite.board_pages.board.grid import MIN_SCENARIOS, Grid, grid_of
from evalsite.board_pages.board.rows import Row, rows_of
from evalsite.board_pages.board.visibility import Visibility, team_names_of, visibility_of
from evalsite.challenges.access import (
    Role,
    hidden_board_notice,
    oversees,
    sees_board,
    sees_ladder,
    sees_names,
    visible_phase,
)
from evalsite.challenges.gold.versions import Golds, golds_of
from evalsite.challenges.models import Gold, Phase, Scenario, Task
from evalsite.leaderboard.combined_score import CombinedScore, Scored, ranked_by
from evalsite.leaderboard.making.editions import edition_of
from evalsite.leaderboard.making.ladder import ladder_of
from evalsite.leaderboard.models import Combined, Edition
from evalsite.results.page.headings import heading
from evalsite.translating.engine import from_engine

PAGES = (
    ("board", _("Board")),
    ("board_pairs", _("All pairs")),
    ("board_compare", _("Compare two")),
)
PAGES_OF_COMBINED = ("board", "board_pairs")
_SECONDS_KEPT = 20  # as long as a public page at most
# All that the pages of a board tell of its gold, and what decides on links to boards of other phases.
_OF_GOLD = (
    *("version", "state", "published", "public_note", "engine", "engine_since", "engine_note", "candidate_engine"),
    *("file", "file_name", "sha256", "n_units", "n_other_units", "part", "split", "scenario"),
)
_OF_PHASE = (
    *("task", "slug", "name", "opens", "decided_by", "board_audience", "shows_scores", "is_ladder"),
    *("gold_released", "results_released", "ranks_late"),
)
_OF_COMBINED = ("kind", "formula", "lower_is_better", "missing", "basis", "made")
_COLUMNS = (
    *_OF_GOLD,
    *(f"phase__{name}" for name in _OF_PHASE),
    *(f"phase__combined__{name}" for name in _OF_COMBINED),
)
Link = tuple[str, str, bool]  # title, address, whether it is this page


@dataclass(frozen=True)
class PhaseAccess:
    """A phase that has boards, and who looks at them."""

    phase: Phase
    golds: list[Golds]  # of all boards of the task, by opening of the phase and number of the scenario
    visibility: Visibility
    is_allowed: bool  # whether this visitor may see the boards of the phase
    combined: dict[UUID, Combined]  # by phase of the task

    @cached_property
    def boards(self) -> list[Scored]:
        """Return all that the phase has a board of; the first decides the task."""
        return self._boards_of(self.phase)

    @property
    def scenarios(self) -> list[Scenario]:
        """Return those that the phase ranks: the ones that have gold."""
        return self._scenarios_of(self.phase)

    def context(self, page: str) -> dict[str, Any]:
        """Return what every page shows; `page` is the name of its address."""
        return {
            "task": self.phase.task,
            "phase": self.phase,
            "scenario": None,
            "decides": self.boards[0] if len(self.boards) > 1 else None,
            "headline": "",
            "is_anonymous": not self.visibility.shows_names,
            "hidden_notice": hidden_board_notice(self.visibility.role, self.phase),
            "board_pages": [],
            **self._links(page),
        }

    def _links(self, page: str) -> dict[str, Any]:
        return {"tabs": self._tabs(None, "board"), "grid": self.grid("board")}

    def forbidden(self, request: HttpRequest, page: str, *, is_file: bool = False) -> HttpResponse:
        """Return the page that says when the board will be shown, or what the Ladder tells in place of the board."""
        is_board = page in ("board", "board_overview") and not is_file
        if is_board and sees_ladder(self.visibility.role, self.phase):
            return render(request, "leaderboard/ladder.html", self.context(page) | {"ladders": self._ladders()})
        return render(request, "leaderboard/hidden.html", self.context(page), status=403)

    def _ladders(self) -> list[dict[str, Any]]:
        """Return for each scenario what its teams were told, with the names that the visitor may see."""
        names = team_names_of(self.visibility)
        return [
            {
                "scenario": scenario,
                "headline": from_engine(scenario.score_titles[scenario.headline]),
                "rows": [
                    (names.get(row.team, (str(_("A former team")), ""))[0], row)
                    for row in ladder_of(self.phase, scenario)
                ],
            }
            for scenario in self._laddered
        ]

    @property
    def _laddered(self) -> list[Scenario]:
        return self.scenarios

    def address_of(self, scored: Scored) -> str:
        """Return the address of a board of the phase."""
        return _address("board", self.phase, scored)

    def grid(self, page: str, here: Scored | None = None) -> Grid | None:
        """Return this page of all scenarios as a grid; None of few, for which a row of links will do."""
        scenarios = self.scenarios
        if len(scenarios) < MIN_SCENARIOS:
            return None
        opened = ((scenario, self._open(page, self.phase, scenario)) for scenario in scenarios)
        addresses = {scenario.number: _address(name, self.phase, scenario) for scenario, name in opened}
        return grid_of(scenarios, addresses, here.number if isinstance(here, Scenario) else None)

    def _scenarios_of(self, phase: Phase) -> list[Scenario]:
        return [golds.in_force.scenario for golds in self.golds if golds.in_force.phase_id == phase.pk]

    def _boards_of(self, phase: Phase) -> list[Scored]:
        return ranked_by(phase, self._scenarios_of(phase), self.combined.get(phase.pk))

    def _open(self, page: str, phase: Phase, scored: Scored) -> str:
        """Return the page, or the board where it has no such page for this visitor."""
        if further := board_pages().get(page):
            return page if further.is_open(self.visibility.role, phase, scored) else "board"
        if isinstance(scored, CombinedScore):
            return page if page in PAGES_OF_COMBINED else "board"
        return page

    def _tabs(self, scenario: Scored | None, page: str) -> dict[str, list[Link]]:
        """Return links to this page of other boards: one in each other phase, and those of its own phase."""
        phases = []
        for phase in dict.fromkeys(golds.in_force.phase for golds in self.golds):
            if sees_board(self.visibility.role, phase):
                boards = self._boards_of(phase)
                beside = next((board for board in boards if scenario and board.number == scenario.number), boards[0])
                address = _address(self._open(page, phase, beside), phase, beside if scenario else None)
                phases.append((phase.name, address, phase == self.phase))
        scenarios = [
            (_title(board), _address(self._open(page, self.phase, board), self.phase, board), board == scenario)
            for board in self.boards
        ]
        if len(scenarios) > 1:
            scenarios.append((str(_("All side by side")), _address(page, self.phase, None), scenario is None))
        return {str(_("Phase")): phases, str(_("Scenario")): scenarios}


@dataclass(frozen=True)
class BoardAccess(PhaseAccess):
    """A board, and who looks at it."""

    scenario: Scored
    own_golds: Golds | None  # None of a combined score

    @property
    def _laddered(self) -> list[Scenario]:
        """Return the board's own scenario; of a combined score those that it is made of."""
        return self.scenarios if isinstance(self.scenario, CombinedScore) else [self.scenario]

    @property
    def gold(self) -> Gold:
        """Return the version in force, by which the board of a scenario ranks."""
        assert self.own_golds is not None
        return self.own_golds.in_force

    @property
    def headline(self) -> str:
        return from_engine(self.scenario.score_titles[self.scenario.headline])

    @property
    def unit(self) -> tuple[str, str]:
        """Return what intervals are drawn from, singular and plural, in the visitor's language."""
        singular, plural = self.scenario.unit
        # English has one word for one series and several.
        return heading(singular) if singular == plural else from_engine(singular), from_engine(plural)

    def address(self, page: str) -> str:
        """Return the address of a page of this board."""
        return _address(page, self.phase, self.scenario)

    def has(self, page: str) -> bool:
        """Return whether the board has this page for this visitor."""
        return self._open(page, self.phase, self.scenario) == page

    def edition(self, *, only_compared: bool = False) -> tuple[Edition, list[Row]]:
        """Return the newest edition, or the newest that has been compared, with the rows that the visitor may see."""
        in_force = self.own_golds.in_force if self.own_golds else None
        edition = edition_of(self.phase, self.scenario, only_compared=only_compared, gold=in_force)
        return edition, rows_of(edition, self.scenario, self.visibility) if self.is_allowed else []

    def context(self, page: str) -> dict[str, Any]:
        pages = [*PAGES, *((page.name, page.title) for page in board_pages().values())]
        return super().context(page) | {
            "scenario": self.scenario,
            "headline": self.headline,
            "lower_is_better": self.scenario.lower_is_better,
            "scale": self.scenario.scale,
            "unit": self.unit,
            "board_url": self.address("board"),
            "board_pages": [(str(title), self.address(name), name == page) for name, title in pages if self.has(name)],
        }

    def _links(self, page: str) -> dict[str, Any]:
        return {"tabs": self._tabs(self.scenario, page), "grid": self.grid(page, self.scenario)}


def access_to_phase(request: HttpRequest, task: str, phase: str) -> PhaseAccess:
    """Return access to the boards of a phase; raises Http404 where there is none."""
    phase_row, golds = _find_phase(request, task, phase)
    if not any(gold.in_force.phase == phase_row for gold in golds):
        raise Http404
    visibility = visibility_of(request.user, phase_row)
    return PhaseAccess(phase_row, golds, visibility, sees_board(visibility.role, phase_row), _combined(golds))


def access_to_board(request: HttpRequest, task: str, phase: str, number: int | str) -> BoardAccess:
    """Return access to the board of the scenario with this number, or of the combined score; raises Http404 where
    there is none."""
    around = access_to_phase(request, task, phase)
    scored = next((board for board in around.boards if board.number == number), None)
    if scored is None:
        raise Http404
    of_phase = {gold.in_force.scenario_id: gold for gold in around.golds if gold.in_force.phase == around.phase}
    shared = {field.name: getattr(around, field.name) for field in fields(around)}
    return BoardAccess(**shared, scenario=scored, own_golds=of_phase.get(scored.pk))


def accesses_of(task: Task, role: Role, own_teams: frozenset[str] = frozenset()) -> list[PhaseAccess]:
    """Return access to the boards of each phase of the task that has some, for somebody of this role and teams."""
    golds = _golds(task)
    combined = _combined(golds)
    return [
        PhaseAccess(
            phase,
            golds,
            Visibility(task, role, phase, sees_names(role, phase), own_teams),
            sees_board(role, phase),
            combined,
        )
        for phase in dict.fromkeys(gold.in_force.phase for gold in golds)
    ]


def _combined(golds: Iterable[Golds]) -> dict[UUID, Combined]:
    """Return the combined scores by phase, which were read together with the golds."""
    phases = {gold.in_force.phase_id: gold.in_force.phase for gold in golds}
    return {pk: phase.combined for pk, phase in phases.items() if hasattr(phase, "combined")}


def _find_phase(request: HttpRequest, task: str, phase: str) -> tuple[Phase, list[Golds]]:
    phase_row = visible_phase(request.user, task, phase)
    # A public page is kept as a whole, and organisers see what no counter tells of.
    is_kept = isinstance(request.user, User) and not oversees(request.user)
    return phase_row, _kept_golds(phase_row.task) if is_kept else _golds(phase_row.task, _COLUMNS)


def _kept_golds(task: Task) -> list[Golds]:
    """Return the golds as this process has read them since the task's counters were raised."""
    key = cache_key("golds-of-boards", task.pk, task.revision, task.news)
    golds: list[Golds] | None = caches["editions"].get(key)
    if golds is None:
        golds = _golds(task, _COLUMNS)
        caches["editions"].set(key, golds, _SECONDS_KEPT)
    for gold in golds:
        gold.in_force.phase.task = task
    return golds


def _golds(task: Task, columns: Sequence[str] = ()) -> list[Golds]:
    """Return the golds of all boards of the task, by opening of the phase and number of the scenario."""
    phases = Phase.objects.filter(task=task).order_by().values("pk")
    # A combined board is large, and read only where it is shown.
    related, deferred = ("phase__combined", "scenario"), ("phase__combined__board",)
    golds = list(golds_of(phases, related, deferred, columns).values())
    for gold in golds:
        gold.in_force.phase.task = task
    return sorted(golds, key=lambda gold: (gold.in_force.phase.opens, gold.in_force.scenario.number))


def _title(scored: Scored) -> str:
    return scored.name if isinstance(scored, CombinedScore) else f"{scored.number}: {scored.name}"


def _address(page: str, phase: Phase, scenario: Scored | None) -> str:
    """Return the address of a page of one board, or without a scenario of the page that shows all of them."""
    if scenario is None:
        return reverse("board_overview", args=[phase.task.slug, phase.slug])
    return reverse(page, args=[phase.task.slug, phase.slug, scenario.number])
