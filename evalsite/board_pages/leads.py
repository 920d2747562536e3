"""Shows the leaders of tasks on the list of tasks and a task's page, in a number of queries that does not grow."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from django.db.models import OuterRef, Subquery
from django.urls import reverse
from django.utils.safestring import SafeString

from evalsite.board_pages.board.charts import Axis, Mark, mark
from evalsite.board_pages.board.finding import finding_in_html
from evalsite.board_pages.board.rows import Row, common_axis, rows_with_names
from evalsite.board_pages.board.visibility import Visibility, own_keys, team_names_by_phase
from evalsite.challenges.access import Role, Visitor, roles_of, sees_board, sees_names
from evalsite.challenges.gold.budget import budgets_of
from evalsite.challenges.models import Gold, Phase, Scenario, Task
from evalsite.leaderboard.combined_score import CombinedScore, Scored, ranked_by
from evalsite.leaderboard.making.editions import CONTENTS, read_together
from evalsite.leaderboard.models import NEWEST_FIRST, Combined, Edition
from evalsite.translating.engine import from_engine

MOST_DRAWN = 3
LINE_HEIGHT = 20  # of a row of the strip, in pixels
AXIS_HEIGHT = 18


@dataclass(frozen=True)
class Drawn:
    """A row of the strip."""

    row: Row
    mark: Mark
    y: float


@dataclass(frozen=True)
class Lead:
    """The board that answers for a task: of the newest phase that ranks somebody, the one that decides."""

    phase: Phase
    scenario: Scored
    n_scenarios: int
    finding: SafeString  # "" while nobody is ranked
    rows: Sequence[Row]  # all of the board

    @property
    def board_url(self) -> str:
        return reverse("board", args=[self.phase.task.slug, self.phase.slug, self.scenario.number])

    @property
    def overview_url(self) -> str:
        """Return the address of all scenarios side by side; "" where there is one."""
        return reverse("board_overview", args=[self.phase.task.slug, self.phase.slug]) if self.n_scenarios > 1 else ""

    @property
    def is_awaited(self) -> bool:
        """Return whether the combined score decides, and has no board yet."""
        return isinstance(self.scenario, CombinedScore) and "entries" not in self.scenario.facts

    @property
    def headline(self) -> str:
        return from_engine(self.scenario.score_titles[self.scenario.headline])

    @cached_property
    def ranked(self) -> list[Row]:
        return [row for row in self.rows if row.rank is not None]

    @cached_property
    def axis(self) -> Axis | None:
        """Return an axis that holds what is drawn: the first rows, and the best of each kind of reference."""
        return common_axis([*self.ranked[:MOST_DRAWN], *(row for row in self.rows if row.reference)])

    @cached_property
    def drawn(self) -> list[Drawn]:
        if self.axis is None:
            return []
        return [
            Drawn(row, mark(self.axis, row.headline, row.interval), LINE_HEIGHT * (number + 0.5))  # type: ignore[arg-type]
            for number, row in enumerate(self.ranked[:MOST_DRAWN])
        ]

    @property
    def axis_y(self) -> int:
        return LINE_HEIGHT * len(self.drawn)

    @property
    def height(self) -> int:
        return self.axis_y + AXIS_HEIGHT


def leads_of(tasks: Iterable[Task], user: Visitor) -> dict[UUID, Lead]:
    """Return leads by task, for those of which the visitor may see a board; the tasks are ones that the visitor may
    see."""
    roles = roles_of(user, tasks)
    phases = [
        phase
        for phase in Phase.objects.filter(task__in=roles).select_related("task").order_by("-opens")
        if phase.state != "upcoming" and sees_board(roles[phase.task_id], phase)
    ]
    entered = _entered(phases)
    boards = _boards_of(entered, phases)
    editions = _newest({phase: own[0] for phase, own in boards.items()})
    chosen: dict[UUID, Phase] = {}
    for phase in sorted((phase for phase in phases if phase.pk in entered), key=lambda phase: phase.pk not in editions):
        chosen.setdefault(phase.task_id, phase)
    budgets_of(phase for phase in chosen.values() if not phase.gold_released)
    own = frozenset(own_keys(user)) if chosen else frozenset()
    visibilities = {phase.pk: _visibility(phase, roles[phase.task_id], own) for phase in chosen.values()}
    team_names = team_names_by_phase(list(visibilities.values()))
    found = _with_entries([editions[phase] for phase in visibilities if phase in editions])
    return {
        task: _lead(boards[phase.pk], found.get(phase.pk), visibilities[phase.pk], team_names[phase.pk])
        for task, phase in chosen.items()
    }


def _entered(phases: Sequence[Phase]) -> dict[UUID, list[Scenario]]:
    """Return by phase the scenarios that it ranks, the ones that have gold, by their numbers."""
    found: dict[UUID, dict[UUID, Scenario]] = {}
    golds = Gold.objects.in_force().filter(phase__in=phases).select_related("scenario").order_by("scenario__number")
    for gold in golds.defer("file"):
        found.setdefault(gold.phase_id, {})[gold.scenario_id] = gold.scenario
    return {phase: list(scenarios.values()) for phase, scenarios in found.items()}


def _boards_of(entered: dict[UUID, list[Scenario]], phases: Sequence[Phase]) -> dict[UUID, list[Scored]]:
    """Return by phase its boards, first the one that decides."""
    combined = Combined.objects.in_bulk(list(entered))
    return {
        phase.pk: ranked_by(phase, entered[phase.pk], combined.get(phase.pk)) for phase in phases if phase.pk in entered
    }


def _newest(deciding: dict[UUID, Scored]) -> dict[UUID, UUID | Edition]:
    """Return by phase the newest edition of the board that decides, where that has any entry; of scenarios its key."""
    latest = Edition.objects.filter(board=OuterRef("board")).order_by(*NEWEST_FIRST).values("pk")[:1]
    found = Edition.objects.filter(board__phase__in=deciding, pk=Subquery(latest)).exclude(entries=[])
    listed = found.values_list("board__phase", "board__scenario", "pk")
    together = {phase: scored.edition for phase, scored in deciding.items() if isinstance(scored, CombinedScore)}
    return {phase: pk for phase, scenario, pk in listed if deciding[phase].pk == scenario} | {
        phase: edition for phase, edition in together.items() if edition.entries
    }


def _with_entries(newest: Sequence[UUID | Edition]) -> dict[UUID, Edition]:
    """Load these editions, by phase; their contents are read unless they are cached."""
    keys = [each for each in newest if not isinstance(each, Edition)]
    loaded = Edition.objects.filter(pk__in=keys).select_related("board").defer("further", *CONTENTS)
    editions = [*read_together(list(loaded)), *(each for each in newest if isinstance(each, Edition))]
    return {edition.board.phase_id: edition for edition in editions}


def _visibility(phase: Phase, role: Role, own: frozenset[str]) -> Visibility:
    return Visibility(phase.task, role, phase, sees_names(role, phase), own)


def _lead(
    boards: Sequence[Scored],
    edition: Edition | None,
    visibility: Visibility,
    team_names: dict[str, tuple[str, str]],
) -> Lead:
    scenario = boards[0]
    n_scenarios = sum(isinstance(each, Scenario) for each in boards)
    rows = rows_with_names(edition, scenario, visibility, team_names) if edition else []
    finding = finding_in_html(edition, rows) if edition else SafeString("")
    return Lead(visibility.phase, scenario, n_scenarios, finding, rows)
