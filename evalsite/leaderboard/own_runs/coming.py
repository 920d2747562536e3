"""Whether a run that has been scored is on its way to the board."""

from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

from django.utils import timezone

from evalsite.challenges.access import Visitor
from evalsite.leaderboard.models import Board
from evalsite.submissions.access import visible_submissions
from evalsite.submissions.models import Result

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
    own = visible_submissions(user).filter(pk=submission)
    results = Result.objects.filter(scoring__submission__in=own, scoring__scenario__number=number)
    found = results.order_by("-created").values_list("created", "scoring__submission__phase", "scoring__scenario")
    for scored, phase, scenario in found[:1]:
        board = Board.objects.filter(phase=phase, scenario=scenario).first()
        if board and is_coming(board, scored):
            return soon_or_late(scored)
    return Coming.THERE


def soon_or_late(scored: datetime) -> Coming:
    return Coming.SOON if timezone.now() - scored < ASKS_FOR else Coming.LATE
