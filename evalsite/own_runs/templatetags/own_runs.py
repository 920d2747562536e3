"""Shows boards and earlier runs on the page of a run, for the templates of results."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django import template
from django.utils.safestring import SafeString

from evalsite.board_pages.board.cells import headline
from evalsite.board_pages.board.rows import Row
from evalsite.challenges.models import Scenario
from evalsite.leaderboard.making.ladder import step_of
from evalsite.leaderboard.models import LadderStep
from evalsite.own_runs.changes import changes_of, stamp_of_last
from evalsite.own_runs.position import Coming, Kind, RunHead, head_of, on_board, soon_or_late
from evalsite.results.page.detail import Section
from evalsite.results.runs.history import Group, Listing
from evalsite.submissions.models import Result, Submission

register = template.Library()


@register.simple_tag(takes_context=True)
def run_head(context: template.Context, section: Section) -> RunHead:
    """Return what the board tells of the run of a section."""
    return head_of(_exact(section), context["request"].user, context["visitors_role"], section.precision)


@register.inclusion_tag("leaderboard/own_runs/_place.html", takes_context=True)
def place_on_board(context: template.Context, section: Section, head: RunHead) -> dict[str, Any]:
    """Show place, step and distance to the leader; asked for again while the board is being made."""
    submission = context["submission"]
    phase = submission.phase
    return {
        "head": head,
        "position": head.position,
        "section": section,
        "kind": head.position.kind.name.lower(),
        "polls": head.position.kind == Kind.COMING and soon_or_late(head.scored) == Coming.SOON,
        "submission": submission,
        "scenario": section.scenario,
        "rough": section.precision.roughly(section.scenario.scale),
        "phase": phase,
        "task": phase.task,
    }


@register.simple_tag
def last_run(section: Section) -> tuple[Any, ...] | None:
    """Return what the changes since the latest run before this one depend on; None where there is none."""
    return stamp_of_last(_exact(section))


@register.inclusion_tag("leaderboard/own_runs/_changes.html", takes_context=True)
def since_last_run(context: template.Context, section: Section, last: tuple[Any, ...]) -> dict[str, Any]:
    submission = context["submission"]
    return {
        "changes": changes_of(_exact(section), last[0], context["visitors_role"], section.precision),
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


@register.filter
def headline_cell(row: Row) -> SafeString:
    return SafeString(headline(row, row.headline))


@register.simple_tag
def runs_on_board(listing: Listing) -> set[UUID]:
    """Return the listed runs that stand on a board that the visitor sees."""
    return on_board(listing.groups, listing.role)


@register.filter
def of_group(runs: set[UUID], group: Group) -> list[UUID]:
    """Return those of the runs that are of the group."""
    return [run.pk for run in group.runs if run.pk in runs]


@register.simple_tag
def ladder_step(submission: Submission, scenario: Scenario) -> LadderStep | None:
    """Return what the team is told of the run by the gold in force; None while it is not decided."""
    return step_of(submission, scenario)


def _exact(section: Section) -> Result:
    assert section.exact is not None  # only scored sections have a place and changes
    return section.exact
