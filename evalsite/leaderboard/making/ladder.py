"""Decides what teams are told of their runs in a phase with the Ladder, once for each run and gold, and never again.

Runs are decided in the order of their arrival, under the lock of the board, against all that was told before of runs
that the team has now: also of withdrawn ones, since otherwise a team could withdraw its best and be told anew.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef

from evalsite.challenges.gold.versions import gold_in_force
from evalsite.challenges.models import Gold, Phase, Scenario
from evalsite.leaderboard.making.draws import draws_of
from evalsite.leaderboard.models import Board, LadderStep
from evalsite.submissions.models import Result, Submission
from scoring.comparing.ladder import Rung, climb


def decide_steps(board: Board, gold: Gold) -> None:
    """Decide all runs that have been scored by the gold and are not decided yet."""
    if not board.phase.shows_steps_alone:
        return
    decided = LadderStep.objects.filter(gold=gold, submission=OuterRef("scoring__submission"))
    with transaction.atomic():
        Board.objects.select_for_update(no_key=True).get(pk=board.pk)
        results = Result.objects.counting().filter(~Exists(decided), scoring__gold=gold)
        results = results.filter(scoring__submission__reference="").select_related("scoring__submission")
        in_order = results.order_by("scoring__submission__created", "scoring__created")
        for result in {result.scoring.submission_id: result for result in in_order}.values():
            _decide(result, gold, board.scenario)


def _decide(result: Result, gold: Gold, scenario: Scenario) -> None:
    run = result.scoring.submission
    before = LadderStep.objects.filter(gold=gold, submission__team=run.team_id)
    shown = climb(
        result.headline,
        draws_of(result),
        _best_of(list(before.exclude(shown=None)), gold, scenario),
        before.count() + 1,
        lower_is_better=scenario.lower_is_better,
    )
    LadderStep.objects.create(gold=gold, submission=run, shown=shown)


def _best_of(steps: Sequence[LadderStep], gold: Gold, scenario: Scenario) -> Rung | None:
    """Return the best that a team was told, by what it was told; without its result nothing is better than it."""
    if not steps:
        return None
    pick = min if scenario.lower_is_better else max
    best = pick(steps, key=lambda step: step.shown or 0.0)
    assert best.shown is not None
    results = Result.objects.counting().filter(scoring__gold=gold, scoring__submission=best.submission_id)
    result = results.order_by("scoring__created").last()
    if result is None or result.headline is None:
        return Rung(best.shown, None, best.shown)
    return Rung(result.headline, draws_of(result), best.shown)


@dataclass(frozen=True)
class LadderEntry:
    rank: int
    team: str  # its key
    shown: float
    arrived: datetime
    n_runs: int


def ladder_of(phase: Phase, scenario: Scenario) -> list[LadderEntry]:
    """Return the best that each team was told of its standing runs, the best first; equal ones share a rank."""
    gold = gold_in_force(phase, scenario)
    if gold is None:
        return []
    steps = LadderStep.objects.filter(gold=gold, submission__withdrawn=None, submission__reference="")
    steps = steps.filter(submission__is_beyond_limit=False, submission__is_reported=False)
    if not phase.ranks_late:
        steps = steps.filter(submission__is_late=False)
    sign = 1 if scenario.lower_is_better else -1
    rows = list(steps.values_list("submission__team", "shown", "submission__created"))
    n_runs: dict[str, int] = {}
    for team, _, _ in rows:
        n_runs[str(team)] = n_runs.get(str(team), 0) + 1
    ascending = sorted((sign * shown, created, str(team)) for team, shown, created in rows if shown is not None)
    best = {team: (height, created) for height, created, team in reversed(ascending)}
    in_order = sorted((height, created, team) for team, (height, created) in best.items())
    ranks: dict[float, int] = {}
    for place, (height, _, _) in enumerate(in_order, start=1):
        ranks.setdefault(height, place)
    return [
        LadderEntry(ranks[height], team, sign * height, created, n_runs[team]) for height, created, team in in_order
    ]


def step_of(submission: Submission, scenario: Scenario) -> LadderStep | None:
    """Return what the team is told of the run by the gold in force; None while it is not decided."""
    gold = gold_in_force(submission.phase, scenario)
    return LadderStep.objects.filter(gold=gold, submission=submission).first() if gold else None
