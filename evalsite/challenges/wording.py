"""Sentences on the pages of a task whose grammar hangs on its numbers, and the words for states and events."""

from datetime import datetime

from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy, ngettext, ngettext_lazy, pgettext_lazy

from evalsite.challenges.models import Phase
from evalsite.wording import amount, duration, utc


def said_of_brought() -> str:
    """What is said to who would upload scores that the organisers bring."""
    return gettext("These scores are made elsewhere, and the organisers bring them: nobody uploads them here.")


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


def public_gold(phase: str, opens: datetime) -> str:
    asked = gettext("%(phase)s opens on %(opens)s, but everybody could download its gold at once. Is that meant?")
    return asked % {"phase": phase, "opens": utc(opens)}


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
    "combined score changed": gettext_lazy("combined score changed"),
    "combined score removed": gettext_lazy("combined score removed"),
    "phase added": gettext_lazy("phase added"),
    "phase changed": gettext_lazy("phase changed"),
    "task deleted": gettext_lazy("task deleted"),
    "phase deleted": gettext_lazy("phase deleted"),
    "download added": gettext_lazy("download added"),
    "download changed": gettext_lazy("download changed"),
    "download deleted": gettext_lazy("download deleted"),
    "page added": gettext_lazy("page added"),
    "page changed": gettext_lazy("page changed"),
    "page moved": gettext_lazy("page moved"),
    "page deleted": gettext_lazy("page deleted"),
    "picture added": gettext_lazy("picture added"),
    "picture deleted": gettext_lazy("picture deleted"),
    "gold added": gettext_lazy("gold added"),
    "gold adopted": gettext_lazy("gold adopted"),
    "gold published": gettext_lazy("gold published"),
    "gold discarded": gettext_lazy("gold discarded"),
    "engine published": gettext_lazy("engine published"),
    "gold deleted": gettext_lazy("gold deleted"),
    "submitted": pgettext_lazy("event", "submitted"),
    "queued again": pgettext_lazy("event", "queued again"),
    "cancelled": pgettext_lazy("event", "cancelled"),
    "withdrawn": pgettext_lazy("event", "withdrawn"),
    "restored": pgettext_lazy("event", "restored"),
    "reference set": pgettext_lazy("event", "reference set"),
    "method renamed": pgettext_lazy("event", "method renamed"),
    "marked as late": pgettext_lazy("event", "marked as late"),
    "marked as in time": pgettext_lazy("event", "marked as in time"),
    "run chosen": pgettext_lazy("event", "run chosen"),
    "uploads allowed": pgettext_lazy("event", "uploads allowed"),
    "allowance ended": pgettext_lazy("event", "allowance ended"),
    "runs brought along": pgettext_lazy("event", "runs brought along"),
    "team made": gettext_lazy("team made"),
    "team changed": gettext_lazy("team changed"),
    "team renamed": gettext_lazy("team renamed"),
    "team handed over": gettext_lazy("team handed over"),
    "invitation renewed": gettext_lazy("invitation renewed"),
    "member joined": gettext_lazy("member joined"),
    "member left": gettext_lazy("member left"),
    "member removed": gettext_lazy("member removed"),
    "organiser invited": gettext_lazy("organiser invited"),
    "organiser joined": gettext_lazy("organiser joined"),
    "organiser left": gettext_lazy("organiser left"),
    "organiser removed": gettext_lazy("organiser removed"),
    "organiser's role changed": gettext_lazy("organiser's role changed"),
    "organiser's invitation void": gettext_lazy("organiser's invitation void"),
}


def detail_in_words(name: str) -> str:
    """The name of something that a stored event tells of, such as of a field that was changed."""
    return str(_DETAILS.get(name, name))


_DETAILS: dict[str, Promise] = {
    "title": pgettext_lazy("detail of an event", "title"),
    "slug": pgettext_lazy("detail of an event", "address"),
    "summary": pgettext_lazy("detail of an event", "summary"),
    "description": pgettext_lazy("detail of an event", "description"),
    "language": pgettext_lazy("detail of an event", "language"),
    "data_language": pgettext_lazy("detail of an event", "language of the data"),
    "contact": pgettext_lazy("detail of an event", "contact"),
    "organisers": pgettext_lazy("detail of an event", "organisers"),
    "is_published": pgettext_lazy("detail of an event", "published"),
    "number": pgettext_lazy("detail of an event", "number"),
    "name": pgettext_lazy("detail of an event", "name"),
    "family": pgettext_lazy("detail of an event", "family"),
    "options": pgettext_lazy("detail of an event", "options"),
    "shown_scores": pgettext_lazy("detail of an event", "shown scores"),
    "digits": pgettext_lazy("detail of an event", "digits"),
    "takes_reports": pgettext_lazy("detail of an event", "participants report scores of their own"),
    "opens": pgettext_lazy("detail of an event", "opens"),
    "closes": pgettext_lazy("detail of an event", "closes"),
    "late_until": pgettext_lazy("detail of an event", "late until"),
    "ranks_late": pgettext_lazy("detail of an event", "late runs are ranked"),
    "counts": pgettext_lazy("detail of an event", "what counts"),
    "uploads": pgettext_lazy("detail of an event", "uploads"),
    "beyond_limit": pgettext_lazy("detail of an event", "beyond the limits"),
    "until": pgettext_lazy("detail of an event", "until"),
    "team": pgettext_lazy("detail of an event", "team"),
    "phase": pgettext_lazy("detail of an event", "phase"),
    "window": pgettext_lazy("detail of an event", "while"),
    "window_limit": pgettext_lazy("detail of an event", "uploads in a while"),
    "total_limit": pgettext_lazy("detail of an event", "uploads in all"),
    "upload_megabytes": pgettext_lazy("detail of an event", "megabytes of an upload"),
    "board_audience": pgettext_lazy("detail of an event", "who sees the board"),
    "is_anonymous": pgettext_lazy("detail of an event", "without names"),
    "shows_scores": pgettext_lazy("detail of an event", "teams see their scores"),
    "gold_released": pgettext_lazy("detail of an event", "gold released"),
    "results_released": pgettext_lazy("detail of an event", "results released"),
    "is_paused": pgettext_lazy("detail of an event", "paused"),
    "pause_reason": pgettext_lazy("detail of an event", "reason of the pause"),
    "publish_at": pgettext_lazy("detail of an event", "published from"),
    "archived": pgettext_lazy("detail of an event", "archived"),
    "zone": pgettext_lazy("detail of an event", "time zone"),
    "text": pgettext_lazy("detail of an event", "text"),
    "file": pgettext_lazy("detail of an event", "file"),
    "available_from": pgettext_lazy("detail of an event", "offered from"),
    "affiliation": pgettext_lazy("detail of an event", "affiliation"),
    "version": pgettext_lazy("detail of an event", "version"),
    "fault": pgettext_lazy("detail of an event", "fault"),
    "scorings": pgettext_lazy("detail of an event", "scorings"),
    "scenario": pgettext_lazy("detail of an event", "scenario"),
    "changed": pgettext_lazy("detail of an event", "changed"),
    "member": pgettext_lazy("detail of an event", "member"),
    "person": pgettext_lazy("detail of an event", "person"),
    "address": pgettext_lazy("detail of an event", "address"),
    "role": pgettext_lazy("detail of an event", "role"),
    "reference": pgettext_lazy("detail of an event", "reference"),
    "method": pgettext_lazy("detail of an event", "method"),
    "side": pgettext_lazy("detail of an event", "side"),
    "runs": pgettext_lazy("detail of an event", "runs"),
    "reason": pgettext_lazy("detail of an event", "reason"),
    "note": pgettext_lazy("detail of an event", "note"),
    "sha256": pgettext_lazy("detail of an event", "fingerprint of the file"),
}
