"""Where a run stands on the board of its scenario, and how far it is from the leader and from its team's run before."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from evalsite.challenges.access import Role, Visitor, sees_board
from evalsite.challenges.precision import Precision, precision_for
from evalsite.leaderboard.draws import Draws, draws_of
from evalsite.leaderboard.editions import edition_of
from evalsite.leaderboard.gold_copies import all_copies
from evalsite.leaderboard.models import Edition, Predecessor
from evalsite.leaderboard.own_runs.coming import is_coming
from evalsite.leaderboard.own_runs.earlier import LARGE, Difference, difference, gap
from evalsite.leaderboard.rows import Row, find_name, rows_called, sight_of
from evalsite.submissions.models import Result, Submission


class Kind(StrEnum):
    """How a run and the board stand to each other."""

    PLACED = "placed"  # it is its team's run there
    OTHER_RUN = "other run"  # another run of the team is
    COMING = "coming"  # the board has not been made since the run was scored
    OTHER_GOLD = "other gold"  # the board ranks by another version of the gold
    REFERENCE = "reference"
    TRIAL = "trial"  # of the organisers, on no board
    LATE = "late"  # it came too late to be ranked
    BEYOND = "beyond"  # its team had no place left for it
    REPORTED = "reported"  # its scores are the team's own word
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


@dataclass(frozen=True)
class Step:
    """From the run of the team that counted when this one came."""

    run: Result
    difference: Difference


@dataclass(frozen=True)
class RunHead:
    """What stands at the head of a run's scores; `step` is None for the first run."""

    position: Position
    step: Step | None
    scored: datetime


def head_of(exact: Result, user: Visitor, role: Role) -> RunHead:
    """Of a result as it is stored, with its scoring, submission, scenario and phase; a constant number of queries."""
    phase, scenario = exact.scoring.submission.phase, exact.scoring.scenario
    sight = sight_of(user, phase, role)
    precision = precision_for(sight.role, phase, scenario)
    drawn = draws_of(exact)
    edition = edition_of(phase, scenario)
    if sees_board(sight.role, phase):
        position = _position(exact, edition, rows_called(edition, scenario, sight, {}), precision, drawn)
        if position.leader:
            find_name(position.leader)
    else:
        position = Position(Kind.HIDDEN)
    return RunHead(position, _step(exact, precision, drawn), exact.created)


def _step(result: Result, precision: Precision, drawn: Draws) -> Step | None:
    scoring = result.scoring
    runs = Predecessor.objects.filter(run=scoring.submission_id, scenario=scoring.scenario_id).values("before")
    results = Result.objects.counting().filter(scoring__submission__in=runs, scoring__gold=scoring.gold_id)
    before = results.select_related("scoring__submission").defer(*LARGE).order_by("-created").first()
    if before:
        before.scoring.scenario = scoring.scenario
    found = difference(result, before, precision, drawn) if before else None
    return Step(before, found) if before and found else None


def _position(result: Result, edition: Edition, rows: Sequence[Row], precision: Precision, drawn: Draws) -> Position:
    ranked = [row for row in rows if row.rank is not None]
    leader = ranked[0] if ranked else None
    own = next((row for row in rows if row.entry["submission"] == str(result.scoring.submission_id)), None)
    kind = _kind(result, edition, own)
    if kind in (Kind.PLACED, Kind.REFERENCE) and own:
        return Position(kind, len(ranked), own, None if own == leader else leader, own.difference)
    if kind != Kind.OTHER_RUN:
        return Position(kind, len(ranked), leader=leader)
    team = str(result.scoring.submission.team_id)
    counted = next((row for row in ranked if row.entry["team"] == team), None)
    apart = _to_leader(result, leader, precision, drawn) if leader and leader != counted else None
    return Position(kind, len(ranked), counted, leader if leader != counted else None, apart)


def _kind(result: Result, edition: Edition, own: Row | None) -> Kind:
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
    if own and own.is_lost:
        return Kind.LOST
    if submission.is_reported and result.scoring.scenario.is_brought:
        return Kind.REPORTED
    if submission.is_beyond_limit:
        return Kind.BEYOND
    if submission.is_late and not edition.board.phase.ranks_late:
        return Kind.LATE
    return Kind.PLACED if own else Kind.OTHER_RUN


def _to_leader(
    result: Result, leader: Row, precision: Precision, drawn: Draws
) -> tuple[float, float | None, float | None] | None:
    """As on the board the run minus the leader, tested as a pair alone: not while the gold is hidden."""
    leaders = {"scoring__submission": leader.entry["submission"], "scoring__gold": result.scoring.gold_id}
    other = Result.objects.counting().filter(**leaders).defer(*LARGE).order_by("-created").first()
    if other and not precision.is_full:
        value = gap(result, other, precision)
        return None if value is None else (value, None, None)
    found = difference(result, other, precision, drawn) if other else None
    return (found.value, *(found.interval or (None, None))) if found else None
