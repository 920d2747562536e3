"""Offers the runs that a team can choose from, in each scenario where one of them counts, and those to compare."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.utils.translation import gettext as _

from evalsite.accounts.models import Team, User
from evalsite.challenges.models import Phase, Scenario, Task
from evalsite.submissions.access import visible_submissions
from evalsite.submissions.models import Choice, Scoring, Submission
from evalsite.submissions.precedence import ON_PUBLISHED_GOLD

MAX_RUNS = 200  # runs that one chooses among, the newest; a chosen one is among them however old it is
Key = tuple[UUID, UUID, UUID]  # of phase, team and scenario


@dataclass(frozen=True)
class Option:
    submission: UUID
    method: str
    created: datetime


@dataclass(frozen=True)
class RunChoice:
    """The choice of one team in one scenario; `chosen` is empty where it has chosen none, and so the last run
    counts."""

    scenario: Scenario
    options: Sequence[Option]
    chosen: Sequence[UUID]
    n_choices: int

    @property
    def fields(self) -> list[tuple[str, UUID | None]]:
        """Return the names of the form's fields, each with the run that is chosen there."""
        padded = [*self.chosen, *[None] * self.n_choices]
        return list(zip(("run", "second")[: self.n_choices], padded, strict=False))

    @property
    def chosen_options(self) -> list[Option]:
        return [option for option in self.options if option.submission in self.chosen]


def run_choices(entered: Iterable[tuple[Phase, Team]], task: Task) -> dict[tuple[UUID, UUID], list[RunChoice]]:
    """Return by phase and team the choices in phases of the task in which teams choose; three queries in all."""
    choosing = [(phase, team) for phase, team in entered if phase.n_choices]
    if not choosing:
        return {}
    phases, teams = {phase.pk: phase for phase, _ in choosing}, {team.pk for _, team in choosing}
    choices = Choice.objects.filter(phase__in=phases, team__in=teams).order_by("pk")
    chosen: dict[Key, list[UUID]] = {}
    for phase_key, team_key, scenario_key, run in choices.values_list("phase", "team", "scenario", "submission"):
        chosen.setdefault((phase_key, team_key, scenario_key), []).append(run)
    scenarios = list(task.scenarios.all())
    options = _options(phases, teams, {run for runs in chosen.values() for run in runs})
    return {
        (phase.pk, team.pk): [
            RunChoice(scenario, options[key], chosen.get(key, [])[: phase.n_choices], phase.n_choices)
            for scenario in scenarios
            if (key := (phase.pk, team.pk, scenario.pk)) in options
        ]
        for phase, team in choosing
    }


def _options(phases: dict[UUID, Phase], teams: set[UUID], chosen: set[UUID]) -> dict[Key, list[Option]]:
    scorings = Scoring.objects.filter(
        submission__phase__in=phases,
        submission__team__in=teams,
        submission__withdrawn=None,
        submission__reference="",
        submission__is_beyond_limit=False,
        state__in=Scoring.LIVING,
    ).order_by("-submission__created")
    columns = ("phase", "team", "pk", "method", "created", "is_late")
    rows = scorings.values_list("scenario", *(f"submission__{name}" for name in columns))
    options: dict[Key, list[Option]] = {}
    seen: set[tuple[UUID, UUID]] = set()
    for scenario, phase, team, run, method, created, is_late in rows:
        if (run, scenario) in seen or (is_late and not phases[phase].ranks_late):
            continue
        seen.add((run, scenario))
        offered = options.setdefault((phase, team, scenario), [])
        if len(offered) < MAX_RUNS or run in chosen:
            offered.append(Option(run, method, created))
    return options


MOST_KEYS = 10  # keys that are looked up


def compared(task: Task, user: User, keys: Sequence[str]) -> tuple[Phase, Scenario, list[UUID]] | str:
    """Return phase, scenario and the two runs, the newer one first; or a sentence that says what is missing."""
    wanted = [key for key in map(_key, dict.fromkeys(keys)) if key][:MOST_KEYS]
    runs = list(
        visible_submissions(user)
        .filter(phase__task=task, pk__in=wanted, withdrawn=None)
        .select_related("phase__task")
        .order_by("-created")
    )
    if len(runs) != 2:
        return _("Tick two runs to compare them.")
    if runs[0].phase_id != runs[1].phase_id:
        return _("The two runs belong to different phases and cannot be compared.")
    scenario = _in_both(runs)
    if scenario is None:
        return _("There is no scenario in which both runs are scored.")
    return runs[0].phase, scenario, [run.pk for run in runs]


def _in_both(runs: Sequence[Submission]) -> Scenario | None:
    """Return the first scenario in which both have a score."""
    scored = Scoring.objects.filter(ON_PUBLISHED_GOLD, submission__in=runs, state=Scoring.State.SCORED)
    scored = scored.select_related("scenario")
    entered: dict[Scenario, set[UUID]] = {}
    for scoring in scored.order_by("scenario__number"):
        entered.setdefault(scoring.scenario, set()).add(scoring.submission_id)
    return next((scenario for scenario, of_scenario in entered.items() if len(of_scenario) == len(runs)), None)


def _key(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
