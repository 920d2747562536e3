"""How much the boards of a phase tell, for the pages of runs and of uploads, and of organisers' gold."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from django import template
from django.template.loader import render_to_string

from evalsite.challenges.access import Role
from evalsite.challenges.models import Phase, Scenario, Task
from evalsite.challenges.sketches import AnyReader, leave_open, mark
from evalsite.challenges.ties import Ties
from evalsite.leaderboard.planning import Plan, plans_of
from evalsite.leaderboard.power import BoardPower, powers_for, powers_of

register = template.Library()


@register.simple_tag(takes_context=True)
def board_powers(context: template.Context, phase: Phase, team: UUID | None = None) -> dict[UUID, BoardPower]:
    """By scenario of the phase's task, for the visitor; with `team`, of that one among the visitor's teams."""
    request = context["request"]
    scenarios = list(Scenario.objects.filter(task=phase.task_id))
    if isinstance(request.user, AnyReader):
        leave_open(request, _Distances(request.user.role_in(phase.task_id), phase, scenarios))
    return powers_of(phase, scenarios, request.user, str(team) if team else "", context.get("visitors_role"))


@register.simple_tag(takes_context=True)
def board_power(context: template.Context, phase: Phase, scenario: Scenario, team: UUID) -> BoardPower | None:
    """Of one scenario, for the page of a run of this team."""
    found = powers_of(phase, [scenario], context["request"].user, str(team), context["visitors_role"])
    return found.get(scenario.pk)


@dataclass(frozen=True)
class _Distances:
    """Fills the marks of a sketch for a visitor: how far the own run is from the leader, of each board."""

    role: Role
    phase: Phase
    scenarios: list[Scenario]

    def __call__(self, ties: Ties) -> Mapping[str, str]:
        powers = powers_for(self.role, self.phase, self.scenarios, ties.teams)
        return {
            _distance(scenario): render_to_string(
                "leaderboard/_own_distance.html", {"own": power.own, "scale": power.scale}
            )
            for scenario in self.scenarios
            if (power := powers.get(scenario.pk)) and power.own
        }


def _distance(scenario: Scenario) -> str:
    return f"distance {scenario.pk}"


@register.filter
def open_distance(scenario: Scenario, user: object) -> str:
    """The mark that stands for the visitor's own distance in a sketch; "" on the page of a visitor."""
    return mark(_distance(scenario)) if isinstance(user, AnyReader) else ""


@register.filter
def of_board(powers: dict[UUID, BoardPower], scenario: Scenario) -> BoardPower | None:
    return powers.get(scenario.pk)


@register.simple_tag
def test_plans(task: Task) -> dict[tuple[UUID, UUID], Plan]:
    """By (phase, scenario) what the newest gold tells, where that is known; for organisers alone."""
    return plans_of(task)


@register.simple_tag
def plan_for(plans: dict[tuple[UUID, UUID], Plan], phase: Phase, scenario: Scenario) -> Plan | None:
    return plans.get((phase.pk, scenario.pk))
