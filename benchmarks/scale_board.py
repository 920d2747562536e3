"""The boards of a seeded task, made from the best run of each team."""

from django.utils import timezone

from evalsite.challenges.models import Phase
from evalsite.leaderboard.editions import set_apart
from evalsite.leaderboard.entries import _results, entries_of
from evalsite.leaderboard.models import Board
from evalsite.submissions.golds import golds_of_board
from evalsite.submissions.models import Result

_BEST = """
SELECT DISTINCT ON (run.team_id) result.scoring_id FROM submissions_result AS result
JOIN submissions_scoring AS scoring ON scoring.id = result.scoring_id
JOIN submissions_submission AS run ON run.id = scoring.submission_id
WHERE scoring.gold_id = %s ORDER BY run.team_id, result.headline DESC
"""


def make(slug: str) -> None:
    phase = Phase.objects.get(task__slug=slug, slug="test")
    for scenario in phase.task.scenarios.all():
        gold = golds_of_board(phase, scenario).in_force
        best = [row.pk for row in Result.objects.raw(_BEST, [gold.pk])]
        entries = entries_of(_results(gold).filter(pk__in=best), scenario.headline)
        for entry in entries:
            entry["n_withdrawn"] = 0
        light, further = set_apart(entries, scenario.scores)
        board, _ = Board.objects.update_or_create(
            phase=phase, scenario=scenario, defaults={"stale_since": None, "refreshed": timezone.now()}
        )
        board.editions.all().delete()
        made = {"made": timezone.now(), "gold": gold, "further_names": list(further)}
        board.editions.create(day=timezone.now().date(), entries=light, comparison={}, further=further, **made)
