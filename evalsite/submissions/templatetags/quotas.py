"""What teams have left in a phase, for the pages of apps that import nothing from this one."""

from collections.abc import Sequence

from django import template

from evalsite.accounts.models import Team, User
from evalsite.base import moment
from evalsite.challenges.models import Phase
from evalsite.submissions.receiving.admission import Standing, standings
from evalsite.submissions.receiving.quotas import is_limited

register = template.Library()


@register.simple_tag
def open_standings(phase: Phase, user: User, teams: Sequence[Team]) -> list[Standing]:
    """Of those teams for which the person can upload; each with its quota. [] where uploads are not limited."""
    found = standings(phase, user, moment.now()) if teams and is_limited(phase) else []
    return [each for each in found if each.team in teams and not each.reason and each.quota.left is not None]
