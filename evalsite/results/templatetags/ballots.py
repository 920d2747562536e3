"""What a team chooses among its runs, on the page that lists them."""

from collections.abc import Mapping
from uuid import UUID

from django import template

from evalsite.results.choosing import Ballot
from evalsite.results.history import History

register = template.Library()


@register.filter
def of_history(ballots: Mapping[tuple[UUID, UUID], list[Ballot]], history: History) -> list[Ballot]:
    return ballots.get((history.phase.pk, history.team.pk), [])
