"""Sentences about uploads whose grammar depends on their parts: causes of problems, transfers of runs."""

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext

import scoring as engine
from evalsite.accounts.models import Team
from evalsite.challenges.models import Phase
from evalsite.submissions.quotas import AllowanceUsage, Quota
from evalsite.submissions.runs.transfers import PhaseShare, Transfer
from evalsite.translating.engine import from_engine
from evalsite.wording import amount, counted, names, utc
from scoring.readers.explanations import Explanation, Location


def cause_message(cause: Explanation) -> str:
    """Return what is wrong, without the lines to be copied, which are its `script`."""
    text = from_engine(cause.message).partition("\n")[0]
    return text[:1].upper() + text[1:]


def cause_lines(place: Location) -> str:
    """Return "line 3, column 4" or "lines 2, 5 and 7 to 9", or the name that the file should have."""
    return from_engine(place.lines)


def suggested(oddity: engine.Oddity) -> str:
    """Return how an oddity may be mended: a question, or advice with a full stop."""
    text = from_engine(oddity.suggestion)
    return text if text.endswith("?") else f"{text}."


def uploads_left(quota: Quota) -> SafeString:
    """Return "5 uploads left."."""
    n = quota.left or 0
    words = ngettext("{number} upload left.", "{number} uploads left.", n)
    return format_html(words, number=format_html('<strong class="number">{}</strong>', amount(n)))


def allowance(usage: AllowanceUsage, phase: Phase) -> SafeString:
    """Return "3 + 1 upload, given by the organisers: server was down"."""
    allowed = usage.allowance
    words = ngettext(
        "{limit} + {n} upload, granted by the organisers: {reason}",
        "{limit} + {n} uploads, granted by the organisers: {reason}",
        allowed.uploads,
    )
    limits = (phase.total_limit, phase.year_limit, phase.window_limit)
    limit = next((each for each in limits if each is not None), 0)
    parts = {"limit": amount(limit), "n": amount(allowed.uploads), "reason": names([allowed.reason])}
    return format_html("{} {}", format_html(words, **parts), _usage_in_words(usage))


def _usage_in_words(usage: AllowanceUsage) -> str:
    """Return what became of the allowance."""
    if usage.n_used and not usage.n_left:
        return gettext("(used)")
    if not usage.n_left:
        return gettext("(ended)")
    if usage.allowance.until:
        return gettext("(until %(time)s)") % {"time": utc(usage.allowance.until)}
    return ""


def waiting(load: Transfer, team: Team) -> SafeString:
    """Say what the person who is about to join has uploaded alone, and what that hinders."""
    parts = {
        "runs": counted(load.n_runs, "run"),
        "task": names([load.task]),
        "former": names([load.former]),
        "phases": names([share.phase.name for share in load.shares if share.binds]),
        "team": names([team]),
    }
    if not parts["phases"]:
        return format_html(gettext("You have {runs} of {task} as {former}."), **parts)
    words = gettext(
        "You have {runs} of {task} as {former}. In {phases} you can upload for {team} only once you have brought them "
        "along."
    )
    return format_html(words, **parts)


def to_bring(load: Transfer) -> SafeString:
    """Name the runs of a task, beside the box by which they are chosen."""
    words = ngettext("{task}: {n} run of {former}", "{task}: {n} runs of {former}", load.n_runs)
    task = format_html('<span class="name" lang="{}" dir="auto">{}</span>', load.task.language, load.task)
    return format_html(words, task=task, n=amount(load.n_runs), former=names([load.former]))


def brought(share: PhaseShare, team: Team) -> SafeString:
    """Name the runs of a phase, and what the team has left there after the transfer."""
    parts = {"phase": names([share.phase.name]), "runs": counted(share.n_runs, "run"), "team": names([team])}
    if not share.is_limited:
        return format_html(gettext("{phase}: {runs}. Uploads are not limited here."), **parts)
    words = gettext("{phase}: {runs}. {team} has {before} now, and {after} with them.")
    text = format_html(words, before=_left(share.before), after=_left(share.after), **parts)
    return format_html("{} {}", text, beyond_limit(share.n_beyond)) if share.n_beyond else text


def beyond_limit(n_runs: int) -> str:
    """Say that so many runs of a joint team do not compete, and why."""
    words = ngettext(
        "%(n)s run of the joint team is beyond the uploads that the phase allows, and stands outside the ranks. The "
        "first in time compete.",
        "%(n)s runs of the joint team are beyond the uploads that the phase allows, and stand outside the ranks. The "
        "first in time compete.",
        n_runs,
    )
    return words % {"n": amount(n_runs)}


def _left(quota: Quota) -> str:
    if quota.left:
        return ngettext("%(n)s upload left", "%(n)s uploads left", quota.left) % {"n": amount(quota.left)}
    if quota.next_possible:
        return gettext("none left before %(time)s") % {"time": utc(quota.next_possible)}
    return gettext("none left")
