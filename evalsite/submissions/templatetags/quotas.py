"""What a team has left in a phase, for the pages of apps that import nothing from this one."""

from django import template
from django.utils import timezone

from evalsite.accounts.models import Team
from evalsite.challenges.models import Phase
from evalsite.submissions.intake import Quota
from evalsite.submissions.intake import quota as quota_of

register = template.Library()


@register.simple_tag
def quota(phase: Phase, team: Team) -> Quota:
    return quota_of(phase, team, timezone.now())
