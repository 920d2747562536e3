"""The stored results of two runs that are compared."""

from uuid import UUID

from evalsite.leaderboard.compare_two.candidates import Candidate
from evalsite.leaderboard.opening import Opening
from evalsite.submissions.models import Result


def results_of(first: Candidate, second: Candidate, opening: Opening) -> tuple[Result, Result] | None:
    """By the board's gold and engine. None unless both stand."""
    wanted = (UUID(first.submission), UUID(second.submission))
    found = Result.objects.counting().filter(
        scoring__gold=opening.gold, scoring__submission__in=wanted, scoring__submission__withdrawn=None
    )
    related = found.select_related("stored_tables", "scoring__gold", "scoring__submission")
    newest = {result.scoring.submission_id: result for result in related.order_by("created")}
    for result in newest.values():
        result.scoring.scenario, result.scoring.submission.phase = opening.scenario, opening.phase
    return (newest[wanted[0]], newest[wanted[1]]) if len(newest) == 2 else None
