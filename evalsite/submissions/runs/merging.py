"""Merges two teams that are one: all runs of a task go over, also those of phases that have closed.

What the former team has used counts for the other one, in the order of arrival, so that both together have no more
uploads than one; runs beyond that are shown outside the ranks. It is final: nobody could tell later whose a run was.
"""

from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext

from evalsite.accounts.models import Membership, Team, User
from evalsite.challenges.models import Participation, Phase, Task, record
from evalsite.challenges.taking_part.teams import hand_participation_over
from evalsite.submissions.models import Allowance, Choice, Submission
from evalsite.submissions.quotas import beyond_limits
from evalsite.submissions.runs.changing import update_boards


class CannotMerge(Exception):
    """The teams cannot be merged like this; the message tells the organiser why."""


def merge(task: Task, former: Team, team: Team, *, by: User) -> None:
    """Make two teams of a task one, which keeps the name of `team`; raise CannotMerge.

    Members of the former team become members, extra uploads that it was given end, and it does not enter the task
    again.
    """
    with transaction.atomic():
        # In the order in which uploads lock; of two merges at once the second finds a team gone.
        list(Team.objects.filter(pk__in=(former.pk, team.pk)).order_by("pk").select_for_update())
        _refuse(task, former, team)
        moved = list(Submission.objects.filter(phase__task=task, team=former).values_list("pk", flat=True))
        Submission.objects.filter(pk__in=moved).update(team=team, allowance=None)
        Allowance.objects.filter(phase__task=task, team=former).delete()
        phases = task.phases.filter(submissions__in=moved).distinct()
        beyond = set().union(*(_set_apart(phase, team) for phase in list(phases)))
        Choice.objects.filter(submission__in=[*moved, *beyond]).delete()
        hand_participation_over(task, former, team)
        for member in former.members.all():
            Membership.objects.get_or_create(team=team, user=member)
        about = {"former": former.name, "team": team.name, "submissions": [str(pk) for pk in moved]}
        beyond_limit = [str(pk) for pk in beyond]
        record(task, "teams merged", actor=by, subject=team.pk, changes=None, **about, beyond_limit=beyond_limit)
        update_boards({*moved, *beyond}, former.pk)


def _refuse(task: Task, former: Team, team: Team) -> None:
    if former == team:
        raise CannotMerge(gettext("These are one team already."))
    entered = {
        participation.team_id: participation
        for participation in Participation.objects.filter(task=task, team__in=(former, team))
    }
    for side in (former, team):
        if side.pk not in entered:
            words = gettext("%(team)s no longer takes part in this task: perhaps it has just been merged.")
            raise CannotMerge(words % {"team": side})
        if entered[side.pk].banned:
            raise CannotMerge(gettext("%(team)s is banned. Bring it back first.") % {"team": side})
    joining = former.members.exclude(pk__in=team.members.values("pk"))
    if joining.exists() and Submission.objects.filter(team=team).exclude(phase__task=task).exists():
        words = gettext(
            "%(team)s has runs in other tasks, which the members of %(former)s would see. Merge them the other way "
            "round, or let the members of %(former)s join %(team)s by its invitation first."
        )
        raise CannotMerge(words % {"team": team, "former": former})


def _set_apart(phase: Phase, team: Team) -> set[UUID]:
    """Mark the team's runs beyond the limits of the phase; return those whose mark has changed."""
    runs = Submission.objects.filter(phase=phase, team=team, reference="")
    before = set(runs.filter(is_beyond_limit=True).values_list("pk", flat=True))
    beyond = beyond_limits(phase, team)
    runs.filter(pk__in=beyond - before).update(is_beyond_limit=True)
    runs.filter(pk__in=before - beyond).update(is_beyond_limit=False)
    return beyond ^ before
