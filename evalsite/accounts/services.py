"""Services of teams: they are made, joined, left, handed over and deleted here, with the rules of each."""

import itertools
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.dispatch import Signal
from django.utils.translation import gettext

from evalsite.accounts.models import Membership, Team, User, new_invitation
from evalsite.accounts.names import comparable, skeleton

# Sent with `team`, `kind` (what happened, for the audit trail), `by` (the person who did it), `changes`
# ({name of a field: (old, new)}) and `detail` (further words, JSON-ready).
team_changed = Signal()


class TeamRuleError(Exception):
    """A rule of teams forbids the change; its text is for the person who asked."""


def create_personal_team(user: User) -> Team:
    """Create a team of one, so that a new person can upload at once.

    A number makes its name one that no team of the site has, so that no task refuses it for its name.
    """
    return create_team(user, _free_name(user.name or "Team"), user.affiliation)


def create_team(owner: User, name: str, affiliation: str = "") -> Team:
    with transaction.atomic():
        team = Team.objects.create(name=name, affiliation=affiliation)
        Membership.objects.create(team=team, user=owner, is_owner=True)
        _send_change(team, "team made", by=owner, name=name)
    return team


def _free_name(wanted: str) -> str:
    longest = Team._meta.get_field("name").max_length or 0
    suffixes = itertools.chain([""], (f" {number}" for number in itertools.count(2)))
    candidates = (wanted[: longest - len(suffix)].rstrip() + suffix for suffix in suffixes)
    return next(name for name in candidates if not Team.objects.filter(called_like(name)).exists())


def is_taken(name: str, teams: QuerySet[Team], *, besides: Team) -> bool:
    """Return whether another one of the teams has a name that people could not tell from this one."""
    return teams.filter(called_like(name)).exclude(pk=besides.pk).exists()


def called_like(name: str) -> Q:
    """Return the condition of teams with the same name in whatever case and spelling, or one that looks the same."""
    return Q(name_key=comparable(name)) | Q(look_key=skeleton(name))


def rename(team: Team, name: str, affiliation: str, *, by: User) -> None:
    """Change name and affiliation; the name has to be free in every task that the team has entered."""
    with transaction.atomic():
        _lock(team)
        # Locked, so that the second of two teams that want one name in a task sees the first one's change.
        entered = team.participations.select_related("task").order_by("task").select_for_update(of=("task",))
        for participation in entered:
            if is_taken(name, Team.objects.filter(participations__task=participation.task_id), besides=team):
                taken = gettext("Another team of %(task)s has this name. Add something that tells yours apart.")
                raise TeamRuleError(taken % {"task": participation.task})
        old, new = ((team.name, team.affiliation), (name, affiliation))
        changes = {
            field: (before, after)
            for field, before, after in zip(("name", "affiliation"), old, new, strict=True)
            if before != after
        }
        if not changes:
            return
        team.name, team.affiliation = new
        team.save(update_fields=["name", "affiliation"])
        _send_change(team, "team renamed" if "name" in changes else "team changed", by=by, changes=changes)


def join(team: Team, user: User) -> None:
    with transaction.atomic():
        if Membership.objects.get_or_create(team=team, user=user)[1]:
            _send_change(team, "member joined", by=user, member=str(user))


def renew_invitation(team: Team, *, by: User) -> None:
    """Replace the invitation's link, so that the old one no longer works."""
    with transaction.atomic():
        team.invitation = new_invitation()
        team.save(update_fields=["invitation"])
        _send_change(team, "invitation renewed", by=by)


def leave(team: Team, user: User) -> None:
    with transaction.atomic():
        _lock(team)
        others = team.memberships.exclude(user=user)
        if not others.exists():
            raise TeamRuleError(gettext("You are the only member, and a team needs at least one."))
        if not others.filter(is_owner=True).exists():
            raise TeamRuleError(gettext("You own this team. Hand it over to another member before you leave."))
        team.memberships.filter(user=user).delete()
        _send_change(team, "member left", by=user, member=str(user))
        renew_invitation(team, by=user)  # the one who leaves knows the link


def remove_member(team: Team, user: User, *, by: User) -> None:
    """Remove a member, who then cannot come back by the link that all members know."""
    with transaction.atomic():
        _lock(team)
        if team.memberships.filter(user=user, is_owner=True).exists():
            raise TeamRuleError(gettext("An owner cannot be removed."))
        team.memberships.filter(user=user).delete()
        _send_change(team, "member removed", by=by, member=str(user))
        renew_invitation(team, by=by)


def hand_over(team: Team, owner: User, successor: User) -> None:
    """Make another member the owner in one's place."""
    with transaction.atomic():
        _lock(team)
        if not team.memberships.filter(user=successor).update(is_owner=True):
            raise TeamRuleError(gettext("Only a member can become the owner."))
        if successor != owner:
            team.memberships.filter(user=owner).update(is_owner=False)
            _send_change(team, "team handed over", by=owner, member=str(successor))


def has_submissions(team: Team) -> bool:
    return team.submissions.exists()


def delete(team: Team) -> None:
    with transaction.atomic():
        _lock(team)
        if has_submissions(team):
            raise TeamRuleError(gettext("This team has submitted runs, which stay on record, so it cannot be deleted."))
        team.delete()


def _lock(team: Team) -> None:
    """Lock the team, so that concurrent changes never leave it without an owner."""
    Team.objects.select_for_update().get(pk=team.pk)


def _send_change(
    team: Team, kind: str, *, by: User, changes: Mapping[str, tuple[str, str]] | None = None, **detail: Any
) -> None:
    team_changed.send(Team, team=team, kind=kind, by=by, changes=changes or {}, detail=detail)
