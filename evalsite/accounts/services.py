"""How teams are made, joined, left, handed over and deleted, with the rules of each."""

import itertools

from django.db import IntegrityError, transaction

from evalsite.accounts.models import Membership, Team, User, new_invitation


class TeamRuleError(Exception):
    """Why a team cannot be changed like this; its text is for the person who asked."""


def create_personal_team(user: User) -> Team:
    """A team of one, so that a new person can upload at once; a number makes the person's name a free one."""
    while True:
        name = _free_name(user.name or "Team")
        try:
            return create_team(user, name, user.affiliation)
        except IntegrityError:
            # A namesake was quicker between the look and the insert; anything else is no reason to try again.
            if not Team.objects.filter(name=name).exists():
                raise


def create_team(owner: User, name: str, affiliation: str = "") -> Team:
    with transaction.atomic():
        team = Team.objects.create(name=name, affiliation=affiliation)
        Membership.objects.create(team=team, user=owner, is_owner=True)
    return team


def _free_name(wanted: str) -> str:
    longest = Team._meta.get_field("name").max_length or 0
    suffixes = itertools.chain([""], (f" {number}" for number in itertools.count(2)))
    # Suffixes may cut the name by some characters, so names are compared by what is before the cut.
    taken = {
        name.casefold()
        for name in Team.objects.filter(name__istartswith=wanted[: longest - 8]).values_list("name", flat=True)
    }
    candidates = (wanted[: longest - len(suffix)].rstrip() + suffix for suffix in suffixes)
    return next(name for name in candidates if name.casefold() not in taken)


def join(team: Team, user: User) -> None:
    Membership.objects.get_or_create(team=team, user=user)


def renew_invitation(team: Team) -> None:
    """From now on the old link leads nowhere."""
    team.invitation = new_invitation()
    team.save(update_fields=["invitation"])


def leave(team: Team, user: User) -> None:
    with transaction.atomic():
        _lock(team)
        others = team.memberships.exclude(user=user)
        if not others.exists():
            raise TeamRuleError("You are the only member. A team without members cannot be.")
        if not others.filter(is_owner=True).exists():
            raise TeamRuleError("You own this team. Hand it over to another member before you leave.")
        team.memberships.filter(user=user).delete()


def remove_member(team: Team, user: User) -> None:
    """Take somebody out, who then cannot come back by the link that all members know."""
    with transaction.atomic():
        _lock(team)
        if team.memberships.filter(user=user, is_owner=True).exists():
            raise TeamRuleError("An owner cannot be removed.")
        team.memberships.filter(user=user).delete()
        renew_invitation(team)


def hand_over(team: Team, owner: User, successor: User) -> None:
    """Make another member the owner in one's place."""
    with transaction.atomic():
        _lock(team)
        if not team.memberships.filter(user=successor).update(is_owner=True):
            raise TeamRuleError("Only a member can become the owner.")
        if successor != owner:
            team.memberships.filter(user=owner).update(is_owner=False)


def has_submissions(team: Team) -> bool:
    return team.submissions.exists()


def delete(team: Team) -> None:
    with transaction.atomic():
        _lock(team)
        if has_submissions(team):
            raise TeamRuleError("This team has submitted runs, which stay on record, and so the team stays too.")
        team.delete()


def _lock(team: Team) -> None:
    """Changes of one team happen one after the other, so that it never loses its last owner."""
    Team.objects.select_for_update().get(pk=team.pk)
