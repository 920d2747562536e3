"""Mends runs that were collected before there was gold, and that the gold showed to be no valid ones: each once."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from django.db.models import QuerySet

from evalsite.accounts.models import Team
from evalsite.challenges.gold.versions import golds_of
from evalsite.challenges.models import Gold, Phase, Scenario
from evalsite.submissions.models import Choice, Scoring, Submission


@dataclass(frozen=True)
class Mend:
    """A run that its team may mend until a time, in the scenarios in which it could not be scored."""

    run: Submission
    scenarios: Sequence[Scenario]
    until: datetime


def open_mends(phase: Phase, teams: Collection[Team], now: datetime) -> list[Mend]:
    """Return what teams may mend now, the oldest run first; nothing once everybody can read the gold."""
    if phase.gold_released or phase.is_paused or phase.task.archived or not phase.mend_days:
        return []
    lasts = timedelta(days=phase.mend_days)
    of_teams: dict[str, Any] = {"submission__phase": phase, "submission__team__in": teams}
    refused = _refused().filter(finished__gt=now - lasts, **of_teams)
    if not refused.exists():  # as each form asks, and mostly in vain, without all the columns
        return []
    by_run: dict[Submission, list[Scoring]] = {}
    for scoring in sorted(refused.select_related("submission", "scenario"), key=_order):
        by_run.setdefault(scoring.submission, []).append(scoring)
    return [
        Mend(run, [scoring.scenario for scoring in scorings], min(_told_at(scoring) for scoring in scorings) + lasts)
        for run, scorings in by_run.items()
    ]


@cache  # built once, as each form asks it of other teams
def _refused() -> QuerySet[Scoring]:
    """Return the scorings of runs that were refused beside an input, and that nobody has mended."""
    return Scoring.objects.filter(
        gold__is_input=True,
        state=Scoring.State.REFUSED,
        submission__reference="",
        submission__withdrawn=None,
        submission__mended_by=None,
    ).order_by()


def _order(scoring: Scoring) -> tuple[datetime, int]:
    return scoring.submission.created, scoring.scenario.number


def _told_at(scoring: Scoring) -> datetime:
    assert scoring.finished is not None
    return scoring.finished


def mend_for(mends: Sequence[Mend], scenarios: Collection[Scenario], method: str) -> Mend | None:
    """Return what an upload for these scenarios mends: the run of the same method, else the oldest one."""
    fitting = [mend for mend in mends if set(scenarios) <= set(mend.scenarios)]
    return next((mend for mend in fitting if mend.run.method == method), fitting[0] if fitting else None)


def take_place(run: Submission) -> None:
    """Let a new run that mends another one be chosen where that was."""
    Choice.objects.filter(submission=run.mends_id).update(submission=run)


def newest_golds(phase: Phase) -> dict[Scenario, Gold]:
    """Return the golds beside which a mended run is checked: also candidates, as it was one that refused the run."""
    return {golds.newest.scenario: golds.newest for golds in golds_of([phase.pk], ("scenario",)).values()}
