"""What is being scored of a task now: what runs, what waits and since when, what rests."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Min, Q

from evalsite.challenges.models import Task
from evalsite.submissions.models import Scoring
from evalsite.submissions.waiting import average_wait, place_at

State = Scoring.State
MOST_LISTED = 5


@dataclass(frozen=True)
class Queue:
    n_running: int
    n_waiting: int
    n_resting: int  # after a fault of the machine; the faults themselves are told as troubles
    since: datetime | None  # when the one that has waited longest was queued
    wait: timedelta | None  # until a worker alone would have scored what waits; None where nobody knows
    longest: list[Scoring]  # those that run, then those that have waited longest

    @property
    def is_empty(self) -> bool:
        return not (self.n_running or self.n_waiting or self.n_resting)

    @property
    def n_more(self) -> int:
        return self.n_running + self.n_waiting + self.n_resting - len(self.longest)


def queue_of(task: Task) -> Queue:
    """In two queries, and one for the expected time where something waits."""
    unfinished = Scoring.objects.filter(state__in=Scoring.UNFINISHED, gold__phase__task=task).order_by()
    # What has rested goes on resting, if the next try finds that nothing was mended.
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
        wait=place_at(n_waiting, average_wait()).wait if n_waiting else None,
        longest=list(longest.only(*_LISTED)[:MOST_LISTED]),
    )


_LISTED = (
    *("state", "step", "created", "started", "not_before", "fault"),
    *("submission__method", "submission__team__name", "scenario__number", "scenario__name"),
)
