"""What follows for a person's own runs from joining a team, for the pages of teams."""

from django import template

from evalsite.accounts.models import Team, User
from evalsite.submissions import wording
from evalsite.submissions.runs.transfers import Load, loads_of

register = template.Library()

register.filter(wording.brought)
register.filter(wording.to_bring)
register.filter(wording.waiting)


@register.simple_tag
def runs_to_bring(user: User, team: Team) -> list[Load]:
    return loads_of(user, team)
