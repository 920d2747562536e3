"""Receivers that record team changes in the audit trail, remember former addresses, and have new gold sealed."""

from typing import Any

from django.db.models.signals import post_save, pre_save
from django.dispatch import receiver

from evalsite.accounts.models import Team, User
from evalsite.accounts.services import team_changed
from evalsite.base.after_commit import after_commit
from evalsite.base.queues import send_message
from evalsite.challenges.former_addresses import Addressed, redirect_from, slug_of
from evalsite.challenges.models import Changes, Gold, Page, Phase, Scenario, Task, record
from evalsite.challenges.tasks import seal_gold


@receiver(team_changed)
def record_change_of_team(
    sender: Any, team: Team, kind: str, by: User | None, changes: Changes, detail: dict[str, Any], **kwargs: Any
) -> None:
    record(team, kind, actor=by, subject=team.pk, changes=changes, **detail)


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
