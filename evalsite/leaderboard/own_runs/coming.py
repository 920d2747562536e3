"""Whether a run that has been scored is on its way to the board."""

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from evalsite.accounts.models import User
from evalsite.challenges.access import Visitor, oversees
from evalsite.leaderboard.models import Board
from evalsite.submissions.access import submissions_of, visible_submissions
from evalsite.submissions.models import Result, Submission

# A board is made within seconds; where it is not, asking again and again helps nobody.
ASKS_FOR = timedelta(minutes=1)
# A result is dated some moments before others can read it.
MOMENT = timedelta(seconds=1)


class Coming(StrEnum):
    THERE = "there"
    SOON = "soon"
    LATE = "late"  # it should be there by now


def is_coming(board: Board, scored: datetime) -> bool:
    """Whether the board has not been made since the run was scored; that it lacks later ones does not matter."""
    if board.refreshed is None or board.refreshed < scored:
        return True
    return board.is_stale and board.refreshed < scored + MOMENT


def coming(user: Visitor, submission: UUID, number: int) -> Coming:
    """Of the run in the scenario of this number, by two short queries; what is not to be seen is not on its way."""
    if isinstance(user, User) and not oversees(user):
        found = list(_results(submissions_of(user.pk).filter(pk=submission)))
    else:
        found = list(_results(visible_submissions(user).filter(pk=submission)))
    for scored, phase, scenario in [each for *each, of_scenario in found if of_scenario == number][:1]:
        board = Board.objects.filter(phase=phase, scenario=scenario).first()
        if board and is_coming(board, scored):
            return soon_or_late(scored)
    return Coming.THERE


def _results(submissions: QuerySet[Submission]) -> QuerySet[Result, Any]:
    """When they were made, the newest first, the boards that they are for, and the numbers of their scenarios."""
    results = Result.objects.filter(scoring__submission__in=submissions).order_by("-created")
    columns = ("submission__phase", "scenario", "scenario__number")
    return results.values_list("created", *(f"scoring__{column}" for column in columns))


def soon_or_late(scored: datetime) -> Coming:
    return Coming.SOON if timezone.now() - scored < ASKS_FOR else Coming.LATE
