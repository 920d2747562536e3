"""Lists a team's runs in a task, and charts how its best score grew."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any
from uuid import UUID

from django.db.models import Model, Prefetch, QuerySet, prefetch_related_objects
from django.utils.translation import get_language

from evalsite.accounts.models import Team, User
from evalsite.base.cache_keys import cache_key
from evalsite.challenges.access import Role, sees_against_gold, sees_own_scores
from evalsite.challenges.gold.budget import budgets_of
from evalsite.challenges.gold.versions import Golds, golds_of
from evalsite.challenges.models import Gold, Phase, Scenario, Task
from evalsite.challenges.precision import Precision, precision_for
from evalsite.results.disclosure import disclose_scores
from evalsite.results.page.charts import Progress, progress
from evalsite.submissions.models import Result, Scoring, Submission
from evalsite.submissions.precedence import ON_PUBLISHED_GOLD, foremost

_SECONDS_KEPT = 600
AllGolds = Mapping[tuple[UUID, UUID], Golds]


@dataclass(frozen=True)
class Cell:
    """The scoring that counts for a scenario; None where it was not entered."""

    scenario: Scenario
    scoring: Scoring | None
    is_best: bool = False  # of the team's runs that stand, the earliest of equal ones

    @property
    def result(self) -> Result | None:
        """Return the scores that count; None while there are none."""
        is_scored = self.scoring is not None and self.scoring.state == Scoring.State.SCORED
        return self.scoring.result if self.scoring and is_scored else None


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


@dataclass(frozen=True)
class Group:
    """A team's runs in one phase, newest first, as they are read."""

    team: Team
    phase: Phase
    runs: list[Submission]


@dataclass
class Listing:
    """A page of a person's runs, of which what is shown is made where it is not kept."""

    task: Task
    role: Role
    groups: list[Group]
    are_all: bool  # whether there are no other pages

    @cached_property
    def histories(self) -> list[History]:
        return _histories_of(self.groups, self.task, self.role, are_all=self.are_all)

    @property
    def parts(self) -> list["Part"]:
        """Return the groups with their fragments, which are named before anything is rounded."""
        return [Part(self, number, group, _fragment(group, self.role)) for number, group in enumerate(self.groups)]

    @property
    def seconds(self) -> int:
        """Return for how long its parts are kept: not where a run of another page may have the star."""
        return _SECONDS_KEPT if self.are_all else 0


@dataclass(frozen=True)
class Part:
    """One group of a listing; `fragment` names all that its history depends on."""

    listing: Listing
    number: int
    group: Group
    fragment: str

    @property
    def history(self) -> History:
        return self.listing.histories[self.number]


def _fragment(group: Group, role: Role) -> str:
    """Name what is shown of these runs: what was read of them, and what is told of the phase.

    That is what organisers set, by the task's revision, and what comes with the time; not what stands on boards.
    """
    phase, rows = group.phase, [_stamp(run) for run in group.runs]
    state = (phase.pk, phase.task.revision, phase.state, phase.takes_late, phase.is_released)
    return cache_key("own-runs", *state, role, get_language(), group.team.name, rows)


def _stamp(run: Submission) -> list[dict[str, Any]]:
    """Return the columns of a run and its scorings that were read."""
    scorings = _listed(run)
    results = [scoring.result for scoring in scorings if hasattr(scoring, "result")]
    rows = [_columns(row) for row in (run, *scorings, *results)]
    return [*rows, {"uploader": run.uploader and run.uploader.name}]


def _columns(row: Model) -> dict[str, Any]:
    return {name: value for name, value in vars(row).items() if name not in ("_state", _LISTED)}


def own_submissions(task: Task, user: User) -> Sequence[Submission] | QuerySet[Submission]:
    """Return those of all teams of the user, with all that `histories` reads of them; the latest phase first."""
    all_runs = _runs().filter(phase__task=task, team__members=user)
    few = list(all_runs[: READ_AT_ONCE + 1])
    if len(few) > READ_AT_ONCE:
        return all_runs.prefetch_related(Prefetch("scorings", _scorings().all(), to_attr=_LISTED))
    by_run: dict[UUID, list[Scoring]] = {run.pk: [] for run in few}
    runs = {run.pk: run for run in few}
    of_user = {"submission__phase__task": task, "submission__team__members": user}
    for scoring in _scorings().filter(**of_user) if few else ():
        if run := runs.get(scoring.submission_id):  # another one may have come meanwhile
            scoring.submission = run
            by_run[run.pk].append(scoring)
    for run in few:
        setattr(run, _LISTED, by_run[run.pk])
    return few


READ_AT_ONCE = 50  # runs, which most people don't have more of: they are read at once
_LISTED = "listed_scorings"
_FLAGS = ("is_reported", "is_sample", "is_late", "is_beyond_limit")
_SHOWN = ("phase", "team", "uploader", "method", "created", "withdrawn", *_FLAGS)
_SHOWN_OF_GOLDS = ("phase", "scenario", "version", "state", "engine", "is_input")
_SHOWN_OF_SCORINGS = ("submission", "scenario", "gold", "engine_version", "created", "state", "step", "awaits_judge")


def _listed(submission: Submission) -> list[Scoring]:
    scorings: list[Scoring] = getattr(submission, _LISTED)
    return scorings


@cache  # built once, as is the next: each page asks them of another person
def _runs() -> QuerySet[Submission]:
    """Return runs without their phases, of which `histories` knows all."""
    runs = Submission.objects.select_related("team", "uploader").only(*_SHOWN, "team__name", "uploader__name")
    return runs.order_by("-phase__opens", "team__name", "-created")


@cache
def _scorings() -> QuerySet[Scoring]:
    """Return scorings without golds and scenarios, of which `histories` knows all."""
    of_results = ("result__headline", "result__scores", "result__intervals")
    return Scoring.objects.filter(ON_PUBLISHED_GOLD).select_related("result").only(*_SHOWN_OF_SCORINGS, *of_results)


def histories(task: Task, role: Role, listed: Iterable[Submission], *, are_all: bool = True) -> list[History]:
    """Return one History per team and phase of these of the visitor's submissions, in their order.

    Unless they are all that there are, a team's best runs are looked for among its others too.
    """
    return listing_of(task, role, listed, are_all=are_all).histories


def listing_of(task: Task, role: Role, listed: Iterable[Submission], *, are_all: bool = True) -> Listing:
    """Group the runs by team and phase, and give them their phases, one for all."""
    phases = {phase.pk: phase for phase in task.phases.order_by()}
    for phase in phases.values():
        phase.task = task
    groups: dict[tuple[UUID, UUID], Group] = {}
    for run in listed:
        run.phase = phases[run.phase_id]
        key = run.phase_id, run.team_id
        groups.setdefault(key, Group(run.team, run.phase, [])).runs.append(run)
    return Listing(task, role, list(groups.values()), are_all)


def _histories_of(groups: list[Group], task: Task, role: Role, *, are_all: bool) -> list[History]:
    prefetch_related_objects([task], "scenarios")  # phases look through them too
    scenarios = sorted(task.scenarios.all(), key=lambda scenario: scenario.number)
    golds = golds_of({group.phase.pk for group in groups}, (), columns=_SHOWN_OF_GOLDS)
    _put_together([run for group in groups for run in group.runs], scenarios, golds)
    best = None if are_all else _best_of_all(groups, golds)
    return [_history(group, scenarios, role, golds, best) for group in groups]


def _put_together(runs: list[Submission], scenarios: list[Scenario], golds: AllGolds) -> None:
    """Give scorings their scenarios and golds: one of each for all."""
    by_key = {scenario.pk: scenario for scenario in scenarios}
    in_force = {versions.in_force.pk: versions.in_force for versions in golds.values()}
    for gold in in_force.values():
        gold.scenario = by_key[gold.scenario_id]
    scorings = [scoring for run in runs for scoring in _listed(run)]
    earlier = Gold.objects.in_bulk({scoring.gold_id for scoring in scorings} - in_force.keys())
    budgets_of(run.phase for run in runs if not run.phase.gold_released)  # which say how much is told, all at once
    for scoring in scorings:
        scoring.scenario, scoring.gold = by_key[scoring.scenario_id], (in_force | earlier)[scoring.gold_id]


def _best_of_all(groups: Iterable[Group], golds: AllGolds) -> set[UUID]:
    """Return the best scorings' keys on the gold in force, by phase, team and scenario; of equal ones the earliest."""
    teams = {group.team.pk for group in groups}
    in_force = [versions.in_force.pk for versions in golds.values()]
    scored = Result.objects.counting().filter(
        scoring__gold__in=in_force,
        scoring__submission__team__in=teams,
        scoring__submission__withdrawn=None,
        headline__isnull=False,
    )
    scored = scored.order_by("headline", "-scoring__submission__created")
    lowest = {versions.in_force.pk for versions in golds.values() if versions.in_force.scenario.lower_is_better}
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
    group: Group, scenarios: list[Scenario], role: Role, golds: AllGolds, best_of_all: Collection[UUID] | None
) -> History:
    phase, team, submissions = group.phase, group.team, group.runs
    sees_scores = sees_own_scores(role, phase)
    _disclose(submissions, phase, role)
    entered = {scoring.scenario_id for submission in submissions for scoring in _listed(submission)}
    shown = [scenario for scenario in scenarios if scenario.pk in entered]
    counted = [[_counted(submission, scenario, golds) for scenario in shown] for submission in submissions]
    if best_of_all is None:
        leading = (_best([row[k] for row in counted], scenario) for k, scenario in enumerate(shown))
        best_of_all = {best.pk for best in leading if best}
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
    precisions: dict[UUID, Precision] = {}
    for scoring in (scoring for submission in submissions for scoring in _listed(submission)):
        if hasattr(scoring, "result"):
            scoring.result.scoring = scoring
            if scoring.scenario_id not in precisions:
                precisions[scoring.scenario_id] = precision_for(role, phase, scoring.scenario)
            disclose_scores(scoring.result, precisions[scoring.scenario_id])


def _counted(submission: Submission, scenario: Scenario, golds: AllGolds) -> Scoring | None:
    scorings = [scoring for scoring in _listed(submission) if scoring.scenario_id == scenario.pk]
    if not scorings:
        return None
    return foremost(scorings, golds[submission.phase_id, scenario.pk].in_force)[0]


def _chart(runs: list[Run], number: int, scenario: Scenario) -> Progress | None:
    scored = [
        (run.submission.created, headline, scoring.result.interval)
        for run in reversed(runs)
        if not run.submission.is_sample  # the site's own files, next to which all others look alike
        and (scoring := run.cells[number].scoring)
        and (headline := _headline(scoring)) is not None
    ]
    # A line that stays where it is says nothing that the table does not.
    if len({headline for _, headline, _ in scored}) < 2:
        return None
    return progress(scored, scenario.scale, lower_is_better=scenario.lower_is_better)
