"""Summarises what keeps scorings from being scored, fault by fault, for the organisers' page."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Count, Min, OuterRef, Q, QuerySet, Subquery, TextField, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from evalsite.base.faults import ADVICE, FILE_FAULTS, Fault
from evalsite.base.moment import database_now
from evalsite.challenges.models import Task
from evalsite.submissions.models import Scoring

State = Scoring.State
PASSES = timedelta(hours=1)  # after which a fault of the machine is not expected to pass by itself


@dataclass(frozen=True)
class FaultSummary:
    """A fault that some scorings have met."""

    fault: Fault
    n_failed: int
    n_waiting: int  # resting, or being retried
    since: datetime  # when the oldest of them was queued
    next_try: datetime | None  # of the resting ones
    error: str  # of the newest scoring
    tasks: tuple[Task, ...] = ()

    @property
    def is_due(self) -> bool:
        """Return True if the next of them only waits for a worker."""
        return self.next_try is not None and self.next_try <= timezone.now()

    @property
    def advice(self) -> str:
        return str(ADVICE[self.fault])


def faults_of(tasks: QuerySet[Task]) -> list[FaultSummary]:
    """Return the faults of these tasks' scorings, the most frequent first; one query."""
    met = _met_a_fault(tasks)
    has_failed = Q(state=State.FAILED)
    newest = met.filter(fault=OuterRef("fault")).exclude(error="").order_by("-created")
    facts = {
        "n_failed": Count("pk", filter=has_failed),
        "n_waiting": Count("pk", filter=~has_failed),
        "since": Min("created"),
        "next_try": Min("not_before", filter=~has_failed),
        "error": Coalesce(Subquery(newest.values("error")[:1]), Value(""), output_field=TextField()),
    }
    rows = met.values_list("fault").annotate(**facts)
    summaries = [FaultSummary(Fault(fault), *values) for fault, *values in rows]
    return sorted(summaries, key=lambda trouble: -trouble.n_failed - trouble.n_waiting)


def faults_with_tasks(tasks: QuerySet[Task]) -> list[FaultSummary]:
    """Return the same, each fault with the tasks in which it was met, in the order of their titles."""
    pairs = list(_met_a_fault(tasks).values_list("fault", "submission__phase__task").distinct())
    met = tasks.filter(pk__in={task for _, task in pairs}).order_by("title")
    return [
        replace(summary, tasks=tuple(task for task in met if (summary.fault, task.pk) in pairs))
        for summary in faults_of(tasks)
    ]


def stopped_runs(tasks: QuerySet[Task]) -> Iterator[tuple[UUID, str, int]]:
    """Yield key and address of each task that has runs which somebody has to help, and how many they are: their scoring
    has failed, or waits for a reason that no retry removes."""
    for_good = Q(state=State.FAILED) | Q(fault__in=FILE_FAULTS) | Q(created__lt=database_now() - PASSES)
    stopped = _met_a_fault(tasks).filter(for_good)
    of_task = stopped.values_list("submission__phase__task", "submission__phase__task__slug")
    yield from of_task.annotate(n=Count("submission", distinct=True))


def _met_a_fault(tasks: QuerySet[Task]) -> QuerySet[Scoring]:
    states = (State.FAILED, *Scoring.UNFINISHED)
    return Scoring.objects.exclude(fault="").filter(state__in=states, submission__phase__task__in=tasks).order_by()
