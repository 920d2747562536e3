"""The run that a team lets count, where the phase leaves the choice to it: its primary one, beside contrastive ones."""

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext

from evalsite.accounts.models import Team, User
from evalsite.challenges.models import Phase, Scenario, record
from evalsite.submissions.changing import Side, tell_boards
from evalsite.submissions.models import Choice, Scoring, Submission


class NoChoice(Exception):
    """Why a run cannot be chosen; its text is for the person who asked."""


def may_choose(side: str, phase: Phase) -> bool:
    """Choosing ends with the phase, but for the organisers."""
    return phase.counts == Phase.Counts.CHOSEN and (side == Side.ORGANISERS or phase.state != "closed")


def eligible(phase: Phase, scenario: Scenario, team: Team) -> QuerySet[Submission]:
    """The team's runs that it may let count, the newest first: scored, or still to be."""
    living = Scoring.objects.filter(submission=OuterRef("pk"), scenario=scenario, state__in=Scoring.LIVING)
    runs = Submission.objects.filter(Exists(living), phase=phase, team=team, withdrawn=None, reference="")
    runs = runs.filter(is_beyond_limit=False)
    return runs if phase.ranks_late else runs.filter(is_late=False)


def choose(
    phase: Phase, scenario: Scenario, team: Team, chosen: Submission | None, *, by: User, side: str = Side.TEAM
) -> bool:
    """Let this run count, or with None the last one again; returns whether that is new. Raises NoChoice."""
    with transaction.atomic():
        # One choice of a team at a time, and none while one of its uploads is taken.
        Team.objects.select_for_update(no_key=True).get(pk=team.pk)
        phase = Phase.objects.select_related("task").get(pk=phase.pk)
        if not may_choose(side, phase):
            raise NoChoice(_why_not(phase))
        if chosen and not eligible(phase, scenario, team).filter(pk=chosen.pk).exists():
            raise NoChoice(
                gettext("This run cannot count: it is withdrawn, late, beyond the limits, or has not been scored.")
            )
        of_board = Choice.objects.filter(phase=phase, scenario=scenario, team=team)
        former = of_board.select_related("submission").first()
        if (former and former.submission) == chosen:
            return False
        of_board.delete()
        if chosen:
            Choice.objects.create(phase=phase, scenario=scenario, team=team, submission=chosen, by=by)
        names = former.submission.method if former else "", chosen.method if chosen else ""
        subject = chosen or (former and former.submission)
        assert subject
        detail = {"scenario": scenario.number, "team": team.name, "side": side}
        record(phase.task, "run chosen", actor=by, subject=subject.pk, changes={"counts": names}, **detail)
        tell_boards([subject.pk])
    return True


def _why_not(phase: Phase) -> str:
    if phase.counts != Phase.Counts.CHOSEN:
        return gettext("In this phase the site decides which run counts.")
    return gettext("The phase has closed: which run counts stays as it is, unless the organisers change it.")
