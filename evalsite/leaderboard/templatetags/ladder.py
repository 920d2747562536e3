"""Shows what a team is told of a run in a phase with the Ladder, for the templates of results."""

from django import template

from evalsite.challenges.models import Scenario
from evalsite.leaderboard.making.ladder import step_of
from evalsite.leaderboard.models import LadderStep
from evalsite.submissions.models import Submission

register = template.Library()


@register.simple_tag
def ladder_step(submission: Submission, scenario: Scenario) -> LadderStep | None:
    """Return the step of the run by the gold in force; None while it is not decided."""
    return step_of(submission, scenario)
