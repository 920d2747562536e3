"""Receivers that record team changes in the audit trail, remember former addresses, and have new gold sealed."""

from typing import Any

from django.db.models.functions import Now
from django.db.models.signals import post_save, pre_save
from django.dispatch import receiver
from django.utils.translation import gettext

from evalsite.accounts.models import Team, User
from evalsite.accounts.services import TeamRuleError, team_changed
from evalsite.base.after_commit import after_commit
from evalsite.base.queues import send_message
from evalsite.challenges.former_addresses import Addressed, redirect_from, slug_of
from evalsite.challenges.models import Changes, Gold, Page, Phase, Scenario, Task, record
from evalsite.challenges.tasks import seal_gold
from evalsite.wording import utc


@receiver(team_changed)
def record_change_of_team(
    sender: Any, team: Team, kind: str, by: User | None, changes: Changes, detail: dict[str, Any], **kwargs: Any
) -> None:
    record(team, kind, actor=by, subject=team.pk, changes=changes, **detail)


MEMBERSHIP = {"member joined", "member left", "member removed"}


@receiver(team_changed)
def keep_members_frozen(sender: Any, team: Team, kind: str, **kwargs: Any) -> None:
    """Undo a change of members, by TeamRuleError, where the organisers of a task have frozen them."""
    if kind not in MEMBERSHIP:
        return
    frozen = Task.objects.filter(participations__team=team, members_frozen__lte=Now(), archived=None).first()
    if frozen:
        words = gettext(
            "The organisers of %(task)s have frozen the members of its teams on %(time)s. Write to them if somebody "
            "has to be added or removed."
        )
        raise TeamRuleError(words % {"task": frozen, "time": utc(frozen.members_frozen)})


@receiver(pre_save, sender=Task)
@receiver(pre_save, sender=Phase)
@receiver(pre_save, sender=Page)
@receiver(pre_save, sender=Scenario)
def remember_address(sender: type[Addressed], instance: Addressed, **kwargs: Any) -> None:
    if instance._state.adding:
        return
    before = sender._base_manager.filter(pk__in=[instance.pk]).first()
    if before and slug_of(before) != slug_of(instance):
        redirect_from(instance, slug_of(before))


@receiver(post_save, sender=Gold)
def have_it_sealed(sender: Any, created: bool, **kwargs: Any) -> None:
    if created:
        after_commit(send_message, seal_gold)
