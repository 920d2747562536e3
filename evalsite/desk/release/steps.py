"""Tells how far each phase is on its way from closing to final boards."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count
from django.utils import timezone

from evalsite.challenges.models import Phase, Task
from evalsite.leaderboard.models import Board, Edition
from evalsite.submissions.models import Scoring


@dataclass(frozen=True)
class Ending:
    phase: Phase
    now: datetime  # for which the numbers hold
    n_boards: int
    n_final: int  # boards that stand as they were at the closing
    n_waiting: int  # scorings that are not finished yet

    @property
    def is_closed(self) -> bool:
        return self.phase.state == "closed"

    @property
    def is_frozen(self) -> bool:
        """Return whether all its boards are final."""
        return self.is_closed and self.n_final == self.n_boards


def endings(task: Task) -> list[Ending]:
    """Return the state of each phase in the order of their openings, in four queries."""
    return _endings(task.phases.order_by("opens"))


def ending_of(phase: Phase) -> Ending:
    return _endings([phase])[0]


def _endings(phases: Iterable[Phase]) -> list[Ending]:
    ending, now = list(phases), timezone.now()
    boards = _by_phase(Board.objects.filter(phase__in=ending).values_list("phase"))
    final = _by_phase(Edition.objects.filter(board__phase__in=ending, is_final=True).values_list("board__phase"))
    unfinished = Scoring.objects.filter(submission__phase__in=ending, state__in=Scoring.UNFINISHED)
    waiting = _by_phase(unfinished.values_list("submission__phase"))
    return [
        Ending(phase, now, boards.get(phase.pk, 0), final.get(phase.pk, 0), waiting.get(phase.pk, 0))
        for phase in ending
    ]


def _by_phase(rows: object) -> dict[object, int]:
    return dict(rows.order_by().annotate(n=Count("pk")))  # type: ignore[attr-defined]
