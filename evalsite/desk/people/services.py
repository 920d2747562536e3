"""Changes a task's list of organisers; each change is recorded, and told by mail.

Others can neither remove an owner nor take away the role, and the last one stays: so nobody takes a task from its
founder.
"""

from collections.abc import Iterable
from datetime import timedelta

from allauth.account.adapter import get_adapter
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from evalsite.accounts.models import User, new_invitation
from evalsite.challenges.models import Event, Organiser, OrganiserInvitation, Task, record

MOST_INVITATIONS = 50  # of one person in a day
_OWNER = Organiser.Role.OWNER


class PeopleRuleError(Exception):
    """The list cannot be changed like this; the message tells the user why."""


def invite(task: Task, email: str, role: str, *, by: User) -> OrganiserInvitation:
    """Invite an address, or invite it again, which makes the earlier link invalid."""
    with transaction.atomic():
        _lock(task)
        if task.organisers.filter(email=email).exists():
            raise PeopleRuleError(gettext("%(email)s is already on the list.") % {"email": email})
        _refuse_too_many(by)
        values = {"role": role, "secret": new_invitation(), "sent": timezone.now(), "sent_by": by}
        invitation, _ = OrganiserInvitation.objects.update_or_create(task=task, email=email, defaults=values)
        record(task, "organiser invited", actor=by, subject=invitation.pk, address=email, role=role)
        get_adapter().send_mail("desk/email/invited", email, {"invitation": invitation, "by": by})
    return invitation


def void(invitation: OrganiserInvitation, *, by: User) -> None:
    with transaction.atomic():
        kind = "invitation of an organiser cancelled"
        record(invitation.task, kind, actor=by, subject=invitation.pk, address=invitation.email)
        invitation.delete()


def join(invitation: OrganiserInvitation, user: User) -> None:
    task = invitation.task
    with transaction.atomic():
        _lock(task)
        if invitation.is_over or not OrganiserInvitation.objects.filter(secret=invitation.secret).exists():
            raise PeopleRuleError(gettext("This invitation is no longer valid. Ask for a new one."))
        if not invitation.is_for(user):
            raise PeopleRuleError(gettext("This invitation was sent to another address than yours."))
        if task.organiser_rows.filter(user=user).exists():
            raise PeopleRuleError(gettext("You are already on the list of this task."))
        task.organiser_rows.create(user=user, role=invitation.role, added_by=invitation.sent_by)
        _record_join(invitation, user)
        invitation.delete()
        _notify(_owners(task, besides=user), "joined", task, who=user, invitation=invitation)


def change_role(row: Organiser, role: str, *, by: User) -> None:
    with transaction.atomic():
        _lock(row.task)
        row.refresh_from_db(fields=["role"])
        if row.role == role:
            return
        if row.role == _OWNER:
            _refuse_for_owner(row, by)
        old, row.role = row.role, role
        row.save(update_fields=["role"])
        changes = {"role": (old, role)}
        kind = "organiser's role changed"
        record(row.task, kind, actor=by, subject=row.user_id, changes=changes, person=str(row.user))
        _notify({row.user} - {by}, "role_changed", row.task, who=by, row=row)


def remove(row: Organiser, *, by: User) -> None:
    """Remove an organiser; users who remove themselves leave."""
    with transaction.atomic():
        _lock(row.task)
        row.refresh_from_db(fields=["role"])
        if row.role == _OWNER:
            _refuse_for_owner(row, by)
        row.delete()
        leaves = row.user == by
        kind = "organiser left" if leaves else "organiser removed"
        record(row.task, kind, actor=by, subject=row.user_id, person=str(row.user), role=row.role)
        if leaves:
            _notify(_owners(row.task, besides=by), "left", row.task, who=by)
        else:
            _notify([row.user], "removed", row.task, who=by)


def _record_join(invitation: OrganiserInvitation, user: User) -> None:
    kind, address, role = "organiser joined", invitation.email, invitation.role
    record(invitation.task, kind, actor=user, subject=user.pk, person=str(user), address=address, role=role)


def _refuse_for_owner(row: Organiser, by: User) -> None:
    if row.user != by:
        raise PeopleRuleError(gettext("Only owners themselves can leave or change their role."))
    if not row.task.organiser_rows.filter(role=_OWNER).exclude(pk=row.pk).exists():
        raise PeopleRuleError(gettext("You are the only owner. Make somebody else an owner first."))


def _refuse_too_many(by: User) -> None:
    sent = Event.objects.filter(kind="organiser invited", actor=by, created__gt=timezone.now() - timedelta(days=1))
    if sent[:MOST_INVITATIONS].count() >= MOST_INVITATIONS:
        text = gettext("You have sent %(n)d invitations within a day. Send the next one tomorrow.")
        raise PeopleRuleError(text % {"n": MOST_INVITATIONS})


def _owners(task: Task, *, besides: User) -> list[User]:
    rows = task.organiser_rows.filter(role=_OWNER, user__is_active=True).exclude(user=besides)
    return [row.user for row in rows.select_related("user")]


def _notify(people: Iterable[User], template: str, task: Task, **fields: object) -> None:
    """Send one mail per person, in the language of each."""
    for person in people:
        get_adapter().send_mail(f"desk/email/{template}", person.email, {"user": person, "task": task, **fields})


def _lock(task: Task) -> None:
    """Lock the list, so that concurrent changes never remove its last owner."""
    Task.objects.select_for_update().get(pk=task.pk)
