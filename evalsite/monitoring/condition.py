"""Measures the site's condition by a few light queries: what waits, what has been done, and how long ago."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, F, Min, Q

from evalsite.base.faults import FILE_FAULTS
from evalsite.base.moment import database_now
from evalsite.leaderboard.models import Board
from evalsite.submissions.models import Scoring, Submission
from evalsite.upkeep.models import BEAT_LATE, Pulse

State = Scoring.State
N_RECENT = 200  # scorings that the usual duration is computed from
RECENT = timedelta(hours=1)
PATIENCE = timedelta(minutes=1)  # a longer wait is too long


@dataclass(frozen=True)
class Condition:
    """The site's condition at one moment."""

    at: datetime
    n_queued: int  # scorings
    n_running: int
    n_lacking: int  # of those queued, that lack a file and wait until it is brought back
    oldest: timedelta | None  # wait of the oldest of the others; None if none waits
    since_last: timedelta | None  # since a scoring ended; None if none has ended within `RECENT`
    n_ended: dict[str, int]  # by state: scorings that ended within `RECENT`
    durations: tuple[float, ...]  # seconds from begin to end of the last ones that were scored, ascending
    n_uploads: int  # within `RECENT`
    n_stale_boards: int  # that miss a result
    stalest: timedelta | None  # how long the most outdated board has missed a result
    beat_silent: timedelta | None  # since the last pulse of beat; None if there was none

    @property
    def is_delayed(self) -> bool:
        """Return whether uploads wait and none has been worked on for a while."""
        waits_long = self.oldest is not None and self.oldest > PATIENCE
        return waits_long and (self.since_last is None or self.since_last > PATIENCE)

    @property
    def is_busy(self) -> bool:
        """Return whether uploads wait for long, though others are being scored."""
        return self.oldest is not None and self.oldest > PATIENCE and not self.is_delayed

    @property
    def boards_are_late(self) -> bool:
        return self.stalest is not None and self.stalest > PATIENCE

    @property
    def is_late(self) -> bool:
        """Return whether beat has been silent, so that periodic work is not done."""
        return self.beat_silent is not None and self.beat_silent > BEAT_LATE

    def duration(self, share: float) -> float | None:
        """Return the seconds within which this share of the recent scorings was done."""
        if not self.durations:
            return None
        return self.durations[min(len(self.durations) - 1, int(share * len(self.durations)))]


def condition() -> Condition:
    now = database_now()
    ended = Scoring.objects.filter(finished__gt=now - RECENT).order_by()
    unfinished = Scoring.objects.filter(state__in=Scoring.UNFINISHED, awaits_judge=False).order_by()
    is_queued, lacks_file = Q(state=State.QUEUED), Q(fault__in=FILE_FAULTS)
    waiting = unfinished.aggregate(
        queued=Count("pk", filter=is_queued),
        running=Count("pk", filter=Q(state=State.RUNNING)),
        lacking=Count("pk", filter=is_queued & lacks_file),
        oldest=Min("created", filter=is_queued & ~lacks_file),
    )
    times = Scoring.objects.filter(state=State.SCORED, finished__gt=now - RECENT, started__isnull=False)
    recent = times.order_by("-finished").annotate(took=F("finished") - F("started")).values_list("took", flat=True)
    last = ended.order_by("-finished").values_list("finished", flat=True).first()
    stale = Board.objects.filter(made__lt=F("wanted")).aggregate(n=Count("pk"), since=Min("stale_since"))
    return Condition(
        at=now,
        n_queued=waiting["queued"],
        n_running=waiting["running"],
        n_lacking=waiting["lacking"],
        oldest=_age(waiting["oldest"], now),
        since_last=_age(last, now),
        n_ended=dict(ended.values_list("state").annotate(n=Count("pk"))),
        durations=tuple(sorted(took.total_seconds() for took in recent[:N_RECENT])),
        n_uploads=Submission.objects.filter(created__gt=now - RECENT).order_by().count(),
        n_stale_boards=stale["n"],
        stalest=_age(stale["since"], now),
        beat_silent=_age(Pulse.objects.filter(name=Pulse.Name.BEAT).values_list("last", flat=True).first(), now),
    )


def _age(since: datetime | None, now: datetime) -> timedelta | None:
    return None if since is None else max(timedelta(0), now - since)
