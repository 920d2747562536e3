"""Sentences on the pages of a task whose grammar hangs on its numbers, and the words for states and events."""

from collections.abc import Iterator
from datetime import datetime

from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy, ngettext, ngettext_lazy, pgettext, pgettext_lazy

from evalsite.challenges.forms.zones import in_zone, zone_called
from evalsite.challenges.models import Phase
from evalsite.wording import amount, day, duration, utc
from scoring.budget import Detail


def notice_of_brought() -> str:
    """Return the notice to those who would upload scores that the organisers bring."""
    return gettext("These scores are made elsewhere and brought by the organisers: nobody uploads them here.")


def closing_moved(phase: Phase) -> str:
    """Return all closings that people have been told, in the task's zone, and when the last move was made."""
    zone, moves = phase.task.zone, phase.moves
    closings = [*(move.closes for move in moves), phase.closes]
    times = " → ".join(in_zone(closes, zone) if closes else gettext("no closing") for closes in closings)
    last = moves[-1].moved_on.astimezone(zone_called(zone)).date()
    return gettext("Closing moved: %(closings)s (on %(day)s).") % {"closings": times, "day": day(last)}


def uploads_allowed(phase: Phase) -> SafeString | str:
    """Return how often a team may upload a run to the phase, in words."""
    parts = list(_limits_in_words(phase))
    if not parts:
        return gettext("As many uploads as you like.")
    sentence = gettext("{limits} for each team.") if len(parts) == 1 else gettext("{limits}, for each team.")
    return format_html(sentence, limits=format_html_join(", ", "{}", ((part,) for part in parts)))


def _limits_in_words(phase: Phase) -> Iterator[SafeString]:
    """Yield the limits, of which the first names what is counted."""
    in_window, in_year, in_total = phase.window_limit, phase.year_limit, phase.total_limit
    if in_window:
        sentence = ngettext(
            '<span class="number">{n} upload</span> a {window}',
            '<span class="number">{n} uploads</span> a {window}',
            in_window,
        )
        yield format_html(sentence, n=amount(in_window), window=duration(phase.window))
    if in_year:
        if in_window:
            sentence = pgettext("uploads", '<span class="number">{n}</span> {year}')
        else:
            sentence = ngettext(
                '<span class="number">{n} upload</span> {year}',
                '<span class="number">{n} uploads</span> {year}',
                in_year,
            )
        yield format_html(sentence, n=amount(in_year), year=_year(phase))
    if in_total:
        if in_window or in_year:
            sentence = pgettext("uploads", '<span class="number">{n}</span> in total')
        else:
            sentence = ngettext(
                '<span class="number">{n} upload</span> in total',
                '<span class="number">{n} uploads</span> in total',
                in_total,
            )
        yield format_html(sentence, n=amount(in_total))


def _year(phase: Phase) -> str:
    if phase.year == Phase.Year.ROLLING:
        return pgettext("so many uploads", "in any 365 days")
    return pgettext("so many uploads", "a calendar year")


def public_gold(phase: str, opens: datetime) -> str:
    asked = gettext("%(phase)s opens on %(opens)s, but everybody could download its gold at once. Are you sure?")
    return asked % {"phase": phase, "opens": utc(opens)}


def detail_told(detail: Detail | None) -> str:
    """Return what teams are told of a run while the gold is hidden; "" where nothing is kept from them."""
    return "" if detail is None else str(_DETAILS[detail])


_DETAILS: dict[Detail, Promise] = {
    Detail.TABLES: gettext_lazy("For each run you see its scores, and tables by label and group."),
    Detail.SCORES: gettext_lazy(
        "For each run you see only its scores: with more, a team could use its uploads to reconstruct the hidden gold."
    ),
    Detail.HEADLINE: gettext_lazy(
        "For each run you see only the score that ranks: with more, a team could use its uploads to "
        "reconstruct the hidden gold."
    ),
}


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
    words = _STATES.get(state)
    number = amount(n_submissions)
    return str(words % {"n": n_submissions, "number": number}) if words else f"{number} {state}"


# Of submissions, by the state of their scorings.
_STATES: dict[str, Promise] = {
    "queued": ngettext_lazy("%(number)s queued", "%(number)s queued", "n"),
    "running": ngettext_lazy("%(number)s running", "%(number)s running", "n"),
    "scored": ngettext_lazy("%(number)s scored", "%(number)s scored", "n"),
    "refused": ngettext_lazy("%(number)s refused", "%(number)s refused", "n"),
    "failed": ngettext_lazy("%(number)s failed", "%(number)s failed", "n"),
    "cancelled": ngettext_lazy("%(number)s cancelled", "%(number)s cancelled", "n"),
}
