"""What the page of a run says of the board and of the runs before, for the templates of results."""

from collections.abc import Sequence
from typing import Any

from django import template

from evalsite.leaderboard.own_runs.changes import changes_of
from evalsite.leaderboard.own_runs.coming import Coming, soon_or_late
from evalsite.leaderboard.own_runs.on_board import on_board
from evalsite.leaderboard.own_runs.position import Kind, head_of
from evalsite.results.detail import Section

register = template.Library()


@register.inclusion_tag("leaderboard/own_runs/_place.html", takes_context=True)
def place_on_board(context: template.Context, section: Section) -> dict[str, Any]:
    """Place, step to the own best and distance to the leader; asked for again while the board is being made."""
    user, submission = context["request"].user, context["submission"]
    found = head_of(_result(section, context), user, context["visitors_role"])
    phase = submission.phase
    return {
        "head": found,
        "position": found.position,
        "kind": found.position.kind.name.lower(),
        "polls": found.position.kind == Kind.COMING and soon_or_late(found.scored) == Coming.SOON,
        "submission": submission,
        "scenario": section.scenario,
        "unit": section.unit,
        "phase": phase,
        "task": phase.task,
    }


@register.inclusion_tag("leaderboard/own_runs/_changes.html", takes_context=True)
def since_last_run(context: template.Context, section: Section) -> dict[str, Any]:
    submission = context["submission"]
    return {
        "changes": changes_of(_result(section, context), context["visitors_role"]),
        "submission": submission,
        "section": section,
        "phase": submission.phase,
        "task": submission.phase.task,
    }


@register.filter
def ends(difference: Sequence[float]) -> Sequence[float]:
    """The interval of a difference that stands before it."""
    return difference[1:]


@register.simple_tag(takes_context=True)
def runs_on_board(context: template.Context, histories: Any) -> set[tuple[Any, Any]]:
    """(submission, scenario) of the runs of these histories that stand on a board that the visitor sees."""
    return on_board(histories, context["request"].user)


@register.filter
def stands(found: set[tuple[Any, Any]], run: Any) -> bool:
    """Whether the run stands on a board in any scenario."""
    return any(submission == run.submission.pk for submission, _ in found)


def _result(section: Section, context: template.Context) -> Any:
    """The section's result with the submission, phase and task that the page has already."""
    assert section.result is not None
    section.result.scoring.submission = context["submission"]
    return section.result
