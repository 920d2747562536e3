"""Scorings that met a fault of the machine rest and are tried again, however often; they use up no attempts."""

from datetime import timedelta
from typing import Any

import structlog
from django.db.models import F
from django.db.models.functions import Now

from evalsite.base.faults import Fault
from evalsite.submissions.models import Scoring
from evalsite.submissions.telling import tell_of_machine

log = structlog.get_logger()
# Each rest is longer than the one before by the shortest one. So after a fault of some minutes nothing rests for longer
# than a minute, and after one of a night nothing for longer than the longest, while a try costs next to nothing.
SHORTEST, LONGEST = timedelta(seconds=15), timedelta(minutes=10)


def rest(scoring: Scoring, fault: Fault, error: str) -> str:
    """Back to the queue for a while, without the attempt that it has begun; returns its state, as an ending does."""
    log.warning("scoring rests", fault=fault, error=error, rests=scoring.rests + 1)
    pause = min(SHORTEST * (scoring.rests + 1), LONGEST)
    if not scoring.own.release(pause, attempts=F("attempts") - 1, rests=F("rests") + 1, fault=fault, error=error):
        return ""
    tell_of_machine(fault, error)
    return Scoring.State.QUEUED


def wake(**which: Any) -> int:
    """Let those of the resting scorings that `which` names be due now; returns how many."""
    resting = Scoring.objects.waiting().filter(not_before__gt=Now())
    return resting.filter(**which).update(not_before=Now(), enqueued=None)
