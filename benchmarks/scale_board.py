"""The boards of a seeded task, made from its results as a site makes them."""

from evalsite.challenges.models import Phase
from evalsite.leaderboard.bests import recount_all
from evalsite.leaderboard.entries import make_entries
from evalsite.leaderboard.freshness import want


def make(slug: str) -> None:
    """Find the best runs and the records among all results, as their rows were not stored one by one, and the entries.

    Entries that are too many to be compared at once stay without places, which no page here waits for: the copies of
    a run have the same draws whatever their scores are.
    """
    phase = Phase.objects.get(task__slug=slug, slug="test")
    for scenario in phase.task.scenarios.all():
        board = want(phase.pk, scenario.pk).board
        recount_all(board)
        make_entries(board)
