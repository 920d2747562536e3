"""Queries of the home page and of a task's page, whose number does not grow with the tasks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from django.db.models import Prefetch, QuerySet, prefetch_related_objects

from evalsite.base import moment
from evalsite.challenges.access import (
    Role,
    Visitor,
    hidden_board_notice,
    role_of,
    sees_against_gold,
    sees_board,
    sees_kept,
    sees_ladder,
    visible_tasks,
)
from evalsite.challenges.gold.budget import Budget, budgets_of
from evalsite.challenges.gold.versions import golds_of
from evalsite.challenges.models import Download, Gold, Phase, Scenario, Task
from evalsite.challenges.taking_part.teams import with_n_teams
from evalsite.challenges.task_page.timeline import Bar, timeline
from scoring.budget import Detail

NEVER = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True)
class ListedTask:
    """A task on the home page, with the phase that matters now."""

    task: Task
    phase: Phase | None  # None while the organisers have not set any

    @property
    def state(self) -> str:
        """Return `open` (also while paused), `upcoming` or `closed`."""
        state = self.phase.state if self.phase else "upcoming"
        return "open" if state == "paused" else state

    @property
    def families(self) -> set[str]:
        return {scenario.family for scenario in self.task.scenarios.all()}


@dataclass(frozen=True)
class Stage:
    """A phase on its task's page, with what the visitor may follow from there."""

    phase: Phase
    scenarios: list[Scenario]  # those that have gold in it
    has_board: bool  # whether the visitor sees its boards
    hidden_notice: str  # to an organiser, where others do not see them
    golds: list[Gold]  # the one in force per scenario, where it is released
    detail: Detail | None  # what teams are told of a run; None where nothing is kept from them for the gold's sake
    collected: Sequence[Scenario] = ()  # those whose runs wait until there is gold

    @property
    def entered(self) -> list[Scenario]:
        """Return the scenarios to which participants upload; organisers bring the scores of the others."""
        return [scenario for scenario in self.scenarios if scenario.takes_uploads]

    @property
    def is_brought(self) -> bool:
        return bool(self.scenarios) and not self.entered


@dataclass(frozen=True)
class ScenarioEntry:
    """A scenario on its task's page: how one enters it and how it is scored."""

    scenario: Scenario
    headline: str  # titles of scores
    further: list[str]
    sample_phase: Phase | None  # for which the example of an upload is valid; None where its data are made up


@dataclass(frozen=True)
class Released:
    """A file of gold that everybody may download, with the scenarios of its phase that it is for."""

    golds: list[Gold]

    @property
    def gold(self) -> Gold:
        return self.golds[0]

    @property
    def size(self) -> int | None:
        """Return the size in bytes; None if the file is missing."""
        try:
            return int(self.gold.file.size)
        except OSError:
            return None


@dataclass(frozen=True)
class Overview:
    """A task's page."""

    task: Task
    role: Role
    entrances: list[ScenarioEntry]
    stages: list[Stage]
    downloads: list[Download]
    kept: list[Download]  # for teams that take part, of which the visitor's is none
    golds: list[Gold]  # the one in force of each phase and scenario, by the numbers of the scenarios

    @property
    def is_organiser(self) -> bool:
        return self.role >= Role.VIEWER

    @property
    def current(self) -> list[Stage]:
        """Return the phases without former seasons."""
        return [stage for stage in self.stages if not stage.phase.is_former_season]

    @property
    def former(self) -> list[Stage]:
        """Return the former seasons, the latest first."""
        return [stage for stage in self.stages if stage.phase.is_former_season]

    @property
    def year(self) -> int:
        """Return the year of the task: that in which its first phase opens, else that in which it was made."""
        return min((stage.phase.opens for stage in self.stages), default=self.task.created).year

    @property
    def bars(self) -> list[Bar]:
        """Return the phases on one axis of time."""
        return timeline(stage.phase for stage in self.stages)

    @property
    def released(self) -> list[Released]:
        """Return the released files; one that is the gold of several scenarios stands once."""
        files: dict[tuple[UUID, str], list[Gold]] = {}
        for gold in (gold for stage in self.stages for gold in stage.golds):
            files.setdefault((gold.phase_id, gold.sha256), []).append(gold)
        return [Released(golds) for golds in files.values()]


def listed_tasks(user: Visitor) -> dict[str, list[ListedTask]]:
    """Return the visible tasks by state: what closes next, opens next, or closed last comes first."""
    listed = _listed(visible_tasks(user).filter(archived=None))
    by_state = {state: [entry for entry in listed if entry.state == state] for state in ("open", "upcoming", "closed")}
    by_state["open"].sort(key=_closes)
    by_state["upcoming"].sort(key=_opens)
    by_state["closed"].sort(key=_closes, reverse=True)
    return by_state


def archived_tasks(user: Visitor) -> list[ListedTask]:
    """Return the archived tasks, the latest first."""
    return _listed(visible_tasks(user).exclude(archived=None).order_by("-archived"))


def _listed(tasks: QuerySet[Task]) -> list[ListedTask]:
    tasks = with_n_teams(tasks).prefetch_related(
        "phases", Prefetch("scenarios", Scenario.objects.only("task", "family"))
    )
    return [ListedTask(task, current_phase(list(task.phases.all()))) for task in tasks]


def current_phase(phases: list[Phase]) -> Phase | None:
    """Return the open phase that closes first, else the one that opens next, else the one that closed last."""
    by_state: dict[str, list[Phase]] = {}
    for phase in phases:
        by_state.setdefault(phase.state, []).append(phase)
    for state in ("open", "paused"):
        if state in by_state:
            return min(by_state[state], key=lambda phase: phase.closes or NEVER)
    if "upcoming" in by_state:
        return min(by_state["upcoming"], key=lambda phase: phase.opens)
    return max(phases, key=lambda phase: phase.closes or NEVER, default=None)


def _closes(entry: ListedTask) -> datetime:
    return entry.phase.closes or NEVER if entry.phase else NEVER


def _opens(entry: ListedTask) -> datetime:
    return entry.phase.opens if entry.phase else NEVER


def overview_of(task: Task, user: Visitor) -> Overview:
    role = role_of(user, task)
    prefetch_related_objects([task], "scenarios")  # phases look through them too
    scenarios = list(task.scenarios.all())
    phases = list(task.phases.select_related("combined").defer("combined__board").order_by("opens"))
    golds = _golds_in_force(phases, scenarios)
    budgets = budgets_of(phase for phase in phases if not phase.gold_released)
    downloads = [download for download in task.downloads.all() if download.is_available or role >= Role.VIEWER]
    for download in downloads:
        download.phase = next((phase for phase in phases if phase.pk == download.phase_id), None)
    return Overview(
        task=task,
        role=role,
        entrances=[_entrance(scenario, _sample_phase(scenario, golds, user, role)) for scenario in scenarios],
        stages=[_stage(phase, scenarios, golds, role, budgets) for phase in _newest_first(phases)],
        downloads=[download for download in downloads if sees_kept(role, download)],
        kept=[download for download in downloads if not sees_kept(role, download)],
        golds=golds,
    )


def _newest_first(phases: Sequence[Phase]) -> list[Phase]:
    """Return opened phases, the latest first, so that the test stands before the development; then upcoming ones."""
    opened = [phase for phase in phases if phase.state != "upcoming"]
    upcoming = [phase for phase in phases if phase.state == "upcoming"]
    return opened[::-1] + upcoming


def _golds_in_force(phases: Sequence[Phase], scenarios: Sequence[Scenario]) -> list[Gold]:
    """Return the gold that ranks of each of these phases and scenarios, ordered by scenario."""
    by_phase = {phase.pk: phase for phase in phases}
    by_scenario = {scenario.pk: scenario for scenario in scenarios}
    golds = [versions.in_force for versions in golds_of(by_phase, (), deferred=("keeps",)).values()]
    for gold in golds:
        gold.phase, gold.scenario = by_phase[gold.phase_id], by_scenario[gold.scenario_id]
    return sorted(golds, key=lambda gold: (gold.scenario.number, gold.version))


def _stage(
    phase: Phase, scenarios: list[Scenario], golds: list[Gold], role: Role, budgets: Mapping[UUID, Budget]
) -> Stage:
    here = [gold for gold in golds if gold.phase_id == phase.pk]
    answered = [gold for gold in here if not gold.is_input]
    entered = {gold.scenario_id for gold in here}
    return Stage(
        phase=phase,
        scenarios=[scenario for scenario in scenarios if scenario.pk in entered],
        has_board=sees_board(role, phase) or sees_ladder(role, phase),
        hidden_notice=hidden_board_notice(role, phase),
        # Organisers, too, see here what everybody sees; the rest is on their desk.
        golds=answered if sees_against_gold(min(role, Role.PARTICIPANT), phase) else [],
        detail=budgets[phase.pk].detail if phase.pk in budgets and answered else None,
        collected=[gold.scenario for gold in here if gold.is_input],
    )


def may_have_sample(phase: Phase, user: Visitor, role: Role | None = None) -> bool:
    """Return whether a sample of an upload may be made from the input of the phase, whose texts it may repeat.

    Before the phase opens, it would reveal the input too early. Organisers know to whom texts may be handed on: while
    they hide the gold, only people with an account get such a sample. `role` is the visitor's, where it is known.
    """
    if phase.is_for_members and not sees_kept(role_of(user, phase.task) if role is None else role, phase):
        return False
    return phase.opens <= moment.now() and (phase.gold_released or user.is_authenticated)


def _sample_phase(scenario: Scenario, golds: list[Gold], user: Visitor, role: Role) -> Phase | None:
    phases = [gold.phase for gold in golds if gold.scenario_id == scenario.pk]
    return current_phase([phase for phase in phases if may_have_sample(phase, user, role)])


def _entrance(scenario: Scenario, sample_phase: Phase | None) -> ScenarioEntry:
    titles = scenario.score_titles
    headline, *further = (titles.get(name, name) for name in scenario.scores)
    return ScenarioEntry(scenario, headline, further, sample_phase)
