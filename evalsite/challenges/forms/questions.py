"""Questions that are asked back about times of a phase or a download that are allowed, but rarely meant."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from django.utils.translation import gettext

from evalsite.base.fields import FIRST_YEAR
from evalsite.wording import utc

EARLIEST = datetime(2000, 1, 1, tzinfo=UTC)

Question = tuple[str | None, str]  # the field that it stands at, None for the whole form; what is asked


@dataclass(frozen=True)
class Times:
    """The times of a phase."""

    opens: datetime
    closes: datetime | None
    released: datetime | None

    def is_open(self, now: datetime) -> bool:
        return self.opens <= now and not self.is_closed(now)

    def is_closed(self, now: datetime) -> bool:
        return self.closes is not None and self.closes <= now

    def closes_earlier_than(self, other: "Times") -> bool:
        return self.closes is not None and (other.closes is None or self.closes < other.closes)

    def is_released(self, now: datetime) -> bool:
        return self.released is not None and self.released <= now


def implausible(values: Mapping[str, datetime | None]) -> Iterator[Question]:
    """Yield a question for each date that is hardly meant; `values` are the times that were entered, by field.

    Years that no row can have are refused by its model.
    """
    for field, time in values.items():
        if time and time.year >= FIRST_YEAR and time < EARLIEST:
            yield field, gettext("Do you really mean the year %(year)s?") % {"year": time.year}


def about_phase(
    before: Times | None, after: Times, last_download: datetime | None, now: datetime
) -> Iterator[Question]:
    """Yield questions about a phase that is new, or whose times were changed."""
    opens, closes, released = after.opens, after.closes, after.released
    if released and released < opens:
        asked = gettext("Results would be released before the phase opens on %(opens)s. Are you sure?")
        yield "results_released", asked % {"opens": utc(opens)}
    elif released and closes and released < closes:
        asked = gettext("Results would be released before the phase closes on %(closes)s. Are you sure?")
        yield "results_released", asked % {"closes": utc(closes)}
    if closes and last_download and closes < last_download and (before is None or closes != before.closes):
        asked = gettext("The phase would close before the last download is offered, on %(offered)s.")
        yield "closes", asked % {"offered": utc(last_download)}
    if before is None:
        return
    if before.is_released(now) and not after.is_released(now):
        yield "results_released", gettext("The results are already public. Hide them again?")
    if before.is_open(now) and after.is_closed(now):
        yield "closes", gettext("The phase is open, and this would close it at once. Are you sure?")
    elif before.is_closed(now) and closes != before.closes:
        yield "closes", _about_closed(before, after, now)


def _about_closed(before: Times, after: Times, now: datetime) -> str:
    if after.is_closed(now):
        asked = gettext("The phase has been closed since %(closed)s. Change that time anyway?")
    else:
        asked = gettext(
            "The phase has been closed since %(closed)s. This opens it again, and the final board is made "
            "again at the next closing. Are you sure?"
        )
    return asked % {"closed": utc(before.closes)}


def about_download(available_from: datetime, closings: Iterable[datetime | None]) -> Iterator[Question]:
    """Yield questions about a download that is new or was changed.

    `closings` are those of all phases, None for one that stays open.
    """
    listed = list(closings)
    ends = [closes for closes in listed if closes]
    if listed and len(ends) == len(listed) and available_from > max(ends):
        asked = gettext("Every phase will have closed by then, the last on %(closed)s. Are you sure?")
        yield "available_from", asked % {"closed": utc(max(ends))}
