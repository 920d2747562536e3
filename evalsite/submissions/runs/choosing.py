"""Chooses the runs that count for a team, where the phase leaves the choice to it: primary ones, beside contrastive
ones.
"""

from collections.abc import Iterable

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext, ngettext

from evalsite.accounts.models import Team, User
from evalsite.challenges.models import Event, Phase, Scenario, record
from evalsite.submissions.models import Choice, Scoring, Submission
from evalsite.submissions.runs.changing import Side, update_boards
from evalsite.wording import amount

# Changes of a choice for each run of the team: each lets the board compare other pairs, so uploads bound them.
CHANGES_A_RUN = 2


class NoChoice(Exception):
    """A run cannot be chosen; the message tells the person why."""


def may_choose(side: str, phase: Phase) -> bool:
    """Return True if the choice is open: until the phase closes, and for the organisers always."""
    return phase.n_choices > 0 and (side == Side.ORGANISERS or phase.state != "closed")


def eligible(phase: Phase, scenario: Scenario, team: Team) -> QuerySet[Submission]:
    """Return the team's runs that may count, the newest first: scored, or still to be."""
    living = Scoring.objects.filter(submission=OuterRef("pk"), scenario=scenario, state__in=Scoring.LIVING)
    runs = Submission.objects.filter(Exists(living), phase=phase, team=team, withdrawn=None, reference="")
    runs = runs.filter(is_beyond_limit=False)
    return runs if phase.ranks_late else runs.filter(is_late=False)


def choose(phase: Phase, scenario: Scenario, team: Team, *chosen: Submission, by: User, side: str = Side.TEAM) -> bool:
    """Let the best of these runs count, or without any the last one; return whether that is new. Raise NoChoice."""
    with transaction.atomic():
        # One choice of a team at a time, and none while one of its uploads is admitted.
        Team.objects.select_for_update(no_key=True).get(pk=team.pk)
        phase = Phase.objects.select_related("task").get(pk=phase.pk)
        if not may_choose(side, phase):
            raise NoChoice(_why_not(phase))
        keys = {run.pk for run in chosen}
        if len(keys) > phase.n_choices:
            words = ngettext("Choose at most %(n)s run.", "Choose at most %(n)s runs.", phase.n_choices)
            raise NoChoice(words % {"n": amount(phase.n_choices)})
        if eligible(phase, scenario, team).filter(pk__in=keys).count() < len(keys):
            raise NoChoice(
                gettext("This run cannot count: it is withdrawn, late, beyond the limits, or has not been scored.")
            )
        of_board = Choice.objects.filter(phase=phase, scenario=scenario, team=team).select_related("submission")
        former = {choice.submission_id: choice.submission for choice in of_board.order_by("pk")}
        if former.keys() == keys:
            return False
        if side == Side.TEAM and not _may_change(phase, scenario, team):
            raise NoChoice(
                gettext("Your team has changed this choice too often. The organisers can change it for you.")
            )
        of_board.delete()
        for run in dict.fromkeys(chosen):
            Choice.objects.create(phase=phase, scenario=scenario, team=team, submission=run, by=by)
        names = _named(former.values()), _named(chosen)
        changed = [*chosen, *former.values()]
        detail = {"scenario": scenario.number, "team": team.name, "side": side}
        record(phase.task, "run chosen", actor=by, subject=changed[0].pk, changes={"counts": names}, **detail)
        update_boards([run.pk for run in changed])
    return True


def _may_change(phase: Phase, scenario: Scenario, team: Team) -> bool:
    runs = Submission.objects.filter(phase=phase, team=team).order_by().values("pk")
    about = {"kind": "run chosen", "detail__side": Side.TEAM, "detail__scenario": scenario.number}
    n_changes = Event.objects.filter(task=phase.task_id, subject__in=runs, **about).count()
    return n_changes < CHANGES_A_RUN * runs.count()


def _named(runs: Iterable[Submission]) -> str:
    return ", ".join(run.method for run in runs)


def _why_not(phase: Phase) -> str:
    if not phase.n_choices:
        return gettext("In this phase the site decides which run counts.")
    return gettext("The phase has closed: the run that counts can only be changed by the organisers.")
