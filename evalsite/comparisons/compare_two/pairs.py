"""Decides which runs a visitor may compare on a board, and how much of each pair is disclosed.

Two runs share their resamples, so the interval between them tells in how many units they differ. Who may not see the
gold could put it together from many such counts; so while the gold is hidden, no more pairs are compared than there are
runs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from functools import cached_property
from html import escape
from uuid import UUID

from django.core.cache import cache
from django.db.models import F, Q, QuerySet

from evalsite.accounts.models import User
from evalsite.base.moment import database_now
from evalsite.board_pages.board.access import BoardAccess
from evalsite.board_pages.board.rows import Row
from evalsite.challenges.access import Role, Visitor, sees_against_gold, sees_own_scores
from evalsite.leaderboard.models import ComparisonCount, Predecessor
from evalsite.submissions.access import visible_submissions
from evalsite.submissions.models import Submission
from evalsite.wording import day_and_month

MOST_OWN = 50  # of a visitor's runs to choose from, the newest


@dataclass(frozen=True)
class ComparableRun:
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
    rank_range: str
    is_on_board: bool
    is_seen: bool

    @property
    def label(self) -> str:
        """Return the label for a list to choose from."""
        named = " · ".join(part for part in (self.team, self.method) if part)
        when = "" if self.is_on_board else f", {day_and_month(self.date)}, {self.date:%H:%M} UTC"
        return f"{self.rank_range}  {named}" if self.rank_range else f"{named}{when}"

    @cached_property
    def option(self) -> str:
        """Return the option of a select as HTML, which a page has in two of them."""
        return f'<option value="{escape(self.key)}">{escape(self.label)}</option>'

    @property
    def selected_option(self) -> str:
        return self.option.replace(">", " selected>", 1)  # in the value it is escaped


def comparable_runs(access: BoardAccess, rows: Sequence[Row], user: Visitor) -> dict[str, ComparableRun]:
    """Return by key the board's entries with a score in their order, then the visitor's other runs."""
    runs = {}
    sees_own = sees_own_scores(access.visibility.role, access.phase)
    for row in rows:
        if row.headline is not None and not row.is_reported and (key := row.key):
            runs[key] = _of_row(row, key, access, sees_own)
    if sees_own and isinstance(user, User):
        entered = {run.submission for run in runs.values()}
        own_runs = _scored(access).filter(team__members=user)[:MOST_OWN]
        runs |= {str(run.pk): _of_run(run) for run in own_runs if str(run.pk) not in entered}
    return runs


def find_run(runs: Mapping[str, ComparableRun], key: str, access: BoardAccess, user: Visitor) -> ComparableRun | None:
    """Return the candidate of this key; an entry or a run that the visitor may see is found by its submission too."""
    if key in runs or not _is_uuid(key):
        return runs.get(key)
    for run in runs.values():
        if run.submission == key and run.is_seen:
            return run
    if not sees_own_scores(access.visibility.role, access.phase):
        return None
    submission = _scored(access).filter(pk__in=visible_submissions(user).filter(pk=key).values("pk")).first()
    return _of_run(submission) if submission else None


def is_visible(key: str, access: BoardAccess, user: Visitor) -> bool:
    """Return whether it is a run of the phase that the visitor may open, scored or not."""
    return _is_uuid(key) and visible_submissions(user).filter(pk=key, phase=access.phase).exists()


def names_of(first: ComparableRun, second: ComparableRun) -> tuple[str, str]:
    """Name the two beside each other: by team, or two of one team by what sets them apart."""
    if first.team != second.team:
        return _named(first), _named(second)
    if first.method != second.method:
        return first.method, second.method
    return _dated(first), _dated(second)


def _named(run: ComparableRun) -> str:
    """Name an entry of the board by its team; another run needs its method too."""
    return run.team if run.is_on_board else f"{run.team} ({run.method})"


def _dated(run: ComparableRun) -> str:
    return f"{run.method}, {day_and_month(run.date)}, {run.date:%H:%M:%S} UTC"


def _of_row(row: Row, key: str, access: BoardAccess, sees_own: bool) -> ComparableRun:
    return ComparableRun(
        key=key,
        submission=row.entry["submission"],
        of_team=row.entry["team"] if row.is_of_team else "",
        team=row.name,
        method=row.reference_word or row.method,
        date=row.date,
        rank_range=row.rank_range,
        is_on_board=True,
        is_seen=access.visibility.role >= Role.VIEWER or (row.is_own and sees_own),
    )


def _of_run(run: Submission) -> ComparableRun:
    return ComparableRun(
        key=str(run.pk),
        submission=str(run.pk),
        of_team="" if run.reference else str(run.team_id),
        team=run.team.name,
        method=run.method,
        date=run.created,
        rank_range="",
        is_on_board=False,
        is_seen=True,
    )


def _scored(access: BoardAccess) -> QuerySet[Submission]:
    """Return runs with a result on the board's gold, the newest first."""
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


class Disclosure(Enum):
    """The extent to which a pair is disclosed."""

    ALL = "all"
    TEST = "test"  # the test of the score that ranks, and the differences of the scores that each run is told
    SCORES = "scores"  # these differences alone
    NOTHING = ""

    def __bool__(self) -> bool:
        return self is not Disclosure.NOTHING


@dataclass
class Pairs:
    """The pairs of a board as one visitor may compare them."""

    access: BoardAccess
    _neighbours: dict[str, set[str]] = field(default_factory=dict)

    @property
    def are_open(self) -> bool:
        return sees_against_gold(self.access.visibility.role, self.access.phase)

    def disclosure(self, one: ComparableRun, other: ComparableRun) -> Disclosure:
        if self.are_open:
            return Disclosure.ALL
        if one.of_team and one.of_team == other.of_team:
            return Disclosure.TEST if other.submission in self._neighbours_of(one.submission) else Disclosure.NOTHING
        if one.is_on_board and other.is_on_board:
            return Disclosure.TEST
        return Disclosure.SCORES if one.is_on_board or other.is_on_board else Disclosure.NOTHING

    def predecessor_of(self, run: ComparableRun) -> str | None:
        """Return the run of its own team with which it is compared."""
        stored = Predecessor.objects.filter(run=UUID(run.submission), scenario=self.access.gold.scenario).first()
        return str(stored.before_id) if stored and stored.before_id else None

    def _neighbours_of(self, run: str) -> set[str]:
        """Return its predecessor, and the runs whose predecessor it is."""
        if run not in self._neighbours:
            near = Predecessor.objects.filter(Q(run=run) | Q(before=run), scenario=self.access.gold.scenario)
            self._neighbours[run] = {str(key) for keys in near.values_list("run", "before") for key in keys} - {run}
        return self._neighbours[run]


def may_compare_today(one: ComparableRun, other: ComparableRun, access: BoardAccess) -> bool:
    """Count a pair that not everybody sees, once a day; whether the team may compare another one today."""
    team = next((side.of_team for side in (one, other) if side.is_seen), "")
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
