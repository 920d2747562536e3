"""Finds what a task still needs before participants can enter it, and counts the submissions of its phases."""

from dataclasses import dataclass
from uuid import UUID

from django.apps import apps
from django.db.models import Count, Exists, OuterRef
from django.utils.translation import gettext

from evalsite.challenges.gold.budget import Budget, budgets_of
from evalsite.challenges.gold.versions import Golds, golds_of
from evalsite.challenges.models import Gold, Phase, Scenario, Task, WaitingGold
from scoring.budget import Detail


@dataclass(frozen=True)
class Step:
    """Something that a complete task has."""

    text: str
    is_done: bool
    anchor: str = ""  # the part of the task's page where it is done


@dataclass(frozen=True)
class PhaseReadiness:
    """A phase with the gold of each scenario, None where it is missing, and its submissions by their state."""

    phase: Phase
    golds: list[tuple[Scenario, Golds | None]]
    submissions: list[tuple[str, int]]
    waiting: list[WaitingGold]  # uploads of gold in which something looks odd
    budget: Budget

    @property
    def lacks_limit(self) -> bool:
        """Return whether a team may upload so often that it could read the hidden gold, run by run."""
        return not self.phase.gold_released and not self.phase.is_limited

    @property
    def tells_too_much(self) -> bool:
        """Return whether organisers chose to tell more of runs than leaves half of the hidden gold unread."""
        detail, levels = self.budget.detail, [*Detail]
        return detail is not None and levels.index(detail) < levels.index(self.budget.automatic)


@dataclass(frozen=True)
class Readiness:
    steps: list[Step]
    stages: list[PhaseReadiness]

    @property
    def missing(self) -> list[str]:
        return [step.text for step in self.steps if not step.is_done]


def readiness_of(task: Task) -> Readiness:
    """Return the readiness of the task, in a number of queries that does not grow with it."""
    scenarios, phases = list(task.scenarios.all()), list(task.phases.all())
    golds = golds_of(phase.pk for phase in phases)
    states = _states(task)
    budgets = budgets_of(phases)
    waiting = list(WaitingGold.objects.filter(phase__task=task).order_by("created"))
    stages = [
        PhaseReadiness(
            phase=phase,
            golds=[(scenario, golds.get((phase.pk, scenario.pk))) for scenario in scenarios],
            submissions=[(state, n) for pk, state, n in states if pk == phase.pk],
            waiting=[gold for gold in waiting if gold.phase_id == phase.pk],
            budget=budgets[phase.pk],
        )
        for phase in phases
    ]
    n_missing = len(scenarios) * len(phases) - len(golds)
    steps = [
        Step(gettext("a scenario"), bool(scenarios), "scenarios-group"),
        Step(gettext("a phase"), bool(phases), "phases-group"),
        Step(gettext("gold for each phase and scenario"), bool(golds) and not n_missing),
        Step(gettext("a download, such as the texts to annotate"), task.downloads.exists(), "downloads-group"),
    ]
    return Readiness(steps, stages)


def _states(task: Task) -> list[tuple[UUID, str, int]]:
    """Count submissions by state: (phase, state of a scoring, number that have one in it).

    Nearly all submissions are scored: those are what is left of all when the ones without a scored scoring are taken
    away, and an index holds these. To count them one by one would read every scoring of the task.
    """
    submissions = apps.get_model("submissions", "Submission").objects.order_by()
    # The gold's phase is that of the run, so no run has to be read for it.
    scorings = apps.get_model("submissions", "Scoring").objects.order_by()
    others = scorings.filter(state__in=_OTHER_STATES)
    # What a candidate cannot score was no failure of a team's run.
    golds = Gold.objects.filter(phase__task=task, state=Gold.State.PUBLISHED)
    others = others.filter(gold__in=list(golds.values_list("pk", flat=True)))
    n_runs = Count("submission", distinct=True)
    scored = scorings.filter(submission=OuterRef("submission"), state=_SCORED)
    unscored = dict(others.filter(~Exists(scored)).values_list("gold__phase").annotate(n=n_runs))
    in_all = submissions.filter(phase__in=task.phases.all()).values_list("phase").annotate(n=Count("*"))
    n_scored = [(phase, _SCORED, n - unscored.get(phase, 0)) for phase, n in in_all]
    in_others = others.values_list("gold__phase", "state").annotate(n=n_runs)
    return sorted([*in_others, *(row for row in n_scored if row[2])], key=lambda row: row[1])


# States of a scoring, whose model is in an app above this one.
_SCORED = "scored"
_OTHER_STATES = ("queued", "running", "refused", "failed", "cancelled")
