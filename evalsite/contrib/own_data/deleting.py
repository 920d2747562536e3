"""Deletes an account: the person's data go, and what others rely on stays under a pseudonym.

The row stays, so that the log, runs and agreements have somebody to point to; nothing in it leads to the person.
"""

from dataclasses import dataclass, field

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.contrib.admin.models import LogEntry
from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext, gettext_noop

from evalsite.accounts.models import Membership, OrganiserRequest, Team, User, new_invitation
from evalsite.api.models import AccessToken
from evalsite.challenges.models import Application, Event, Organiser, OrganiserInvitation, Task, record
from evalsite.mailing.models import Delivery, Switch
from evalsite.submissions.models import KeptUpload

PSEUDONYM = gettext_noop("Former participant %(key)s")  # stored in English
NAMED_IN = ("member", "person", "address")  # details of events that tell who somebody is


class CannotDelete(Exception):
    """Something has to be done before the account can go; the message tells the person what."""


@dataclass
class Outcome:
    """What becomes of that to which others belong too, or on which they rely."""

    obstacles: list[str] = field(default_factory=list)
    tasks: list[Task] = field(default_factory=list)  # that have no other owner
    ended: list[Team] = field(default_factory=list)  # go with the account
    kept: list[Team] = field(default_factory=list)  # stay with their runs, without members
    left: list[tuple[Team, User | None]] = field(default_factory=list)  # and who owns them then, if that changes
    n_runs: int = 0


def outcome_of(user: User) -> Outcome:
    outcome = Outcome(n_runs=user.submissions.count())  # type: ignore[attr-defined]
    if user.is_superuser:
        outcome.obstacles.append(
            gettext("You are an administrator of this site: another administrator has to change that first.")
        )
    others = Organiser.objects.filter(role=Organiser.Role.OWNER, user__is_active=True).exclude(user=user)
    owned = Task.objects.filter(organiser_rows__user=user, organiser_rows__role=Organiser.Role.OWNER)
    outcome.tasks = list(owned.exclude(pk__in=others.values("task")).order_by("title"))
    if outcome.tasks:
        outcome.obstacles.append(
            gettext("You are the only owner of some tasks: make somebody else an owner of each of them first.")
        )
    for membership in user.memberships.select_related("team").order_by("team__name"):
        _sort(outcome, membership)
    return outcome


def _sort(outcome: Outcome, membership: Membership) -> None:
    team = membership.team
    others = team.memberships.exclude(pk=membership.pk).order_by("joined", "pk")
    first = others.select_related("user").first()
    if first is None:
        (outcome.kept if team.submissions.exists() else outcome.ended).append(team)
    else:
        is_owned = others.filter(is_owner=True).exists()
        outcome.left.append((team, None if is_owned else first.user))


def delete_account(user: User) -> None:
    """Delete the person's data, end all sessions and tokens, and say so by mail; raise CannotDelete."""
    with transaction.atomic():
        user = User.objects.select_for_update().get(pk=user.pk)
        # Locked, so that no other owner leaves a task, and no other member a team, at the same time.
        list(Task.objects.filter(organiser_rows__user=user).order_by("pk").select_for_update(no_key=True))
        list(Team.objects.filter(memberships__user=user).order_by("pk").select_for_update())
        outcome = outcome_of(user)
        if outcome.obstacles:
            raise CannotDelete(" ".join(outcome.obstacles))
        get_adapter().send_mail("contrib/own_data/email/deleted", user.email, {"user": user})
        pseudonym = PSEUDONYM % {"key": user.pk.hex[:6]}
        _clean_log(user, pseudonym)
        _leave(user, pseudonym, outcome)
        for rows in (
            EmailAddress.objects.filter(user=user),
            SocialAccount.objects.filter(user=user),
            Authenticator.objects.filter(user=user),
            AccessToken.objects.filter(user=user),
            OrganiserRequest.objects.filter(user=user),
            OrganiserInvitation.objects.filter(email=user.email),
            Delivery.objects.filter(user=user),
            Switch.objects.filter(user=user),
            KeptUpload.objects.filter(user=user),
        ):
            rows.delete()
        _empty(user, pseudonym)


def _clean_log(user: User, pseudonym: str) -> None:
    """Put the pseudonym where the log names the person; nothing else of a line is changed."""
    names = {user.name, str(user), user.email} - {""}
    named = [Q(**{f"detail__{name}__in": list(names)}) for name in NAMED_IN]
    about = Q(actor=user) | Q(subject=user.pk) | Q(team__members=user) | Q(task__organiser_rows__user=user)
    lines = Event.objects.filter(Q(detail__address=user.email) | (about & (named[0] | named[1] | named[2])))
    for event in lines.distinct().order_by("pk"):
        for name in NAMED_IN:
            if event.detail.get(name) in names:
                event.detail[name] = pseudonym
        Event.objects.filter(pk=event.pk).update(detail=event.detail)
    LogEntry.objects.filter(object_id=str(user.pk)).update(object_repr=pseudonym)


def _leave(user: User, pseudonym: str, outcome: Outcome) -> None:
    for row in Organiser.objects.filter(user=user).select_related("task"):
        record(row.task, "organiser left", actor=user, subject=user.pk, person=pseudonym)
        row.delete()
    Application.objects.filter(user=user, team__in=[*outcome.kept, *outcome.ended]).update(answers={})
    for team, successor in outcome.left:
        if successor:
            team.memberships.filter(user=successor).update(is_owner=True)
            record(team, "team handed over", actor=user, subject=team.pk, member=str(successor))
    for team in [*outcome.kept, *(team for team, _ in outcome.left)]:
        team.memberships.filter(user=user).delete()
        team.invitation = new_invitation()  # the one who leaves knows the link
        team.save(update_fields=["invitation"])
        record(team, "member left", actor=user, subject=team.pk, member=pseudonym)
    for team in outcome.ended:
        team.delete()


def _empty(user: User, pseudonym: str) -> None:
    user.name, user.affiliation, user.language = pseudonym, "", ""
    user.email = f"{user.pk.hex}@deleted.invalid"
    user.is_active = user.is_staff = user.is_superuser = user.may_create_tasks = False
    user.last_login = None
    user.set_unusable_password()  # by which no session is valid any more
    user.save()
