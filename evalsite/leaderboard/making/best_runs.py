"""Decides which run of a team counts, and keeps these runs and the records in the transactions that change results.

Each function that stores is called with the row of the board locked (`scheduling.locked`), so that of two results that
come at once the second sees the first. What is kept follows from the results alone: `recount_all` finds it anew.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, F, OuterRef
from django.db.models.functions import Coalesce

from evalsite.challenges.gold.parts import shown_sibling
from evalsite.challenges.models import (
    N_CHOICES,
    Gold,
    Part,
    Participation,
    Phase,
    direction_of,
    is_brought_by_organisers,
    is_perfect,
)
from evalsite.leaderboard.models import BestRun, Board, PerfectRun, Predecessor, RecordRun
from evalsite.submissions.models import Choice, Result, ResultQuerySet, Submission
from scoring.significance.limits import TIE

RANKED = ""
# Values of an entry's `reference`.
LATE = "late"  # It came too late to be ranked.
BEYOND = "beyond"  # The joint team had no upload left for it.
REPORTED = "reported"  # Its scores are the team's own word, so that no other entry is compared with it.
UNRANKED = "unranked"  # The organisers show the team without a rank, for a reason that boards name.
TEAM_KINDS = (RANKED, LATE, BEYOND, REPORTED, UNRANKED)  # Entries of other kinds are not of teams that take part.


@dataclass(frozen=True)
class Run:
    """A scored run by one gold version, with the newest engine's result."""

    result: UUID
    gold: UUID
    submission: UUID
    team: UUID
    reference: str
    withdrawn: datetime | None
    is_late: bool
    is_beyond_limit: bool
    is_reported: bool
    arrived: datetime
    headline: float | None
    is_of_unranked_team: bool


@dataclass(frozen=True)
class Rule:
    """The rule by which runs count on a board."""

    counts: str
    ranks_late: bool
    is_brought: bool  # whether a run says its own score
    chosen: Mapping[UUID, Collection[UUID]]  # by team the submissions
    lower_is_better: bool  # of the score that ranks
    perfect: float | None  # what a perfect run has of it, if that is known
    # By ranked part of a gold, and by submission, the score on the shown part.
    shown: Mapping[UUID, Mapping[UUID, float | None]] = field(default_factory=dict)

    def height(self, run: Run) -> float:
        """Return a number that is larger for better scores and smallest without one."""
        return self._height(run.headline)

    def _height(self, headline: float | None) -> float:
        if headline is None:
            return float("-inf")
        return -headline if self.lower_is_better else headline

    def is_perfect(self, run: Run) -> bool:
        return is_perfect(run.headline, self.perfect)

    def standing_of(self, run: Run) -> str | None:
        """Return how a run stands on the board: ranked, a reference, reported, beyond, late, unranked; else None."""
        if run.withdrawn:
            return None
        if run.reference:
            return run.reference if run.reference in Submission.SHOWN else None
        if run.is_reported and self.is_brought:
            return REPORTED
        if run.is_beyond_limit:
            return BEYOND
        if run.is_late and not self.ranks_late:
            return LATE
        return UNRANKED if run.is_of_unranked_team else RANKED

    def ranked(self, runs: Iterable[Run]) -> list[Run]:
        return [run for run in runs if self.standing_of(run) == RANKED]

    def order(self, run: Run) -> tuple[float, ...]:
        """Return a sort key: of a team's runs the highest counts, the best, and of equally good ones the earlier.

        The ranked part decides over the run that counted by the shown part: the best of many by the ranked part itself
        would partly be luck. Of two chosen ones it takes the better.
        """
        arrived = run.arrived.timestamp()
        if self.counts == Phase.Counts.BEST:
            shown = self.shown.get(run.gold)
            return self.height(run) if shown is None else self._height(shown.get(run.submission)), -arrived
        if run.submission in self.chosen.get(run.team, ()):
            return 1, self.height(run), -arrived
        # Without a choice, or where no chosen run stands, it is the last one.
        return 0, arrived


def rule_of(phase: UUID, scenario: UUID, teams: Collection[UUID] | None = None) -> Rule:
    """Return the rule of a board with the choices of these teams, or of all."""
    of_scenario = ("task__scenarios__family", "task__scenarios__options")
    of_phase = Phase.objects.filter(pk=phase, task__scenarios=scenario)
    counts, ranks_late, family, options = of_phase.values_list("counts", "ranks_late", *of_scenario).get()
    chosen: dict[UUID, list[UUID]] = {}
    if n_choices := N_CHOICES.get(counts):
        choices = Choice.objects.filter(phase=phase, scenario=scenario)
        choices = choices if teams is None else choices.filter(team__in=teams)
        for team, run in choices.order_by("pk").values_list("team", "submission"):
            chosen.setdefault(team, []).append(run)
        chosen = {team: runs[:n_choices] for team, runs in chosen.items()}  # it may have been two until now
    shown = _shown_scores(phase, scenario, teams) if counts == Phase.Counts.BEST else {}
    return Rule(counts, ranks_late, is_brought_by_organisers(family), chosen, *direction_of(family, options), shown)


def _shown_scores(phase: UUID, scenario: UUID, teams: Collection[UUID] | None) -> dict[UUID, dict[UUID, float | None]]:
    """Return for each ranked part of a gold the scores of these teams' runs, or of all, on the shown part."""
    ranked = Gold.objects.filter(phase=phase, scenario=scenario, part=Part.RANKED)
    scores: dict[UUID, dict[UUID, float | None]] = {}
    for gold in ranked.exclude(state=Gold.State.DISCARDED).only("part", "split").order_by():
        results = _counting().filter(scoring__gold=shown_sibling(gold))
        results = results if teams is None else results.filter(scoring__submission__team__in=teams)
        scores[gold.pk] = dict(results.order_by("scoring__created").values_list("scoring__submission", "headline"))
    return scores


def add(result: Result, *, ranks: bool = True) -> None:
    """Add a new result, which may be its team's best, a record, or the gold itself. `ranks`: whether its gold does."""
    scoring = result.scoring
    phase = scoring.submission.phase_id
    team = Submission.objects.filter(pk=scoring.submission_id).values("team")
    best = BestRun.objects.filter(gold=scoring.gold_id, team__in=team, reference=RANKED)
    best_result, before = next(iter(best.values_list("result", "result__scoring__submission")), (None, None))
    # Read again: somebody may have withdrawn the run, or given it to another team, while it was scored.
    both = [scoring.submission_id, *([before] if before else [])]
    runs = _read(_counting().filter(scoring__submission__in=both, scoring__gold=scoring.gold_id))
    of_run = [run for run in runs if run.submission == scoring.submission_id]
    run = of_run[-1]
    standing = next((other for other in runs if other.result == best_result and other.team == run.team), None)
    rule = rule_of(phase, scoring.scenario_id, {run.team})
    if ranks and len(of_run) == 1:
        row = Predecessor(run_id=run.submission, scenario_id=scoring.scenario_id, before_id=before)
        Predecessor.objects.bulk_create([row], ignore_conflicts=True)
    # Or another engine has scored it before.
    if standing is None or rule.standing_of(run) != RANKED or len(of_run) > 1:
        recount(Board(phase_id=phase, scenario_id=scoring.scenario_id), {run.team})
        return
    _store_perfect_runs([run], phase, rule)
    counts = run if rule.order(run) > rule.order(standing) else standing
    BestRun.objects.filter(pk=standing.result).update(result=counts.result, n_runs=F("n_runs") + 1)
    if run.headline is not None and not _reaches(run, run.headline, rule):
        _add_records([run], rule)


def _reaches(run: Run, headline: float, rule: Rule) -> bool:
    """Return whether there is a record before the run that it does not break."""
    reaches = {"score__lte": headline + TIE} if rule.lower_is_better else {"score__gte": headline - TIE}
    return RecordRun.objects.filter(gold=run.gold, arrived__lte=run.arrived, **reaches).exists()


def recount(board: Board, teams: Collection[UUID]) -> None:
    """Update the runs of teams that were withdrawn, restored, scored again, made a reference, or taken along."""
    golds = Gold.objects.filter(phase=board.phase_id, scenario=board.scenario_id).order_by().values("pk")
    runs = _runs(
        _counting().filter(
            scoring__submission__phase=board.phase_id,
            scoring__submission__team__in=teams,
            scoring__scenario=board.scenario_id,
        )
    )
    rule = rule_of(board.phase_id, board.scenario_id, teams)
    _store_perfect_runs(runs, board.phase_id, rule)
    runs = _without_copies(runs, rule)
    BestRun.objects.filter(gold__in=golds, team__in=teams).delete()
    # A run that another team has now may still be among its former team's.
    BestRun.objects.filter(pk__in=[run.result for run in runs]).delete()
    BestRun.objects.bulk_create(_best_runs(runs, rule))
    _recount_records(board, teams, runs, rule)


def recount_all(board: Board) -> None:
    """Recompute everything that is stored from all results of the board, whatever there was before."""
    with transaction.atomic():
        Board.objects.select_for_update(no_key=True).get(pk=board.pk)
        of_board = {"gold__phase": board.phase_id, "gold__scenario": board.scenario_id}
        for kept in (BestRun, RecordRun, PerfectRun):
            kept.objects.filter(**of_board).delete()
        results = _counting().filter(scoring__submission__phase=board.phase_id, scoring__scenario=board.scenario_id)
        runs = _runs(results)
        rule = rule_of(board.phase_id, board.scenario_id)
        _store_perfect_runs(runs, board.phase_id, rule)
        BestRun.objects.bulk_create(_best_runs(runs, rule), batch_size=1000)
        _store_records(_records(rule.ranked(runs), rule))
        Board.objects.filter(pk=board.pk).update(to_recount=False)


def remove_copies(board: Board, copies: Collection[UUID]) -> None:
    """Remove results that have been found to equal the gold from the best runs and the records."""
    with transaction.atomic():
        Board.objects.select_for_update(no_key=True).get(pk=board.pk)
        PerfectRun.objects.filter(pk__in=copies).update(is_copy=True)
        teams = Submission.objects.filter(scorings__in=copies).order_by().values_list("team", flat=True).distinct()
        recount(board, set(teams))


def best_runs_by(gold: Gold, engine: str) -> list[BestRun]:
    """Compute, without storing it, which runs would count if the results of this engine ranked on the gold."""
    runs = _runs(Result.objects.filter(scoring__gold=gold, scoring__engine_version=engine))
    return _best_runs(runs, rule_of(gold.phase_id, gold.scenario_id))


def ranked_runs(gold: Gold) -> tuple[list[Run], Rule]:
    """Return all runs that rank by the gold, in the order of their arrival, and the rule by which they count."""
    rule = rule_of(gold.phase_id, gold.scenario_id)
    runs = _runs(_counting().filter(scoring__gold=gold))
    return rule.ranked(_without_copies(runs, rule)), rule


def _counting() -> ResultQuerySet:
    return Result.objects.counting()


def _runs(results: ResultQuerySet) -> list[Run]:
    """Return the runs in the order of their arrival; of several results of a run the newest, before an engine
    counts."""
    return list({(run.gold, run.submission): run for run in _read(results)}.values())


def _read(results: ResultQuerySet) -> list[Run]:
    """Return one run a result in the order of arrival; several results of a run in the order of their scorings.

    A mended run stands where the one stood that it mends.
    """
    arrived = Coalesce("scoring__submission__mends__created", "scoring__submission__created")
    columns = (
        results.annotate(arrived=arrived)
        .order_by("arrived", "scoring__created")
        .values_list(
            "pk",
            "scoring__gold_id",
            "scoring__submission_id",
            "scoring__submission__team_id",
            "scoring__submission__reference",
            "scoring__submission__withdrawn",
            "scoring__submission__is_late",
            "scoring__submission__is_beyond_limit",
            "scoring__submission__is_reported",
            "arrived",
            "headline",
            Exists(_UNRANKED_TEAMS),
        )
    )
    return [Run(*row) for row in columns]


_UNRANKED_TEAMS = Participation.objects.filter(
    task=OuterRef("scoring__submission__phase__task"), team=OuterRef("scoring__submission__team")
).exclude(unranked_reason="")


def _best_runs(runs: Sequence[Run], rule: Rule) -> list[BestRun]:
    """Return a row for each reference, and by gold one for a team's run that counts and for each kind beside it."""
    rows: list[BestRun] = []
    counting: dict[tuple[UUID, UUID, str], BestRun] = {}
    standing: dict[tuple[UUID, UUID, str], Run] = {}
    for run in runs:
        kind = rule.standing_of(run)
        if kind is None:
            continue
        row = BestRun(result_id=run.result, gold_id=run.gold, team_id=run.team, reference=kind, n_runs=0)
        if run.reference:
            rows.append(row)
        key = (run.gold, run.team, kind)
        row = row if run.reference else counting.setdefault(key, row)
        row.n_runs += 1
        if rule.order(run) > rule.order(standing.setdefault(key, run)):
            row.result_id, standing[key] = run.result, run
    for run in runs:
        key = (run.gold, run.team, UNRANKED if run.is_of_unranked_team else RANKED)
        if run.withdrawn and not run.reference and key in counting:
            counting[key].n_withdrawn += 1
    return rows + list(counting.values())


def _store_perfect_runs(runs: Iterable[Run], phase: UUID, rule: Rule) -> None:
    """Store which runs may be the gold itself; whoever makes the board looks at them."""
    perfect = [run for run in runs if rule.is_perfect(run) and not run.reference]
    if not perfect:
        return
    phase_row = Phase.objects.get(pk=phase)
    since = phase_row.gold_released_since
    if not phase_row.gold_released:
        return
    PerfectRun.objects.bulk_create(
        (
            PerfectRun(result_id=run.result, gold_id=run.gold)
            for run in perfect
            if since is None or run.arrived >= since
        ),
        ignore_conflicts=True,
    )


def _without_copies(runs: Sequence[Run], rule: Rule) -> list[Run]:
    keys = [run.result for run in runs if rule.is_perfect(run)]
    copies = set(PerfectRun.objects.filter(pk__in=keys, is_copy=True).values_list("pk", flat=True)) if keys else set()
    return [run for run in runs if run.result not in copies or run.reference or run.withdrawn]


# Records


def _records(runs: Iterable[Run], rule: Rule) -> list[Run]:
    """Return the ranked runs, by gold, that were better than all that arrived before them."""
    last: dict[UUID, float] = {}
    records = []
    for run in sorted(runs, key=lambda run: run.arrived):
        if run.headline is not None and rule.height(run) > last.get(run.gold, float("-inf")) + TIE:
            last[run.gold] = rule.height(run)
            records.append(run)
    return records


def _add_records(runs: Sequence[Run], rule: Rule) -> None:
    """Add runs that have come or come back: those that are records replace later ones that they reach."""
    golds = {run.gold for run in runs}
    stored = {record.pk: record for record in RecordRun.objects.filter(gold__in=golds)}
    before = [_as_run(record) for record in stored.values()]
    records = _records([*before, *(run for run in runs if run.result not in stored)], rule)
    stay = {run.result for run in records}
    if gone := stored.keys() - stay:
        RecordRun.objects.filter(pk__in=gone).delete()
    _store_records([run for run in records if run.result not in stored])


def _recount_records(board: Board, teams: Collection[UUID], runs: Sequence[Run], rule: Rule) -> None:
    """Recompute records after those of these teams that are gone, since others may stand behind them."""
    ranked = rule.ranked(runs)
    competing = {run.result for run in ranked}
    of_board = RecordRun.objects.filter(gold__phase=board.phase_id, gold__scenario=board.scenario_id)
    of_teams = of_board.filter(result__scoring__submission__team__in=teams)
    gone = [record for record in of_teams if record.pk not in competing]
    for gold in {record.gold_id for record in gone}:
        _recount_records_since(gold, min(record.arrived for record in gone if record.gold_id == gold), rule)
    _add_records(ranked, rule)


def _recount_records_since(gold: UUID, time: datetime, rule: Rule) -> None:
    """Recompute the records from this time on; only runs better than the record before are read."""
    last = RecordRun.objects.filter(gold=gold, arrived__lt=time).order_by("-arrived").first()
    better = "headline__lt" if rule.lower_is_better else "headline__gt"
    breaking = _counting().filter(
        scoring__gold=gold,
        scoring__submission__created__gte=time,
        scoring__submission__reference="",
        scoring__submission__withdrawn=None,
        headline__isnull=False,
        **({better: last.score} if last else {}),
    )
    RecordRun.objects.filter(gold=gold, arrived__gte=time).delete()
    submissions = breaking.order_by().values("scoring__submission")
    runs = _runs(_counting().filter(scoring__gold=gold, scoring__submission__in=submissions))
    _add_records(rule.ranked(_without_copies(runs, rule)), rule)


def _as_run(record: RecordRun) -> Run:
    return Run(
        result=record.pk,
        gold=record.gold_id,
        submission=record.pk,
        team=record.pk,
        reference="",
        withdrawn=None,
        is_late=False,
        is_beyond_limit=False,
        is_reported=False,
        arrived=record.arrived,
        headline=record.score,
        is_of_unranked_team=False,
    )


def _store_records(runs: Iterable[Run]) -> None:
    RecordRun.objects.bulk_create(
        RecordRun(result_id=run.result, gold_id=run.gold, arrived=run.arrived, score=run.headline)
        for run in runs
        if run.headline is not None
    )
