"""Scores all runs on a candidate, gold or engine, beside what ranks; and publishes it.

A few runs at a time are queued, so that an upload never waits behind all of them. The progress follows from the rows
alone: after a worker that is killed another one goes on.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import structlog
from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from evalsite.accounts.models import Team, User
from evalsite.background.models import Job
from evalsite.background.requesting import request_job
from evalsite.base.after_commit import delete_after_commit
from evalsite.challenges.gold.parts import due_to_decide
from evalsite.challenges.gold.services import hold_ranked_part
from evalsite.challenges.gold.versions import gold_in_force
from evalsite.challenges.models import Gold, Phase, record
from evalsite.challenges.revisions import raise_revision
from evalsite.submissions import notices
from evalsite.submissions.boards import update_board
from evalsite.submissions.lifecycle.awaiting_judges import AWAITS_JUDGE, unjudged_among
from evalsite.submissions.lifecycle.collecting import end_waiting, tell_unscorable
from evalsite.submissions.lifecycle.enqueueing import enqueue
from evalsite.submissions.models import Judgement, Result, Scoring, Submission

log = structlog.get_logger()
State = Scoring.State
RESCORING = "rescoring"  # kind of job
AHEAD = 100  # scorings that are queued at a time
AT_A_TIME = 500  # scorings of a discarded gold that are removed at a time


@dataclass(frozen=True)
class Progress:
    """The progress of the runs on a gold, by the engine that is to count there."""

    n_runs: int
    states: Counter[str]
    n_unjudged: int = 0  # that are queued until the judge posts their scores

    @property
    def n_ended(self) -> int:
        return sum(n for state, n in self.states.items() if state not in Scoring.UNFINISHED)

    @property
    def n_awaited(self) -> int:
        """Return how many are not scored yet: waiting, running, or not queued."""
        return max(0, self.n_runs - self.n_ended)

    @property
    def is_at_work(self) -> bool:
        """Return whether workers have something to do, beside waiting for a judge."""
        return self.n_awaited > self.n_unjudged

    @property
    def n_failures(self) -> int:
        return self.states[State.REFUSED] + self.states[State.FAILED]

    @property
    def is_over(self) -> bool:
        return not self.n_awaited


def schedule_rescoring(gold: Gold, *, by: User | None = None) -> Job:
    """Request the background job that gives the gold the results it is to have, or removes them."""
    return request_job(RESCORING, subject=gold.pk, task=gold.phase.task, by=by)


def engine_of(gold: Gold) -> str:
    """Return the version of the engine whose results the gold is to have."""
    return gold.candidate_engine or gold.engine or gold.scenario.engine_version


def runs_of(gold: Gold) -> QuerySet[Submission]:
    """Return all runs entered there but cancelled ones; withdrawn ones too, as they may be restored."""
    entered = Scoring.objects.filter(submission=OuterRef("pk"), scenario=gold.scenario_id)
    return Submission.objects.filter(Exists(entered.exclude(state=State.CANCELLED)), phase=gold.phase_id)


def progress_of(gold: Gold) -> Progress:
    scorings = _scorings(gold).order_by()
    states = scorings.values_list("state").annotate(n=Count("pk"))
    n_unjudged = scorings.filter(AWAITS_JUDGE).count() if gold.scenario.is_judged else 0
    return Progress(runs_of(gold).count(), Counter(dict(states)), n_unjudged)


def _scorings(gold: Gold) -> QuerySet[Scoring]:
    return Scoring.objects.filter(gold=gold, engine_version=engine_of(gold)).exclude(state=State.CANCELLED)


def queue_batch(gold: Gold) -> Progress:
    """Queue some of the runs that lack a scoring, if the engine asked for is the installed one."""
    n_unfinished = _scorings(gold).filter(state__in=Scoring.UNFINISHED, awaits_judge=False).count()
    if n_unfinished < AHEAD // 2 and engine_of(gold) == gold.scenario.engine_version:
        with transaction.atomic():
            queued = _queue(gold, AHEAD - n_unfinished)
        enqueue(queued)
    return progress_of(gold)


def _queue(gold: Gold, n: int) -> list[UUID]:
    version = gold.scenario.engine_version
    scorings = Scoring.objects.filter(submission=OuterRef("pk"), gold=gold, engine_version=version)
    lacking = runs_of(gold).filter(~Exists(scorings)).order_by("created").values_list("pk", flat=True)
    common = {"scenario_id": gold.scenario_id, "gold": gold, "engine_version": version}
    chosen = list(lacking[:n])
    unjudged = unjudged_among(chosen, gold)
    added = [Scoring(submission_id=run, awaits_judge=run in unjudged, **common) for run in chosen]
    Scoring.objects.bulk_create(added, ignore_conflicts=True)  # a new upload may have queued itself
    return [scoring.pk for scoring in added if not scoring.awaits_judge]


def retry_failed(gold: Gold, *, by: User | None) -> None:
    """Score again what has failed on a candidate through no fault of its file."""
    with transaction.atomic():
        _scorings(gold).filter(state=State.FAILED).delete()
        schedule_rescoring(gold, by=by)


def remove_results(gold: Gold) -> bool:
    """Remove some results of a discarded gold; return True if none is left."""
    chosen = list(gold.scorings.values_list("pk", flat=True)[:AT_A_TIME])
    with transaction.atomic():
        files = [result.evaluation for result in Result.objects.filter(pk__in=chosen).only("evaluation")]
        judged = Judgement.objects.filter(gold=gold, submission__scorings__in=chosen)
        files += [judgement.file for judgement in judged]
        judged.delete()
        Scoring.objects.filter(pk__in=chosen).delete()
        delete_after_commit(files)
    return len(chosen) < AT_A_TIME


# Publishing


class NotReady(Exception):
    """The candidate cannot be published yet."""

    def __init__(self, gold: Gold, progress: Progress, lost: list[Team]) -> None:
        super().__init__(f"{progress.n_awaited} awaited, {len(lost)} lost")
        self.gold, self.progress, self.lost = gold, progress, lost


def teams_lost_by(gold: Gold) -> list[Team]:
    """Return the teams that have a run by what ranks now and none by the candidate: they would leave the board.

    The organisers' own runs keep nobody from publishing: those that are no longer valid are named on the page.
    """
    in_force = gold_in_force(gold.phase, gold.scenario)
    standing = Result.objects.filter(scoring__submission__withdrawn=None)
    now = standing.counting().filter(scoring__gold=in_force, scoring__submission__reference="")
    then = standing.filter(scoring__gold=gold, scoring__engine_version=engine_of(gold))
    # Compared here, as one query would search all runs for each team.
    lost = _teams(now) - _teams(then)
    return list(Team.objects.filter(pk__in=lost).order_by("name")) if lost else []


def _teams(results: QuerySet[Result]) -> set[UUID]:
    return set(results.order_by().values_list("scoring__submission__team", flat=True).distinct())


def of_same_upload(gold: Gold) -> list[Gold]:
    """Return the candidates of other scenarios that came with this one in one file."""
    if not gold.is_candidate:
        return []
    others = Gold.objects.filter(phase=gold.phase_id, sha256=gold.sha256, state=Gold.State.CANDIDATE)
    return list(others.exclude(pk=gold.pk).select_related("phase__task", "scenario").order_by("scenario__number"))


def publish_all(golds: Iterable[Gold], *, by: User | None, note: str = "") -> None:
    """Let all candidates rank in one step; raise NotReady, and publish none, where one of them cannot."""
    with transaction.atomic():
        for gold in golds:
            publish(gold, by=by, note=note)


def publish(gold: Gold, *, by: User | None, note: str = "") -> None:
    """Let the candidate rank, gold or engine, in one step; raise NotReady where a team would leave the board."""
    with transaction.atomic():
        Phase.objects.select_for_update(no_key=True).get(pk=gold.phase_id)
        gold = Gold.objects.select_related("phase__task", "scenario").get(pk=gold.pk)
        if not gold.has_candidate or (gold.is_held and not due_to_decide().filter(pk=gold.pk).exists()):
            return
        progress, lost = progress_of(gold), teams_lost_by(gold)
        if lost or not progress.is_over:
            raise NotReady(gold, progress, lost)
        _publish(gold, by, note)
        update_board(gold.phase_id, gold.scenario_id, recounts=True)


def _publish(gold: Gold, by: User | None, note: str) -> None:
    number, task = gold.scenario.number, gold.phase.task
    about: dict[str, Any] = {"actor": by, "subject": gold.pk, "version": gold.version, "scenario": number}
    values: dict[str, Any]
    before = gold_in_force(gold.phase, gold.scenario) if gold.is_candidate else None
    if gold.is_candidate:
        tell_unscorable(gold, by=by)
        values = {"state": Gold.State.PUBLISHED, "published": timezone.now(), "published_by": by, "public_note": note}
        record(task, "gold published", **about, note=note, changes=_versions(before, gold))
    else:
        # A board says nothing where its numbers stay as they are.
        since = {"engine_since": timezone.now(), "engine_note": note} if note else {}
        values = {"engine": gold.candidate_engine, "candidate_engine": "", **since}
        engines = {"engine": (gold.engine, gold.candidate_engine)}
        record(task, "engine published", **about, note=note, changes=engines)
    Gold.objects.filter(pk=gold.pk).update(**values)
    raise_revision([gold.phase.task_id])
    if gold.is_candidate:
        hold_ranked_part(gold, by=by)
    if before and before.is_input:
        end_waiting(before, gold)
        notices.post_gold_came(gold)
    # That the ranked part decides was known beforehand, and comes with the release of the results.
    elif gold.is_candidate and before and not gold.is_held:
        notices.post_gold_changed(gold, before, note)


def let_ranked_parts_decide() -> None:
    """Publish each ranked part whose time has come and whose runs are all scored; the others are tried again."""
    for gold in due_to_decide():
        try:
            publish(gold, by=None)
        except NotReady as refusal:
            log.info("a ranked part cannot decide yet", gold=str(gold.pk), why=str(refusal))


def _versions(before: Gold | None, after: Gold) -> dict[str, tuple[str, str]]:
    return {"version": (str(before.version) if before else "", str(after.version))}


# Engines


def follow_engine(gold: Gold, *, by: User | None = None) -> Job | None:
    """Have the runs on a gold scored by the installed engine; return None where they are already, or wait for gold.

    Where another engine ranks, the new results lie beside those that count; results on a candidate gold count nowhere
    and are made again.
    """
    installed = gold.scenario.engine_version
    if gold.is_input:
        return None
    if gold.is_candidate and gold.engine not in ("", installed):
        gold.scorings.exclude(engine_version=installed).delete()
        Gold.objects.filter(pk=gold.pk).update(engine="")
        return schedule_rescoring(gold, by=by)
    candidate_engine = "" if gold.engine in ("", installed) else installed
    if candidate_engine == gold.candidate_engine and progress_of(gold).is_over:
        return None
    Gold.objects.filter(pk=gold.pk).update(candidate_engine=candidate_engine)
    return schedule_rescoring(gold, by=by)


def refresh_candidates(phase_id: UUID, scenario_id: UUID) -> None:
    """Have the changes by a candidate computed again, after a run has changed or been scored."""
    for gold in _candidates(phase_id, scenario_id).only("phase").order_by():  # mostly there is none
        schedule_rescoring(gold)


def _candidates(phase: UUID, scenario: UUID) -> QuerySet[Gold]:
    has_candidate = Q(state__in=(Gold.State.CANDIDATE, Gold.State.HELD)) | ~Q(candidate_engine="")
    return Gold.objects.filter(has_candidate, phase=phase, scenario=scenario)
