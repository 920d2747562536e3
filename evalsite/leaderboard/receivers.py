"""Keeps boards right when results or phases change: best runs, freshness, and what is final no longer."""

from collections.abc import Collection
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F
from django.db.models.signals import post_save, pre_save
from django.dispatch import receiver

from evalsite.challenges.models import Phase
from evalsite.leaderboard.bests import add, recount
from evalsite.leaderboard.entries import make_void
from evalsite.leaderboard.freshness import want
from evalsite.leaderboard.models import Board, Edition
from evalsite.leaderboard.tasks import tell
from evalsite.submissions.models import Result
from evalsite.submissions.signals import results_changed


@receiver(results_changed)
def update_board(
    sender: Any,
    phase_id: UUID,
    scenario_id: UUID,
    result: Result | None = None,
    teams: Collection[UUID] = (),
    **kwargs: Any,
) -> None:
    wish = want(phase_id, scenario_id)  # first, as it locks the board for what follows
    if result is not None:
        add(result)
    if teams:
        recount(wish.board, teams)
    if wish.is_first:
        # A second later, so that a burst of results makes one board. If the message is lost, beat finds the board.
        transaction.on_commit(partial(tell, wish.board), robust=True)


@receiver(post_save, sender=Phase)
def reopen_boards(sender: Any, instance: Phase, **kwargs: Any) -> None:
    """At once, lest the phase closes again before beat has looked: the new closing makes a new final edition."""
    if instance.state != "closed":
        make_void(Edition.objects.filter(board__phase=instance))


@receiver(pre_save, sender=Phase)
def update_boards_of_opened_gold(sender: Any, instance: Phase, **kwargs: Any) -> None:
    """Whether the gold is open decides whether a run that equals it is ranked. Beat finds the boards."""
    if Phase.objects.filter(pk=instance.pk).exclude(gold_released=instance.gold_released).exists():
        Board.objects.filter(phase=instance).update(to_recount=True, wanted=F("wanted") + 1)
