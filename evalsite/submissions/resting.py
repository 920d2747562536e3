"""Scorings that met a fault of the machine rest and are tried again, however often; they use up no attempts.

Each rests longer from time to time. Beside that one scoring of each fault goes ahead of the others now and then, and
when it gets through, the fault is over and all of them are due at once.
"""

from datetime import timedelta
from typing import Any

import structlog
from django.db.models import Count, F, QuerySet
from django.db.models.fields.files import FieldFile
from django.db.models.functions import Now

from evalsite.faults import OF_ONE_FILE, OF_THE_MACHINE, Fault
from evalsite.submissions.leases import held
from evalsite.submissions.models import Scoring
from evalsite.submissions.telling import tell_of_machine

log = structlog.get_logger()
State = Scoring.State
PAUSES = (
    timedelta(seconds=15),
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=15),
    timedelta(hours=1),
    timedelta(hours=4),
    timedelta(days=1),
)
_SCOUTED_FOR = timedelta(days=1)  # after its upload a scoring is sent ahead
_MOST_LOOKED_FOR = 20  # lost files at a time, as each costs a look at the storage


def rest(scoring: Scoring, fault: Fault, error: str) -> str:
    """Back to the queue for a while, without the attempt that it has begun; returns its state, as an ending does."""
    log.warning("scoring rests", fault=fault, error=error, rests=scoring.rests + 1)
    pause = PAUSES[min(scoring.rests, len(PAUSES) - 1)]
    rests = held(scoring).update(
        state=State.QUEUED,
        lease=None,
        lease_ends=None,
        step="",
        enqueued=None,
        attempts=F("attempts") - 1,
        rests=F("rests") + 1,
        not_before=Now() + pause,
        fault=fault,
        error=error,
    )
    if not rests:
        return ""
    tell_of_machine(fault, error)
    return State.QUEUED


def resting() -> QuerySet[Scoring]:
    return Scoring.objects.filter(state=State.QUEUED, not_before__gt=Now())


def wake(**which: Any) -> int:
    """Let those of the resting scorings that `which` names be due now; returns how many."""
    return resting().filter(**which).update(not_before=Now(), enqueued=None)


def wake_after(scoring: Scoring) -> None:
    """A scoring that has rested got through: what kept it from that keeps the others no longer."""
    if scoring.fault in OF_THE_MACHINE and (n_woken := wake(fault=scoring.fault)):
        log.info("a fault is over", fault=scoring.fault, woken=n_woken)


def send_scouts() -> None:
    """Of each fault let the scoring that has waited longest go ahead of the others.

    Of a file that is lost one scoring alone tells nothing, and the next one would not find it either; where several
    miss theirs, it may be the folder of all of them.
    """
    ahead = resting().filter(created__gt=Now() - _SCOUTED_FOR).order_by("not_before")
    for fault, n_resting in ahead.order_by().values_list("fault").annotate(n=Count("pk")):
        if n_resting > 1 or fault not in OF_ONE_FILE:
            scout = ahead.filter(fault=fault).values_list("pk", flat=True)[:1]
            Scoring.objects.filter(pk__in=list(scout), state=State.QUEUED).update(not_before=Now())


def wake_where_files_are_back() -> None:
    """A scoring whose lost file is there again is due, as when a folder is mounted again; of many the next ones."""
    missing = resting().filter(fault=Fault.FILE_MISSING).select_related("submission", "gold").order_by("not_before")
    back = [each.pk for each in missing[:_MOST_LOOKED_FOR] if _is_there(each.submission.file, each.gold.file)]
    Scoring.objects.filter(pk__in=back, state=State.QUEUED).update(not_before=Now())


def _is_there(*files: FieldFile) -> bool:
    try:
        return all(file.storage.exists(file.name or "") for file in files)
    except OSError:  # the storage is away
        return False
