"""Answers pages that wait for a run, by one query: its state and its position in the queue."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from evalsite.accounts.models import User
from evalsite.challenges.access import Visitor, oversees
from evalsite.submissions.access import submissions_of, visible_submissions
from evalsite.submissions.lifecycle.waiting import QueuePosition, average_wait, n_ahead, queue_position
from evalsite.submissions.models import Scoring, Submission
from evalsite.submissions.precedence import ON_PUBLISHED_GOLD

# (seconds waited, seconds until the page asks again). Most scorings take a second.
_ASKED_AFTER = ((0.5, 0.7), (2, 2), (5, 3), (10, 5))
_LATER = 8.0


def poll_interval(waited: float) -> float:
    """Return the seconds until a page asks again: 0.7 for one that opens at once, then 2, 3, 5, and 8 from then on."""
    return next((pause for until, pause in _ASKED_AFTER if waited < until), _LATER)


def stage(scoring: Scoring) -> str:
    """Return what a waiting page shows of the scoring: its state, and for a queued one whether it was tried before."""
    return _stage(scoring.state, scoring.attempts, awaits_judge=scoring.awaits_judge)


def _stage(state: str, attempts: int, *, awaits_judge: bool) -> str:
    if awaits_judge and state == Scoring.State.QUEUED:
        return "judge"
    return f"{state}{attempts}" if attempts and state == Scoring.State.QUEUED else state


@dataclass(frozen=True)
class ScoringStatus:
    """The status of one scoring: as little as tells whether anything has changed."""

    number: int  # of the scenario
    state: str
    attempts: int
    step: str
    queued: datetime
    place: QueuePosition | None  # while it is queued
    awaits_judge: bool

    @property
    def is_unfinished(self) -> bool:
        return self.state in Scoring.UNFINISHED

    @property
    def stage(self) -> str:
        return _stage(self.state, self.attempts, awaits_judge=self.awaits_judge)


def poll(user: Visitor, submission: UUID) -> list[ScoringStatus]:
    """Return the scorings of a run by the number of their scenario; none of a run that the visitor may not see."""
    if isinstance(user, User) and not oversees(user):
        rows = list(_watched(submissions_of(user.pk).filter(pk=submission)))
    else:
        rows = list(_watched(visible_submissions(user).filter(pk=submission)))
    average = average_wait() if any(row[1] == Scoring.State.QUEUED for row in rows) else None
    return [
        ScoringStatus(number, state, attempts, step, created, None if judge else _place(state, n, average), judge)
        for number, state, attempts, step, created, judge, n in rows
    ]


def _watched(submissions: QuerySet[Submission]) -> QuerySet[Scoring, Any]:
    scorings = Scoring.objects.filter(ON_PUBLISHED_GOLD, submission__in=submissions)
    names = ("scenario__number", "state", "attempts", "step", "created", "awaits_judge", "n_ahead")
    return scorings.annotate(n_ahead=n_ahead()).order_by("scenario__number", "-created").values_list(*names)


def _place(state: str, n: int, average: timedelta | None) -> QueuePosition | None:
    return queue_position(n + 1, average) if state == Scoring.State.QUEUED else None
