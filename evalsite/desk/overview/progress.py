"""Shows what happens in a task: how its phases are doing, what is being scored, and which teams have no score."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Exists, Max, Min, OuterRef, Q

from evalsite.accounts.models import Team
from evalsite.challenges.models import Phase, Task
from evalsite.challenges.readiness import PhaseReadiness
from evalsite.submissions.lifecycle.waiting import average_wait, queue_position
from evalsite.submissions.models import Scoring, Submission

State = Scoring.State
MOST_RUNS, MOST_TEAMS = 5, 6  # that are listed


@dataclass(frozen=True)
class PhaseLine:
    phase: Phase
    n_golds: int  # scenarios that have gold
    n_scenarios: int
    states: list[tuple[str, int]]  # of scorings, with the number of submissions that have one in it

    @property
    def n_queued(self) -> int:
        return dict(self.states).get(State.QUEUED, 0)


def phase_lines(stages: Iterable[PhaseReadiness]) -> list[PhaseLine]:
    return [
        PhaseLine(
            phase=stage.phase,
            n_golds=sum(gold is not None for _, gold in stage.golds),
            n_scenarios=len(stage.golds),
            states=stage.submissions,
        )
        for stage in stages
    ]


@dataclass(frozen=True)
class Queue:
    n_running: int
    n_waiting: int
    n_resting: int  # after a fault of the machine; the faults themselves are listed as troubles
    since: datetime | None  # when the one that has waited longest was queued
    wait: timedelta | None  # until a single worker would have scored what waits; None if unknown
    longest: list[Scoring]  # those that run, then those that have waited longest

    @property
    def is_empty(self) -> bool:
        return not (self.n_running or self.n_waiting or self.n_resting)

    @property
    def n_more(self) -> int:
        return self.n_running + self.n_waiting + self.n_resting - len(self.longest)


def queue_of(task: Task) -> Queue:
    """Return the queue, in two queries, and one for the expected time if something waits."""
    unfinished = Scoring.objects.filter(state__in=Scoring.UNFINISHED, awaits_judge=False, gold__phase__task=task)
    unfinished = unfinished.order_by()
    # A scoring that rests goes on resting if the next attempt meets the same fault.
    rests = Q(state=State.QUEUED, not_before__isnull=False)
    waits = Q(state=State.QUEUED, not_before=None)
    facts = unfinished.aggregate(
        n_running=Count("pk", filter=Q(state=State.RUNNING)),
        n_waiting=Count("pk", filter=waits),
        n_resting=Count("pk", filter=rests),
        since=Min("created", filter=waits),
    )
    longest = unfinished.order_by("-state", "created").select_related("submission__team", "scenario")
    n_waiting = facts["n_waiting"]
    return Queue(
        **facts,
        wait=queue_position(n_waiting, average_wait()).wait if n_waiting else None,
        longest=list(longest.only(*_LISTED)[:MOST_RUNS]),
    )


_LISTED = (
    *("state", "step", "created", "started", "not_before", "fault"),
    *("submission__method", "submission__team__name", "scenario__number", "scenario__name"),
)


@dataclass(frozen=True)
class IdleTeams:
    n_teams: int
    latest: Sequence[Team]  # those that tried last, each with `n_uploads` and `tried`

    @property
    def n_more(self) -> int:
        return self.n_teams - len(self.latest)


def idle_teams(task: Task, phases: Sequence[Phase]) -> IdleTeams:
    """Return the teams that have entered and have no valid run, in two queries."""
    valid = Scoring.objects.filter(Scoring.VALID, submission=OuterRef("pk"))
    standing = Submission.objects.filter(phase__in=phases, team=OuterRef("pk"), withdrawn=None)
    entered = Team.objects.filter(participations__task=task).order_by()
    idle = entered.filter(~Exists(standing.filter(Exists(valid)).order_by()))
    in_phases = Q(submissions__phase__in=phases)
    latest = idle.annotate(
        n_uploads=Count("submissions", filter=in_phases),
        tried=Max("submissions__created", filter=in_phases),
    ).order_by("-tried", "name")
    listed = list(latest[:MOST_TEAMS])
    return IdleTeams(len(listed) if len(listed) < MOST_TEAMS else idle.count(), listed)
