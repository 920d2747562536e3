"""Bans a team from a task, and brings it back.

The runs of a banned team are withdrawn by the organisers, with the reason of the ban, so that boards, pages and files
need to know of nothing else. The time of the ban tells its withdrawals from all others.
"""

from functools import cache
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from evalsite.accounts.models import Team, User
from evalsite.challenges.models import Participation, Task, record
from evalsite.submissions.models import Submission
from evalsite.submissions.runs.changing import Side, restore, withdraw


def ban(task: Task, team: Team, reason: str, *, by: User) -> bool:
    """Take the team off all boards of the task, and its uploads no more; return False where it is banned already."""
    with transaction.atomic():
        entered = _locked(task, team)
        if entered.banned:
            return False
        entered.banned, entered.ban_reason = timezone.now(), reason
        entered.save(update_fields=["banned", "ban_reason"])
        standing = Submission.objects.filter(phase__task=task, team=team, reference="", withdrawn=None)
        n_runs = withdraw(standing, by=by, side=Side.ORGANISERS, reason=reason, at=entered.banned)
        about: dict[str, Any] = {"team": team.name, "reason": reason, "is_public": True, "runs": n_runs}
        record(task, "team banned", actor=by, subject=team.pk, **about)
    return True


def bring_back(task: Task, team: Team, *, by: User) -> bool:
    """End the ban, and restore the runs that it withdrew; return False where there is none."""
    with transaction.atomic():
        entered = _locked(task, team)
        if not entered.banned:
            return False
        runs = Submission.objects.filter(phase__task=task, team=team)
        n_runs = restore(runs.filter(withdrawn=entered.banned), by=by, side=Side.ORGANISERS)
        entered.banned, entered.ban_reason = None, ""
        entered.save(update_fields=["banned", "ban_reason"])
        record(task, "team brought back", actor=by, subject=team.pk, team=team.name, runs=n_runs)
    return True


def _locked(task: Task, team: Team) -> Participation:
    """Return how the team takes part; it is locked, as by uploads, so that none is admitted meanwhile."""
    Team.objects.select_for_update(no_key=True).get(pk=team.pk)
    return Participation.objects.get(task=task, team=team)


def ban_notice(task: Task, person: User) -> str:
    """Return that a team of the person is banned from the task, and why, or ""."""
    bans = sorted(_bans().filter(task=task, team__members=person))
    return ban_in_words(*bans[0][1:]) if bans else ""


@cache  # built once, as each upload asks it of its task
def _bans() -> QuerySet[Participation, tuple[int, str, str]]:
    return Participation.objects.filter(banned__isnull=False).values_list("pk", "team__name", "ban_reason")


def ban_in_words(team: Team | str, reason: str) -> str:
    words = gettext("The organisers have banned %(team)s from this task: %(reason)s")
    return words % {"team": team, "reason": reason}
