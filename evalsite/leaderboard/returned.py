"""Files that were away when a board was compared, and are there again, as when a folder is mounted once more.

Without that the board would stay without their places until the next result.
"""

from uuid import UUID

from django.db import transaction
from django.db.models import F

from evalsite.leaderboard.draws import Lost, fetched
from evalsite.leaderboard.entries import lost_on
from evalsite.leaderboard.freshness import locked, want
from evalsite.leaderboard.models import Board
from evalsite.submissions.models import Result

_MOST_LOOKED_FOR = 20  # files of a board, as each costs a look at the storage


def want_where_files_are_back() -> None:
    """Let boards be made anew that lacked a file which can be read now."""
    for board in Board.objects.filter(has_lost=True, made=F("wanted"), compared=F("wanted")):
        if any(map(_can_be_read, _lacking(board))):
            with transaction.atomic():
                want(locked(board.phase_id, board.scenario_id))


def _lacking(board: Board) -> list[Result]:
    """Results whose files could not be read when the board was last compared."""
    latest = board.editions.filter(is_compared=True).first()
    if latest is None:
        return []
    found = Result.objects.filter(
        scoring__submission__in=map(UUID, lost_on(latest)),
        scoring__scenario=board.scenario_id,
        scoring__gold=latest.gold_id,
    )
    return list(found.only("evaluation").order_by("pk")[:_MOST_LOOKED_FOR])


def _can_be_read(result: Result) -> bool:
    try:
        fetched(result)
    except (Lost, OSError):  # OSError: the storage is away
        return False
    return True
