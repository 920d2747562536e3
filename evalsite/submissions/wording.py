"""Sentences about runs that go from one team to another, whose grammar hangs on their numbers."""

from django.utils.html import format_html
from django.utils.safestring import SafeString

from evalsite.accounts.models import Team
from evalsite.submissions.bringing import Load, Share
from evalsite.submissions.intake import Quota
from evalsite.wording import counted, names, utc


def waiting(load: Load, team: Team) -> SafeString:
    """What the person who is about to join has uploaded alone, and what it hinders."""
    runs = counted(load.n_runs, "run")
    words = format_html("You have {} of {} as {}.", runs, names([load.task]), names([load.former]))
    phases = [share.phase.name for share in load.shares if share.binds]
    if not phases:
        return words
    sentence = "{} In {} you can upload for {} only once you have brought them along."
    return format_html(sentence, words, names(phases), names([team]))


def brought(share: Share, team: Team) -> SafeString:
    """The runs of a phase, and what the team has left there once they have come."""
    runs = format_html("{}: {}.", names([share.phase.name]), counted(share.n_runs, "run"))
    if not share.is_limited:
        return format_html("{} Uploads are not limited here.", runs)
    before, after = _left(share.before), _left(share.after)
    return format_html("{} {} has {} now, and {} with them.", runs, names([team]), before, after)


def _left(quota: Quota) -> str:
    if quota.left:
        return f"{counted(quota.left, 'upload')} left"
    return f"none left before {utc(quota.next_possible)}" if quota.next_possible else "none left"
