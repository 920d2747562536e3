"""Shows boards and earlier runs on the page of a run, for the templates of results."""

from collections.abc import Sequence
from typing import Any

from django import template

from evalsite.challenges.models import Scenario
from evalsite.leaderboard.making.ladder import step_of
from evalsite.leaderboard.models import LadderStep
from evalsite.own_runs.changes import changes_of
from evalsite.own_runs.position import Coming, Kind, head_of, on_board, soon_or_late
from evalsite.results.page.detail import Section
from evalsite.submissions.models import Result, Submission

register = template.Library()


@register.inclusion_tag("leaderboard/own_runs/_place.html", takes_context=True)
def place_on_board(context: template.Context, section: Section) -> dict[str, Any]:
    """Show place, step and distance to the leader; asked for again while the board is being made."""
    user, submission = context["request"].user, context["submission"]
    found = head_of(_exact(section), user, context["visitors_role"])
    phase = submission.phase
    return {
        "head": found,
        "position": found.position,
        "section": section,
        "kind": found.position.kind.name.lower(),
        "polls": found.position.kind == Kind.COMING and soon_or_late(found.scored) == Coming.SOON,
        "submission": submission,
        "scenario": section.scenario,
        "rough": section.precision.roughly(section.scenario.scale),
        "phase": phase,
        "task": phase.task,
    }


@register.inclusion_tag("leaderboard/own_runs/_changes.html", takes_context=True)
def since_last_run(context: template.Context, section: Section) -> dict[str, Any]:
    submission = context["submission"]
    return {
        "changes": changes_of(_exact(section), context["visitors_role"]),
        "submission": submission,
        "section": section,
        "rough": section.precision.roughly(section.scale),
        "phase": submission.phase,
        "task": submission.phase.task,
    }


@register.filter
def ends(difference: Sequence[float]) -> Sequence[float]:
    """Return the interval of a difference that stands before it."""
    return difference[1:]


@register.simple_tag(takes_context=True)
def runs_on_board(context: template.Context, histories: Any) -> set[tuple[Any, Any]]:
    """Return (submission, scenario) of the runs of these histories that stand on a board that the visitor sees."""
    return on_board(histories, context["visitors_role"])


@register.filter
def stands(found: set[tuple[Any, Any]], run: Any) -> bool:
    """Return whether the run stands on a board in any scenario."""
    return any(submission == run.submission.pk for submission, _ in found)


@register.simple_tag
def ladder_step(submission: Submission, scenario: Scenario) -> LadderStep | None:
    """Return what the team is told of the run by the gold in force; None while it is not decided."""
    return step_of(submission, scenario)


def _exact(section: Section) -> Result:
    assert section.exact is not None  # only scored sections have a place and changes
    return section.exact
