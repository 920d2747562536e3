"""The place of a team by the combined score, on the page of one of its runs, where that score decides the task."""

from dataclasses import dataclass

from evalsite.board_pages.board.rows import Row, rows_with_names
from evalsite.board_pages.board.visibility import Visibility
from evalsite.challenges.access import sees_board
from evalsite.challenges.gold.versions import golds_in_force
from evalsite.leaderboard.combined.making import is_fresh
from evalsite.leaderboard.combined_score import CombinedScore, ranked_by
from evalsite.leaderboard.models import Combined
from evalsite.submissions.models import Result


@dataclass(frozen=True)
class CombinedPosition:
    """`row` is that of the run's team, or of a reference itself; None where it is on no combined board."""

    scored: CombinedScore
    row: Row | None
    n_ranked: int
    is_part: bool  # whether the run is what counts in its scenario
    is_coming: bool  # whether the board misses results


def combined_position(result: Result, visibility: Visibility) -> CombinedPosition | None:
    """Return the position; None where no combined score decides, or where the visitor does not see its board."""
    phase, submission = visibility.phase, result.scoring.submission
    if not sees_board(visibility.role, phase):
        return None
    combined = Combined.objects.filter(phase=phase).first()
    decides = next(iter(ranked_by(phase, golds_in_force(phase), combined)), None) if combined else None
    if combined is None or not isinstance(decides, CombinedScore):
        return None
    rows = rows_with_names(decides.edition, decides, visibility, {})
    # Of a team's runs one entry is made; of references each run has its own.
    name, key = ("submission", submission.pk) if submission.reference else ("team", submission.team_id)
    of_kind = (row for row in rows if row.reference == submission.reference)
    own_row = next((row for row in of_kind if row.entry[name] == str(key)), None)
    is_part = own_row is not None and own_row.entry["runs"].get(result.scoring.scenario.name) == str(submission.pk)
    n_ranked = sum(row.rank is not None for row in rows)
    return CombinedPosition(decides, own_row, n_ranked, is_part, not is_fresh(combined))
