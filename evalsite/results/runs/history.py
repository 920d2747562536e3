"""Lists a team's runs in a task, and charts how its best score grew."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Prefetch, QuerySet

from evalsite.accounts.models import Team, User
from evalsite.challenges.access import Role, sees_against_gold, sees_own_scores
from evalsite.challenges.gold.versions import Golds, golds_of
from evalsite.challenges.models import Phase, Scenario, Task
from evalsite.challenges.precision import precision_for
from evalsite.results.disclosure import disclose_scores
from evalsite.results.page.charts import Progress, progress
from evalsite.submissions.models import Result, Scoring, Submission
from evalsite.submissions.precedence import ON_PUBLISHED_GOLD, foremost

AllGolds = Mapping[tuple[UUID, UUID], Golds]


@dataclass(frozen=True)
class Cell:
    """The scoring that counts for a scenario; None where it was not entered."""

    scenario: Scenario
    scoring: Scoring | None
    is_best: bool = False  # of the team's runs that stand, the earliest of equal ones


@dataclass(frozen=True)
class Run:
    """A submission with a cell for each scenario that the team has entered."""

    submission: Submission
    cells: list[Cell]


@dataclass(frozen=True)
class History:
    """A team's runs in one phase, newest first, and a chart per scenario that has at least two scores."""

    team: Team
    phase: Phase
    sees_scores: bool
    sees_gold: bool
    scenarios: list[Scenario]
    runs: list[Run]
    charts: list[tuple[Scenario, Progress]]
    has_uploaders: bool  # whether it needs to be said who of the team uploaded

    @property
    def has_scores(self) -> bool:
        """Return whether there are scores of two runs at least."""
        return self.sees_scores and sum(any(map(_score_of, run.cells)) for run in self.runs) > 1

    @property
    def may_compare(self) -> bool:
        """Return whether any two of the runs may be compared."""
        return self.sees_gold and self.has_scores


def own_submissions(task: Task, user: User) -> Sequence[Submission] | QuerySet[Submission]:
    """Return those of all teams of the user, with all that `histories` reads of them; the latest phase first."""
    few = list(_runs_of(task.pk, user.pk)[: FEW + 1])
    if len(few) > FEW:
        return _runs_of(task.pk, user.pk).prefetch_related(Prefetch("scorings", _light_scorings(), to_attr=_LISTED))
    by_run: dict[UUID, list[Scoring]] = {run.pk: [] for run in few}
    runs = {run.pk: run for run in few}
    for scoring in _scorings_of(task.pk, user.pk) if few else ():
        if run := runs.get(scoring.submission_id):  # another one may have come meanwhile
            scoring.submission = run
            by_run[run.pk].append(scoring)
    for run in few:
        setattr(run, _LISTED, by_run[run.pk])
    return few


FEW = 50  # runs, which most people don't have more of: queries for them are kept ready
_LISTED = "listed_scorings"


def _listed(submission: Submission) -> list[Scoring]:
    found: list[Scoring] = getattr(submission, _LISTED)
    return found


def _runs_of(task: UUID, user: UUID) -> QuerySet[Submission]:
    own = Submission.objects.filter(phase__task=task, team__members=user)
    return own.select_related("phase__task", "team", "uploader").order_by("-phase__opens", "team__name", "-created")


def _light_scorings() -> QuerySet[Scoring]:
    """Leave out what is large and not shown here."""
    large = ("counts", "distribution", "warnings")
    scorings = Scoring.objects.filter(ON_PUBLISHED_GOLD).select_related("result", "gold", "scenario")
    return scorings.defer(*(f"result__{name}" for name in large))


def _scorings_of(task: UUID, user: UUID) -> QuerySet[Scoring]:
    return _light_scorings().filter(submission__phase__task=task, submission__team__members=user)


def histories(task: Task, role: Role, found: Iterable[Submission], *, are_all: bool = True) -> list[History]:
    """Return one History per team and phase of these of the visitor's submissions, in their order.

    Unless they are all that there are, a team's best runs are looked for among its others too.
    """
    scenarios = list(Scenario.objects.filter(task=task))
    groups: dict[tuple[UUID, UUID], list[Submission]] = {}
    for submission in found:
        submission.phase.task = task  # one for all, which finds out once whether it takes uploads
        groups.setdefault((submission.phase_id, submission.team_id), []).append(submission)
    phases = {phase for phase, _ in groups}
    golds = golds_of(phases, related=("scenario",))
    best = None if are_all else _best_of_all(groups, golds)
    return [_history(submissions, scenarios, role, golds, best) for submissions in groups.values()]


def _best_of_all(groups: Iterable[tuple[UUID, UUID]], golds: AllGolds) -> set[UUID]:
    """Return the best scorings' keys on the gold in force, by phase, team and scenario; of equal ones the earliest."""
    teams = {team for _, team in groups}
    in_force = [found.in_force.pk for found in golds.values()]
    scored = Result.objects.counting().filter(
        scoring__gold__in=in_force,
        scoring__submission__team__in=teams,
        scoring__submission__withdrawn=None,
        headline__isnull=False,
    )
    scored = scored.order_by("headline", "-scoring__submission__created")
    lowest = {found.in_force.pk for found in golds.values() if found.in_force.scenario.lower_is_better}
    best: dict[tuple[UUID, UUID], tuple[float, UUID]] = {}
    # From the worst to the best, of equal ones the earliest last.
    rows = scored.values_list("scoring__gold", "scoring__submission__team", "headline", "pk")
    for gold, team, value, pk in rows:
        assert value is not None
        height = -value if gold in lowest else value
        if (gold, team) not in best or height >= best[gold, team][0]:
            best[gold, team] = height, pk
    return {pk for _, pk in best.values()}


def _history(
    submissions: list[Submission],
    scenarios: list[Scenario],
    role: Role,
    golds: AllGolds,
    best_of_all: Collection[UUID] | None,
) -> History:
    phase, team = submissions[0].phase, submissions[0].team
    sees_scores = sees_own_scores(role, phase)
    _disclose(submissions, phase, role)
    entered = {scoring.scenario_id for submission in submissions for scoring in _listed(submission)}
    shown = [scenario for scenario in scenarios if scenario.pk in entered]
    counted = [[_counted(submission, scenario, golds) for scenario in shown] for submission in submissions]
    if best_of_all is None:
        found = (_best([row[k] for row in counted], scenario) for k, scenario in enumerate(shown))
        best_of_all = {best.pk for best in found if best}
    marked = best_of_all if sees_scores else ()
    runs = [
        Run(submission, [Cell(*pair, _is(pair[1], marked)) for pair in zip(shown, row, strict=True)])
        for submission, row in zip(submissions, counted, strict=True)
    ]
    charts = [(scenario, _chart(runs, k, scenario)) for k, scenario in enumerate(shown)] if sees_scores else []
    drawn = [(scenario, chart) for scenario, chart in charts if chart]
    uploaders = {submission.uploader for submission in submissions} - {None}
    has_uploaders = any(uploader.name != team.name for uploader in uploaders if uploader)
    return History(team, phase, sees_scores, sees_against_gold(role, phase), shown, runs, drawn, has_uploaders)


def _is(scoring: Scoring | None, marked: Collection[UUID]) -> bool:
    return scoring is not None and scoring.pk in marked


def _best(scorings: list[Scoring | None], scenario: Scenario) -> Scoring | None:
    """Return the best of the newest first, without withdrawn ones: as on the board, of equal ones the earliest."""
    standing = [scoring for scoring in reversed(scorings) if scoring and not scoring.submission.withdrawn]
    scored = [scoring for scoring in standing if _headline(scoring) is not None]
    best = min if scenario.lower_is_better else max
    return best(scored, key=lambda scoring: _headline(scoring) or 0.0) if len(scored) > 1 else None


def _headline(scoring: Scoring) -> float | None:
    return scoring.result.headline if scoring.state == Scoring.State.SCORED else None


def _score_of(cell: Cell) -> bool:
    return cell.scoring is not None and _headline(cell.scoring) is not None


def _disclose(submissions: list[Submission], phase: Phase, role: Role) -> None:
    """Round the results to what this visitor may read."""
    for scoring in (each for submission in submissions for each in _listed(submission)):
        if hasattr(scoring, "result"):
            scoring.result.scoring = scoring
            disclose_scores(scoring.result, precision_for(role, phase, scoring.scenario))


def _counted(submission: Submission, scenario: Scenario, golds: AllGolds) -> Scoring | None:
    scorings = [scoring for scoring in _listed(submission) if scoring.scenario_id == scenario.pk]
    if not scorings:
        return None
    return foremost(scorings, golds[submission.phase_id, scenario.pk].in_force)[0]


def _chart(runs: list[Run], number: int, scenario: Scenario) -> Progress | None:
    scored = [
        (run.submission.created, headline, scoring.result.interval)
        for run in reversed(runs)
        if (scoring := run.cells[number].scoring) and (headline := _headline(scoring)) is not None
    ]
    # A line that stays where it is says nothing that the table does not.
    if len({headline for _, headline, _ in scored}) < 2:
        return None
    return progress(scored, scenario.scale, lower_is_better=scenario.lower_is_better)
