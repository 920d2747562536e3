"""Marks a board stale when its results or its phase change, and voids final editions that are final no longer."""

from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models.signals import post_save, pre_save
from django.dispatch import receiver
from django.utils import timezone

from evalsite.challenges.models import Phase
from evalsite.leaderboard.entries import make_void, mark_stale
from evalsite.leaderboard.models import Board, Edition
from evalsite.leaderboard.tasks import refresh_board
from evalsite.submissions.signals import results_changed


@receiver(results_changed)
def update_board(sender: Any, phase_id: UUID, scenario_id: UUID, **kwargs: Any) -> None:
    if mark_stale(phase_id, scenario_id):
        # A second later, so that a burst of results makes one board. If the message is lost, beat finds the board.
        tell = partial(refresh_board.apply_async, (str(phase_id), str(scenario_id)), countdown=1)
        transaction.on_commit(tell, robust=True)


@receiver(post_save, sender=Phase)
def reopen_boards(sender: Any, instance: Phase, **kwargs: Any) -> None:
    """At once, lest the phase closes again before beat has looked: the new closing makes a new final edition."""
    if instance.state != "closed":
        make_void(Edition.objects.filter(board__phase=instance))


@receiver(pre_save, sender=Phase)
def update_boards_of_opened_gold(sender: Any, instance: Phase, **kwargs: Any) -> None:
    """Whether the gold is open decides whether a run that equals it is ranked. Beat finds the boards."""
    if Phase.objects.filter(pk=instance.pk).exclude(gold_released=instance.gold_released).exists():
        Board.objects.filter(phase=instance, stale_since=None).update(stale_since=timezone.now())
