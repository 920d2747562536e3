"""Shows how much the boards of a phase tell, on the pages of runs and of uploads."""

from uuid import UUID

from django import template

from evalsite.board_pages.board.power import BoardPower, powers_of
from evalsite.challenges.models import Phase, Scenario
from evalsite.leaderboard.models import Edition

register = template.Library()


@register.simple_tag(takes_context=True)
def board_powers(context: template.Context, phase: Phase, team: UUID | None = None) -> dict[UUID, BoardPower]:
    """Return by scenario what its board tells the visitor; with `team`, of that one among the visitor's teams."""
    request = context["request"]
    scenarios = list(phase.task.scenarios.all())
    return powers_of(phase, scenarios, request.user, str(team) if team else "", context.get("visitors_role"))


@register.simple_tag(takes_context=True)
def board_power(
    context: template.Context, phase: Phase, scenario: Scenario, team: UUID, newest: Edition | None
) -> BoardPower | None:
    """Return what the board of one scenario tells, for the page of a run of this team.

    `newest` is the edition of that board as it is stored, None for who does not see it.
    """
    editions = {scenario.pk: newest} if newest and newest.is_compared else None
    powers = powers_of(phase, [scenario], context["request"].user, str(team), context["visitors_role"], editions)
    return powers.get(scenario.pk)


@register.filter
def of_board(powers: dict[UUID, BoardPower], scenario: Scenario) -> BoardPower | None:
    return powers.get(scenario.pk)
