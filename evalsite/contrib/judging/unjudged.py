"""Finds the runs that wait for a judge."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Exists, Min, OuterRef, QuerySet

from evalsite.base.moment import database_now
from evalsite.challenges.models import Gold, Phase, Scenario, Task
from evalsite.submissions.lifecycle.awaiting_judges import AWAITS_JUDGE
from evalsite.submissions.models import Judgement, Scoring, Submission


@dataclass(frozen=True)
class Judge:
    """Who or what gives scores, in one version: never two of them on one board."""

    name: str
    version: str

    def __str__(self) -> str:
        return f"{self.name} {self.version}"

    def is_of(self, gold: Gold) -> bool:
        """Return whether its scores count on the gold, or may from now on, as nobody has posted any there."""
        return not gold.judge or (gold.judge_name, gold.judge_version) == (self.name, self.version)


def runs_of(phase: Phase, scenario: Scenario) -> QuerySet[Submission]:
    """Return all runs that are judged there, the oldest first, but for those that were cancelled."""
    entered = Scoring.objects.filter(submission=OuterRef("pk"), scenario=scenario)
    runs = Submission.objects.filter(Exists(entered.exclude(state=Scoring.State.CANCELLED)), phase=phase)
    return runs.order_by("created", "pk")


def runs_without(gold: Gold) -> QuerySet[Submission]:
    """Return those of them that lack scores on this gold."""
    judged = Judgement.objects.filter(submission=OuterRef("pk"), gold=gold)
    return runs_of(gold.phase, gold.scenario).filter(~Exists(judged))


@dataclass(frozen=True)
class Unjudged:
    """The runs of a phase and scenario that wait for a judge on one gold."""

    gold: Gold
    n: int
    since: datetime

    @property
    def is_overdue(self) -> bool:
        return database_now() - self.since > timedelta(days=self.gold.scenario.judge_days)


def unjudged_in(tasks: Iterable[Task] | QuerySet[Task]) -> list[Unjudged]:
    """Return what waits for judges in these tasks; two queries."""
    waiting = Scoring.objects.filter(AWAITS_JUDGE, gold__is_input=False, scenario__task__in=tasks).order_by()
    rows = list(waiting.values_list("gold").annotate(n=Count("pk"), since=Min("created")))
    golds = Gold.objects.select_related("phase", "scenario__task").in_bulk([gold for gold, _n, _since in rows])
    lines = [Unjudged(golds[gold], n, since) for gold, n, since in rows]
    return sorted(lines, key=lambda line: line.since)
