"""How the site is, in words for participants."""

from dataclasses import dataclass
from datetime import timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from evalsite.monitoring.condition import Condition
from evalsite.wording import counted


@dataclass(frozen=True)
class Said:
    """A part of the site and how it is."""

    title: str
    words: str
    is_well: bool


def said_of(condition: Condition) -> list[Said]:
    return [_of_uploads(), _of_scoring(condition), _of_boards(condition)]


def _of_uploads() -> Said:
    return Said(_("Uploads"), _("Uploads are taken."), is_well=True)


def _of_scoring(condition: Condition) -> Said:
    title = _("Scoring")
    if condition.is_delayed:
        words = _(
            "Scoring stands still: the upload that waits longest has waited for %(time)s. Nothing is lost, and "
            "everything that waits is scored as soon as it goes on. There is no need to upload again."
        )
        return Said(title, words % {"time": _time(condition.oldest)}, is_well=False)
    if condition.is_busy:
        words = _("Many uploads wait: %(n)s of them, the first for %(time)s. They are scored one after the other.")
        return Said(title, words % {"n": condition.n_queued, "time": _time(condition.oldest)}, is_well=True)
    if condition.n_queued:
        words = ngettext("%(n)s scoring waits.", "%(n)s scorings wait.", condition.n_queued)
        return Said(title, words % {"n": condition.n_queued}, is_well=True)
    usual = condition.duration(0.5)
    if usual is None:
        return Said(title, _("Nothing waits."), is_well=True)
    words = _("Nothing waits. Of late a scoring took about %(time)s.")
    return Said(title, words % {"time": _time(timedelta(seconds=usual))}, is_well=True)


def _of_boards(condition: Condition) -> Said:
    title = _("Boards")
    if condition.boards_are_late:
        words = ngettext(
            "%(n)s board does not show the newest results yet. It stays readable as it is.",
            "%(n)s boards do not show the newest results yet. They stay readable as they are.",
            condition.n_stale_boards,
        )
        return Said(title, words % {"n": condition.n_stale_boards}, is_well=False)
    return Said(title, _("Boards show all results."), is_well=True)


def _time(time: timedelta | None) -> str:
    seconds = max(1, round(time.total_seconds())) if time else 0
    if seconds >= 2 * 3600:
        return counted(seconds // 3600, "hour")
    return counted(seconds // 60, "minute") if seconds >= 120 else counted(seconds, "second")
