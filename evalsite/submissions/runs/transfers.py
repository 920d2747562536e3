"""Transfers the runs of a team of one into another team, for people who tried alone before they found each other.

Runs go over task by task, with what they have used of the limits. Of the joint team's runs those compete that it could
have uploaded had it been one from the start: the first in time, as many as the phase allows. The others are shown
outside the ranks, or several people could let the best of all their uploads count. Phases that have closed keep their
runs and boards as they are.
"""

from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext

from evalsite.accounts.models import Team, User
from evalsite.accounts.services import TeamRuleError, teams_of_one
from evalsite.base.moment import database_now
from evalsite.challenges.models import Participation, Phase, Task, record
from evalsite.challenges.taking_part.teams import NameTaken, hand_participation_over, participate
from evalsite.submissions.models import Choice, Submission
from evalsite.submissions.quotas import (
    Quota,
    beyond_limits,
    counted_uploads,
    quota,
    teams_bound_to,
)
from evalsite.submissions.runs.changing import update_boards


@dataclass(frozen=True)
class PhaseShare:
    """The runs of one phase, and what the team has left there before and after the transfer."""

    phase: Phase
    n_runs: int
    n_beyond: int  # runs of the joint team that would not compete
    binds: bool  # whether these runs keep the person from uploading for another team
    before: Quota
    after: Quota

    @property
    def is_limited(self) -> bool:
        return self.phase.is_limited


@dataclass(frozen=True)
class Transfer:
    """The runs of a task that a person may bring along from a team of one."""

    former: Team
    task: Task
    shares: list[PhaseShare]

    @property
    def key(self) -> str:
        """Return the value by which a form names it."""
        return f"{self.former.pk}:{self.task.pk}"

    @property
    def n_runs(self) -> int:
        return sum(share.n_runs for share in self.shares)

    @property
    def n_beyond(self) -> int:
        return sum(share.n_beyond for share in self.shares)


def possible_transfers(user: User, team: Team) -> list[Transfer]:
    """Return what the person could bring into the team, by former team and task."""
    now = database_now()
    movable = _movable(now).filter(team__in=teams_of_one(user)).exclude(team=team)
    order = ("team__name", "team", "phase__task__title", "phase__task", "phase__opens", "phase")
    runs = movable.select_related("team", "phase__task").defer("description").order_by(*order)
    found = groupby(runs, key=lambda run: (run.team, run.phase.task))
    return [Transfer(former, task, _shares(list(own), user, team, now)) for (former, task), own in found]


def _movable(now: datetime) -> QuerySet[Submission]:
    """Return ranked runs in phases that have not closed."""
    return Submission.objects.filter(Q(phase__closes=None) | Q(phase__closes__gt=now), reference="")


def _shares(runs: list[Submission], user: User, team: Team, now: datetime) -> list[PhaseShare]:
    return [_share(phase, list(own), user, team, now) for phase, own in groupby(runs, key=lambda run: run.phase)]


def _share(phase: Phase, runs: list[Submission], user: User, team: Team, now: datetime) -> PhaseShare:
    former = runs[0].team
    bound = teams_bound_to(phase, user)
    return PhaseShare(
        phase,
        n_runs=len(runs),
        n_beyond=counted_uploads(phase).filter(pk__in=beyond_limits(phase, [team, former])).count(),
        binds=former in bound and team not in bound,
        before=quota(phase, team, now),
        after=quota(phase, team, now, with_runs_of=former),
    )


def transfer_runs(user: User, team: Team, load: Transfer) -> None:
    """Give the runs to the team, which enters the task if it has not yet. Raise TeamRuleError.

    A former team that has no run left in the task is no longer in it.
    """
    former, task = load.former, load.task
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        # Uploads lock their team too. The order avoids a deadlock of two people who bring runs to each other.
        list(Team.objects.filter(pk__in=(former.pk, team.pk)).order_by("pk").select_for_update())
        if not teams_of_one(user).filter(pk=former.pk).exists() or not team.members.filter(pk=user.pk).exists():
            words = gettext("%(team)s does not belong to you alone. Its runs stay with it.")
            raise TeamRuleError(words % {"team": former})
        _refuse_banned(task, former, team)
        moved = list(_movable(database_now()).filter(team=former, phase__task=task).values_list("pk", flat=True))
        if not moved:
            return
        try:
            participate(task, team)
        except NameTaken as taken:
            words = gettext("%(task)s: %(reason)s Rename %(team)s, then bring the runs.")
            raise TeamRuleError(words % {"task": task, "reason": taken, "team": team}) from taken
        phases = Phase.objects.filter(submissions__in=moved).distinct()
        Submission.objects.filter(pk__in=moved).update(team=team)
        beyond = set().union(*(set_apart(phase, team) for phase in list(phases)))
        if not Submission.objects.filter(team=former, phase__task=task).exists():
            hand_participation_over(task, former, team)
        record(
            task,
            "runs brought along",
            actor=user,
            subject=team.pk,
            former=former.name,
            team=team.name,
            submissions=[str(pk) for pk in moved],
            beyond_limit=[str(pk) for pk in beyond],
        )
        Choice.objects.filter(submission__in=[*moved, *beyond]).delete()  # the team chooses again
        update_boards({*moved, *beyond}, former.pk)


def _refuse_banned(task: Task, *teams: Team) -> None:
    if banned := Participation.objects.filter(task=task, team__in=teams, banned__isnull=False).first():
        words = gettext("The organisers of %(task)s have banned %(team)s: its runs go nowhere.")
        raise TeamRuleError(words % {"task": task, "team": banned.team})


def set_apart(phase: Phase, team: Team) -> set[UUID]:
    """Mark the team's runs beyond the limits of the phase; return those whose mark has changed."""
    runs = Submission.objects.filter(phase=phase, team=team, reference="")
    before = set(runs.filter(is_beyond_limit=True).values_list("pk", flat=True))
    beyond = beyond_limits(phase, [team])
    runs.filter(pk__in=beyond - before).update(is_beyond_limit=True)
    runs.filter(pk__in=before - beyond).update(is_beyond_limit=False)
    return beyond ^ before
