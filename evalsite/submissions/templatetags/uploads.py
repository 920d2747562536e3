"""Uploads on pages: causes of problems, quotas, phases that check files."""

from collections.abc import Iterable, Sequence
from typing import Any

from django import template
from django.conf import settings

from evalsite.accounts.models import Team, User
from evalsite.base import moment
from evalsite.challenges.models import Phase
from evalsite.submissions import wording
from evalsite.submissions.receiving.admission import Standing, standings

register = template.Library()

for words in (
    *(wording.allowance, wording.cause_lines, wording.cause_message, wording.left_aside),
    *(wording.once, wording.suggested, wording.uploads_left),
):
    register.filter(words)


@register.simple_tag
def open_standings(phase: Phase, user: User, teams: Sequence[Team]) -> list[Standing]:
    """Return the standing of each of these teams that the person can upload for; [] where uploads are not limited."""
    listed = standings(phase, user, moment.now()) if teams and phase.is_limited else []
    return [
        standing
        for standing in listed
        if standing.team in teams and not standing.reason and standing.quota.left is not None
    ]


@register.simple_tag
def opened_stages(stages: Iterable[Any]) -> list[Phase]:
    """Return the phases that take or took uploads and have gold to check them with, those with open scores first."""
    opened = [stage.phase for stage in stages if stage.entered and stage.phase.state != "upcoming"]
    return sorted(opened, key=lambda phase: not phase.gold_released)


@register.simple_tag
def most_to_check() -> dict[str, int]:
    """Return the limits of a check without an account."""
    return {"bytes": settings.MAX_OPEN_CHECK_BYTES, "files": settings.DATA_UPLOAD_MAX_NUMBER_FILES}
