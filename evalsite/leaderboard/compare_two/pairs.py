"""Which pairs of runs are compared, and how closely: while the gold is hidden, no more of them than there are runs.

Two runs share their resamples, so the interval between them tells in how many units they differ. Who may not see the
gold compares a run of the own team with one other run of it, and tests entries of the board alone.
"""

from dataclasses import dataclass, field
from enum import Enum
from uuid import UUID

from django.core.cache import cache
from django.db.models import F, Q

from evalsite.base.moment import database_now
from evalsite.challenges.access import sees_against_gold
from evalsite.leaderboard.compare_two.candidates import Candidate
from evalsite.leaderboard.models import ComparisonCount, Predecessor
from evalsite.leaderboard.opening import Opening

MOST_A_DAY = 20  # pairs with a run of its own, of a team in a phase
A_DAY = 24 * 3600  # seconds


class Telling(Enum):
    """What is told of a pair."""

    ALL = "all"
    TEST = "test"  # the test of the score that ranks, and the differences of the scores that each run is told
    SCORES = "scores"  # these differences alone
    NOTHING = ""

    def __bool__(self) -> bool:
        return self is not Telling.NOTHING


@dataclass
class Pairs:
    """The pairs of a board as one visitor may compare them."""

    opening: Opening
    _neighbours: dict[str, set[str]] = field(default_factory=dict)

    @property
    def are_open(self) -> bool:
        return sees_against_gold(self.opening.sight.role, self.opening.phase)

    def telling(self, one: Candidate, other: Candidate) -> Telling:
        if self.are_open:
            return Telling.ALL
        if one.of_team and one.of_team == other.of_team:
            return Telling.TEST if other.submission in self._neighbours_of(one.submission) else Telling.NOTHING
        if one.is_on_board and other.is_on_board:
            return Telling.TEST
        return Telling.SCORES if one.is_on_board or other.is_on_board else Telling.NOTHING

    def predecessor_of(self, run: Candidate) -> str | None:
        """The run of its own team with which it is compared."""
        found = Predecessor.objects.filter(run=UUID(run.submission), scenario=self.opening.scenario).first()
        return str(found.before_id) if found and found.before_id else None

    def _neighbours_of(self, run: str) -> set[str]:
        """Its predecessor, and the runs whose predecessor it is."""
        if run not in self._neighbours:
            near = Predecessor.objects.filter(Q(run=run) | Q(before=run), scenario=self.opening.scenario)
            self._neighbours[run] = {str(key) for keys in near.values_list("run", "before") for key in keys} - {run}
        return self._neighbours[run]


def counted(one: Candidate, other: Candidate, opening: Opening) -> bool:
    """Count a pair that not everybody sees, once a day; whether the team may compare another one today."""
    team = next((each.of_team for each in (one, other) if each.is_seen), "")
    if not team or (one.of_team != other.of_team and one.is_on_board and other.is_on_board):
        return True
    day = database_now().date()
    key = ":".join(["compared", str(day), str(opening.scenario.pk), *sorted((one.submission, other.submission))])
    if cache.get(key):
        return True
    row, _ = ComparisonCount.objects.get_or_create(team_id=team, phase=opening.phase, day=day)
    if not ComparisonCount.objects.filter(pk=row.pk, n__lt=MOST_A_DAY).update(n=F("n") + 1):
        return False
    cache.set(key, True, A_DAY)
    return True
