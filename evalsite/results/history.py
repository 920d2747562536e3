"""A team's runs in a task, and how its best score grew."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Prefetch, QuerySet

from evalsite.accounts.models import Team, User
from evalsite.challenges.access import Role, role_of, sees_own_scores
from evalsite.challenges.models import Phase, Scenario, Task
from evalsite.results.charts import Progress, progress
from evalsite.submissions.golds import Golds, foremost, golds_of
from evalsite.submissions.models import Scoring, Submission


@dataclass(frozen=True)
class Run:
    """A submission with the scoring that counts per scenario; None where a scenario was not entered."""

    submission: Submission
    cells: list[Scoring | None]
    scenarios: list[Scenario]

    @property
    def named_cells(self) -> list[tuple[Scenario, Scoring | None]]:
        """A card shows the scenario beside its score."""
        return list(zip(self.scenarios, self.cells, strict=True))


@dataclass(frozen=True)
class History:
    """A team's runs in one phase, newest first, and a chart per scenario that has at least two scores."""

    team: Team
    phase: Phase
    sees_scores: bool
    scenarios: list[Scenario]
    runs: list[Run]
    charts: list[tuple[Scenario, Progress]]


def histories(task: Task, user: User) -> list[History]:
    """One History per team of the user and phase in which the team has runs, the latest phase first."""
    role = role_of(user, task)
    scenarios = list(task.scenarios.all())
    found = (
        Submission.objects.filter(phase__task=task, team__members=user)
        .select_related("phase", "team")
        .prefetch_related(Prefetch("scorings", _light_scorings()))
        .order_by("-phase__opens", "team__name", "-created")
    )
    groups: dict[tuple[UUID, UUID], list[Submission]] = {}
    for submission in found:
        groups.setdefault((submission.phase_id, submission.team_id), []).append(submission)
    golds = golds_of({phase for phase, _ in groups})
    return [_history(submissions, scenarios, role, golds) for submissions in groups.values()]


def _light_scorings() -> QuerySet[Scoring]:
    """Without the tables of the results, which are large and not shown here."""
    large = ("tables", "table_intervals", "counts", "distribution")
    return Scoring.objects.select_related("result", "gold", "scenario").defer(*(f"result__{name}" for name in large))


AllGolds = Mapping[tuple[UUID, UUID], Golds]


def _history(submissions: list[Submission], scenarios: list[Scenario], role: Role, golds: AllGolds) -> History:
    phase, team = submissions[0].phase, submissions[0].team
    sees_scores = sees_own_scores(role, phase)
    runs = [
        Run(submission, [_counted(submission, scenario, golds) for scenario in scenarios], scenarios)
        for submission in submissions
    ]
    charts = [(scenario, _chart(runs, number)) for number, scenario in enumerate(scenarios)] if sees_scores else []
    drawn = [(scenario, chart) for scenario, chart in charts if chart]
    return History(team, phase, sees_scores, scenarios, runs, drawn)


def _counted(submission: Submission, scenario: Scenario, golds: AllGolds) -> Scoring | None:
    scorings = [scoring for scoring in submission.scorings.all() if scoring.scenario_id == scenario.pk]
    if not scorings:
        return None
    return foremost(scorings, golds[submission.phase_id, scenario.pk].in_force)[0]


def _chart(runs: list[Run], number: int) -> Progress | None:
    scored = [
        (run.submission.created, cell.result.headline, cell.result.interval)
        for run in reversed(runs)
        if (cell := run.cells[number]) and cell.state == Scoring.State.SCORED and cell.result.headline is not None
    ]
    return progress(scored)
