"""Draws how many runs came in on each of the last days, as a chart with its table."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from django.db.models import Count, DateField, Func, Max
from django.utils import timezone
from django.utils.translation import gettext, ngettext

from evalsite.challenges.models import Phase
from evalsite.submissions.models import Submission
from evalsite.wording import amount, day, day_and_month

N_DAYS = 28
WIDTH, HEIGHT = 720, 150
_TOP, _BASELINE = 22, 124
_EVERY = 7  # days from one label to the next


@dataclass(frozen=True)
class Bar:
    """A day, in UTC."""

    when: date
    n_uploads: int
    n_teams: int
    x: float
    y: float
    width: float
    height: float
    label: str  # below the axis; empty between the labels
    is_most: bool  # the first of the days with the most uploads

    @property
    def middle(self) -> float:
        return round(self.x + self.width / 2, 1)


@dataclass(frozen=True)
class Closing:
    """A phase that closed, or closes, on one of the days."""

    x: float
    label: str

    @property
    def is_late(self) -> bool:
        """Return whether its label stands on the left, since there is no room on the right."""
        return self.x > WIDTH / 2


@dataclass(frozen=True)
class Days:
    bars: list[Bar]
    closings: list[Closing]
    finding: str
    width: int = WIDTH
    height: int = HEIGHT
    baseline: int = _BASELINE

    @property
    def busy(self) -> list[Bar]:
        """Return the days on which something came in, the newest first."""
        return [bar for bar in reversed(self.bars) if bar.n_uploads]


def days_of(phases: Sequence[Phase]) -> Days | None:
    """Return the chart of the last four weeks, or of those before the last upload; None if there is no upload."""
    uploads = Submission.objects.filter(phase__in=phases, reference="").order_by()
    newest = uploads.aggregate(newest=Max("created"))["newest"]
    if newest is None:
        return None
    today = timezone.now().astimezone(UTC).date()
    last_upload = newest.astimezone(UTC).date()
    last = today if today - last_upload < timedelta(days=N_DAYS) else last_upload
    first = last - timedelta(days=N_DAYS - 1)
    since = datetime.combine(first, time(), UTC)
    counts = uploads.filter(created__gte=since).annotate(day=_DAY).values_list("day")
    by_day = {when: numbers for when, *numbers in counts.annotate(n=Count("pk"), teams=Count("team", distinct=True))}
    return chart([(first + timedelta(k), *by_day.get(first + timedelta(k), (0, 0))) for k in range(N_DAYS)], phases)


# The day in UTC, as times are stored; Django's TruncDate converts time zones, for which SQLite calls Python.
_DAY = Func("created", function="DATE", output_field=DateField())


def chart(days: Sequence[tuple[date, int, int]], phases: Sequence[Phase] = (), *, every: int = _EVERY) -> Days:
    """Return the chart of (day, uploads, teams), which are in their order and without a gap."""
    step = WIDTH / len(days)
    numbers = [n for _, n, _ in days]
    most = max(numbers)
    gap = min(4.0, step / 4)  # between two bars
    scale = (_BASELINE - _TOP) / max(most, 1)
    bars = [
        Bar(
            when=when,
            n_uploads=n,
            n_teams=n_teams,
            x=round(k * step + gap / 2, 1),
            y=round(_BASELINE - n * scale, 1),
            width=round(step - gap, 1),
            height=round(n * scale, 1),
            label=day_and_month(datetime.combine(when, time(), UTC)) if k % every == 0 else "",
            is_most=most > 0 and k == numbers.index(most),
        )
        for k, (when, n, n_teams) in enumerate(days)
    ]
    return Days(bars, _closings(bars, phases), _finding(bars))


def _closings(bars: Sequence[Bar], phases: Sequence[Phase]) -> list[Closing]:
    at = {bar.when: bar.middle for bar in bars}
    closed = [(phase, phase.closes.astimezone(UTC).date()) for phase in phases if phase.closes]
    words = gettext("%(phase)s closes")
    return [Closing(at[when], words % {"phase": phase.name}) for phase, when in closed if when in at]


def _finding(bars: Sequence[Bar]) -> str:
    total, busiest = sum(bar.n_uploads for bar in bars), max(bars, key=lambda bar: bar.n_uploads)
    if not total:
        return gettext("No uploads in the last four weeks.")
    words = ngettext(
        "%(n)s upload in four weeks.", "%(n)s uploads in four weeks; most on %(day)s, when there were %(most)s.", total
    )
    return words % {"n": amount(total), "day": day(busiest.when), "most": amount(busiest.n_uploads)}
