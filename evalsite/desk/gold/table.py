"""Lists the gold of a task: for each phase and scenario its versions, the newest first, and uploads to decide on."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db.models import Exists, OuterRef

from evalsite.challenges.models import Gold, Phase, Scenario, Task, WaitingGold, set_numbers
from evalsite.submissions.models import Scoring


@dataclass(frozen=True)
class Cell:
    """The gold of one scenario in one phase."""

    scenario: Scenario
    current: Sequence[Gold]  # the candidate, if there is one, and the version that ranks
    former: Sequence[Gold]  # what ranked before, and what was discarded


@dataclass(frozen=True)
class PhaseGold:
    phase: Phase
    cells: Sequence[Cell]
    waiting: Sequence[WaitingGold] = field(default_factory=list)

    @property
    def is_complete(self) -> bool:
        return all(cell.current for cell in self.cells)


def gold_of(task: Task) -> list[PhaseGold]:
    """Return the gold of each phase, in a number of queries that does not grow with the task."""
    scenarios, phases = list(task.scenarios.order_by("number")), list(task.phases.order_by("opens"))
    runs = Scoring.objects.filter(gold=OuterRef("pk"))
    golds = list(
        Gold.objects.filter(phase__in=phases)
        .select_related("created_by", "scenario")
        .annotate(is_used=Exists(runs))
        .order_by("-version")
    )
    set_numbers(golds)
    waiting = list(WaitingGold.objects.filter(phase__in=phases).order_by("created"))
    return [
        PhaseGold(
            phase,
            [_cell(scenario, [gold for gold in golds if _is_for(gold, phase, scenario)]) for scenario in scenarios],
            [upload for upload in waiting if upload.phase_id == phase.pk],
        )
        for phase in phases
    ]


def _is_for(gold: Gold, phase: Phase, scenario: Scenario) -> bool:
    return (gold.phase_id, gold.scenario_id) == (phase.pk, scenario.pk)


def _cell(scenario: Scenario, golds: Sequence[Gold]) -> Cell:
    ranking = next((gold for gold in golds if gold.state == Gold.State.PUBLISHED), None)
    current = [gold for gold in golds if gold.is_candidate or gold == ranking]
    return Cell(scenario, current, [gold for gold in golds if gold not in current])
