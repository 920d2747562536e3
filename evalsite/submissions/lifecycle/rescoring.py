"""Scores again what the newest gold or engine has not scored, for one submission or a thousand, in a few queries."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Count, QuerySet

import scoring as engine
from evalsite.accounts.models import User
from evalsite.base.after_commit import delete_after_commit
from evalsite.base.faults import Fault
from evalsite.challenges.gold.versions import Golds, golds_of
from evalsite.challenges.models import Event, Gold, Scenario, Task
from evalsite.submissions.boards import update_board
from evalsite.submissions.lifecycle.awaiting_judges import unjudged_among
from evalsite.submissions.lifecycle.transitions import retry_now
from evalsite.submissions.models import Result, Scoring, Submission
from evalsite.submissions.runs.changing import record_all
from scoring.signature import version_of

State = Scoring.State


def score_again(submissions: Iterable[Submission], *, by: User | None) -> list[UUID]:
    """Queue what the current gold and engine have not scored; return the keys of the scorings.

    A score that stands is never overwritten. A run that was cancelled before it had a score stays cancelled, and a
    refused one is queued only for a newer gold or engine than the one that refused it.
    """
    with transaction.atomic():
        tried = _tried(submissions)
        golds = golds_of({phase for _, phase, _ in tried})
        revived: list[UUID] = []
        added: list[Scoring] = []
        unjudged = _unjudged(tried, golds)
        for (submission, phase, scenario), attempts in tried.items():
            for gold in golds[phase, scenario].to_score:
                if failed := attempts.to_revive(gold):
                    revived.append(failed)
                elif attempts.lack(gold):
                    added.append(
                        Scoring(
                            submission_id=submission,
                            scenario_id=scenario,
                            gold=gold,
                            engine_version=attempts.installed,
                            awaits_judge=(submission, gold.pk) in unjudged,
                        )
                    )
        Scoring.objects.bulk_create(added, ignore_conflicts=True)  # somebody else may do the same at the same time
        Scoring.objects.filter(pk__in=revived, state__in=(State.FAILED, State.CANCELLED)).update(**_AS_NEW)
        queued = [*revived, *(scoring.pk for scoring in added if not scoring.awaits_judge)]
        record_all("queued again", Submission.objects.filter(scorings__pk__in=queued).distinct(), by)
    return queued


def _unjudged(tried: Iterable[tuple[UUID, UUID, UUID]], golds: Mapping[tuple[UUID, UUID], Golds]) -> set[Any]:
    """Return (run, gold) of those that a judge has to score first."""
    runs: dict[Gold, list[UUID]] = {}
    for run, phase, scenario in tried:
        for gold in golds[phase, scenario].to_score:
            runs.setdefault(gold, []).append(run)
    return {(run, gold.pk) for gold, keys in runs.items() for run in unjudged_among(keys, gold)}


def score_anew(scenario: Scenario) -> list[UUID]:
    """Queue all runs of a scenario anew, whose options have changed in a draft; return the keys of the scorings.

    Unlike elsewhere scores that stand are removed: nobody but the organisers has seen them.
    """
    scorings = Scoring.objects.filter(scenario=scenario).exclude(state=State.CANCELLED)
    queued: list[UUID] = []
    with transaction.atomic():
        results = Result.objects.filter(scoring__in=scorings)
        delete_after_commit(file for result in results for file in (result.evaluation, result.unthinned) if file)
        results.delete()
        scorings.update(**_AS_NEW, awaits_judge=False)
        for gold in Gold.objects.filter(scorings__in=scorings).select_related("scenario").distinct():
            of_gold = scorings.filter(gold=gold)
            unjudged = unjudged_among(of_gold.values_list("submission", flat=True), gold)
            of_gold.filter(submission__in=unjudged).update(awaits_judge=True)
            update_board(gold.phase_id, gold.scenario_id, recounts=True)
        queued += scorings.filter(awaits_judge=False).values_list("pk", flat=True)
    return queued


def score_again_after(fault: Fault, tasks: QuerySet[Task], *, by: User | None) -> int:
    """Queue all that has failed with this fault in these tasks, and end the pause of what waits with it; return how
    many.

    It takes a few queries, however many these are, and one event for each task.
    """
    of_fault = Scoring.objects.filter(fault=fault, submission__phase__task__in=tasks)
    with transaction.atomic():
        failed = of_fault.filter(state=State.FAILED)
        installed = {version_of(family) for family in engine.FAMILIES.values()}
        of_older_engines = failed.exclude(engine_version__in=installed)
        older = list(Submission.objects.filter(scorings__in=of_older_engines).distinct())
        failed = failed.filter(engine_version__in=installed)
        by_task = failed.order_by().values_list("submission__phase__task").annotate(n=Count("pk"))
        Event.objects.bulk_create(
            Event(task_id=task, kind="queued again", actor=by, detail={"fault": fault, "scorings": n})
            for task, n in by_task
        )
        n_queued = failed.update(**_AS_NEW) + (len(score_again(older, by=by)) if older else 0)
        return n_queued + retry_now(fault=fault, submission__phase__task__in=tasks)


# A scoring that gets its three attempts again.
_AS_NEW: dict[str, Any] = {
    "state": State.QUEUED,
    "attempts": 0,
    "enqueued": None,
    "started": None,
    "finished": None,
    "problems": [],
    "causes": [],
    "error": "",
    "fault": "",
    "rests": 0,
    "not_before": None,
    "step": "",
}


@dataclass(frozen=True)
class _Attempts:
    """The scorings of a submission for one scenario."""

    installed: str  # version of the engine that the scenario has now
    scorings: list[Scoring] = field(default_factory=list)

    @property
    def _is_cancelled(self) -> bool:
        """Return True if the run was cancelled before it had a score."""
        states = {scoring.state for scoring in self.scorings}
        return State.CANCELLED in states and State.SCORED not in states

    def _by_this_engine(self) -> list[Scoring]:
        return [scoring for scoring in self.scorings if scoring.engine_version == self.installed]

    def to_revive(self, gold: Gold) -> UUID | None:
        """Return the scoring on this gold by this engine, if it ended through no fault of the file."""
        if self._is_cancelled:
            return None
        ended = (State.FAILED, State.CANCELLED)
        matching = (
            scoring for scoring in self._by_this_engine() if scoring.gold_id == gold.pk and scoring.state in ended
        )
        return next((scoring.pk for scoring in matching), None)

    def lack(self, gold: Gold) -> bool:
        """Return True if a scoring is missing for this run, gold and engine."""
        return not self._is_cancelled and not any(
            scoring.gold_id == gold.pk or (scoring.state == State.REFUSED and scoring.gold.version > gold.version)
            for scoring in self._by_this_engine()
        )


def _tried(submissions: Iterable[Submission]) -> dict[tuple[UUID, UUID, UUID], _Attempts]:
    """Return the attempts by (submission, phase, scenario), the earliest upload first."""
    scorings = (
        Scoring.objects.filter(submission__in=[submission.pk for submission in submissions])
        .select_related("submission", "gold", "scenario")
        .only(
            *("state", "engine_version", "submission__phase_id"),
            *("scenario__family", "scenario__options", "gold__version"),
        )
        .order_by("submission__created", "scenario__number")
    )
    tried: dict[tuple[UUID, UUID, UUID], _Attempts] = {}
    for scoring in scorings:
        key = (scoring.submission_id, scoring.submission.phase_id, scoring.scenario_id)
        tried.setdefault(key, _Attempts(scoring.scenario.engine_version)).scorings.append(scoring)
    return tried
