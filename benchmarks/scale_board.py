"""The boards of a seeded task: the best run of each team is found among all results, ranked and compared."""

import numpy as np
from django.db.models import F
from numpy.typing import NDArray

from evalsite.challenges.models import Phase
from evalsite.leaderboard import places
from evalsite.leaderboard.draws import fetched
from evalsite.leaderboard.entries import refresh
from evalsite.leaderboard.models import Board
from evalsite.submissions.models import Result


def make(slug: str) -> None:
    """One edition of each board, as their maker has it after an upgrade of a site that has results."""
    phase = Phase.objects.get(task__slug=slug, slug="test")
    places.fetched = _draws_of_copy
    for scenario in phase.task.scenarios.all():
        board, _ = Board.objects.get_or_create(phase=phase, scenario=scenario)
        board.editions.all().delete()
        Board.objects.filter(pk=board.pk).update(to_recount=True, wanted=F("wanted") + 1)
        refresh(board)


def _draws_of_copy(result: Result) -> NDArray[np.float64] | None:
    """Those of the original, about the score of the copy and in an order of its own.

    With the very same draws at another score no difference would have an error, which no comparison expects.
    """
    found = fetched(result)
    if found is None or not found.any():
        return found
    return np.roll(found * (result.headline / found.mean()), int(result.pk) % len(found))
