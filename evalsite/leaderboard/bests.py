"""Keeps the best run of each team and the runs that were records, in the transactions that change results.

Each function is called with the row of the board locked (evalsite.leaderboard.freshness.want), so that of two results
that come at once the second sees the first. What is kept follows from the results alone: `recount_all` finds it anew.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import F, QuerySet

from evalsite.challenges.models import Gold, Phase
from evalsite.leaderboard.models import BestRun, Board, PerfectRun, RecordRun
from evalsite.submissions.models import Result, Submission
from scoring.significance.limits import TIE


@dataclass(frozen=True)
class Run:
    """A scored run by one gold version, with the newest engine's result."""

    result: UUID
    gold: UUID
    submission: UUID
    team: UUID
    reference: str
    is_withdrawn: bool
    arrived: datetime
    headline: float | None

    @property
    def height(self) -> float:
        return _height(self.headline)

    @property
    def competes(self) -> bool:
        return not self.reference and not self.is_withdrawn


def _height(headline: float | None) -> float:
    return float("-inf") if headline is None else headline


def add(result: Result) -> None:
    """A result has come: it may be its team's best, a record, or the gold itself."""
    scoring = result.scoring
    # Read again: somebody may have withdrawn the run, or given it to another team, while it was scored.
    of_run = _read(Result.objects.filter(scoring__submission=scoring.submission_id, scoring__gold=scoring.gold_id))
    run = of_run[-1]
    best = BestRun.objects.filter(gold=run.gold, team=run.team, reference="")
    standing = best.values_list("result__headline", "result__scoring__submission__created").first()
    phase = scoring.submission.phase_id
    if standing is None or not run.competes or len(of_run) > 1:  # or another engine has scored it before
        recount(Board(phase_id=phase, scenario_id=scoring.scenario_id), {run.team})
        return
    _suspect([run], phase)
    headline, arrived = standing
    is_better = (-run.height, run.arrived) < (-_height(headline), arrived)  # of equal runs the earlier one stands
    better = {"result": run.result} if is_better else {}
    best.update(n_runs=F("n_runs") + 1, **better)
    reached = RecordRun.objects.filter(gold=run.gold, arrived__lte=run.arrived, score__gte=run.height - TIE)
    if run.headline is not None and not reached.exists():
        _add_records([run])


def recount(board: Board, teams: Collection[UUID]) -> None:
    """The runs of these teams have changed: withdrawn, restored, scored again, made a reference, or brought along."""
    golds = Gold.objects.filter(phase=board.phase_id, scenario=board.scenario_id).order_by().values("pk")
    runs = _runs(
        Result.objects.filter(
            scoring__submission__phase=board.phase_id,
            scoring__submission__team__in=teams,
            scoring__scenario=board.scenario_id,
        )
    )
    _suspect(runs, board.phase_id)
    runs = _without_copies(runs)
    BestRun.objects.filter(gold__in=golds, team__in=teams).delete()
    # A run that another team has now may still be among its former team's.
    BestRun.objects.filter(pk__in=[run.result for run in runs]).delete()
    BestRun.objects.bulk_create(_bests(runs))
    _recount_records(board, teams, runs)


def recount_all(board: Board) -> None:
    """Find everything that is kept anew among all results of the board; what there was before does not matter."""
    with transaction.atomic():
        Board.objects.select_for_update(no_key=True).get(pk=board.pk)
        of_board = {"gold__phase": board.phase_id, "gold__scenario": board.scenario_id}
        for kept in (BestRun, RecordRun, PerfectRun):
            kept.objects.filter(**of_board).delete()
        results = Result.objects.filter(scoring__submission__phase=board.phase_id, scoring__scenario=board.scenario_id)
        runs = _runs(results)
        _suspect(runs, board.phase_id)
        BestRun.objects.bulk_create(_bests(runs), batch_size=1000)
        _store_records(_rising(runs))
        Board.objects.filter(pk=board.pk).update(to_recount=False)


def take_out_copies(board: Board, copies: Collection[UUID]) -> None:
    """Of these results it is known by now that they equal the gold: they are nobody's best, and no records."""
    with transaction.atomic():
        Board.objects.select_for_update(no_key=True).get(pk=board.pk)
        PerfectRun.objects.filter(pk__in=copies).update(is_copy=True)
        teams = Submission.objects.filter(scorings__in=copies).order_by().values_list("team", flat=True).distinct()
        recount(board, set(teams))


def _runs(results: QuerySet[Result]) -> list[Run]:
    """In the order of their arrival; of a run that several engines have scored, the newest result."""
    return list({(run.gold, run.submission): run for run in _read(results)}.values())


def _read(results: QuerySet[Result]) -> list[Run]:
    """In the order of their arrival, the results of one run in the order in which its scorings were queued."""
    found = results.order_by("scoring__submission__created", "scoring__created").values_list(
        "pk",
        "scoring__gold_id",
        "scoring__submission_id",
        "scoring__submission__team_id",
        "scoring__submission__reference",
        "scoring__submission__withdrawn",
        "scoring__submission__created",
        "headline",
    )
    return [
        Run(pk, gold, submission, team, reference, withdrawn is not None, arrived, headline)
        for pk, gold, submission, team, reference, withdrawn, arrived, headline in found
    ]


def _bests(runs: Sequence[Run]) -> list[BestRun]:
    """A row for each reference, and one for each team by each gold."""
    rows = [
        BestRun(result_id=run.result, gold_id=run.gold, team_id=run.team, reference=run.reference)
        for run in runs
        if run.reference and not run.is_withdrawn
    ]
    best: dict[tuple[UUID, UUID], BestRun] = {}
    heights: dict[tuple[UUID, UUID], float] = {}
    for run in runs:
        key = (run.gold, run.team)
        if not run.competes:
            continue
        row = best.setdefault(key, BestRun(result_id=run.result, gold_id=run.gold, team_id=run.team, n_runs=0))
        row.n_runs += 1
        if run.height > heights.setdefault(key, run.height):
            row.result_id, heights[key] = run.result, run.height
    for run in runs:
        if run.is_withdrawn and not run.reference and (run.gold, run.team) in best:
            best[run.gold, run.team].n_withdrawn += 1
    return rows + list(best.values())


def _suspect(runs: Iterable[Run], phase: UUID) -> None:
    """Note those that may be the gold itself; the maker of the board looks at them."""
    perfect = [run for run in runs if run.headline == 1 and not run.reference]
    if not perfect:
        return
    found = Phase.objects.get(pk=phase)
    since = found.gold_released_since
    if not found.gold_released:
        return
    PerfectRun.objects.bulk_create(
        (
            PerfectRun(result_id=run.result, gold_id=run.gold)
            for run in perfect
            if since is None or run.arrived >= since
        ),
        ignore_conflicts=True,
    )


def _without_copies(runs: Sequence[Run]) -> list[Run]:
    keys = [run.result for run in runs if run.headline == 1]
    copies = set(PerfectRun.objects.filter(pk__in=keys, is_copy=True).values_list("pk", flat=True)) if keys else set()
    return [run for run in runs if run.result not in copies or run.reference or run.is_withdrawn]


# Records


def _rising(runs: Iterable[Run]) -> list[Run]:
    """By gold those that were better than all that arrived before them."""
    last: dict[UUID, float] = {}
    rising = []
    for run in sorted(runs, key=lambda run: run.arrived):
        if run.competes and run.headline is not None and run.headline > last.get(run.gold, float("-inf")) + TIE:
            last[run.gold] = run.headline
            rising.append(run)
    return rising


def _add_records(runs: Sequence[Run]) -> None:
    """Runs have come, or come back: those that are records take the place of later ones that they reach."""
    golds = {run.gold for run in runs}
    known = {record.pk: record for record in RecordRun.objects.filter(gold__in=golds)}
    before = [_as_run(record) for record in known.values()]
    rising = _rising([*before, *(run for run in runs if run.result not in known)])
    stay = {run.result for run in rising}
    if gone := known.keys() - stay:
        RecordRun.objects.filter(pk__in=gone).delete()
    _store_records([run for run in rising if run.result not in known])


def _recount_records(board: Board, teams: Collection[UUID], runs: Sequence[Run]) -> None:
    """Where a record of these teams has gone, others may have been records behind it."""
    competing = {run.result for run in runs if run.competes}
    of_board = RecordRun.objects.filter(gold__phase=board.phase_id, gold__scenario=board.scenario_id)
    of_teams = of_board.filter(result__scoring__submission__team__in=teams)
    gone = [record for record in of_teams if record.pk not in competing]
    for gold in {record.gold_id for record in gone}:
        _recount_records_since(gold, min(record.arrived for record in gone if record.gold_id == gold))
    _add_records([run for run in runs if run.competes])


def _recount_records_since(gold: UUID, time: datetime) -> None:
    """Only runs above the record before are read."""
    last = RecordRun.objects.filter(gold=gold, arrived__lt=time).order_by("-arrived").first()
    above = Result.objects.filter(
        scoring__gold=gold,
        scoring__submission__created__gte=time,
        scoring__submission__reference="",
        scoring__submission__withdrawn=None,
        **({"headline__gt": last.score} if last else {}),
    )
    RecordRun.objects.filter(gold=gold, arrived__gte=time).delete()
    submissions = above.order_by().values("scoring__submission")
    _add_records(_without_copies(_runs(Result.objects.filter(scoring__gold=gold, scoring__submission__in=submissions))))


def _as_run(record: RecordRun) -> Run:
    return Run(record.pk, record.gold_id, record.pk, record.pk, "", False, record.arrived, record.score)


def _store_records(runs: Iterable[Run]) -> None:
    RecordRun.objects.bulk_create(
        RecordRun(result_id=run.result, gold_id=run.gold, arrived=run.arrived, score=run.height) for run in runs
    )
