"""Lists a page of teams with their members, uploads and scores, in a constant number of queries."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.core.paginator import Page, Paginator
from django.db.models import Count, Exists, Max, OuterRef, Prefetch, Q, QuerySet, Sum
from django.utils import timezone

from evalsite.accounts.models import Membership, Team, User
from evalsite.challenges.gold.versions import golds_of
from evalsite.challenges.models import Participation, Phase, Scenario, Task
from evalsite.leaderboard.models import BestRun, ComparisonCount
from evalsite.submissions.models import Allowance, Scoring, Submission
from evalsite.submissions.quotas import AllowanceUsage, counted_uploads, usage_of, with_usage

A_PAGE = 25
MOST_LIMITS = 3  # of a phase: in a window, in a year, in all


@dataclass
class Use:
    """A team's use of one phase."""

    phase: Phase
    n_uploads: int = 0  # all that came
    n_used: int = 0  # those that count against the limits, in all
    lefts: list[int] = field(default_factory=list)  # of each limit, without allowances
    n_beyond: int = 0  # those that do not compete, since the team had no upload left for them
    allowances: list[AllowanceUsage] = field(default_factory=list)
    n_compared: int = 0  # pairs with runs of its own, while the gold was hidden,
    most_compared: int = 0  # and those of the day with the most

    @property
    def left(self) -> int | None:
        """Return how many uploads are left, as the upload page says; None without a limit."""
        if not self.phase.is_limited:
            return None
        return max(0, min(self.lefts)) + sum(allowance.n_left for allowance in self.allowances)


@dataclass
class Line:
    team: Team
    entered: Participation
    uses: list[Use]
    best: list[tuple[Phase, Scenario, float | None]]
    waits: bool = False  # whether it has no score, but runs that wait for their judge, or for gold

    @property
    def people(self) -> list[User]:
        """Return the members, the owner first; their addresses are for those alone who may change the task."""
        return [membership.user for membership in self.team.memberships.all()]

    @property
    def is_one_person(self) -> bool:
        """Return whether the team has the name of its only member."""
        return [person.name for person in self.people] == [self.team.name]

    @property
    def n_uploads(self) -> int:
        return sum(use.n_uploads for use in self.uses)


def teams_of(task: Task, *, without_run: bool = False, words: str = "") -> QuerySet[Team]:
    """Return the teams that have entered, by name; with `without_run` those that have no valid run."""
    teams = Team.objects.filter(participations__task=task).order_by("name", "pk")
    if without_run:
        valid = _valid(task).filter(submission__team=OuterRef("pk"))
        teams = teams.filter(~Exists(valid))
    for word in words.split()[:10]:
        of_member = Membership.objects.filter(Q(user__name__icontains=word) | Q(user__affiliation__icontains=word))
        named = Q(name__icontains=word) | Q(affiliation__icontains=word)
        teams = teams.filter(named | Exists(of_member.filter(team=OuterRef("pk"))))
    return teams


def _valid(task: Task) -> QuerySet[Scoring]:
    return Scoring.objects.filter(Scoring.VALID, submission__phase__task=task, submission__withdrawn=None)


def with_members(teams: QuerySet[Team]) -> QuerySet[Team]:
    members = Membership.objects.select_related("user").order_by("-is_owner", "joined")
    return teams.prefetch_related(Prefetch("memberships", members))


def listed(task: Task, teams: QuerySet[Team], number: str | None) -> tuple[Page, list[Line]]:
    page = Paginator(with_members(teams), A_PAGE).get_page(number)
    on_page = list(page)
    phases = list(task.phases.order_by("opens"))
    uses = _uses(phases, [team.pk for team in on_page])
    best = _best(task, [team.pk for team in on_page])
    entered = {
        participation.team_id: participation
        for participation in Participation.objects.filter(task=task, team__in=on_page)
    }
    without_score = [team.pk for team in on_page if team.pk not in best]
    valid = _valid(task).filter(submission__team__in=without_score).order_by()
    waiting = set(valid.values_list("submission__team", flat=True)) if without_score else set()
    return page, [
        Line(team, entered[team.pk], uses[team.pk], best.get(team.pk, []), team.pk in waiting) for team in on_page
    ]


def _uses(phases: Sequence[Phase], teams: Collection[UUID]) -> dict[UUID, list[Use]]:
    now = timezone.now()
    table = {(phase.pk, team): Use(phase) for phase in phases for team in teams}
    uploads = Submission.objects.filter(phase__in=phases, team__in=teams, reference="").order_by()
    counted = uploads.values_list("phase", "team").annotate(n=Count("pk"), beyond=Count("pk", filter=_IS_BEYOND))
    for phase, team, n, beyond in counted.values_list("phase", "team", "n", "beyond"):
        table[phase, team].n_uploads, table[phase, team].n_beyond = n, beyond
    counts = _upload_counts(phases, teams, now)
    for use_of, use in table.items():
        use.n_used, *in_periods = counts.get(use_of, (0,) * (1 + MOST_LIMITS))
        limits = use.phase.limits(now)
        use.lefts = [limit.most - n for limit, n in zip(limits, in_periods, strict=False)]
    allowances = Allowance.objects.filter(phase__in=phases, team__in=teams)
    for allowance in with_usage(allowances).order_by("created", "pk"):
        table[allowance.phase_id, allowance.team_id].allowances.append(usage_of(allowance, now))
    compared = ComparisonCount.objects.filter(phase__in=phases, team__in=teams).order_by().values_list("phase", "team")
    for phase, team, n, most in compared.annotate(all=Sum("n"), most=Max("n")):
        table[phase, team].n_compared, table[phase, team].most_compared = n, most
    return {team: [table[phase.pk, team] for phase in phases] for team in teams}


_IS_BEYOND = Q(is_beyond_limit=True)


def _upload_counts(
    phases: Sequence[Phase], teams: Collection[UUID], now: datetime
) -> dict[tuple[UUID, UUID], tuple[int, ...]]:
    """Return by phase and team the uploads that count against the limits: in all, and for each limit of the phase."""
    counting = [Q(pk__in=[]) for _ in range(MOST_LIMITS)]
    for phase in phases:
        for place, limit in enumerate(phase.limits(now)):
            counting[place] |= Q(phase=phase) & (Q(created__gt=limit.after) if limit.after else Q())
    used = counted_uploads(*phases).filter(team__in=teams, allowance=None).order_by()
    in_periods = {f"in_{place}": Count("pk", filter=condition) for place, condition in enumerate(counting)}
    counted = used.values_list("phase", "team").annotate(n=Count("pk"), **in_periods)
    return {
        (phase, team): tuple(counts) for phase, team, *counts in counted.values_list("phase", "team", "n", *in_periods)
    }


def _best(task: Task, teams: Collection[UUID]) -> dict[UUID, list[tuple[Phase, Scenario, float | None]]]:
    """Return by team what counts on each board of the phases in which something does, None where nothing counts.

    They are in the order of phases and scenarios, so that those of one scenario stand below each other.
    """
    golds = [versions.in_force for versions in golds_of(task.phases.all()).values()]
    golds = sorted(golds, key=lambda gold: (gold.phase.opens, gold.scenario.number))
    rows = BestRun.objects.filter(gold__in=[gold.pk for gold in golds], team__in=teams, reference="")
    headlines = dict[UUID, dict[UUID, float | None]]()
    for team, gold, headline in rows.values_list("team", "gold", "result__headline"):
        headlines.setdefault(team, {})[gold] = headline
    best = dict[UUID, list[tuple[Phase, Scenario, float | None]]]()
    for team, by_gold in headlines.items():
        phases = {gold.phase_id for gold in golds if gold.pk in by_gold}
        best[team] = [(gold.phase, gold.scenario, by_gold.get(gold.pk)) for gold in golds if gold.phase_id in phases]
    return best
