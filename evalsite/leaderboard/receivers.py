"""Keeps boards right when results or phases change: best runs, freshness, and what is final no longer."""

from collections.abc import Collection
from typing import Any
from uuid import UUID

from django.db.models import F
from django.db.models.signals import post_delete, post_save, pre_save
from django.dispatch import receiver

from evalsite.base.after_commit import after_commit
from evalsite.challenges.models import Gold, Phase
from evalsite.challenges.revisions import raise_news, raise_revision
from evalsite.leaderboard.making.best_runs import add, recount
from evalsite.leaderboard.making.entries import make_void
from evalsite.leaderboard.making.scheduling import locked, mark_stale
from evalsite.leaderboard.models import Board, Combined, Edition, ImportedTable
from evalsite.leaderboard.tasks import enqueue_entries
from evalsite.submissions.boards import updates_boards
from evalsite.submissions.lifecycle.candidates import follow_engine, refresh_candidates
from evalsite.submissions.models import Result


@updates_boards
def update_board(
    phase_id: UUID,
    scenario_id: UUID,
    *,
    result: Result | None = None,
    teams: Collection[UUID] = (),
    recounts: bool = False,
) -> None:
    """Keep the board's best runs right, and let it be made anew (see evalsite.submissions.boards)."""
    board = locked(phase_id, scenario_id)  # first, for all that follows
    # As it is now, and of its many columns those that mostly decide.
    gold = Gold.objects.only("state", "engine").get(pk=result.scoring.gold_id) if result else None
    counts = gold is None or result is None or result.scoring.engine_version == gold.engine
    if result is not None and counts:
        add(result, ranks=gold is None or not gold.is_candidate)
    if teams:
        recount(board, teams)
    if recounts:
        Board.objects.filter(pk=board.pk).update(to_recount=True)
    if gold is not None and not counts:
        follow_engine(gold)
    refresh_candidates(phase_id, scenario_id)
    if gold is not None and (gold.is_candidate or not counts):
        return  # no board knows of it
    if mark_stale(board):
        raise_news([board.phase.task_id])  # the page says that a result is on its way
        # A second later, so that a burst of results makes one board. If the message is lost, beat finds the board.
        after_commit(enqueue_entries, board)


@receiver([post_save, post_delete], sender=Combined)
@receiver([post_save, post_delete], sender=ImportedTable)
def count_revision(sender: Any, instance: Combined | ImportedTable, **kwargs: Any) -> None:
    raise_revision([instance.phase.task_id])


@receiver(post_save, sender=Phase)
def reopen_boards(sender: Any, instance: Phase, **kwargs: Any) -> None:
    """Make final editions void at once: the phase may close again before beat has looked."""
    editions = Edition.objects.filter(board__phase=instance)
    make_void(editions.exclude(closing=instance.closes) if instance.state == "closed" else editions)


# Fields of a phase: a run that equals open gold is not ranked, and the Ladder decides when a board is made.
WHAT_RANKS = ("gold_released", "counts", "ranks_late", "is_ladder")


@receiver(pre_save, sender=Phase)
def update_boards_of_changed_rules(sender: Any, instance: Phase, **kwargs: Any) -> None:
    """Mark boards whose ranking rules have changed as stale; beat finds them."""
    same = {name: getattr(instance, name) for name in WHAT_RANKS}
    if Phase.objects.filter(pk=instance.pk).exclude(**same).exists():
        Board.objects.filter(phase=instance).update(to_recount=True, wanted=F("wanted") + 1)
