"""Makes and stores the board as it would be by a candidate, for the organisers, with the functions that make boards."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

import structlog
from django.utils import timezone

import scoring
from evalsite.background.models import Job
from evalsite.background.services import ReportProgress, handles
from evalsite.challenges.gold.changes import changes_between
from evalsite.challenges.gold.versions import gold_in_force
from evalsite.challenges.models import Gold
from evalsite.challenges.storage.files import named
from evalsite.challenges.taking_part.teams import number_teams
from evalsite.leaderboard.making.best_runs import best_runs_by
from evalsite.leaderboard.making.comparison import compare_entries
from evalsite.leaderboard.making.editions import split_further
from evalsite.leaderboard.making.entries import OF_RESULT, Entry, add_shown_scores, best_runs_on, entries_of
from evalsite.leaderboard.making.gold_copies import copies_of, identify_copies
from evalsite.leaderboard.models import BestRun, Board, Edition, Preview
from evalsite.submissions.lifecycle.candidates import (
    RESCORING,
    engine_of,
    publish,
    queue_batch,
    remove_results,
    teams_lost_by,
)
from evalsite.submissions.models import Result
from scoring.significance.limits import TIE

log = structlog.get_logger()
# What has to be equal for a new engine to count without anybody's word.
NUMBERS = ("headline", "scores", "intervals", "interval_methods", "counts", "distribution", "n_units", "n_resamples")


@handles(RESCORING)
def rescore(job: Job, report: ReportProgress) -> bool:
    """Take the next step on the way to a gold with all its results, or of a discarded one without any."""
    gold = Gold.objects.filter(pk__in=[job.subject]).select_related("phase__task", "scenario").first()
    if gold is None:
        return True
    if gold.state == Gold.State.DISCARDED:
        Preview.objects.filter(gold=gold).delete()
        return remove_results(gold)
    progress = queue_batch(gold)
    report(progress.n_ended, progress.n_runs)
    if progress.is_at_work:
        return False
    if not gold.is_candidate and gold.has_candidate and not _differing(gold):
        publish(gold, by=None)
    elif gold.has_candidate:
        make_preview(gold)
    return True


def make_preview(gold: Gold) -> None:
    board, _ = Board.objects.select_related("phase", "scenario").get_or_create(phase=gold.phase, scenario=gold.scenario)
    entries, results = _entries(gold, board)
    number_teams(gold.phase, [UUID(entry["team"]) for entry in entries if entry["team"]])
    # A board of its own, so that what is known of the pairs on the other one is not taken for its own.
    comparison = compare_entries(entries, results, Board(phase=gold.phase, scenario=gold.scenario))
    light, _ = split_further(entries, gold.scenario.scores)
    values = {
        "engine": engine_of(gold),
        "made": timezone.now(),
        "entries": light,
        "comparison": comparison,
        **counted(gold),
    }
    preview, _ = Preview.objects.update_or_create(gold=gold, defaults=values)
    if gold.is_candidate and not gold.is_held and preview.changes is None:
        Preview.objects.filter(pk=gold.pk).update(changes=_changes(gold))


def edition_of_preview(preview: Preview, board: Board) -> Edition:
    """Return an edition as a board's pages read one; it is stored nowhere."""
    contents: dict[str, Any] = {"entries": preview.entries, "comparison": preview.comparison}
    return Edition(board=board, gold=preview.gold, engine=preview.engine, made=preview.made, **contents)


def entry_key(entry: Entry) -> tuple[object, ...]:
    """Return what identifies an entry on both boards: a team, whose run may be another one, or a reference's run."""
    return entry["submission"] if entry["reference"] else entry["team"], entry["reference"], entry.get("is_late", False)


def difference(now: float | None, then: float | None) -> float | None:
    """Return the difference of two scores; None where they are the same, or there is none to compare with."""
    if now is None or then is None or abs(then - now) <= TIE:
        return None
    return then - now


def scores_by(gold: Gold, engine: str, runs: Iterable[UUID] | None = None) -> dict[UUID, float | None]:
    """Return the score that ranks by run: of these runs, or of all that stand."""
    results = Result.objects.filter(scoring__gold=gold, scoring__engine_version=engine)
    chosen = (
        results.filter(scoring__submission__withdrawn=None)
        if runs is None
        else results.filter(scoring__submission__in=list(runs))
    )
    return dict(chosen.order_by().values_list("scoring__submission", "headline"))


def counted(gold: Gold) -> dict[str, Any]:
    """Count the runs for the candidate's page, so that it need not read them: fields of Preview."""
    order, counts = _changed_runs(gold)
    lost = [str(team.pk) for team in teams_lost_by(gold)]
    return {"counts": counts | {"lost": lost}, "order": order}


def _changed_runs(gold: Gold) -> tuple[bytes, dict[str, Any]]:
    """Return the keys of all runs, those that change most first, and how many these are and how many of them change."""
    in_force = gold_in_force(gold.phase, gold.scenario) or gold
    now, then = scores_by(in_force, in_force.engine), scores_by(gold, engine_of(gold))
    changes = {run: abs(difference(now.get(run), then.get(run)) or 0.0) for run in now | then}
    order = sorted(changes, key=lambda run: (-changes[run], run))
    counts = {"runs": len(order), "changed": sum(map(bool, changes.values()))}
    return b"".join(run.bytes for run in order), counts


def _entries(gold: Gold, board: Board) -> tuple[list[Entry], dict[str, Result]]:
    if gold.is_candidate:
        identify_copies(board, gold)
        best_runs, copies = list(best_runs_on(gold)), copies_of(gold.phase, gold)
    else:
        best_runs, copies = _by_candidate_engine(gold), []
    entries = entries_of(best_runs, copies, gold.scenario)
    add_shown_scores(entries, gold)
    return entries, {str(best.result.scoring.submission_id): best.result for best in best_runs}


def _by_candidate_engine(gold: Gold) -> list[BestRun]:
    """Return the best runs without those that are the gold itself by the engine before."""
    best_runs = best_runs_by(gold, gold.candidate_engine)
    results = Result.objects.select_related("scoring__submission").only(*OF_RESULT)
    rescored = results.in_bulk([best.result_id for best in best_runs])
    copied = {copy.scoring.submission_id for copy in copies_of(gold.phase, gold)}
    for best in best_runs:
        best.result = rescored[best.result_id]
    return [best for best in best_runs if best.result.scoring.submission_id not in copied]


def _differing(gold: Gold) -> bool:
    """Return whether any run has another number by the candidate engine than by the one that ranks."""
    results = Result.objects.filter(scoring__gold=gold)
    before = results.filter(scoring__engine_version=gold.engine).values_list("scoring__submission", *NUMBERS)
    after = results.filter(scoring__engine_version=gold.candidate_engine).values_list("scoring__submission", *NUMBERS)
    new = {submission: numbers for submission, *numbers in after.iterator()}
    return any(new.get(submission) != numbers for submission, *numbers in before.iterator())


def _changes(gold: Gold) -> dict[str, Any] | None:
    """Return the differences of both golds; None where one cannot be read, which is logged."""
    before = gold_in_force(gold.phase, gold.scenario)
    if before is None or before.is_input:
        return None
    try:
        with named(before.file) as old, named(gold.file) as new:
            return changes_between(gold.scenario, old, new).as_dict()
    except (scoring.ScoringError, OSError):
        log.exception("two golds cannot be compared", gold=str(gold.pk))
        return None
