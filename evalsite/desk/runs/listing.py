"""Lists a page of runs, each with a line for every scenario that it enters, in a constant number of queries."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.core.paginator import Page, Paginator
from django.db.models import Prefetch, QuerySet
from django.utils.translation import gettext, ngettext, pgettext

from evalsite.challenges.gold.versions import golds_of
from evalsite.challenges.models import Scenario, Task, set_numbers
from evalsite.leaderboard.models import BestRun
from evalsite.submissions.models import Scoring, Submission
from evalsite.submissions.precedence import foremost
from evalsite.translating.engine import from_engine
from evalsite.wording import amount

A_PAGE = 20
MOST_COLUMNS = 6  # scenarios that have a column each; of more, each run has a list


@dataclass(frozen=True)
class Line:
    """The scoring of a run that counts for a scenario, or that would count."""

    scoring: Scoring
    is_on_board: bool

    @property
    def score(self) -> float | None:
        return self.scoring.result.headline if self.is_scored else None

    @property
    def is_scored(self) -> bool:
        return self.scoring.state == Scoring.State.SCORED

    @property
    def reason(self) -> str:
        """Return why it has no score."""
        if self.scoring.state == Scoring.State.FAILED or self.scoring.fault:
            return from_engine(self.scoring.error) or self.scoring.get_fault_display()
        if self.scoring.state != Scoring.State.REFUSED or not self.scoring.problems:
            return ""
        first, n_more = self.scoring.problems[0], len(self.scoring.problems) - 1
        text = from_engine(first["message"])
        more = ngettext("and %(n)s more", "and %(n)s more", n_more) % {"n": amount(n_more)}
        return gettext("%(first)s, %(more)s") % {"first": text, "more": more} if n_more else text

    @property
    def versions(self) -> tuple[int, str]:
        """Return the versions of gold and engine."""
        return self.scoring.gold.version, self.scoring.engine_version


@dataclass(frozen=True)
class Run:
    submission: Submission
    lines: list[Line]
    scenarios: list[Scenario]  # that have a column each; none where these are too many
    usual_versions: tuple[int, str]  # of gold and engine, as most runs of the page have them

    @property
    def shared(self) -> Line | None:
        """Return a line for what all have in common, if they differ in nothing but their scores."""
        alike = {(line.is_scored, line.is_on_board, line.versions) for line in self.lines}
        return self.lines[0] if len(alike) == 1 and self.lines[0].is_scored else None

    @property
    def cells(self) -> list[Line | None]:
        """Return a line for each column, where all that the run has in common with others stands elsewhere."""
        by_scenario = {line.scoring.scenario_id: line for line in self.lines}
        return [by_scenario.get(scenario.pk) for scenario in self.scenarios] if self.shared else []

    @property
    def tells_versions(self) -> bool:
        """Return whether its gold and engine are not those of most runs."""
        return any(line.versions != self.usual_versions for line in self.lines)

    @property
    def tags(self) -> list[str]:
        """Return what sets the run apart, such as late or withdrawn."""
        run = self.submission
        tags = [run.get_reference_display()] if run.reference else []
        if run.is_reported:
            tags.append(gettext("as the team says"))
        if run.is_sample:
            tags.append(gettext("the starter kit's sample"))
        if run.is_late:
            tags.append(gettext("late"))
        if run.is_beyond_limit:
            tags.append(pgettext("run", "beyond the limits"))
        if run.withdrawn:
            tags.append(_WITHDRAWN[run.withdrawn_as]())
        return tags


_WITHDRAWN = {
    "": lambda: gettext("withdrawn"),
    Submission.Side.TEAM: lambda: gettext("withdrawn by the team"),
    Submission.Side.ORGANISERS: lambda: gettext("withdrawn by the organisers"),
}


def listed(task: Task, runs: QuerySet[Submission], number: str | None) -> tuple[Page, list[Run]]:
    page = Paginator(runs.values_list("pk", flat=True), A_PAGE).get_page(number)
    scorings = Scoring.objects.select_related("scenario", "gold", "result").only(
        *("state", "step", "submission_id", "created", "engine_version", "error", "fault", "problems", "awaits_judge"),
        *("scenario__number", "scenario__name", "scenario__family", "scenario__options", "scenario__digits"),
        *("gold__phase", "gold__scenario", "gold__version", "gold__split", "gold__state", "gold__is_input"),
        "result__headline",
    )
    rows = Submission.objects.filter(pk__in=list(page))
    rows = rows.select_related("team", "phase", "allowance").defer("description").order_by("-created", "-pk")
    return page, _runs(task, list(rows.prefetch_related(Prefetch("scorings", scorings))))


def columns_of(task: Task) -> list[Scenario]:
    """Return the scenarios that have a column each."""
    scenarios = list(task.scenarios.order_by("number"))
    return scenarios if len(scenarios) <= MOST_COLUMNS else []


def _runs(task: Task, runs: Iterable[Submission]) -> list[Run]:
    golds = golds_of(task.phases.all())
    in_force = {key: versions.in_force for key, versions in golds.items()}
    counting = [
        (run, foremost(scorings, in_force.get((run.phase_id, scenario)))[0])
        for run in runs
        for scenario, scorings in _by_scenario(run).items()
    ]
    on_board = set(
        BestRun.objects.filter(
            pk__in=[scoring.pk for _, scoring in counting], gold__in=[gold.pk for gold in in_force.values()]
        ).values_list("pk", flat=True)
    )
    lines: dict[UUID, list[Line]] = {run.pk: [] for run in runs}
    for run, scoring in sorted(counting, key=lambda pair: pair[1].scenario.number):
        lines[run.pk].append(Line(scoring, scoring.pk in on_board))
    set_numbers([scoring.gold for _, scoring in counting])
    versions = Counter(line.versions for of_run in lines.values() for line in of_run)
    usual = versions.most_common(1)[0][0] if versions else (0, "")
    columns = columns_of(task)
    return [Run(run, lines[run.pk], columns, usual) for run in runs]


def _by_scenario(run: Submission) -> dict[UUID, list[Scoring]]:
    scorings: dict[UUID, list[Scoring]] = {}
    for scoring in run.scorings.all():
        scorings.setdefault(scoring.scenario_id, []).append(scoring)
    return scorings
