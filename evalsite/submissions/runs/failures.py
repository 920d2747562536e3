"""Summarises what keeps scorings from being scored, fault by fault, for the organisers' page."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Min, OuterRef, Q, QuerySet, Subquery, TextField, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from evalsite.base.faults import ADVICE, Fault
from evalsite.challenges.models import Task
from evalsite.submissions.models import Scoring

State = Scoring.State


@dataclass(frozen=True)
class FaultSummary:
    """A fault that some scorings have met."""

    fault: Fault
    n_failed: int
    n_waiting: int  # resting, or being retried
    since: datetime  # when the oldest of them was queued
    next_try: datetime | None  # of the resting ones
    error: str  # of the newest scoring scoring

    @property
    def is_due(self) -> bool:
        """Return True if the next of them only waits for a worker."""
        return self.next_try is not None and self.next_try <= timezone.now()

    @property
    def advice(self) -> str:
        return str(ADVICE[self.fault])


def faults_of(tasks: QuerySet[Task]) -> list[FaultSummary]:
    """Return the faults of these tasks' scorings, the most frequent first; one query."""
    states = (State.FAILED, *Scoring.UNFINISHED)
    met = Scoring.objects.exclude(fault="").filter(state__in=states, submission__phase__task__in=tasks).order_by()
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
