"""The position of a run on its board, or that it is on its way there, and the distance to the leader."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cache as cached
from itertools import chain
from typing import Any
from uuid import UUID

from django.core.cache import cache
from django.db.models import OuterRef, QuerySet, Subquery
from django.utils import timezone

from evalsite.accounts.models import User
from evalsite.board_pages.board.rows import Row, find_name, rows_among
from evalsite.board_pages.board.visibility import Visibility, visibility_of
from evalsite.challenges.access import Role, Visitor, oversees, sees_board
from evalsite.challenges.precision import Precision
from evalsite.leaderboard.making.draws import Draws, draws_of
from evalsite.leaderboard.making.editions import Entry, stored_with_board
from evalsite.leaderboard.making.gold_copies import all_copies
from evalsite.leaderboard.models import NEWEST_FIRST, Board, Edition, Predecessor
from evalsite.own_runs.changes import Difference, difference, gap, to_test, to_test_and_name
from evalsite.own_runs.combined_position import CombinedPosition, combined_position
from evalsite.results.runs.history import Group
from evalsite.submissions.access import submissions_of, visible_submissions
from evalsite.submissions.models import Result, Submission


class Kind(StrEnum):
    """The relation of a run to the board."""

    PLACED = "placed"  # it is its team's run there
    OTHER_RUN = "other run"  # another run of the team is
    COMING = "coming"  # the board has not been made since the run was scored
    OTHER_GOLD = "other gold"  # the board ranks by another version of the gold
    REFERENCE = "reference"
    TRIAL = "trial"  # of the organisers, on no board
    LATE = "late"  # it came too late to be ranked
    BEYOND = "beyond"  # its team had no place left for it
    REPORTED = "reported"  # its scores are the team's own word
    UNRANKED = "unranked"  # the organisers show its team without a rank
    GOLD = "gold"  # it equals the open gold
    WITHDRAWN = "withdrawn"
    UNSCORED = "unscored"  # the score that ranks does not apply to it
    LOST = "lost"  # it could not be compared, since the file with its resamples is lost or broken
    HIDDEN = "hidden"  # this visitor does not see the board


@dataclass(frozen=True)
class Position:
    """`row` is that of the run, or of the run of its team that counts; `leader` is None for the leader itself."""

    kind: Kind
    n_ranked: int = 0
    row: Row | None = None
    leader: Row | None = None
    to_leader: tuple[float, float | None, float | None] | None = None  # the run's score minus the leader's, and ends

    @property
    def is_anywhere(self) -> bool:
        """Return whether the data leave every place open."""
        ends = (self.row.entry.get("rank_low"), self.row.entry.get("rank_high")) if self.row else ()
        return self.n_ranked > 1 and ends == (1, self.n_ranked)

    @property
    def n_others(self) -> int:
        return self.n_ranked - 1


@dataclass(frozen=True)
class Step:
    """The difference to the run of the team that counted when this one came."""

    run: Result
    difference: Difference


@dataclass(frozen=True)
class RunHead:
    """The content at the head of a run's scores; `step` is None for the first run, `combined` as its function says.

    `newest` is the edition as it is stored, None where the visitor does not see the board.
    """

    position: Position
    newest: Edition | None
    step: Step | None
    scored: datetime
    combined: CombinedPosition | None


def head_of(exact: Result, user: Visitor, role: Role, precision: Precision) -> RunHead:
    """Build the head of a stored result with its scoring, submission, scenario and phase; a constant number of
    queries."""
    phase = exact.scoring.submission.phase
    visibility = visibility_of(user, phase, role)
    drawn = draws_of(exact)
    newest = stored_with_board(phase, exact.scoring.scenario) if sees_board(role, phase) else None
    position = _position(exact, newest, visibility, precision, drawn) if newest else Position(Kind.HIDDEN)
    step = _step(exact, precision, drawn)
    combined = combined_position(exact, visibility)
    return RunHead(position, newest, step, exact.created, combined)


def _step(result: Result, precision: Precision, drawn: Draws) -> Step | None:
    scoring = result.scoring
    runs = Predecessor.objects.filter(run=scoring.submission_id, scenario=scoring.scenario_id).values("before")
    before = to_test_and_name().filter(scoring__submission__in=runs, scoring__gold=scoring.gold_id).first()
    change = difference(result, before, precision, drawn) if before else None
    return Step(before, change) if before and change else None


def _position(result: Result, edition: Edition, visibility: Visibility, precision: Precision, drawn: Draws) -> Position:
    """Return the position on an edition as it is stored, of which what is told is rounded."""
    ranked = [entry for entry in edition.entries if entry["rank"] is not None]
    run, team = str(result.scoring.submission_id), str(result.scoring.submission.team_id)
    entry = next((entry for entry in edition.entries if entry["submission"] == run), None)
    kind = _kind(result, edition, entry)
    if kind == Kind.OTHER_RUN:
        entry = next((entry for entry in ranked if entry["team"] == team), None)
    elif kind not in (Kind.PLACED, Kind.REFERENCE):
        return Position(kind, len(ranked))
    leading = ranked[:1] if ranked[:1] != [entry] else []
    entries = [*([entry] if entry else []), *leading]
    rows = iter(rows_among(edition, entries, result.scoring.scenario, visibility))
    row, leader = next(rows) if entry else None, next(rows, None)
    if kind == Kind.OTHER_RUN:
        apart = _to_leader(result, leading[0], precision, drawn) if leading else None
    else:
        apart = row.difference if row else None
    if leader and apart:
        find_name(leader)
    return Position(kind, len(ranked), row, leader, apart)


def _kind(result: Result, edition: Edition, entry: Entry | None) -> Kind:
    submission = result.scoring.submission
    if submission.withdrawn:
        return Kind.WITHDRAWN
    if is_coming(edition.board, result.created):
        return Kind.COMING
    if edition.gold_id != result.scoring.gold_id:
        return Kind.OTHER_GOLD
    if submission.reference:
        return Kind.REFERENCE if submission.reference in Submission.SHOWN else Kind.TRIAL
    if str(submission.pk) in all_copies(edition.entries):
        return Kind.GOLD
    if result.headline is None:
        return Kind.UNSCORED
    if entry and entry.get("is_lost"):
        return Kind.LOST
    if submission.is_reported and result.scoring.scenario.is_brought:
        return Kind.REPORTED
    if submission.is_beyond_limit:
        return Kind.BEYOND
    if submission.is_late and not submission.phase.ranks_late:
        return Kind.LATE
    if entry:
        return Kind.UNRANKED if entry.get("because") else Kind.PLACED
    return Kind.OTHER_RUN


def _to_leader(
    result: Result, leader: Entry, precision: Precision, drawn: Draws
) -> tuple[float, float | None, float | None] | None:
    """Subtract the leader's score, tested as a pair alone: not while the gold is hidden."""
    if not precision.is_full:
        value = gap(result.headline, leader["headline"], precision)
        return None if value is None else (value, None, None)
    leaders = {"scoring__submission": leader["submission"], "scoring__gold": result.scoring.gold_id}
    other = to_test().filter(**leaders).first()
    distance = difference(result, other, precision, drawn) if other else None
    return (distance.value, *(distance.interval or (None, None))) if distance else None


# A board is made within seconds; where it is not, asking again and again helps nobody.
ASKS_FOR = timedelta(minutes=1)
# A result is dated some moments before others can read it.
MOMENT = timedelta(seconds=1)


class Coming(StrEnum):
    THERE = "there"
    SOON = "soon"
    LATE = "late"  # it should be there by now


def is_coming(board: Board, scored: datetime) -> bool:
    """Return whether the board has not been made since the run was scored; that it lacks later ones does not matter."""
    if board.refreshed is None or board.refreshed < scored:
        return True
    return board.is_stale and board.refreshed < scored + MOMENT


def coming(user: Visitor, submission: UUID, number: int) -> Coming:
    """Return the state of the run in the scenario of this number, by two short queries; a hidden run is not on its
    way."""
    if isinstance(user, User) and not oversees(user):
        rows = list(_results(submissions_of(user.pk).filter(pk=submission)))
    else:
        rows = list(_results(visible_submissions(user).filter(pk=submission)))
    for scored, phase, scenario in [row for *row, of_scenario in rows if of_scenario == number][:1]:
        board = Board.objects.filter(phase=phase, scenario=scenario).first()
        if board and is_coming(board, scored):
            return soon_or_late(scored)
    return Coming.THERE


def _results(submissions: QuerySet[Submission]) -> QuerySet[Result, Any]:
    """Return when results were made, the newest first, the boards that they are for, and the numbers of their
    scenarios."""
    results = Result.objects.filter(scoring__submission__in=submissions).order_by("-created")
    columns = ("submission__phase", "scenario", "scenario__number")
    return results.values_list("created", *(f"scoring__{column}" for column in columns))


def soon_or_late(scored: datetime) -> Coming:
    return Coming.SOON if timezone.now() - scored < ASKS_FOR else Coming.LATE


CACHE_TIMEOUT = 24 * 3600  # seconds; what an edition ranks never changes until it is made anew


def on_board(groups: Sequence[Group], role: Role) -> set[UUID]:
    """Return the runs with a rank on the newest edition of any board that the visitor sees."""
    seen = {group.phase.pk for group in groups if sees_board(role, group.phase)}
    editions = {f"own_runs:ranked:{pk}:{made.timestamp()}": pk for pk, made in _newest().filter(board__phase__in=seen)}
    ranked: dict[str, frozenset[UUID]] = cache.get_many(editions)
    ranked |= _read_ranked({pk: key for key, pk in editions.items() if key not in ranked})
    return {run.pk for group in groups for run in group.runs}.intersection(chain.from_iterable(ranked.values()))


@cached  # built once, as each list asks it of other phases
def _newest() -> QuerySet[Edition, Any]:
    """Return the newest edition of each board, and when it was made."""
    latest = Edition.objects.filter(board=OuterRef("board")).order_by(*NEWEST_FIRST).values("pk")[:1]
    return Edition.objects.filter(pk=Subquery(latest)).order_by().values_list("pk", "made")


def _read_ranked(keys: Mapping[UUID, str]) -> dict[str, frozenset[UUID]]:
    """Return the submissions with a rank on editions, by these keys; cached, as a thousand entries take a megabyte."""
    if not keys:
        return {}
    rows = Edition.objects.filter(pk__in=keys).order_by().values_list("pk", "entries")
    ranked = {
        keys[pk]: frozenset(UUID(entry["submission"]) for entry in entries if entry["rank"] is not None)
        for pk, entries in rows
    }
    cache.set_many(ranked, CACHE_TIMEOUT)
    return ranked
