"""Shows the leaders of tasks on the list of tasks and a task's page, in a number of queries that does not grow."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from django.db.models import OuterRef, Subquery
from django.urls import reverse
from django.utils.safestring import SafeString

from evalsite.board_pages.board.charts import Axis, Mark, mark
from evalsite.board_pages.board.rows import Row, common_axis, rows_with_names
from evalsite.board_pages.board.sentence import sentence_in_html
from evalsite.board_pages.board.visibility import Visibility, own_keys, team_names_by_phase
from evalsite.challenges.access import Role, Visitor, roles_of, sees_board, sees_names
from evalsite.challenges.gold.budget import budgets_of
from evalsite.challenges.gold.parts import ShownPart, shown_part
from evalsite.challenges.models import Gold, Phase, Scenario, Task
from evalsite.challenges.task_page.overview import Overview
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
    part: ShownPart | None  # of the gold, while it is that part whose scores are shown

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
    phases = _with_board(Phase.objects.filter(task__in=roles).select_related("task").order_by("-opens"), roles)
    return _leads(phases, _entered(phases), roles, user)


def lead_of_page(page: Overview, user: Visitor) -> Lead | None:
    """Return the lead of the task whose page this is, which has read its phases and golds."""
    roles = {page.task.pk: page.role}
    phases = _with_board((stage.phase for stage in page.stages), roles)
    return _leads(phases, _by_phase(page.golds), roles, user).get(page.task.pk)


def _with_board(phases: Iterable[Phase], roles: Mapping[UUID, Role]) -> list[Phase]:
    """Return those of which the visitor sees a board."""
    return [phase for phase in phases if phase.state != "upcoming" and sees_board(roles[phase.task_id], phase)]


def _leads(
    phases: Sequence[Phase], entered: Mapping[UUID, list[Gold]], roles: Mapping[UUID, Role], user: Visitor
) -> dict[UUID, Lead]:
    """Return the leads of these phases, the newest first, with the golds that rank in them."""
    boards = _boards_of({phase: [gold.scenario for gold in golds] for phase, golds in entered.items()}, phases)
    editions = _newest({phase: scored[0] for phase, scored in boards.items()})
    chosen: dict[UUID, Phase] = {}
    for phase in sorted((phase for phase in phases if phase.pk in entered), key=lambda phase: phase.pk not in editions):
        chosen.setdefault(phase.task_id, phase)
    if len(chosen) > 1:
        budgets_of(phase for phase in chosen.values() if not phase.gold_released)  # all at once
    own_teams = frozenset(own_keys(user)) if chosen else frozenset()
    visibilities = {phase.pk: _visibility(phase, roles[phase.task_id], own_teams) for phase in chosen.values()}
    team_names = team_names_by_phase(list(visibilities.values()))
    filled = _with_entries([editions[phase] for phase in visibilities if phase in editions])
    return {
        task: _lead(
            boards[phase.pk],
            filled.get(phase.pk),
            visibilities[phase.pk],
            team_names[phase.pk],
            shown_part(entered[phase.pk]),
        )
        for task, phase in chosen.items()
    }


def _entered(phases: Sequence[Phase]) -> dict[UUID, list[Gold]]:
    """Return by phase the golds that rank, by the numbers of their scenarios."""
    golds = Gold.objects.in_force().filter(phase__in=phases).select_related("scenario").order_by("scenario__number")
    return _by_phase(golds.defer("file"))


def _by_phase(golds: Iterable[Gold]) -> dict[UUID, list[Gold]]:
    by_phase: dict[UUID, list[Gold]] = {}
    for gold in golds:
        by_phase.setdefault(gold.phase_id, []).append(gold)
    return by_phase


def _boards_of(entered: dict[UUID, list[Scenario]], phases: Sequence[Phase]) -> dict[UUID, list[Scored]]:
    """Return by phase its boards, first the one that decides."""
    combined = Combined.objects.in_bulk(list(entered))
    return {
        phase.pk: ranked_by(phase, entered[phase.pk], combined.get(phase.pk)) for phase in phases if phase.pk in entered
    }


def _newest(deciding: dict[UUID, Scored]) -> dict[UUID, UUID | Edition]:
    """Return by phase the newest edition of the board that decides, where that has any entry; of scenarios its key."""
    latest = Edition.objects.filter(board=OuterRef("board")).order_by(*NEWEST_FIRST).values("pk")[:1]
    newest_editions = Edition.objects.filter(board__phase__in=deciding, pk=Subquery(latest)).exclude(entries=[])
    listed = newest_editions.values_list("board__phase", "board__scenario", "pk")
    together = {phase: scored.edition for phase, scored in deciding.items() if isinstance(scored, CombinedScore)}
    return {phase: pk for phase, scenario, pk in listed if deciding[phase].pk == scenario} | {
        phase: edition for phase, edition in together.items() if edition.entries
    }


def _with_entries(newest: Sequence[UUID | Edition]) -> dict[UUID, Edition]:
    """Load these editions, by phase; their contents are read unless they are cached."""
    keys = [item for item in newest if not isinstance(item, Edition)]
    loaded = Edition.objects.filter(pk__in=keys).select_related("board").defer("further", *CONTENTS)
    editions = [*read_together(list(loaded)), *(item for item in newest if isinstance(item, Edition))]
    return {edition.board.phase_id: edition for edition in editions}


def _visibility(phase: Phase, role: Role, own_teams: frozenset[str]) -> Visibility:
    return Visibility(phase.task, role, phase, sees_names(role, phase), own_teams)


def _lead(
    boards: Sequence[Scored],
    edition: Edition | None,
    visibility: Visibility,
    team_names: dict[str, tuple[str, str]],
    part: ShownPart | None,
) -> Lead:
    scenario = boards[0]
    n_scenarios = sum(isinstance(board, Scenario) for board in boards)
    rows = rows_with_names(edition, scenario, visibility, team_names) if edition else []
    finding = sentence_in_html(edition, rows) if edition else SafeString("")
    return Lead(visibility.phase, scenario, n_scenarios, finding, rows, part)
