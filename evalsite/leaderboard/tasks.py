"""Background jobs of the boards."""

import uuid
from datetime import timedelta

from celery import shared_task
from django.utils import timezone

from evalsite.leaderboard.entries import finish_boards, refresh, stale_boards
from evalsite.leaderboard.models import Board


@shared_task
def refresh_board(phase_id: str, scenario_id: str) -> None:
    """Make one board anew if it still is stale."""
    boards = Board.objects.select_related("phase", "scenario").exclude(stale_since=None)
    if board := boards.filter(phase_id=uuid.UUID(phase_id), scenario_id=uuid.UUID(scenario_id)).first():
        refresh(board)


@shared_task(expires=15)
def refresh_boards() -> None:
    """Make anew what is stale for longer than its own message should have taken; mark what is final."""
    for board in stale_boards(timezone.now() - timedelta(seconds=5)):
        refresh(board)
    finish_boards()
