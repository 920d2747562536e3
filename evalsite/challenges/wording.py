"""Sentences on the pages of a task whose grammar hangs on its numbers, and the words for states and events."""

from datetime import datetime

from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext, ngettext_lazy, pgettext_lazy

from evalsite.challenges.forms.zones import in_zone, zone_called
from evalsite.challenges.models import Phase
from evalsite.wording import amount, day, duration, utc


def notice_of_brought() -> str:
    """Return the notice to those who would upload scores that the organisers bring."""
    return gettext("These scores are made elsewhere and brought by the organisers: nobody uploads them here.")


def closing_moved(phase: Phase) -> str:
    """Return all closings that people have been told, in the task's zone, and when the last move was made."""
    zone, moves = phase.task.zone, phase.moves
    closings = [*(move.closes for move in moves), phase.closes]
    told = " → ".join(in_zone(closes, zone) if closes else gettext("no closing") for closes in closings)
    last = moves[-1].moved_on.astimezone(zone_called(zone)).date()
    return gettext("Closing moved: %(closings)s (on %(day)s).") % {"closings": told, "day": day(last)}


def uploads_allowed(phase: Phase) -> SafeString | str:
    """Return how often a team may upload a run to the phase, in words."""
    in_total, in_window = phase.total_limit, phase.window_limit
    if in_window and in_total:
        said = ngettext(
            '<span class="number">{limit} upload</span> a {window}, <span class="number">{total}</span> in total, '
            "for each team.",
            '<span class="number">{limit} uploads</span> a {window}, <span class="number">{total}</span> in total, '
            "for each team.",
            in_window,
        )
    elif in_window:
        said = ngettext(
            '<span class="number">{limit} upload</span> a {window} for each team.',
            '<span class="number">{limit} uploads</span> a {window} for each team.',
            in_window,
        )
    elif in_total:
        said = ngettext(
            '<span class="number">{total} upload</span> in total for each team.',
            '<span class="number">{total} uploads</span> in total for each team.',
            in_total,
        )
    else:
        return gettext("As many uploads as you like.")
    limit, total = (amount(each) if each else "" for each in (in_window, in_total))
    return format_html(said, limit=limit, total=total, window=duration(phase.window) if in_window else "")


def public_gold(phase: str, opens: datetime) -> str:
    asked = gettext("%(phase)s opens on %(opens)s, but everybody could download its gold at once. Do you mean that?")
    return asked % {"phase": phase, "opens": utc(opens)}


def phase_state(state: str) -> str:
    """Return the state `open`, `paused`, `upcoming` or `closed` in words."""
    return str(_PHASE_STATES.get(state, state))


_PHASE_STATES: dict[str, Promise] = {
    "open": pgettext_lazy("phase", "open"),
    "paused": pgettext_lazy("phase", "paused"),
    "upcoming": pgettext_lazy("phase", "upcoming"),
    "closed": pgettext_lazy("phase", "closed"),
}


def in_state(n_submissions: int, state: str) -> str:
    """Return how many submissions are in this state, such as 3 scored."""
    said = _STATES.get(state)
    number = amount(n_submissions)
    return str(said % {"n": n_submissions, "number": number}) if said else f"{number} {state}"


# Of submissions, by the state of their scorings.
_STATES: dict[str, Promise] = {
    "queued": ngettext_lazy("%(number)s queued", "%(number)s queued", "n"),
    "running": ngettext_lazy("%(number)s running", "%(number)s running", "n"),
    "scored": ngettext_lazy("%(number)s scored", "%(number)s scored", "n"),
    "refused": ngettext_lazy("%(number)s refused", "%(number)s refused", "n"),
    "failed": ngettext_lazy("%(number)s failed", "%(number)s failed", "n"),
    "cancelled": ngettext_lazy("%(number)s cancelled", "%(number)s cancelled", "n"),
}
