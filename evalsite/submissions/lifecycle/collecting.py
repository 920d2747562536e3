"""Runs that were collected before there was gold: what becomes of them when it comes.

They wait on the phase's input (a gold that `is_input`) as others wait for a judge. The gold comes as a candidate, on
which all of them are scored. A run that it refuses is told to its team when organisers say so, at the latest when they
publish: from then on it is refused on the input too, and its team may mend it (evalsite.submissions.runs.mending).
"""

from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from evalsite.accounts.models import User
from evalsite.challenges.gold.versions import gold_in_force
from evalsite.challenges.models import Gold, record
from evalsite.submissions import notices
from evalsite.submissions.lifecycle.awaiting_judges import AWAITS_JUDGE
from evalsite.submissions.models import Scoring

State = Scoring.State
_TOLD = ("problems", "causes", "broke_limits")


def input_before(gold: Gold) -> Gold | None:
    """Return the input on which runs wait for this candidate."""
    before = gold_in_force(gold.phase, gold.scenario) if gold.is_candidate else None
    return before if before and before.is_input else None


def waiting_on(before: Gold) -> QuerySet[Scoring]:
    return Scoring.objects.filter(AWAITS_JUDGE, gold=before)


def unscorable(gold: Gold) -> QuerySet[Scoring]:
    """Return the scorings that this candidate refuses and whose teams have not been told."""
    before = input_before(gold)
    if before is None:
        return Scoring.objects.none()
    refused = Scoring.objects.filter(gold=gold, state=State.REFUSED).select_related("submission")
    return refused.filter(submission__in=waiting_on(before).values("submission"))


def tell_unscorable(gold: Gold, *, by: User | None) -> int:
    """Tell the teams which of their runs the candidate refuses, and return how many; each may be mended from now on."""
    before = input_before(gold)
    if before is None:
        return 0
    with transaction.atomic():
        waiting = {scoring.submission_id: scoring for scoring in waiting_on(before).select_for_update(of=("self",))}
        runs = []
        for refused in unscorable(gold):
            scoring = waiting[refused.submission_id]
            for name in _TOLD:
                setattr(scoring, name, getattr(refused, name))
            scoring.state, scoring.finished = State.REFUSED, timezone.now()
            scoring.save(update_fields=["state", "finished", *_TOLD])
            runs.append(refused.submission)
        if runs:
            about: dict[str, Any] = {"version": gold.version, "scenario": gold.scenario.number, "n": len(runs)}
            record(gold.phase.task, "unscorable runs told", actor=by, subject=gold.pk, **about)
            notices.post_unscorable(gold.phase, runs)
    return len(runs)


def end_waiting(before: Gold, gold: Gold) -> None:
    """Let no run wait on the input any more that the gold, which was published now, has scored."""
    scored = Scoring.objects.filter(gold=gold).values("submission")
    waiting_on(before).filter(submission__in=list(scored.values_list("submission", flat=True))).delete()


def wait_again(gold: Gold) -> None:
    """Let runs wait again that a former candidate has refused, but for those that were mended."""
    before = gold_in_force(gold.phase, gold.scenario)
    if before is None or not before.is_input:
        return
    refused = Scoring.objects.filter(gold=before, state=State.REFUSED, submission__mended_by=None)
    refused.update(state=State.QUEUED, finished=None, problems=[], causes=[], broke_limits=False)
