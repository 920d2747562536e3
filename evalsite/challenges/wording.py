"""Sentences on the pages of a task whose grammar hangs on its numbers, and the words for states and events."""

from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy, ngettext, ngettext_lazy, pgettext_lazy

from evalsite.challenges.models import Phase
from evalsite.wording import amount, duration


def uploads_allowed(phase: Phase) -> SafeString | str:
    """How often a team may upload a run to the phase."""
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


def phase_state(state: str) -> str:
    """`open`, `paused`, `upcoming` or `closed`, as people read it."""
    return str(_PHASE_STATES.get(state, state))


_PHASE_STATES: dict[str, Promise] = {
    "open": pgettext_lazy("phase", "open"),
    "paused": pgettext_lazy("phase", "paused"),
    "upcoming": pgettext_lazy("phase", "upcoming"),
    "closed": pgettext_lazy("phase", "closed"),
}


def in_state(n_submissions: int, state: str) -> str:
    """3 scored: how many submissions have come to this state."""
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


def event_in_words(kind: str) -> str:
    """What happened, of a stored event whose kind is English."""
    return str(EVENTS.get(kind, kind))


# By the kinds that are stored.
EVENTS: dict[str, Promise] = {
    "task created": gettext_lazy("task created"),
    "task changed": gettext_lazy("task changed"),
    "scenario added": gettext_lazy("scenario added"),
    "scenario changed": gettext_lazy("scenario changed"),
    "scenario deleted": gettext_lazy("scenario deleted"),
    "phase added": gettext_lazy("phase added"),
    "phase changed": gettext_lazy("phase changed"),
    "phase deleted": gettext_lazy("phase deleted"),
    "download added": gettext_lazy("download added"),
    "download changed": gettext_lazy("download changed"),
    "download deleted": gettext_lazy("download deleted"),
    "gold added": gettext_lazy("gold added"),
    "gold adopted": gettext_lazy("gold adopted"),
    "gold deleted": gettext_lazy("gold deleted"),
    "submitted": pgettext_lazy("event", "submitted"),
    "queued again": pgettext_lazy("event", "queued again"),
    "cancelled": pgettext_lazy("event", "cancelled"),
    "withdrawn": pgettext_lazy("event", "withdrawn"),
    "restored": pgettext_lazy("event", "restored"),
    "reference set": pgettext_lazy("event", "reference set"),
    "method renamed": pgettext_lazy("event", "method renamed"),
    "runs brought along": pgettext_lazy("event", "runs brought along"),
    "team made": gettext_lazy("team made"),
    "team changed": gettext_lazy("team changed"),
    "team renamed": gettext_lazy("team renamed"),
    "team handed over": gettext_lazy("team handed over"),
    "invitation renewed": gettext_lazy("invitation renewed"),
    "member joined": gettext_lazy("member joined"),
    "member left": gettext_lazy("member left"),
    "member removed": gettext_lazy("member removed"),
}


def detail_in_words(name: str) -> str:
    """The name of something that a stored event tells of, such as of a field that was changed."""
    return str(_DETAILS.get(name, name))


_DETAILS: dict[str, Promise] = {
    "title": pgettext_lazy("detail of an event", "title"),
    "slug": pgettext_lazy("detail of an event", "slug"),
    "summary": pgettext_lazy("detail of an event", "summary"),
    "description": pgettext_lazy("detail of an event", "description"),
    "language": pgettext_lazy("detail of an event", "language"),
    "data_language": pgettext_lazy("detail of an event", "data_language"),
    "contact": pgettext_lazy("detail of an event", "contact"),
    "organisers": pgettext_lazy("detail of an event", "organisers"),
    "is_published": pgettext_lazy("detail of an event", "is_published"),
    "number": pgettext_lazy("detail of an event", "number"),
    "name": pgettext_lazy("detail of an event", "name"),
    "family": pgettext_lazy("detail of an event", "family"),
    "options": pgettext_lazy("detail of an event", "options"),
    "shown_scores": pgettext_lazy("detail of an event", "shown_scores"),
    "opens": pgettext_lazy("detail of an event", "opens"),
    "closes": pgettext_lazy("detail of an event", "closes"),
    "window": pgettext_lazy("detail of an event", "window"),
    "window_limit": pgettext_lazy("detail of an event", "window_limit"),
    "total_limit": pgettext_lazy("detail of an event", "total_limit"),
    "upload_megabytes": pgettext_lazy("detail of an event", "upload_megabytes"),
    "board_audience": pgettext_lazy("detail of an event", "board_audience"),
    "is_anonymous": pgettext_lazy("detail of an event", "is_anonymous"),
    "shows_scores": pgettext_lazy("detail of an event", "shows_scores"),
    "gold_released": pgettext_lazy("detail of an event", "gold_released"),
    "results_released": pgettext_lazy("detail of an event", "results_released"),
    "is_paused": pgettext_lazy("detail of an event", "is_paused"),
    "file": pgettext_lazy("detail of an event", "file"),
    "available_from": pgettext_lazy("detail of an event", "available_from"),
    "affiliation": pgettext_lazy("detail of an event", "affiliation"),
    "version": pgettext_lazy("detail of an event", "version"),
    "fault": pgettext_lazy("detail of an event", "fault"),
    "scorings": pgettext_lazy("detail of an event", "scorings"),
    "scenario": pgettext_lazy("detail of an event", "scenario"),
    "changed": pgettext_lazy("detail of an event", "changed"),
    "member": pgettext_lazy("detail of an event", "member"),
    "reference": pgettext_lazy("detail of an event", "reference"),
    "method": pgettext_lazy("detail of an event", "method"),
    "side": pgettext_lazy("detail of an event", "side"),
    "runs": pgettext_lazy("detail of an event", "runs"),
    "reason": pgettext_lazy("detail of an event", "reason"),
}
