"""Puts the site's condition into words for participants."""

from dataclasses import dataclass
from datetime import timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from evalsite.monitoring.condition import Condition
from evalsite.wording import amount, counted


@dataclass(frozen=True)
class StatusLine:
    """One line of the status page."""

    title: str
    words: str
    is_well: bool


def status_lines(condition: Condition, *, stores: bool, writes: bool) -> list[StatusLine]:
    """Return the lines of the page; `stores`: the storage answers; `writes`: the database takes changes."""
    lines = [_uploads_line(condition, stores=stores, writes=writes), _scoring_line(condition), _boards_line(condition)]
    return [*lines, _beat_line(condition)] if condition.is_late else lines


def _uploads_line(condition: Condition, *, stores: bool, writes: bool) -> StatusLine:
    """Say what was taken, and promise nothing of the next upload: a disk can fill up at any moment."""
    title = _("Uploads")
    if not writes:
        words = _("Nothing can be changed at the moment, so uploads are not accepted. Try again in a few minutes.")
        return StatusLine(title, words, is_well=False)
    if not stores:
        words = _("Files cannot be stored at the moment, so uploads are not accepted. Try again in a few minutes.")
        return StatusLine(title, words, is_well=False)
    words = ngettext(
        "%(n)s upload was accepted within the last hour.",
        "%(n)s uploads were accepted within the last hour.",
        condition.n_uploads,
    )
    return StatusLine(title, words % {"n": amount(condition.n_uploads)}, is_well=True)


def _scoring_line(condition: Condition) -> StatusLine:
    title = _("Scoring")
    if condition.is_delayed:
        words = _(
            "Scoring has stopped: the oldest upload in the queue has been waiting for %(time)s. "
            "Nothing is lost, and everything in the queue is scored as soon as scoring resumes. "
            "There is no need to upload again."
        )
        return StatusLine(title, words % {"time": _duration(condition.oldest)}, is_well=False)
    waits = _waiting(condition)
    if condition.n_lacking:
        words = ngettext(
            ("%(n)s scoring is missing a file on our side and waits until it is restored; nothing else is affected."),
            ("%(n)s scorings are missing a file on our side and wait until it is restored; nothing else is affected."),
            condition.n_lacking,
        )
        return StatusLine(title, f"{waits} {words % {'n': amount(condition.n_lacking)}}", is_well=False)
    return StatusLine(title, waits, is_well=True)


def _waiting(condition: Condition) -> str:
    """Say how many scorings wait, leaving out those that lack a file."""
    n_waiting = condition.n_queued - condition.n_lacking
    if condition.is_busy:
        words = ngettext(
            "%(n)s scoring has been waiting for %(time)s. It starts when those before it are done.",
            "%(n)s scorings are waiting, the oldest for %(time)s. They are scored one after the other.",
            n_waiting,
        )
        return words % {"n": amount(n_waiting), "time": _duration(condition.oldest)}
    if n_waiting:
        return ngettext("%(n)s scoring is waiting.", "%(n)s scorings are waiting.", n_waiting) % {
            "n": amount(n_waiting)
        }
    usual = condition.duration(0.5)
    if usual is None:
        return _("The queue is empty.")
    words = _("The queue is empty. Recent scorings took about %(time)s.")
    return words % {"time": _duration(timedelta(seconds=usual))}


def _boards_line(condition: Condition) -> StatusLine:
    title = _("Boards")
    if condition.boards_are_late:
        words = ngettext(
            "%(n)s board does not show the newest results yet. It can still be read.",
            "%(n)s boards do not show the newest results yet. They can still be read.",
            condition.n_stale_boards,
        )
        return StatusLine(title, words % {"n": amount(condition.n_stale_boards)}, is_well=False)
    return StatusLine(title, _("Boards show all results."), is_well=True)


def _beat_line(condition: Condition) -> StatusLine:
    words = _(
        "The site's regular background work has stopped for %(time)s, so boards, mail and runs "
        "that met a fault may be late. Nothing is lost."
    )
    return StatusLine(_("Clock"), words % {"time": _duration(condition.beat_silent)}, is_well=False)


def _duration(time: timedelta | None) -> str:
    seconds = max(1, round(time.total_seconds())) if time else 0
    if seconds >= 2 * 3600:
        return counted(seconds // 3600, "hour")
    return counted(seconds // 60, "minute") if seconds >= 120 else counted(seconds, "second")
