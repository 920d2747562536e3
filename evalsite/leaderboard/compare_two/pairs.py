"""Decides which runs a visitor may compare on a board, and how much of each pair is disclosed.

Two runs share their resamples, so the interval between them tells in how many units they differ. Who may not see the
gold could put it together from many such counts; so while the gold is hidden, no more pairs are compared than there are
runs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from uuid import UUID

from django.core.cache import cache
from django.db.models import F, Q, QuerySet

from evalsite.accounts.models import User
from evalsite.base.moment import database_now
from evalsite.challenges.access import Role, Visitor, sees_against_gold, sees_own_scores
from evalsite.leaderboard.board.access import BoardAccess
from evalsite.leaderboard.board.rows import Row
from evalsite.leaderboard.models import ComparisonCount, Predecessor
from evalsite.submissions.access import visible_submissions
from evalsite.submissions.models import Submission
from evalsite.wording import day_and_month

MOST_OWN = 50  # of a visitor's runs to choose from, the newest


@dataclass(frozen=True)
class Candidate:
    """A run by the names that this visitor may see.

    `key` stands for it in addresses. `of_team` is the key of the team that competes with it, "" of references.
    `is_seen` says whether the run itself may be seen, with its tables and units, or its scores alone.
    """

    key: str
    submission: str
    of_team: str
    team: str
    method: str
    date: datetime
    places: str
    is_on_board: bool
    is_seen: bool

    @property
    def label(self) -> str:
        """Return the label for a list to choose from."""
        named = " · ".join(part for part in (self.team, self.method) if part)
        when = "" if self.is_on_board else f", {day_and_month(self.date)}, {self.date:%H:%M} UTC"
        return f"{self.places}  {named}" if self.places else f"{named}{when}"


def candidates_of(access: BoardAccess, rows: Sequence[Row], user: Visitor) -> dict[str, Candidate]:
    """Return by key the board's entries with a score in their order, then the visitor's other runs."""
    found = {}
    sees_own = sees_own_scores(access.visibility.role, access.phase)
    for row in rows:
        if row.headline is not None and row.key and not row.is_reported:
            candidate = _of_row(row, access, sees_own)
            found[candidate.key] = candidate
    if sees_own and isinstance(user, User):
        entered = {candidate.submission for candidate in found.values()}
        own = _scored(access).filter(team__members=user)[:MOST_OWN]
        found |= {str(run.pk): _of_run(run) for run in own if str(run.pk) not in entered}
    return found


def found_among(candidates: Mapping[str, Candidate], key: str, access: BoardAccess, user: Visitor) -> Candidate | None:
    """Return the candidate of this key; an entry or a run that the visitor may see is found by its submission too."""
    if key in candidates or not _is_uuid(key):
        return candidates.get(key)
    for candidate in candidates.values():
        if candidate.submission == key and candidate.is_seen:
            return candidate
    if not sees_own_scores(access.visibility.role, access.phase):
        return None
    run = _scored(access).filter(pk__in=visible_submissions(user).filter(pk=key).values("pk")).first()
    return _of_run(run) if run else None


def is_visible(key: str, access: BoardAccess, user: Visitor) -> bool:
    """Return whether it is a run of the phase that the visitor may open, scored or not."""
    return _is_uuid(key) and visible_submissions(user).filter(pk=key, phase=access.phase).exists()


def names_of(first: Candidate, second: Candidate) -> tuple[str, str]:
    """Name the two beside each other: by team, or two of one team by what sets them apart."""
    if first.team != second.team:
        return _named(first), _named(second)
    if first.method != second.method:
        return first.method, second.method
    return _dated(first), _dated(second)


def _named(candidate: Candidate) -> str:
    """Name an entry of the board by its team; another run needs its method too."""
    return candidate.team if candidate.is_on_board else f"{candidate.team} ({candidate.method})"


def _dated(candidate: Candidate) -> str:
    return f"{candidate.method}, {day_and_month(candidate.date)}, {candidate.date:%H:%M:%S} UTC"


def _of_row(row: Row, access: BoardAccess, sees_own: bool) -> Candidate:
    return Candidate(
        key=row.key,
        submission=row.entry["submission"],
        of_team=row.entry["team"] if row.is_of_team else "",
        team=row.name,
        method=row.reference_word or row.method,
        date=row.date,
        places=row.places,
        is_on_board=True,
        is_seen=access.visibility.role >= Role.VIEWER or (row.is_own and sees_own),
    )


def _of_run(run: Submission) -> Candidate:
    return Candidate(
        key=str(run.pk),
        submission=str(run.pk),
        of_team="" if run.reference else str(run.team_id),
        team=run.team.name,
        method=run.method,
        date=run.created,
        places="",
        is_on_board=False,
        is_seen=True,
    )


def _scored(access: BoardAccess) -> QuerySet[Submission]:
    """Runs with a result on the board's gold, the newest first."""
    runs = Submission.objects.filter(phase=access.phase, withdrawn=None, scorings__gold=access.gold)
    if access.scenario.is_brought:
        runs = runs.filter(is_reported=False)
    return runs.filter(scorings__result__isnull=False).select_related("team").order_by("-created").distinct()


def _is_uuid(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True


MOST_A_DAY = 20  # pairs with a run of its own, of a team in a phase
A_DAY = 24 * 3600  # seconds


class Telling(Enum):
    """The extent to which a pair is disclosed."""

    ALL = "all"
    TEST = "test"  # the test of the score that ranks, and the differences of the scores that each run is told
    SCORES = "scores"  # these differences alone
    NOTHING = ""

    def __bool__(self) -> bool:
        return self is not Telling.NOTHING


@dataclass
class Pairs:
    """The pairs of a board as one visitor may compare them."""

    access: BoardAccess
    _neighbours: dict[str, set[str]] = field(default_factory=dict)

    @property
    def are_open(self) -> bool:
        return sees_against_gold(self.access.visibility.role, self.access.phase)

    def telling(self, one: Candidate, other: Candidate) -> Telling:
        if self.are_open:
            return Telling.ALL
        if one.of_team and one.of_team == other.of_team:
            return Telling.TEST if other.submission in self._neighbours_of(one.submission) else Telling.NOTHING
        if one.is_on_board and other.is_on_board:
            return Telling.TEST
        return Telling.SCORES if one.is_on_board or other.is_on_board else Telling.NOTHING

    def predecessor_of(self, run: Candidate) -> str | None:
        """Return the run of its own team with which it is compared."""
        found = Predecessor.objects.filter(run=UUID(run.submission), scenario=self.access.scenario).first()
        return str(found.before_id) if found and found.before_id else None

    def _neighbours_of(self, run: str) -> set[str]:
        """Return its predecessor, and the runs whose predecessor it is."""
        if run not in self._neighbours:
            near = Predecessor.objects.filter(Q(run=run) | Q(before=run), scenario=self.access.scenario)
            self._neighbours[run] = {str(key) for keys in near.values_list("run", "before") for key in keys} - {run}
        return self._neighbours[run]


def counted(one: Candidate, other: Candidate, access: BoardAccess) -> bool:
    """Count a pair that not everybody sees, once a day; whether the team may compare another one today."""
    team = next((each.of_team for each in (one, other) if each.is_seen), "")
    if not team or (one.of_team != other.of_team and one.is_on_board and other.is_on_board):
        return True
    day = database_now().date()
    key = ":".join(["compared", str(day), str(access.scenario.pk), *sorted((one.submission, other.submission))])
    if cache.get(key):
        return True
    row, _ = ComparisonCount.objects.get_or_create(team_id=team, phase=access.phase, day=day)
    if not ComparisonCount.objects.filter(pk=row.pk, n__lt=MOST_A_DAY).update(n=F("n") + 1):
        return False
    cache.set(key, True, A_DAY)
    return True
