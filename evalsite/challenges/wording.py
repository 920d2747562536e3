"""Sentences on the pages of a task whose grammar hangs on its numbers."""

from django.utils.html import format_html
from django.utils.safestring import SafeString

from evalsite.challenges.models import Phase
from evalsite.wording import duration, number


def uploads_allowed(phase: Phase) -> SafeString | str:
    """How often a team may upload a run to the phase."""
    in_total = phase.total_limit
    if phase.window_limit:
        total = format_html(", {} in total,", number(in_total)) if in_total else ""
        limit = number(_uploads(phase.window_limit))
        return format_html("{} a {}{} for each team.", limit, duration(phase.window), total)
    if in_total:
        return format_html("{} in total for each team.", number(_uploads(in_total)))
    return "As many uploads as you like."


def _uploads(limit: int) -> str:
    return f"{limit} upload{'' if limit == 1 else 's'}"
